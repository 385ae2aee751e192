//! Correction for multiple tests when several suites are compared at once.
//!
//! Of twenty unchanged suites, one is expected below p = 0.05. Holm's correction bounds the probability of any false
//! alarm; Benjamini and Hochberg's bounds the expected share of false alarms among the suites listed. Neither decides
//! whether a run is accepted: the shipped suites are deterministic, so a case that passed and now fails has regressed.

use super::model::Contrast;
use super::phrase;
use threefold_stats::multiplicity::Correction;

/// A suite's paired test with its corrected p-values.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Corrected<'c> {
    /// The comparison.
    pub(super) contrast: &'c Contrast,
    /// Its p-value after Holm's correction.
    pub(super) holm: f64,
    /// Its p-value after Benjamini and Hochberg's.
    pub(super) benjamini_hochberg: f64,
}

/// How to compare two engines on the same cases.
pub(super) const PAIRED: &str = "Both engines ran the same cases. Compare them by the cases that only one of them \
     passes, not by whether the intervals of their rates overlap.";

/// The significance level.
const ALPHA: f64 = 0.05;

/// All comparisons of one kind, their p-values corrected for their number.
pub(super) fn corrected(contrasts: &[Contrast]) -> Vec<Corrected<'_>> {
    let p: Vec<f64> = contrasts.iter().map(|contrast| contrast.p).collect();
    let adjusted = [Correction::Holm, Correction::BenjaminiHochberg].map(|correction| correction.adjust(&p));
    let [holm, benjamini_hochberg] = adjusted;
    let corrections = holm.into_iter().zip(benjamini_hochberg);
    contrasts
        .iter()
        .zip(corrections)
        .map(|(contrast, (holm, benjamini_hochberg))| Corrected { contrast, holm, benjamini_hochberg })
        .collect()
}

/// The suites that differ significantly, in a sentence for each correction.
pub(super) fn told(family: &[Corrected<'_>]) -> String {
    let named = |adjusted: fn(&Corrected<'_>) -> f64| {
        let suites: Vec<String> =
            family.iter().filter(|it| adjusted(it) <= ALPHA).map(|it| direction(it.contrast)).collect();
        if suites.is_empty() { "none".to_owned() } else { phrase::listed(&suites) }
    };
    format!(
        "Significant at 5 % after Holm's correction (at most 5 % of such reports have a false alarm): {}. After Benjamini \
         and Hochberg's (at most 5 % of the suites listed are expected to be false alarms): {}.",
        named(|it| it.holm),
        named(|it| it.benjamini_hochberg)
    )
}

/// `repetition (worse)`.
fn direction(contrast: &Contrast) -> String {
    let word = if contrast.lost.len() > contrast.gained.len() { "worse" } else { "better" };
    format!("{} ({word})", phrase::visible(&contrast.suite))
}

/// The columns of a family's table, for any format.
pub(super) const COLUMNS: [&str; 7] =
    ["suite", "against", "lost", "gained", "p", "p (Holm)", "p (Benjamini-Hochberg)"];

/// A row of it.
pub(super) fn cells(corrected: &Corrected<'_>) -> [String; COLUMNS.len()] {
    let Corrected { contrast, holm, benjamini_hochberg } = corrected;
    [
        contrast.suite.clone(),
        format!("{} against {}", contrast.ours, contrast.theirs),
        contrast.lost.len().to_string(),
        contrast.gained.len().to_string(),
        phrase::bare_p(contrast.p),
        phrase::bare_p(*holm),
        phrase::bare_p(*benjamini_hochberg),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Difference;

    fn contrast(suite: &str, lost: usize, gained: usize) -> Contrast {
        let difference = |index: usize| Difference {
            id: index.to_string(),
            class: String::new(),
            ours: String::new(),
            theirs: String::new(),
        };
        let mut contrast = Contrast {
            suite: suite.to_owned(),
            ours: "A".to_owned(),
            theirs: "B".to_owned(),
            both_pass: 9,
            both_fail: 0,
            lost: (0..lost).map(difference).collect(),
            gained: (0..gained).map(difference).collect(),
            only_ours: Vec::new(),
            only_theirs: Vec::new(),
            p: 1.0,
        };
        contrast.p = contrast.discordant().exact();
        contrast
    }

    #[test]
    fn one_suite_below_the_threshold_among_many_is_no_news() {
        // 2 * 2^-6 is below 0.05, but not four times that.
        let lucky = [contrast("a", 6, 0), contrast("b", 0, 0), contrast("c", 1, 1), contrast("d", 0, 0)];
        let family = corrected(&lucky);
        assert_eq!(cells(&family[0])[4..6], ["0.031", "0.125"]);
        assert!(told(&family).ends_with("false alarms): none."), "{}", told(&family));
        // Of two that differ, Holm's correction keeps the first, Benjamini and Hochberg's both.
        let worse = [contrast("a", 12, 0), contrast("b", 3, 3), contrast("c", 0, 6)];
        let said = told(&corrected(&worse));
        assert!(said.contains("false alarm): a (worse)."), "{said}");
        assert!(said.ends_with("false alarms): a (worse) and c (better)."), "{said}");
        let [suite, against, lost, gained, p, _, benjamini_hochberg] = cells(&corrected(&worse)[2]);
        assert_eq!([suite, against, lost, gained], ["c", "A against B", "0", "6"]);
        assert_eq!([p, benjamini_hochberg], ["0.031", "0.047"]);
    }
}
