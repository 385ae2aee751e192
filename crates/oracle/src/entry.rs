//! What a table says at one address, in one byte.

use super::proven_value::ProvenValue;

/// Plies to mate, or that there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TableEntry(u8);

impl TableEntry {
    /// The longest mate of a table, in plies, so that one ply more still fits. Of all endings of five men
    /// one alone has longer ones, KPPKP, with 127 moves.
    pub(super) const LONGEST: u16 = u8::MAX as u16 - 4;
    /// While a table is being made: drawn or won, and not yet known which.
    pub(super) const PENDING: Self = Self(u8::MAX - 2);
    /// Drawn; and, while a table is being made, not known yet.
    pub(super) const DRAW: Self = Self(u8::MAX - 1);
    /// No position: men on one square, or the side to move could take the king.
    pub(super) const NONE: Self = Self(u8::MAX);

    /// A mate at this many plies, at most one more than [`TableEntry::LONGEST`].
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

    /// Does the side to move mate?
    #[inline]
    pub(super) const fn is_win(self) -> bool {
        self.is_mate() && self.0 % 2 == 1
    }

    /// Is the side to move mated?
    #[inline]
    pub(super) const fn is_loss(self) -> bool {
        self.is_mate() && self.0.is_multiple_of(2)
    }

    /// The better for the side to move, the greater.
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

    /// The value of a position whose only move leads to one of this value.
    #[inline]
    pub(super) const fn earlier(self) -> Self {
        if self.is_mate() { Self(self.0 + 1) } else { self }
    }

    /// What is left when the making is done: whatever was not decided is drawn.
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
