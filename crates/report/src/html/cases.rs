//! Cases on the page: a table row for each, and a info with a diagram for those that did not pass.

use maud::{Markup, html};
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Color, Position};

use super::super::{format, svg};
use threefold_chess::position::GamePosition;
use threefold_harness::suite::{CaseRecord, VerdictKind};
use threefold_oracle::Referee;

/// A verdict's mark.
pub(super) fn badge(mark: VerdictKind) -> Markup {
    html! { span class=(format!("badge {mark}")) { (mark) } }
}

/// Cases, a row each.
pub(super) fn table(cases: &[CaseRecord]) -> Markup {
    let is_timed = cases.iter().any(|case| case.verdict.time.is_some());
    html! {
        div class="scroll" {
            table {
                tr {
                    th { "case" } th { "class" } th { "verdict" } th { "reason" } th { "played" } th { "accepted" }
                    th { "score" } th class="number" { "depth" } th class="number" { "nodes" }
                    @if is_timed { th class="number" { "time" } }
                }
                @for case in cases {
                    @let verdict = &case.verdict;
                    tr {
                        td { code { (case.id) } }
                        td { (case.class) }
                        td { (badge(verdict.kind())) }
                        td { (verdict.reason()) }
                        td class="mono" { (verdict.played) }
                        td class="mono" { (case.accepted) }
                        td class="mono" { @if let Some(score) = verdict.score { (score) } }
                        td class="number" { (verdict.depth.0) }
                        td class="number" { (format::grouped(verdict.nodes)) }
                        @if is_timed {
                            td class="number" { @if let Some(time) = verdict.time { (format::duration(time)) } }
                        }
                    }
                }
            }
        }
    }
}

/// A case that did not pass: the position, the accepted moves, the move played, and the reason.
pub(super) fn info(case: &CaseRecord, anchor: &str) -> Markup {
    let verdict = &case.verdict;
    let accepted: Vec<UciMove> = case.accepted.split_whitespace().filter_map(|mv| mv.parse().ok()).collect();
    let diagram = svg::board(&case.line, &accepted, verdict.played.parse().ok());
    html! {
        article class="info" id=(anchor) {
            h4 { code { (case.id) } " " (badge(verdict.kind())) " " span class="faint" { (case.class) } }
            @if let Some(diagram) = diagram { (diagram) }
            dl {
                dt { "reason" } dd { (verdict.reason()) }
                dt { "played" } dd class="mono" { (verdict.played) }
                dt { "accepted" } dd class="mono" { (case.accepted) }
                @if let Some(score) = verdict.score {
                    dt { "score" } dd { (score) ", depth " (verdict.depth.0) ", nodes " (format::grouped(verdict.nodes)) }
                }
                @if !verdict.pv.is_empty() { dt { "PV" } dd class="mono" { (verdict.pv) } }
                @if let Some(history) = history(&case.line) { dt { "history" } dd { (history) } }
                @if !case.note.is_empty() { dt { "truth" } dd { (case.note) } }
                dt { "position" } dd class="mono" { (case.line.to_string()) }
            }
        }
    }
}

/// The moves before the position in SAN; `None` if there are none or they are illegal.
fn history(line: &GamePosition) -> Option<String> {
    let start = GamePosition { start: line.start.clone(), moves: Vec::new() };
    let mut referee = Referee::new(&start).ok()?;
    let mut words = Vec::new();
    for &mv in &line.moves {
        let position = referee.position();
        let san = SanPlus::from_move(position.clone(), referee.legal(mv).ok()?);
        words.push(match position.turn() {
            Color::White => format!("{}. {san}", position.fullmoves()),
            Color::Black if words.is_empty() => format!("{}… {san}", position.fullmoves()),
            Color::Black => san.to_string(),
        });
        referee.play(mv).ok()?;
    }
    (!words.is_empty()).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_is_shown_as_numbered_moves() {
        let table = [
            ("fen 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 moves a1a8 e8e7 e1c1", None),
            ("fen 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 moves a1a8 e8e7 a8a1", Some("1. Ra8+ Ke7 2. Ra1")),
            ("fen 4k3/8/8/8/8/8/8/R3K3 b Q - 0 7 moves e8d7", Some("7… Kd7")),
            ("fen 4k3/8/8/8/8/8/8/R3K3 b Q - 0 7", None),
        ];
        for (text, expected) in table {
            let line = text.parse().expect("a line");
            assert_eq!(history(&line).as_deref(), expected, "{text}");
        }
    }
}
