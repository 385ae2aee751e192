//! A position in which two engines choose different moves: a line that opens to a board with both moves.

use maud::{Markup, html};
use shakmaty::uci::UciMove;

use crate::formats::svg::Diagram;
use crate::model::position_fen::fen;
use crate::words::san;
use threefold_chess::position::GamePosition;

/// What is shown of a position.
pub(crate) struct TwoMoves<'a> {
    /// The position with its history.
    pub(crate) position: &'a GamePosition,
    /// The engines: green on the board, and red.
    pub(crate) engines: [&'a str; 2],
    /// Their moves; `None` if an engine has none.
    pub(crate) moves: [Option<UciMove>; 2],
    /// A word or two on each move, for the line.
    pub(crate) in_short: [String; 2],
    /// What each engine found.
    pub(crate) in_full: [Markup; 2],
    /// What else is known, with its label.
    pub(crate) more: Option<(&'a str, Markup)>,
}

impl TwoMoves<'_> {
    /// The line and what it opens to.
    pub(crate) fn card(&self) -> Markup {
        let moves = self
            .moves
            .map(|mv| mv.map_or_else(|| "no move".to_owned(), |mv| san::numbered(self.position, &[mv])));
        let [one, other] = self.engines;
        let note = format!("{one} {}, {other} {}", moves[0], moves[1]);
        let diagram = Diagram {
            position: self.position,
            accepted: self.moves[0].as_slice(),
            played: self.moves[1],
            pv: "",
            verdict: &note,
        };
        let summary = |index: usize| {
            html! { (self.engines[index]) " " b { (moves[index]) } " (" (self.in_short[index]) ")" }
        };
        html! {
            details class="case" {
                summary { (summary(0)) " · " (summary(1)) }
                div class="body" {
                    @if let Some(board) = diagram.draw() { figure { (board) } }
                    dl {
                        @for (index, engine) in self.engines.iter().enumerate() {
                            dt { (engine) } dd { b { (moves[index]) } ": " (self.in_full[index]) }
                        }
                        @if let Some((label, text)) = &self.more { dt { (label) } dd { (text) } }
                        dt { "FEN" } dd { code class="fen" { (fen(self.position)) } }
                    }
                }
            }
        }
    }
}
