//! Homogeneity of pairs, calibration curves and corrected comparisons of suites on the page.

use super::format;
use super::table::table;
use crate::formats::svg;
use crate::model::homogeneity::{self, GroupedBy, Grouping};
use crate::model::node_curve;
use crate::model::p_adjust::{self, COLUMNS};
use crate::model::report::{MatchPart, PairedComparison};
use crate::model::solved_nodes::{self, SolvedNodes};
use maud::{Markup, html};
use threefold_run::calibration::NodeCurve;

/// Homogeneity by schedule and by worker: visible if groups differ, else in a part that opens.
pub(super) fn homogeneity(part: &MatchPart) -> Markup {
    html! { @for grouping in part.stretches.iter().chain(&part.slots) { (groups(grouping)) } }
}

fn groups(grouping: &Grouping) -> Markup {
    let (several, first) = match grouping.by {
        GroupedBy::Stretch => ("Results by segment of the schedule", "pairs"),
        GroupedBy::Worker => ("Results by worker; the assignment of pairs differs from run to run", "worker"),
    };
    let is_suspicious = grouping.is_suspicious();
    let rows = grouping.groups.iter().map(|group| {
        let outcomes = group.outcomes;
        let residual = group.residual.map_or_else(|| "too few".to_owned(), homogeneity::z);
        let counts = [outcomes.won, outcomes.level, outcomes.lost].map(|count| count.to_string());
        std::iter::once(group.name.clone()).chain(counts).chain([residual]).collect()
    });
    html! {
        details open[is_suspicious] {
            summary class=[is_suspicious.then_some("warn")] { (several) }
            p class=[is_suspicious.then_some("warn")] { (grouping.describe()) }
            (table(several, &[first, "won", "level", "lost", "z"], rows))
        }
    }
}

/// The curve of a calibration, as a plot and a table.
pub(super) fn calibration(curve: &NodeCurve) -> Markup {
    let columns = ["nodes", "measured Elo", "monotone fit", "simultaneous 95 % band"];
    let rows = curve.levels.iter().map(|level| {
        vec![
            format::grouped(level.nodes),
            format!("{:+.0}", level.measured),
            format!("{:+.0}", level.fitted),
            node_curve::band(level),
        ]
    });
    html! {
        (svg::node_curve(curve))
        p class=[curve.falls.then_some("warn")] { (node_curve::describe(curve).join(" ")) }
        details { summary { "The curve in numbers" } (table("Elo by nodes per move", &columns, rows)) }
    }
}

/// The nodes to the solutions of suites; nothing if no case takes another number of them.
pub(super) fn solved_nodes(comparisons: &[PairedComparison]) -> Markup {
    let suites = SolvedNodes::all(comparisons);
    let rows = suites.iter().map(|suite| suite.cells().to_vec());
    html! {
        @if let Some(said) = solved_nodes::describe(&suites) {
            details {
                summary { "Nodes to the solutions" }
                (table("Suites by the nodes to the solutions that both find", &solved_nodes::COLUMNS, rows))
                p { (said) }
            }
        }
    }
}

/// Adjusted p-values of several suites; nothing for fewer than two, or if no case differs.
pub(super) fn adjusted_tests(comparisons: &[PairedComparison]) -> Markup {
    let differs = |comparison: &PairedComparison| comparison.lost.len() + comparison.gained.len() > 0;
    if comparisons.len() < 2 || !comparisons.iter().any(differs) {
        return html! {};
    }
    // All suites count for the correction, and the table has those that differ.
    let adjusted = p_adjust::adjust(comparisons);
    let rows = adjusted.iter().filter(|it| differs(it.comparison)).map(|it| p_adjust::cells(it).to_vec());
    html! {
        details {
            summary { "Paired tests, corrected for the number of suites" }
            (table("Suites that differ, with corrected p-values", &COLUMNS, rows))
            p { (p_adjust::describe(&adjusted)) }
        }
    }
}
