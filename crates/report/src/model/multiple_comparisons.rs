//! Correction for multiple tests when one run has several sequential tests.
//!
//! Of twenty tests between equal engines, one is expected to pass. The usual corrections do not apply to
//! tests that stop at different times; e-BH on e-values does (Wang and Ramdas, "False discovery rate control
//! with e-values").

use crate::format;
use crate::model::report::{MatchResult, Report};
use threefold_stats::anytime::EValue;
use threefold_stats::anytime::evidence::discoveries;

/// The share of false discoveries among all, on average.
const ALPHA: f64 = 0.05;

/// The tests of a run with their evidence against H0 at the time when each ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MultipleComparisons<'r> {
    tests: Vec<(&'r str, EValue)>,
}

impl<'r> MultipleComparisons<'r> {
    /// `None` for fewer than two tests.
    pub(crate) fn from_report(report: &'r Report) -> Option<Self> {
        let tests: Vec<(&str, EValue)> = report
            .matches
            .iter()
            .filter_map(|part| match &part.result {
                MatchResult::Test(test) => Some((part.name.as_str(), test.bets.evidence()[0])),
                MatchResult::Table
                | MatchResult::Duel(_)
                | MatchResult::Ratings(_)
                | MatchResult::Tuning(_) => None,
            })
            .collect();
        (tests.len() > 1).then_some(Self { tests })
    }

    fn rejected(&self) -> impl Iterator<Item = (&'r str, EValue)> {
        let values: Vec<EValue> = self.tests.iter().map(|&(_, value)| value).collect();
        let verdicts = discoveries(&values, ALPHA);
        self.tests.iter().zip(verdicts).filter(|(_, rejected)| *rejected).map(|(&test, _)| test)
    }

    /// The names of the tests whose H0 is rejected.
    pub(crate) fn discoveries(&self) -> Vec<&'r str> {
        self.rejected().map(|(name, _)| name).collect()
    }

    /// The result for all tests together, in sentences.
    pub(crate) fn describe(&self) -> String {
        let rejected: Vec<String> =
            self.rejected().map(|(name, value)| format!("{} (E = {value})", format::visible(name))).collect();
        let found = if rejected.is_empty() { "none".to_owned() } else { format::listed(&rejected) };
        format!(
            "Correction for {} (e-BH): H0 is rejected in: {found}. The expected share of false rejections is at most {}, for \
             any dependence between the tests and any stopping times.",
            format::count(self.tests.len(), "test"),
            format::percent(ALPHA)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fixture;

    #[test]
    fn one_significant_test_among_many_is_no_finding() {
        let table = [
            (&[25.0, 1.0][..], "none"),
            (&[41.0, 1.0], "a (E = 41.0)"),
            (&[22.0, 31.0], "a (E = 22.0) and b (E = 31.0)"),
        ];
        for (values, expected) in table {
            let tests = ["a", "b"].into_iter().zip(values.iter().copied().map(EValue::new)).collect();
            let said = MultipleComparisons { tests }.describe();
            assert!(said.contains(&format!("rejected in: {expected}. The")), "{said}");
        }
    }

    #[test]
    fn one_test_needs_no_correction() {
        let mut report = fixture::report();
        assert_eq!(MultipleComparisons::from_report(&report), None);
        report.matches.push(report.matches[0].clone());
        let combined = MultipleComparisons::from_report(&report).expect("two tests");
        assert_eq!((combined.tests.len(), combined.discoveries()), (2, vec![]));
    }
}
