//! A position encoded exactly in five words.
//!
//! This is not a hash: three bit planes encode the piece on each square, one its colour, and the last word
//! the rest. Two positions share a key only if they are equal, so no collision can make a proof wrong. An en
//! passant square that no pawn can use gives one position two keys, which costs a little work.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use shakmaty::{Bitboard, Chess, Position};

/// The question about a position: which side mates, and in how many moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MateQuestion {
    /// Either: knowledge independent of the question.
    Anything,
    /// Whether the side to move mates within this number of its moves.
    Attack(u16),
    /// Whether the side to move is mated within this number of the other side's moves.
    Defence(u16),
}

/// A position and a question about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct QuestionKey([u64; 5]);

impl QuestionKey {
    #[inline]
    pub(super) fn new(position: &Chess, asked: MateQuestion) -> Self {
        let board = position.board();
        let (pawns, knights, bishops) = (board.pawns(), board.knights(), board.bishops());
        let (rooks, queens, kings) = (board.rooks(), board.queens(), board.kings());
        let question = match asked {
            MateQuestion::Anything => 0,
            MateQuestion::Attack(moves) => 1 << 16 | u64::from(moves),
            MateQuestion::Defence(moves) => 2 << 16 | u64::from(moves),
        };
        // Castling rights use bits of the first and last rank; the four ranks between are free.
        let en_passant = position.maybe_ep_square().map_or(0, |square| 1 + u64::from(square.file()));
        let rest = u64::from(position.turn().is_white()) | en_passant << 1 | question << 8;
        let Bitboard(castles) = position.castles().castling_rights();
        let planes = [pawns | bishops | queens, knights | bishops | kings, rooks | queens | kings];
        Self([planes[0].0, planes[1].0, planes[2].0, board.white().0, castles ^ rest << 8])
    }
}

impl Hash for QuestionKey {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.iter().for_each(|&word| state.write_u64(word));
    }
}

/// A hasher that multiplies the words of a key together, as wyhash does. The maps are never iterated, so
/// nothing depends on its order.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Fold(u64);

impl Hasher for Fold {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * 0xa076_1d64_78bd_642f;
        self.0 = (product as u64 ^ (product >> 64) as u64).wrapping_add(0xe703_7ed1_a0b4_28db);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

/// A map from keys.
pub(super) type QuestionKeyMap<V> = HashMap<QuestionKey, V, BuildHasherDefault<Fold>>;

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;

    use super::*;

    #[test]
    fn keys_depend_on_every_part_of_position_and_question() {
        let fens = [
            "r3k2r/8/8/3Pp3/8/8/8/R3K2R w KQkq e6 0 1",
            "r3k2r/8/8/3Pp3/8/8/8/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/3Pp3/8/8/8/R3K2R w KQk - 0 1",
            "r3k2r/8/8/3Pp3/8/8/8/R3K2R w KQq - 0 1",
            "r3k2r/8/8/3Pp3/8/8/8/R3K2R w - - 0 1",
            "r3k2r/8/8/3Pp3/8/8/8/R3K2R b - - 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w - - 0 1",
            "r3k2r/8/8/3Np3/8/8/8/R3K2R w - - 0 1",
            "r3k2r/8/8/3Bp3/8/8/8/R3K2R w - - 0 1",
            "r3k2r/8/8/3Rp3/8/8/8/R3K2R w - - 0 1",
            "r3k2r/8/8/3Qp3/8/8/8/R3K2R w - - 0 1",
        ];
        let questions = [
            MateQuestion::Anything,
            MateQuestion::Attack(1),
            MateQuestion::Attack(2),
            MateQuestion::Defence(1),
        ];
        let mut keys = HashSet::new();
        for fen in fens {
            let position: Chess =
                fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("legal");
            for asked in questions {
                let key = QuestionKey::new(&position, asked);
                assert_eq!(key, QuestionKey::new(&position.clone(), asked));
                assert!(keys.insert(key.0), "{fen} {asked:?}");
            }
        }
    }
}
