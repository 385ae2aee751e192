//! Homogeneity of pairs, calibration curves and corrected comparisons of suites on the page.

use super::super::homogeneity::{self, GroupedBy, Grouping};
use super::super::model::{MatchPart, PairedComparison};
use super::super::p_adjust::{self, COLUMNS};
use super::super::{node_curve, svg};
use super::format;
use maud::{Markup, html};
use threefold_harness::calibration::NodeCurve;

/// Homogeneity by schedule and by worker; the groups are open if they differ.
pub(super) fn homogeneity(part: &MatchPart) -> Markup {
    html! { @for grouping in part.stretches.iter().chain(&part.slots) { (groups(grouping)) } }
}

fn groups(grouping: &Grouping) -> Markup {
    let several = match grouping.by {
        GroupedBy::Stretch => "Segments of the schedule",
        GroupedBy::Worker => "Workers (the assignment of pairs differs from run to run)",
    };
    html! {
        p class=[grouping.is_suspicious().then_some("warn")] { (grouping.describe()) }
        details open[grouping.is_suspicious()] {
            summary { (several) }
            div class="scroll" {
                table {
                    tr {
                        th { "pairs" }
                        @for label in ["won", "level", "lost", "z"] { th class="number" { (label) } }
                    }
                    @for group in &grouping.groups {
                        tr {
                            td { (group.name) }
                            @let outcomes = group.outcomes;
                            @for count in [outcomes.won, outcomes.level, outcomes.lost] { td class="number" { (count) } }
                            td class="number" { (group.residual.map_or_else(|| "too few".to_owned(), homogeneity::z)) }
                        }
                    }
                }
            }
        }
    }
}

/// The curve of a calibration, as a plot and a table.
pub(super) fn calibration(curve: &NodeCurve) -> Markup {
    html! {
        (svg::node_curve(curve))
        p class=[curve.falls.then_some("warn")] { (node_curve::describe(curve).join(" ")) }
        div class="scroll" {
            table {
                tr {
                    @for label in ["nodes", "measured Elo", "monotone fit", "simultaneous 95 % band"] {
                        th class="number" { (label) }
                    }
                }
                @for level in &curve.levels {
                    tr {
                        td class="number" { (format::grouped(level.nodes)) }
                        td class="number" { (format!("{:+.0}", level.measured)) }
                        td class="number" { (format!("{:+.0}", level.fitted)) }
                        td class="number" { (node_curve::band(level)) }
                    }
                }
            }
        }
    }
}

/// Adjusted p-values of several suites; nothing for fewer than two.
pub(super) fn adjusted_tests(comparisons: &[PairedComparison]) -> Markup {
    if comparisons.len() < 2 {
        return html! {};
    }
    let adjusted = p_adjust::adjust(comparisons);
    html! {
        h3 { "All suites together" }
        div class="scroll" {
            table {
                tr { @for label in COLUMNS { th { (label) } } }
                @for corrected in &adjusted { tr { @for cell in p_adjust::cells(corrected) { td { (cell) } } } }
            }
        }
        p { (p_adjust::describe(&adjusted)) }
    }
}
