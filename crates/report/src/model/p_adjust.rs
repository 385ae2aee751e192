//! Correction for multiple tests when several suites are compared at once.
//!
//! Of twenty unchanged suites, one is expected below p = 0.05. Holm's correction bounds the probability of
//! any false alarm; Benjamini and Hochberg's bounds the expected share of false alarms among the suites
//! listed. Neither decides whether a run is accepted: what is a regression, and the one-sided test of search
//! suites, is in `threefold_run::regress`.

use crate::format;
use crate::model::report::PairedComparison;
use threefold_stats::multiplicity::Correction;

/// A suite's paired test with its corrected p-values.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AdjustedComparison<'c> {
    pub(crate) comparison: &'c PairedComparison,
    /// Its p-value after Holm's correction.
    pub(crate) holm: f64,
    /// Its p-value after Benjamini and Hochberg's.
    pub(crate) benjamini_hochberg: f64,
}

/// How to compare two engines on the same cases.
pub(crate) const PAIRED: &str = "Both engines ran the same cases. Compare them by the cases that only one of them \
     passes, not by whether the intervals of their rates overlap.";

/// The significance level.
const ALPHA: f64 = 0.05;

/// All comparisons of one kind, their p-values corrected for their number.
pub(crate) fn adjust(comparisons: &[PairedComparison]) -> Vec<AdjustedComparison<'_>> {
    let p: Vec<f64> = comparisons.iter().map(|comparison| comparison.p).collect();
    let adjusted = [Correction::Holm, Correction::BenjaminiHochberg].map(|correction| correction.adjust(&p));
    let [holm, benjamini_hochberg] = adjusted;
    let corrections = holm.into_iter().zip(benjamini_hochberg);
    comparisons
        .iter()
        .zip(corrections)
        .map(|(comparison, (holm, benjamini_hochberg))| AdjustedComparison {
            comparison,
            holm,
            benjamini_hochberg,
        })
        .collect()
}

/// The suites that differ significantly, in a sentence for each correction.
pub(crate) fn describe(adjusted: &[AdjustedComparison<'_>]) -> String {
    let named = |p_value: fn(&AdjustedComparison<'_>) -> f64| {
        let suites: Vec<String> =
            adjusted.iter().filter(|it| p_value(it) <= ALPHA).map(|it| direction(it.comparison)).collect();
        if suites.is_empty() { "none".to_owned() } else { format::listed(&suites) }
    };
    format!(
        "Significant at 5 % after Holm's correction (at most 5 % of such reports have a false alarm): {}. After Benjamini \
         and Hochberg's (at most 5 % of the suites listed are expected to be false alarms): {}.",
        named(|it| it.holm),
        named(|it| it.benjamini_hochberg)
    )
}

/// `repetition (worse)`.
fn direction(comparison: &PairedComparison) -> String {
    // Equal counts have p = 1, so a significant comparison is better or worse.
    let word = if comparison.lost.len() > comparison.gained.len() { "worse" } else { "better" };
    format!("{} ({word})", format::visible(&comparison.suite))
}

/// The columns of a family's table, for any format.
pub(crate) const COLUMNS: [&str; 7] =
    ["suite", "against", "lost", "gained", "p", "p (Holm)", "p (Benjamini-Hochberg)"];

/// A row of it.
pub(crate) fn cells(corrected: &AdjustedComparison<'_>) -> [String; COLUMNS.len()] {
    let AdjustedComparison { comparison, holm, benjamini_hochberg } = corrected;
    [
        comparison.suite.clone(),
        format!("{} against {}", comparison.ours, comparison.theirs),
        comparison.lost.len().to_string(),
        comparison.gained.len().to_string(),
        format::bare_p(comparison.p),
        format::bare_p(*holm),
        format::bare_p(*benjamini_hochberg),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::paired_comparison;
    use crate::model::report::Difference;

    fn comparison(suite: &str, lost: usize, gained: usize) -> PairedComparison {
        let difference = |index: usize| Difference {
            id: index.to_string(),
            class: String::new(),
            ours: String::new(),
            theirs: String::new(),
        };
        let mut comparison = PairedComparison {
            suite: suite.to_owned(),
            lost: (0..lost).map(difference).collect(),
            gained: (0..gained).map(difference).collect(),
            ..paired_comparison::example()
        };
        comparison.p = comparison.discordant().exact();
        comparison
    }

    #[test]
    fn one_failed_suite_among_many_is_no_finding() {
        // 2 * 2^-6 is below 0.05, but not four times that.
        let lucky =
            [comparison("a", 6, 0), comparison("b", 0, 0), comparison("c", 1, 1), comparison("d", 0, 0)];
        let adjusted = adjust(&lucky);
        assert_eq!(cells(&adjusted[0])[4..6], ["0.031", "0.125"]);
        assert!(describe(&adjusted).ends_with("false alarms): none."), "{}", describe(&adjusted));
        // Of two that differ, Holm's correction keeps the first, Benjamini and Hochberg's both.
        let worse = [comparison("a", 12, 0), comparison("b", 3, 3), comparison("c", 0, 6)];
        let said = describe(&adjust(&worse));
        assert!(said.contains("false alarm): a (worse)."), "{said}");
        assert!(said.ends_with("false alarms): a (worse) and c (better)."), "{said}");
        let [suite, against, lost, gained, p, _, benjamini_hochberg] = cells(&adjust(&worse)[2]);
        assert_eq!([suite, against, lost, gained], ["c", "A against B", "0", "6"]);
        assert_eq!([p, benjamini_hochberg], ["0.031", "0.047"]);
    }
}
