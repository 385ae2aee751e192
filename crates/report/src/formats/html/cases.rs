//! A case on the page: one line that opens to a board with the history, the moves and the reason.

use maud::{Markup, html};
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Color, Position};

use super::case_states::CaseState;
use crate::format;
use crate::formats::svg;
use crate::model::position_fen::fen;
use threefold_chess::position::GamePosition;
use threefold_oracle::Referee;
use threefold_suites::{CaseRecord, LostCase};

/// What the page shows of a case.
pub(super) struct CaseCard<'c> {
    pub(super) case: &'c CaseRecord,
    pub(super) state: CaseState,
    /// The id of its row in the page, which links lead to.
    pub(super) anchor: String,
    /// Is a right answer *passed* or *solved*?
    pub(super) lost_case: LostCase,
    /// What the baseline says, if it differs.
    pub(super) baseline: Option<&'c str>,
    /// Is there a board?
    pub(super) has_board: bool,
}

/// The mark of a state; the style gives each its own colour and shape.
pub(super) fn mark(state: CaseState) -> Markup {
    html! { span class=(format!("mark {state}")) aria-hidden="true" {} }
}

impl CaseCard<'_> {
    /// The card, closed.
    pub(super) fn draw(&self) -> Markup {
        let Self { case, state, .. } = self;
        html! {
            details class=(format!("case {state}")) id=(self.anchor) {
                summary {
                    (mark(*state)) code { (case.id) } " "
                    span class="why" { (self.in_short()) }
                }
                div class="body" {
                    @if let Some(board) = self.board() { figure { (board) } }
                    (self.facts())
                }
            }
        }
    }

    /// The difference between what was played and what is accepted, in a few words.
    fn in_short(&self) -> Markup {
        let verdict = &self.case.verdict;
        html! {
            @if self.state != CaseState::Passed && !verdict.played.is_empty() && verdict.played != self.case.accepted {
                "played " (verdict.played) ", accepted " (self.case.accepted) ": "
            }
            (verdict.reason())
        }
    }

    fn board(&self) -> Option<Markup> {
        let Self { case, state, .. } = self;
        let verdict = &case.verdict;
        let accepted: Vec<UciMove> =
            case.accepted.split_whitespace().filter_map(|mv| mv.parse().ok()).collect();
        let state = state.words();
        let diagram = svg::Diagram {
            position: &case.line,
            accepted: &accepted,
            played: verdict.played.parse().ok(),
            pv: &verdict.pv,
            verdict: &state,
        };
        self.has_board.then(|| diagram.draw()).flatten()
    }

    fn facts(&self) -> Markup {
        let Self { case, baseline, .. } = self;
        let verdict = &case.verdict;
        html! {
            dl {
                dt { "class" } dd { (case.class) }
                dt { "played" } dd class="mono" { @if verdict.played.is_empty() { "nothing" } @else { (verdict.played) } }
                dt { "accepted" } dd class="mono" { (case.accepted) }
                dt { "verdict" } dd { (self.lost_case.word(verdict.kind())) ": " (verdict.reason()) }
                @if let Some(baseline) = baseline { dt { "baseline" } dd { (baseline) } }
                @if let Some(score) = verdict.score {
                    dt { "score" } dd { (score) ", depth " (verdict.depth.0) ", " (format::grouped(verdict.nodes)) " nodes" }
                }
                @if let Some(time) = verdict.time { dt { "time" } dd { (format::duration(time)) } }
                @if let Some(history) = history(&case.line) { dt { "history" } dd { (history) } }
                @if !verdict.pv.is_empty() { dt { "line" } dd class="mono" { (beginning(&verdict.pv)) } }
                @let explained = explanation(&case.note);
                @if !explained.is_empty() { dt { "why" } dd { (explained) } }
                dt { "FEN" } dd { code class="fen" { (fen(&case.line)) } }
                @if !case.line.moves.is_empty() { dt { "position" } dd class="mono" { (case.line.to_string()) } }
                dt { "link" } dd { a href=(format!("#{}", self.anchor)) { "#" (self.anchor) } }
            }
        }
    }
}

/// Moves of a principal variation that are shown.
const MOST_MOVES: usize = 24;

/// The first moves of a line.
fn beginning(pv: &str) -> String {
    let moves: Vec<&str> = pv.split_whitespace().collect();
    let shown = moves[..moves.len().min(MOST_MOVES)].join(" ");
    if moves.len() > MOST_MOVES { format!("{shown} …") } else { shown }
}

/// What explains the answer: the note and its source, without the other columns of the file.
fn explanation(note: &str) -> String {
    const COLUMNS: [&str; 4] = ["source: ", "result: ", "distance to mate: ", "wrong move: "];
    let is_column = |part: &&str| COLUMNS.iter().any(|column| part.starts_with(column));
    let parts: Vec<&str> = note.split("; ").collect();
    let columns = parts.iter().position(is_column).unwrap_or(parts.len());
    let source = parts[columns..].iter().filter(|part| part.starts_with(COLUMNS[0]));
    parts[..columns].iter().chain(source).copied().collect::<Vec<_>>().join("; ")
}

/// The moves before the position in SAN; `None` if there are none or they are illegal.
fn history(case: &GamePosition) -> Option<String> {
    let start = GamePosition { start: case.start.clone(), moves: Vec::new() };
    let mut referee = Referee::new(&start).ok()?;
    let mut words = Vec::new();
    for &mv in &case.moves {
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
            let position = text.parse().expect("a position");
            assert_eq!(history(&position).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn explanation_is_the_note_and_its_source() {
        let table = [
            (
                "only e5 wins; no earlier move was an error; source: tablebase; result: win; distance to mate: 11; wrong \
                 move: d4d3; difficulty: fair",
                "only e5 wins; no earlier move was an error; source: tablebase",
            ),
            ("It is a third occurrence.; result: draw", "It is a third occurrence."),
            ("Kf4=10", "Kf4=10"),
            ("", ""),
        ];
        for (note, expected) in table {
            assert_eq!(explanation(note), expected);
        }
    }

    #[test]
    fn fen_is_of_the_position_after_the_history() {
        let position = "fen 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 moves a1a8 e8e7".parse().expect("a position");
        assert_eq!(fen(&position), "R7/4k3/8/8/8/8/8/4K3 w - - 2 2");
    }
}
