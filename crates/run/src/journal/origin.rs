//! The journal's form of where and how a run was started: version 1.

use std::num::NonZeroUsize;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::fields::nanos;
use crate::job::{RunConditions, RunOwner};

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OwnerV1 {
    machine: String,
    user: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seal: Option<String>,
}

/// The conditions of the run; times in nanoseconds.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConditionsV1 {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    concurrency: Option<NonZeroUsize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    startup: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    patience: Option<u64>,
}

impl From<&RunOwner> for OwnerV1 {
    fn from(RunOwner { machine, user, seal }: &RunOwner) -> Self {
        Self { machine: machine.clone(), user: user.clone(), seal: seal.clone() }
    }
}

impl From<OwnerV1> for RunOwner {
    fn from(OwnerV1 { machine, user, seal }: OwnerV1) -> Self {
        Self { machine, user, seal }
    }
}

impl From<&RunConditions> for ConditionsV1 {
    fn from(&RunConditions { concurrency, startup, search_timeout: patience }: &RunConditions) -> Self {
        Self { concurrency, startup: startup.map(nanos), patience: patience.map(nanos) }
    }
}

impl From<ConditionsV1> for RunConditions {
    fn from(ConditionsV1 { concurrency, startup, patience }: ConditionsV1) -> Self {
        let [startup, patience] = [startup, patience].map(|time| time.map(Duration::from_nanos));
        Self { concurrency, startup, search_timeout: patience }
    }
}
