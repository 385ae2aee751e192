//! Groups of pairs, calibration curves and families of suites on the page.

use maud::{Markup, html};

use super::super::family::{self, COLUMNS};
use super::super::homogeneity::{self, GroupedBy, Grouping};
use super::super::model::{Contrast, MatchPart};
use super::super::{curve, svg};
use super::phrase;
use threefold_harness::calibration::NodeCurve;

/// Whether a match's pairs ended alike by time and by slot; the groups one click away, or open where they didn't.
pub(super) fn homogeneity(part: &MatchPart) -> Markup {
    html! { @for grouping in part.stretches.iter().chain(&part.slots) { (groups(grouping)) } }
}

fn groups(grouping: &Grouping) -> Markup {
    let several = match grouping.by {
        GroupedBy::Stretch => "Stretches of the schedule",
        GroupedBy::Slot => "Slots: which jobs each did differs from run to run",
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

/// A calibration's curve, drawn and in figures.
pub(super) fn calibration(curve: &NodeCurve) -> Markup {
    html! {
        (svg::calibration(curve))
        p class=[curve.falls.then_some("warn")] { (curve::told(curve).join(" ")) }
        div class="scroll" {
            table {
                tr {
                    @for label in ["nodes", "measured Elo", "never falling", "95 % band, all levels at once"] {
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

/// Several suites compared at once, their p-values corrected; nothing for fewer than two.
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
