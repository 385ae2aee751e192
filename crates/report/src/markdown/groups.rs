//! Homogeneity of pairs, calibration curves and corrected comparisons of suites in Markdown.

use super::super::homogeneity::{self, Grouping};
use super::super::model::PairedComparison;
use super::super::p_adjust::{self, COLUMNS};
use super::super::{format, node_curve};
use super::text::{plain, table};
use threefold_harness::calibration::NodeCurve;

/// The homogeneity test; the groups, if they differ.
pub(super) fn homogeneity(grouping: &Grouping) -> Vec<String> {
    let mut blocks = vec![grouping.describe()];
    if grouping.is_suspicious() {
        let rows = grouping.groups.iter().map(|group| {
            let [won, lost, level] = group.outcomes.counts().map(|count| count.to_string());
            let residual = group.residual.map_or_else(|| "too few".to_owned(), homogeneity::z);
            vec![plain(&group.name), won, level, lost, residual]
        });
        blocks.push(table(&["pairs", "won", "level", "lost", "z"], rows));
    }
    blocks
}

/// A calibration's curve.
pub(super) fn calibration(curve: &NodeCurve) -> Vec<String> {
    let rows = curve.levels.iter().map(|level| {
        vec![
            format::grouped(level.nodes),
            format!("{:+.0}", level.measured),
            format!("{:+.0}", level.fitted),
            node_curve::band(level),
        ]
    });
    let header = ["nodes", "measured Elo", "monotone fit", "simultaneous 95 % band"];
    vec![node_curve::describe(curve).join(" "), table(&header, rows)]
}

/// Adjusted p-values of several suites; nothing for fewer than two.
pub(super) fn adjusted_tests(comparisons: &[PairedComparison]) -> Vec<String> {
    if comparisons.len() < 2 {
        return Vec::new();
    }
    let adjusted = p_adjust::adjust(comparisons);
    let rows = adjusted.iter().map(|it| p_adjust::cells(it).map(|cell| plain(&cell)).to_vec());
    vec!["### All suites together".to_owned(), table(&COLUMNS, rows), plain(&p_adjust::describe(&adjusted))]
}
