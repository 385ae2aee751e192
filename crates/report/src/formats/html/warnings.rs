//! Warnings about engine output on the page: closed, each with the board of its first occurrence.

use maud::{Markup, html};

use crate::formats::svg;
use crate::model::position_fen::fen;
use crate::model::report::Report;
use crate::model::warnings::WarningGroup;
use threefold_chess::position::GamePosition;

/// The warnings; nothing without any.
pub(super) fn section(report: &Report) -> Markup {
    let groups = report.warnings();
    html! {
        @if !groups.is_empty() {
            h2 id="warnings" { "Warnings about engine output" }
            @for group in &groups { (folded(group)) }
        }
    }
}

fn folded(group: &WarningGroup) -> Markup {
    let fen = fen(&group.position);
    // The moves before are in `report.json`.
    let alone: Option<GamePosition> = format!("fen {fen}").parse().ok();
    let board = alone.and_then(|position| {
        svg::Diagram { position: &position, accepted: &[], played: None, pv: "", verdict: group.rule.name() }
            .draw()
    });
    html! {
        details class="group" {
            summary { (group.in_short()) }
            div class="body" {
                @if let Some(board) = board { figure { (board) } }
                p { (group.detail) }
                p { code class="fen" { (fen) } }
            }
        }
    }
}
