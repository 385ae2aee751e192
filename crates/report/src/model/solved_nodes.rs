//! The nodes that two engines take to the solutions of the same cases.
//!
//! A suite may show no lost case although every solution takes a fifth more nodes. The ratio over the cases that both solve
//! shows that before cases get lost. It decides no run, since what it finds of real bugs was not measured.

use crate::format;
use crate::model::report::PairedComparison;
use threefold_stats::Estimate;
use threefold_stats::multiplicity::Correction;

/// With fewer cases that both solve, an interval says little.
const FEWEST: usize = 10;
/// A suite is called slower up to this p-value, after Holm's correction.
const LEVEL: f64 = 0.01;

/// A suite whose cases take another number of nodes.
pub(crate) struct SolvedNodes<'r> {
    /// The suite and the two engines.
    pub(crate) comparison: &'r PairedComparison,
    /// The nodes of this engine divided by those of the other.
    pub(crate) ratio: Estimate<f64>,
    /// The signed-rank test that this engine takes no more nodes, one-sided.
    pub(crate) p: f64,
    /// The same after Holm's correction for the number of suites.
    pub(crate) holm: f64,
}

/// The columns of the table, for any format.
pub(crate) const COLUMNS: [&str; 6] =
    ["suite", "against", "solved by both", "ratio of nodes (95 %)", "p", "p (Holm)"];

impl<'r> SolvedNodes<'r> {
    /// The suites with enough cases that both engines solve, if any case takes another number of nodes.
    pub(crate) fn all(comparisons: &'r [PairedComparison]) -> Vec<Self> {
        let enough = comparisons.iter().filter(|it| it.solved_nodes.pairs() >= FEWEST);
        let compared: Vec<(&PairedComparison, Estimate<f64>)> =
            enough.filter_map(|it| Some((it, it.solved_nodes.estimate()?))).collect();
        if compared.iter().all(|(it, _)| !it.solved_nodes.differ()) {
            return Vec::new();
        }
        let single: Vec<f64> = compared.iter().map(|(it, _)| it.solved_nodes.exact_one_sided()).collect();
        // Suites with too few cases were left out above, so they do not count for the correction.
        let corrected = Correction::Holm.adjust(&single);
        let rows = compared.into_iter().zip(single).zip(corrected);
        rows.map(|(((comparison, ratio), p), holm)| Self { comparison, ratio, p, holm }).collect()
    }

    /// Its row of the table.
    pub(crate) fn cells(&self) -> [String; COLUMNS.len()] {
        let Self { comparison, ratio: Estimate { low, value, high }, p, holm } = self;
        [
            comparison.suite.clone(),
            format!("{} against {}", comparison.ours, comparison.theirs),
            comparison.solved_nodes.pairs().to_string(),
            format!("{value:.2} ({low:.2} to {high:.2})"),
            format::bare_p(*p),
            format::bare_p(*holm),
        ]
    }
}

/// Which suites take significantly more nodes to their solutions; `None` if no suite is compared.
pub(crate) fn describe(suites: &[SolvedNodes<'_>]) -> Option<String> {
    let slower: Vec<String> = suites
        .iter()
        .filter(|suite| suite.holm <= LEVEL)
        .map(|SolvedNodes { comparison, ratio: Estimate { low, value, high }, holm, .. }| {
            let PairedComparison { suite, ours, theirs, .. } = comparison;
            let who = format::visible(&format!("{suite}, {ours} against {theirs}"));
            format!("{who}: {value:.2} times as many ({low:.2} to {high:.2}), {}", format::p_value(*holm))
        })
        .collect();
    (!suites.is_empty()).then(|| match &slower[..] {
        [] => "Nodes to the solutions: no suite takes significantly more.".to_owned(),
        slower => format!(
            "More nodes to the solutions that both find: {}. Signed-rank tests after Holm's correction; they do not affect the result.",
            slower.join("; ")
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::paired_comparison;
    use threefold_stats::signed_rank::Ratios;

    fn comparison(suite: &str, pairs: impl Iterator<Item = (u64, u64)>) -> PairedComparison {
        PairedComparison {
            suite: suite.to_owned(),
            solved_nodes: Ratios::of(pairs),
            ..paired_comparison::example()
        }
    }

    #[test]
    fn suites_with_more_nodes_are_named() {
        let slower = comparison("traps", (100..120).map(|nodes| (nodes, nodes * 3 / 2)));
        let faster = comparison("mates", (100..120).map(|nodes| (nodes * 2, nodes)));
        let few = comparison("few", (100..109).map(|nodes| (nodes, nodes * 2)));
        let equal = comparison("equal", (100..120).map(|nodes| (nodes, nodes)));
        let all = [slower, faster.clone(), few, equal.clone()];
        let compared = SolvedNodes::all(&all);
        assert_eq!(
            compared.iter().map(|it| it.comparison.suite.as_str()).collect::<Vec<_>>(),
            ["traps", "mates", "equal"]
        );
        assert_eq!(compared[0].cells()[2..4], ["20", "1.50 (1.50 to 1.50)"]);
        assert_eq!(
            describe(&compared).expect("three suites"),
            "More nodes to the solutions that both find: traps, A against B: 1.50 times as many (1.50 to 1.50), p < 0.001. \
             Signed-rank tests after Holm's correction; they do not affect the result."
        );
        let none = [faster, equal.clone()];
        let said = describe(&SolvedNodes::all(&none));
        assert_eq!(said.as_deref(), Some("Nodes to the solutions: no suite takes significantly more."));
        assert_eq!(describe(&SolvedNodes::all(&[equal])), None, "the same search");
    }
}
