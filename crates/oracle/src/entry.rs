//! One entry of a table, in one byte.

use super::proven_value::ProvenValue;

/// The plies to mate, a draw, or no position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TableEntry(u8);

impl TableEntry {
    /// The longest mate in a table, in plies, so that one more ply fits. Of all endings with five pieces only
    /// KPPKP has longer ones (127 moves).
    pub(super) const LONGEST: u16 = u8::MAX as u16 - 4;
    /// During construction: drawn or won, not yet decided.
    pub(super) const PENDING: Self = Self(u8::MAX - 2);
    /// Drawn; during construction, not known yet.
    pub(super) const DRAW: Self = Self(u8::MAX - 1);
    /// No position: two pieces on one square, or the side to move could capture the king.
    pub(super) const NONE: Self = Self(u8::MAX);

    /// A mate in this many plies, at most one more than [`TableEntry::LONGEST`].
    #[inline]
    pub(super) const fn mate_in(plies: u16) -> Self {
        Self(plies as u8)
    }

    #[inline]
    pub(super) const fn from_byte(byte: u8) -> Self {
        Self(byte)
    }

    #[inline]
    pub(super) const fn byte(self) -> u8 {
        self.0
    }

    /// Plies to mate.
    #[inline]
    pub(super) const fn plies(self) -> Option<u16> {
        if self.is_mate() { Some(self.0 as u16) } else { None }
    }

    #[inline]
    pub(super) const fn is_mate(self) -> bool {
        self.0 as u16 <= Self::LONGEST + 1
    }

    /// Whether the side to move mates.
    #[inline]
    pub(super) const fn is_win(self) -> bool {
        self.is_mate() && self.0 % 2 == 1
    }

    /// Whether the side to move is mated.
    #[inline]
    pub(super) const fn is_loss(self) -> bool {
        self.is_mate() && self.0.is_multiple_of(2)
    }

    /// A rank: greater is better for the side to move.
    #[inline]
    pub(super) const fn rank(self) -> i32 {
        if self.is_win() {
            1000 - self.0 as i32
        } else if self.is_loss() {
            self.0 as i32 - 1000
        } else {
            0
        }
    }

    /// The value one ply earlier, of a position whose only move leads to this value.
    #[inline]
    pub(super) const fn earlier(self) -> Self {
        if self.is_mate() { Self(self.0 + 1) } else { self }
    }

    /// The final value: an undecided entry is drawn.
    #[inline]
    pub(super) const fn settled(self) -> Self {
        match self {
            Self::PENDING => Self::DRAW,
            settled => settled,
        }
    }

    pub(super) const fn fact(self) -> Option<ProvenValue> {
        match self {
            Self::NONE => None,
            _ if self.is_mate() => Some(ProvenValue::mate_in(self.0 as u16)),
            _ => Some(ProvenValue::Draw),
        }
    }
}
