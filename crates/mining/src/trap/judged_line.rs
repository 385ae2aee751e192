//! The end of a line with its judged moves.

use super::TrapClass;
use super::occurrences::PastPositions;
use threefold_oracle::threefold_rule::JudgedMove;
use threefold_oracle::{ProvenValue, Wdl};

/// The end of a line with its judged moves.
pub(super) struct JudgedLine<'j> {
    pub(super) class: TrapClass,
    /// The value of best play.
    pub(super) result: Wdl,
    pub(super) right: Vec<&'j JudgedMove>,
    pub(super) wrong: Vec<&'j JudgedMove>,
    /// The bait: the wrong move that the class is about, or the wrong move with the best value.
    pub(super) bait: Option<&'j JudgedMove>,
    /// The table's value of the position after the right move if its side were to move again.
    pub(super) waited: Option<ProvenValue>,
    pub(super) past: PastPositions,
    /// Plies without capture or pawn move.
    pub(super) counter: u32,
}
