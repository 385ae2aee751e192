//! Playing below full strength as MadChess does: with less knowledge, less speed, and errors on purpose.
//!
//! A `Handicap` is what a rating comes to; `Luck` draws what is left to chance, from a seed, so that a game can be
//! played again.

mod handicap;
mod luck;

pub use handicap::{FULL_SPEED, Handicap, PAGE_ENDS, STRONGEST, WEAKEST};
pub(super) use luck::Luck;

/// How strong Echo is to play, as its options say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strength {
    /// Is it held below its full strength?
    pub limited: bool,
    /// At what rating.
    pub elo: u32,
    /// What is left to chance there is drawn from this.
    pub seed: u32,
}

impl Strength {
    /// All it has.
    pub const FULL: Self = Self { limited: false, elo: 1500, seed: 0 };

    /// The rating that it is held at, if it is.
    pub const fn rating(self) -> Option<u32> {
        if self.limited { Some(self.elo) } else { None }
    }
}
