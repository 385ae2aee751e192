//! The positions of a case's history and of the engine's line, one step a move, for the page's script.

use std::fmt;

use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Color, Position, Square};

use threefold_chess::position::GamePosition;
use threefold_oracle::Referee;

/// Where a move comes from and goes to.
pub(super) fn ends(mv: UciMove) -> Option<(Square, Square)> {
    match mv {
        UciMove::Normal { from, to, .. } => Some((from, to)),
        UciMove::Put { .. } | UciMove::Null => None,
    }
}

/// Moves of the engine's line that are shown.
const MOST_OF_THE_LINE: usize = 12;

/// The start, the position after each move, and which of them is the case's own.
pub(super) struct LineSteps {
    steps: Vec<Step>,
    at: usize,
}

struct Step {
    /// The first field of a FEN.
    placement: String,
    /// The squares of the move that led here: `a1b1`; empty for the start.
    squares: String,
    /// The move with its number: `1. Ra8+`, `1… Ke7`; empty for the start.
    name: String,
}

impl LineSteps {
    /// `None` if the history is illegal. The line ends before its first illegal move.
    pub(super) fn new(position: &GamePosition, pv: &str) -> Option<Self> {
        let start = GamePosition { start: position.start.clone(), moves: Vec::new() };
        let mut referee = Referee::new(&start).ok()?;
        let mut steps =
            vec![Step { placement: placement(&referee), squares: String::new(), name: String::new() }];
        for &mv in &position.moves {
            steps.push(Step::after(&mut referee, mv)?);
        }
        let at = position.moves.len();
        let continuation = pv.split_whitespace().map_while(|mv| mv.parse().ok());
        for mv in continuation.take(MOST_OF_THE_LINE) {
            let Some(step) = Step::after(&mut referee, mv) else { break };
            steps.push(step);
        }
        Some(Self { steps, at })
    }

    /// The index of the case's position.
    pub(super) const fn start_index(&self) -> usize {
        self.at
    }

    /// Positions.
    pub(super) const fn count(&self) -> usize {
        self.steps.len()
    }
}

impl Step {
    fn after(referee: &mut Referee, mv: UciMove) -> Option<Self> {
        let position = referee.position();
        let san = SanPlus::from_move(position.clone(), referee.legal(mv).ok()?);
        let dots = if position.turn() == Color::White { "." } else { "…" };
        let name = format!("{}{dots} {san}", position.fullmoves());
        let squares = ends(mv).map(|(from, to)| format!("{from}{to}")).unwrap_or_default();
        referee.play(mv).ok()?;
        Some(Self { placement: placement(referee), squares, name })
    }
}

fn placement(referee: &Referee) -> String {
    referee.position().board().to_string()
}

/// `PLACEMENT,SQUARES,NAME` for each position, with a semicolon between them.
impl fmt::Display for LineSteps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Step { placement, squares, name }) in self.steps.iter().enumerate() {
            let before = if index == 0 { "" } else { ";" };
            write!(f, "{before}{placement},{squares},{name}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_cover_the_history_and_the_line() {
        let position = "fen 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 moves a1a8 e8e7".parse().expect("a position");
        let steps = LineSteps::new(&position, "a8a1 e7e8 e1c1 e8e7").expect("legal");
        assert_eq!(
            (steps.start_index(), steps.count()),
            (2, 5),
            "the line ends before castling, a lost right"
        );
        let text = steps.to_string();
        assert!(text.starts_with("4k3/8/8/8/8/8/8/R3K3,,;R3k3/8/8/8/8/8/8/4K3,a1a8,1. Ra8+;"), "{text}");
        assert!(text.contains("e8e7,1… Ke7;") && text.ends_with("e7e8,2… Ke8"), "{text}");
        let illegal = "fen 4k3/8/8/8/8/8/8/R3K3 w - - 0 1 moves a1h8".parse().expect("a position");
        assert!(LineSteps::new(&illegal, "").is_none());
    }
}
