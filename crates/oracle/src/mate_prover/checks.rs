//! Detects checking moves before they are made, and generates the positions after them.
//!
//! The last move of a mate is a check, and most positions of a proof need only that move. Making only the
//! checks is what makes proofs fast.

use shakmaty::{Bitboard, Chess, Move, Position, Square, attacks};

/// The squares from which the side to move gives check.
#[derive(Debug, Clone, Copy)]
pub(super) struct Checks {
    king: Square,
    /// For pawns, knights, bishops, rooks, queens and kings, in this order.
    by_role: [Bitboard; 6],
    /// Pieces of the side to move that may discover a check.
    screens: Bitboard,
}

impl Checks {
    pub(super) fn new(position: &Chess) -> Self {
        let board = position.board();
        let other = position.turn().other();
        let king = board.king_of(other).expect("a legal position has both kings");
        let (lines, diagonals) =
            (attacks::rook_attacks(king, board.occupied()), attacks::bishop_attacks(king, board.occupied()));
        // On an empty board: the sliders that would give check if nothing was between.
        let behind = sliders_to(position, king, Bitboard::EMPTY) & position.us();
        let screens = if behind.any() { (lines | diagonals) & position.us() } else { Bitboard::EMPTY };
        let pawns = attacks::pawn_attacks(other, king);
        let knights = attacks::knight_attacks(king);
        let by_role = [pawns, knights, diagonals, lines, lines | diagonals, Bitboard::EMPTY];
        Self { king, by_role, screens }
    }

    /// Whether this legal move gives check.
    #[inline]
    pub(super) fn include(&self, position: &Chess, mv: Move) -> bool {
        match mv {
            Move::Normal { role, from, to, promotion: None, .. } => {
                self.by_role[usize::from(role) - 1].contains(to) || self.opens(position, from, to)
            }
            Move::Normal { from, to, promotion: Some(role), .. } => {
                let seen = attacks::attacks(to, role.of(position.turn()), occupied_after(position, from, to));
                seen.contains(self.king) || self.opens(position, from, to)
            }
            Move::Castle { .. } | Move::EnPassant { .. } | Move::Put { .. } => {
                // More than two squares change, so the move is made. Such moves are rare.
                let mut after = position.clone();
                after.play_unchecked(mv);
                after.is_check()
            }
        }
    }

    /// Whether the move discovers a check.
    fn opens(&self, position: &Chess, from: Square, to: Square) -> bool {
        self.screens.contains(from) && {
            let seen = sliders_to(position, self.king, occupied_after(position, from, to));
            (seen & position.us() & !Bitboard::from(from)).any()
        }
    }
}

/// Rooks, bishops and queens of either colour that attack a square.
fn sliders_to(position: &Chess, square: Square, occupied: Bitboard) -> Bitboard {
    let board = position.board();
    (attacks::rook_attacks(square, occupied) & board.rooks_and_queens())
        | (attacks::bishop_attacks(square, occupied) & board.bishops_and_queens())
}

fn occupied_after(position: &Chess, from: Square, to: Square) -> Bitboard {
    (position.board().occupied() & !Bitboard::from(from)) | Bitboard::from(to)
}

/// The positions after all checks, including mates.
pub(super) fn after_checks(position: &Chess) -> impl Iterator<Item = Chess> {
    let checks = Checks::new(position);
    position.legal_moves().into_iter().filter(move |&mv| checks.include(position, mv)).map(|mv| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        after
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;

    use super::*;

    fn hold(position: &Chess) {
        let checks = Checks::new(position);
        for mv in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(mv);
            assert_eq!(checks.include(position, mv), after.is_check(), "{position:?}: {mv}");
        }
    }

    #[test]
    fn checks_of_every_kind_are_detected() {
        let table = [
            "8/4P3/5k2/8/8/8/8/R3K2R w KQ - 0 1", // castling, a promotion
            "4k3/8/8/8/4N3/8/4R3/4K3 w - - 0 1",  // a line opens
            "8/8/8/k2pP2R/8/8/8/4K3 w - d6 0 1",  // en passant takes both pawns off a line
            "8/4P3/8/4k3/8/8/8/4K3 w - - 0 1",    // the promoted piece attacks through the square of the pawn
            "8/8/8/3k4/8/4P3/8/4K1Q1 w - - 0 1",
        ];
        for fen in table {
            hold(&fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("legal"));
        }
    }

    proptest! {
        #[test]
        fn checks_are_detected_if_and_only_if_they_are_checks(moves in prop::collection::vec(any::<usize>(), 0..120)) {
            let mut position = Chess::default();
            for number in moves {
                hold(&position);
                let legal = position.legal_moves();
                let Some(&mv) = legal.get(number % legal.len().max(1)) else { break };
                position.play_unchecked(mv);
            }
        }
    }
}
