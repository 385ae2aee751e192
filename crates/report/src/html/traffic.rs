//! What was said to engines and by them before their faults, behind a line each.

use maud::{Markup, html};

use crate::fault_traffic;
use crate::model::Report;

/// Faults whose traffic is on the page; a page of thousands would not be read.
const SHOWN: usize = 20;

/// The traffic of the first faults.
pub(super) fn of_faults(report: &Report) -> Markup {
    let kept: Vec<_> = fault_traffic::kept(report).collect();
    let more = kept.len().saturating_sub(SHOWN);
    html! {
        @for (fault, traffic) in kept.into_iter().take(SHOWN) {
            details {
                summary { (fault_traffic::heading(&fault, traffic)) }
                pre { @for line in &traffic.lines { (line.to_string()) "\n" } }
            }
        }
        @if more > 0 { p { "The traffic of " (more) " more is in " (fault_traffic::FORMAT.file) "." } }
    }
}
