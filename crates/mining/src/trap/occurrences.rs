//! The positions of a line, compared more loosely than by the rules.
//!
//! By the rules, positions are equal if pieces, side to move, castling rights and legal en passant captures
//! are. Engines get that wrong in both directions, so a trap must know which positions are nearly equal.

use shakmaty::uci::UciMove;
use shakmaty::{Chess, EnPassantMode, Position};

use threefold_chess::position::GamePosition;
use threefold_oracle::referee::{IllegalGame, Referee};

/// The positions since the last capture or pawn move, the present one last, each with the move that led to
/// it.
pub(super) struct PastPositions {
    reached: Vec<(Option<UciMove>, Chess)>,
}

impl PastPositions {
    pub(super) fn new(position: &GamePosition) -> Result<Self, IllegalGame> {
        let mut referee = Referee::new(&GamePosition { moves: Vec::new(), ..position.clone() })?;
        let mut reached = vec![(None, referee.position().clone())];
        for (index, &mv) in position.moves.iter().enumerate() {
            referee.play(mv).map_err(|cause| IllegalGame::Move { number: index + 1, mv, cause })?;
            if referee.position().halfmoves() == 0 {
                reached.clear();
            }
            reached.push((Some(mv), referee.position().clone()));
        }
        Ok(Self { reached })
    }

    /// How often the same pieces were there with the other side to move.
    pub(super) fn with_other_side(&self, after: &Chess) -> usize {
        let same = |there: &Chess| there.board() == after.board() && there.turn() != after.turn();
        self.reached.iter().filter(|(_, there)| same(there)).count()
    }

    /// The double step that led to the same position, if no pawn was next to it to capture en passant.
    pub(super) fn void_step(&self, after: &Chess) -> Option<UciMove> {
        self.step(after, |there| there == after && there.ep_square(EnPassantMode::PseudoLegal).is_none())
    }

    /// The double step that led to the same position, if a pawn was next to it but could not capture.
    pub(super) fn pinned_step(&self, after: &Chess) -> Option<UciMove> {
        self.step(after, |there| there == after && there.ep_square(EnPassantMode::PseudoLegal).is_some())
    }

    /// The double step that led to the same pieces, if an en passant capture was legal.
    pub(super) fn live_step(&self, after: &Chess) -> Option<UciMove> {
        let same = |there: &Chess| there.board() == after.board() && there.turn() == after.turn();
        self.step(after, |there| same(there) && there != after)
    }

    fn step(&self, after: &Chess, fits: impl Fn(&Chess) -> bool) -> Option<UciMove> {
        let double = |there: &Chess| there.ep_square(EnPassantMode::Always).is_some();
        let bare = after.ep_square(EnPassantMode::Legal).is_none();
        let found = self.reached.iter().find(|(_, there)| bare && double(there) && fits(there))?;
        found.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn double_steps_differ_by_the_possible_en_passant_capture() {
        let table = [
            // FEN, moves, [void, pinned, live] for the position after the last move
            ("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1", "e2e4 e8d8 a1a2 d8e8 a2a1", [true, false, false]),
            ("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1", "e2e4 a4b4 h4h3 b4a4 h3h4", [false, true, false]),
            ("4k3/8/8/8/3p4/8/4P3/R3K3 w - - 0 1", "e2e4 e8d8 a1a2 d8e8 a2a1", [false, false, true]),
            ("4k3/8/8/8/8/4P3/8/R3K3 w - - 0 1", "e3e4 e8d8 a1a2 d8e8 a2a1", [false, false, false]),
        ];
        for (fen, moves, steps) in table {
            let history = GamePosition::parse(fen, moves).expect("sound");
            let past = PastPositions::new(&history).expect("legal");
            let here = Referee::new(&history).expect("legal").position().clone();
            let found = [past.void_step(&here), past.pinned_step(&here), past.live_step(&here)];
            assert_eq!(found.map(|step| step.is_some()), steps, "{fen}");
        }
    }

    #[test]
    fn triangulation_swaps_the_side_to_move() {
        let line =
            GamePosition::parse("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "e1d1 e8f8 d1d2 f8e8").expect("sound");
        let past = PastPositions::new(&line).expect("legal");
        let mut after = Referee::new(&line).expect("legal");
        after.play("d2e1".parse().expect("a move")).expect("legal");
        assert_eq!(past.with_other_side(after.position()), 1);
    }
}
