//! Groups of pairs, calibration curves and families of suites in Markdown.

use super::super::family::{self, COLUMNS};
use super::super::homogeneity::{self, Grouping};
use super::super::model::Contrast;
use super::super::{curve, phrase};
use super::text::{plain, table};
use threefold_harness::calibration::NodeCurve;

/// Whether pairs ended alike in every group; the groups, where they didn't.
pub(super) fn homogeneity(grouping: &Grouping) -> Vec<String> {
    let mut blocks = vec![grouping.told()];
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
            phrase::grouped(level.nodes),
            format!("{:+.0}", level.measured),
            format!("{:+.0}", level.fitted),
            curve::band(level),
        ]
    });
    let header = ["nodes", "measured Elo", "never falling", "95 % band, all levels at once"];
    vec![curve::told(curve).join(" "), table(&header, rows)]
}

/// Several suites compared at once, their p-values corrected; nothing for fewer than two.
pub(super) fn family(contrasts: &[Contrast]) -> Vec<String> {
    if contrasts.len() < 2 {
        return Vec::new();
    }
    let family = family::corrected(contrasts);
    let rows = family.iter().map(|it| family::cells(it).map(|cell| plain(&cell)).to_vec());
    vec!["### All suites together".to_owned(), table(&COLUMNS, rows), plain(&family::told(&family))]
}
