//! One entry of the hash table, in 64 bits beside its key.

use cozy_chess::{Move, Piece, Square};

use crate::echo::request::Bound;
use crate::echo::value::Value;

/// What is remembered of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::echo) struct Entry {
    /// The move that was best or refuted.
    pub best: Option<Move>,
    /// The value, with mates counted from the node.
    pub value: Value,
    /// The static evaluation; none in check.
    pub evaluation: Option<Value>,
    /// Remaining depth it was searched with; 0 for the quiescence search.
    pub depth: u8,
    /// How the value relates to the true one.
    pub bound: Bound,
    /// The search that wrote it, modulo 64.
    pub age: u8,
}

/// No evaluation can be this.
const NO_EVALUATION: u16 = 0x8000;

impl Entry {
    pub(super) const fn pack(self) -> u64 {
        let best = match self.best {
            Some(mv) => pack_move(mv),
            None => 0,
        };
        let evaluation = match self.evaluation {
            Some(value) => value.to_bits(),
            None => NO_EVALUATION,
        };
        let bound = match self.bound {
            Bound::Exact => 3,
            Bound::Lower => 2,
            Bound::Upper => 1,
        };
        best as u64
            | (self.value.to_bits() as u64) << 16
            | (evaluation as u64) << 32
            | (self.depth as u64) << 48
            | ((self.age << 2 | bound) as u64) << 56
    }

    /// `None` where nothing was ever packed: a packed bound is never zero.
    pub(super) fn unpack(bits: u64) -> Option<Self> {
        let bound = match bits >> 56 & 3 {
            3 => Bound::Exact,
            2 => Bound::Lower,
            1 => Bound::Upper,
            _ => return None,
        };
        let evaluation = (bits >> 32) as u16;
        Some(Self {
            best: unpack_move(bits as u16),
            value: Value::from_bits((bits >> 16) as u16),
            evaluation: (evaluation != NO_EVALUATION).then(|| Value::from_bits(evaluation)),
            depth: (bits >> 48) as u8,
            bound,
            age: (bits >> 58) as u8,
        })
    }
}

/// Six bits from, six bits to, three bits of promotion. A move from a1 to a1 stands for none.
const fn pack_move(mv: Move) -> u16 {
    let promotion = match mv.promotion {
        Some(piece) => piece as u16,
        None => 0,
    };
    mv.from as u16 | (mv.to as u16) << 6 | promotion << 12
}

/// Piece 0 is the pawn, to which nothing promotes.
fn unpack_move(bits: u16) -> Option<Move> {
    if bits == 0 {
        return None;
    }
    let promotion = match bits >> 12 {
        0 => None,
        piece => Piece::try_index(usize::from(piece)),
    };
    Some(Move {
        from: Square::index(usize::from(bits & 63)),
        to: Square::index(usize::from(bits >> 6 & 63)),
        promotion,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_unpack_as_they_were_packed() {
        let moves = [None, "a1b1".parse().ok(), "h7h8q".parse().ok(), "a2a1n".parse().ok()];
        for best in moves {
            for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                for evaluation in [None, Some(Value::judged(-10_000)), Some(Value::DRAW)] {
                    for (value, depth, age) in [(Value::mated_at(0), 0, 0), (Value::mating_at(9), 127, 63)] {
                        let entry = Entry { best, value, evaluation, depth, bound, age };
                        assert_eq!(Entry::unpack(entry.pack()), Some(entry));
                    }
                }
            }
        }
        assert_eq!(Entry::unpack(0), None);
    }
}
