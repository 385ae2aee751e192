//! Playing below full strength as MadChess does: with less knowledge, less speed, and errors on purpose.
//!
//! A `Handicap` is what a rating of MadChess's comes to; `ErrorSampler` draws what is left to chance, from a seed, so that a
//! game can be played again. What such a rating is worth was measured: `curve` has the rating for an Elo.

pub mod curve;
mod error_sampler;
mod handicap;

use curve::{CurvePoint, MEASURED};
pub(super) use error_sampler::ErrorSampler;
pub use handicap::{FULL_SPEED, Handicap, PAGE_ENDS, STRONGEST, WEAKEST};
use threefold_named_enum::named_enum;

named_enum! {
    /// What the Elo asked for is a measure of.
    pub enum StrengthCurve {
        /// What games against rated engines showed: the rating that was worth it is played at.
        Calibrated = "Calibrated",
        /// MadChess's own ratings.
        MadChess = "MadChess",
    }
}

/// How strong Echo is to play, as its options say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strength {
    /// Is it held below its full strength?
    pub limited: bool,
    /// At what Elo.
    pub elo: u32,
    /// Of what that is a measure.
    pub curve: StrengthCurve,
    /// What is left to chance there is drawn from this.
    pub seed: u32,
}

impl Strength {
    /// All it has.
    pub const FULL: Self = Self { limited: false, elo: 1500, curve: StrengthCurve::Calibrated, seed: 0 };

    /// MadChess's rating that it is held at, if it is held below full strength.
    pub fn rating(self) -> Option<u32> {
        let rating = match self.curve {
            StrengthCurve::MadChess => self.limited.then_some(self.elo),
            StrengthCurve::Calibrated => self.measured().map(|point| point.rating.round() as u32),
        };
        rating.filter(|rating| *rating < STRONGEST)
    }

    /// What was measured of the Elo that it is held at, if it is held below full strength at one that was measured.
    pub fn measured(self) -> Option<CurvePoint> {
        let calibrated = self.limited && self.curve == StrengthCurve::Calibrated;
        if calibrated { MEASURED.at(self.elo) } else { None }
    }
}
