//! The journal's form of the trend of a baseline: version 1.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::trend::{CaseCount, TrendPoint};

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TrendPointV1 {
    commit: String,
    /// Passed cases and all cases.
    suites: BTreeMap<String, [u64; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bench: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nps: Option<u64>,
}

impl From<&TrendPoint> for TrendPointV1 {
    fn from(TrendPoint { commit, suites, bench, nps }: &TrendPoint) -> Self {
        let suites = suites.iter().map(|(suite, count)| (suite.clone(), [count.passed, count.cases]));
        Self { commit: commit.clone(), suites: suites.collect(), bench: *bench, nps: *nps }
    }
}

impl From<TrendPointV1> for TrendPoint {
    fn from(TrendPointV1 { commit, suites, bench, nps }: TrendPointV1) -> Self {
        let suites = suites.into_iter().map(|(suite, [passed, cases])| (suite, CaseCount { passed, cases }));
        Self { commit, suites: suites.collect(), bench, nps }
    }
}
