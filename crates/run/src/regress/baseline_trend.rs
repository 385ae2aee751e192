//! The figures of a baseline for the trend in a summary.

use super::baseline::Baseline;
use crate::trend::TrendPoint;
use threefold_suites::VerdictKind;
use threefold_suites::kinds::bench::{self, BenchReading};

impl TrendPoint {
    /// The figures of a baseline.
    pub fn from_baseline(commit: &str, baseline: &Baseline) -> Self {
        let mut point = Self { commit: commit.to_owned(), ..Self::default() };
        for (name, case) in &baseline.cases {
            if name.id == bench::ID && case.class == bench::ID {
                let reading = BenchReading::from_verdict(&case.played, &case.detail);
                point.bench = reading.map(|reading| reading.nodes);
                point.nps = reading.and_then(|reading| reading.nps);
            }
            let count = point.suites.entry(name.suite.clone()).or_default();
            count.passed += u64::from(case.kind() == VerdictKind::Passed);
            count.cases += u64::from(case.kind() != VerdictKind::Skipped);
        }
        point
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::BaselineText;
    use crate::trend::CaseCount;

    #[test]
    fn baseline_is_counted_by_suite() {
        let cases = "suite,id,class,verdict,cause,detail,played\n\
            mate,a,m2,passed,an accepted move,,e2e4\nmate,b,m2,failed,,,e2e4\nmate,c,m2,skipped,,,\n\
            bench,bench,bench,passed,measured,\"4711 nodes, 77 nps\",4711\n";
        let figures = "{\"version\": 1, \"figures\": {}}";
        let text = BaselineText { cases: cases.to_owned(), figures: figures.to_owned(), environment: None };
        let point = TrendPoint::from_baseline("1a2b", &Baseline::parse(&text).expect("sound"));
        let count = |passed, cases| CaseCount { passed, cases };
        let suites = [("bench".to_owned(), count(1, 1)), ("mate".to_owned(), count(1, 2))];
        assert_eq!(point.suites, suites.into());
        assert_eq!((point.bench, point.nps), (Some(4711), Some(77)));
    }
}
