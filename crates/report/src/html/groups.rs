//! Homogeneity of pairs, calibration curves and corrected comparisons of suites on the page.

use maud::{Markup, html};

use super::super::family::{self, COLUMNS};
use super::super::homogeneity::{self, GroupedBy, Grouping};
use super::super::model::{Contrast, MatchPart};
use super::super::{curve, svg};
use super::phrase;
use threefold_harness::calibration::Curve;

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
        p class=[grouping.is_suspicious().then_some("warn")] { (grouping.told()) }
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
pub(super) fn calibration(curve: &Curve) -> Markup {
    html! {
        (svg::calibration(curve))
        p class=[curve.falls.then_some("warn")] { (curve::told(curve).join(" ")) }
        div class="scroll" {
            table {
                tr {
                    @for label in ["nodes", "measured Elo", "monotone fit", "simultaneous 95 % band"] {
                        th class="number" { (label) }
                    }
                }
                @for level in &curve.levels {
                    tr {
                        td class="number" { (phrase::grouped(level.nodes)) }
                        td class="number" { (format!("{:+.0}", level.measured)) }
                        td class="number" { (format!("{:+.0}", level.fitted)) }
                        td class="number" { (curve::band(level)) }
                    }
                }
            }
        }
    }
}

/// Corrected p-values of several suites; nothing for fewer than two.
pub(super) fn family(contrasts: &[Contrast]) -> Markup {
    if contrasts.len() < 2 {
        return html! {};
    }
    let family = family::corrected(contrasts);
    html! {
        h3 { "All suites together" }
        div class="scroll" {
            table {
                tr { @for label in COLUMNS { th { (label) } } }
                @for corrected in &family { tr { @for cell in family::cells(corrected) { td { (cell) } } } }
            }
        }
        p { (family::told(&family)) }
    }
}
