//! The UCI traffic of engines before their faults, one collapsible section each.

use maud::{Markup, html};

use crate::formats::fault_traffic;
use crate::model::report::Report;

/// Number of faults whose traffic is on the page.
const SHOWN: usize = 20;

/// The traffic of the first faults.
pub(super) fn of_faults(report: &Report) -> Markup {
    let kept: Vec<_> = fault_traffic::kept(report).collect();
    let more = kept.len().saturating_sub(SHOWN);
    html! {
        @for (fault, traffic) in kept.into_iter().take(SHOWN) {
            details {
                summary { (fault_traffic::heading(&fault, traffic)) }
                pre tabindex="0" { @for line in &traffic.lines { (line.to_string()) "\n" } }
            }
        }
        @if more > 0 { p { "The traffic before " (more) " more faults is in " (fault_traffic::FORMAT.file) "." } }
    }
}
