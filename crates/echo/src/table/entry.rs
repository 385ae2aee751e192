//! One entry of the hash table: 64 bits in addition to its key.
//!
//! | bits | what |
//! |---|---|
//! | 0 to 15 | the move |
//! | 16 to 32 | the value with its bound; in `Dual`, the lower bound |
//! | 33 to 47 | the static evaluation; in `Dual`, the upper bound |
//! | 48 to 55 | the depth |
//! | 56 to 61 | the age |
//! | 62, 63 | the mark of the detector `OpenFlag` |

use cozy_chess::{Move, Piece, Square};

use super::bounds::{self, HashBounds};
use crate::range::ScoreRange;
use crate::value::Value;

/// The stored data of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TtEntry {
    /// The best move or the move that caused a cutoff.
    pub best: Option<Move>,
    /// The range of the value, with mates counted from the node.
    pub range: ScoreRange,
    /// The static evaluation; `None` in check, and if the encoding has no room for it.
    pub evaluation: Option<Value>,
    /// The depth of the search; 0 for the quiescence search.
    pub depth: u8,
    /// The number of the search that wrote it, modulo 64.
    pub age: u8,
    /// The mark of the detector `OpenFlag`; see [`super::store::TranspositionTable::open`].
    pub open: u8,
}

const RANGE: u32 = 16;
const EVALUATION: u32 = 33;
const DEPTH: u32 = 48;
const AGE: u32 = 56;
const OPEN: u32 = 62;
/// The bits of the move.
pub(super) const MOVE: u64 = 0xFFFF;
const MARKS: u64 = 3 << OPEN;

/// The depth of a packed entry.
pub(super) const fn depth_of(bits: u64) -> u8 {
    (bits >> DEPTH) as u8
}

/// The age of a packed entry.
pub(super) const fn age_of(bits: u64) -> u8 {
    (bits >> AGE) as u8 & 63
}

/// The mark of a packed entry.
pub(super) const fn mark_of(bits: u64) -> u8 {
    (bits >> OPEN) as u8
}

/// The entry with another mark.
pub(super) const fn opened(bits: u64, mark: u8) -> u64 {
    bits & !MARKS | (mark as u64) << OPEN
}

/// An entry with a move only, of this age.
pub(super) const fn aged(mv: u64, age: u8) -> u64 {
    mv | (age as u64) << AGE
}

/// The entry, with the move of `other` if it has none.
pub(super) const fn with_move_of(bits: u64, other: u64) -> u64 {
    if bits & MOVE == 0 { bits | other & MOVE } else { bits }
}

/// The entry with the mark of `other`.
pub(super) const fn with_marks_of(bits: u64, other: u64) -> u64 {
    with_move_of(bits & !MARKS | other & MARKS, other)
}

/// Whether a packed entry has a value.
pub(super) const fn has_value(bits: u64, bounds: HashBounds) -> bool {
    match bounds {
        HashBounds::Single => bounds::has_single(bits >> RANGE),
        HashBounds::Integrated => bounds::has_integrated(bits >> RANGE),
        // Each bound is an offset, and 0 is an unknown one.
        HashBounds::Dual => (bits >> RANGE | bits >> EVALUATION) & 0x7FFF != 0,
    }
}

/// The entry reduced to its move.
pub(super) fn bare(bits: u64) -> TtEntry {
    TtEntry {
        best: unpack_move(bits as u16),
        range: ScoreRange::UNKNOWN,
        evaluation: None,
        depth: 0,
        age: age_of(bits),
        open: 0,
    }
}

impl TtEntry {
    pub(super) fn pack(self, bounds: HashBounds) -> u64 {
        let best = self.best.map_or(0, pack_move);
        let known = match bounds {
            HashBounds::Single => {
                bounds::pack_single(self.range) << RANGE
                    | u64::from(Value::to_offset(self.evaluation)) << EVALUATION
            }
            HashBounds::Integrated => {
                bounds::pack_integrated(self.range) << RANGE
                    | u64::from(Value::to_offset(self.evaluation)) << EVALUATION
            }
            HashBounds::Dual => {
                let side =
                    |value: Value| u64::from(Value::to_offset((!value.is_infinite()).then_some(value)));
                side(self.range.low) << RANGE | side(self.range.high) << EVALUATION
            }
        };
        u64::from(best)
            | known
            | u64::from(self.depth) << DEPTH
            | u64::from(self.age & 63) << AGE
            | u64::from(self.open) << OPEN
    }

    /// `None` for an empty slot.
    pub(super) fn unpack(bits: u64, bounds: HashBounds) -> Option<Self> {
        if bits == 0 {
            return None;
        }
        let number = |shift: u32| Value::from_offset((bits >> shift) as u16);
        let (range, evaluation) = match bounds {
            HashBounds::Single => (bounds::unpack_single(bits >> RANGE), number(EVALUATION)),
            HashBounds::Integrated => (bounds::unpack_integrated(bits >> RANGE), number(EVALUATION)),
            HashBounds::Dual => {
                let low = number(RANGE).unwrap_or(ScoreRange::UNKNOWN.low);
                let high = number(EVALUATION).unwrap_or(ScoreRange::UNKNOWN.high);
                (ScoreRange { low, high }, None)
            }
        };
        Some(Self {
            best: unpack_move(bits as u16),
            range,
            evaluation,
            depth: depth_of(bits),
            age: age_of(bits),
            open: mark_of(bits),
        })
    }
}

/// Six bits from, six bits to, three bits promotion. a1-a1 means no move.
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
    use threefold_chess::score::Bound;

    #[test]
    fn entries_round_trip() {
        let moves = [None, "a1b1".parse().ok(), "h7h8q".parse().ok(), "a2a1n".parse().ok()];
        let ranges = [Bound::Exact, Bound::Lower, Bound::Upper].map(|bound| {
            [Value::mated_at(0), Value::mating_at(9)].map(|value| ScoreRange::bounded(value, bound))
        });
        for best in moves {
            for &range in ranges.as_flattened().iter().chain(&[ScoreRange::UNKNOWN]) {
                for evaluation in [None, Some(Value::evaluation(-10_000)), Some(Value::DRAW)] {
                    for (depth, age, open) in [(0, 0, 0), (255, 63, 3), (7, 1, 2)] {
                        let entry = TtEntry { best, range, evaluation, depth, age, open };
                        if entry.pack(HashBounds::Single) == 0 {
                            assert_eq!((best, range, evaluation), (None, ScoreRange::UNKNOWN, None));
                            continue;
                        }
                        for bounds in [HashBounds::Single, HashBounds::Integrated] {
                            assert_eq!(TtEntry::unpack(entry.pack(bounds), bounds), Some(entry), "{bounds}");
                        }
                        let without = TtEntry { evaluation: None, ..entry };
                        let packed = without.pack(HashBounds::Dual);
                        let unpacked = (packed != 0).then_some(without);
                        assert_eq!(TtEntry::unpack(packed, HashBounds::Dual), unpacked);
                    }
                }
            }
        }
        let between = ScoreRange { low: Value::evaluation(-3), high: Value::evaluation(40) };
        let entry = TtEntry { best: None, range: between, evaluation: None, depth: 3, age: 0, open: 0 };
        let unpacked = TtEntry::unpack(entry.pack(HashBounds::Dual), HashBounds::Dual);
        assert_eq!(unpacked.map(|entry| entry.range), Some(between));
    }
}
