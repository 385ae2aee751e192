//! Limited strength as in MadChess: less knowledge, less speed, and deliberate errors.
//!
//! A `Handicap` is computed from a MadChess rating; `debug_lines` prints it as MadChess does. `ErrorSampler`
//! makes the random choices from a seed, so that a game is reproducible. `curve` converts a requested Elo to
//! the MadChess rating that was measured to have this Elo.

pub mod curve;
mod debug_lines;
mod error_sampler;
mod handicap;

use curve::{CurvePoint, MEASURED};
pub(super) use error_sampler::ErrorSampler;
pub use handicap::{FULL_SPEED, Handicap, PAGE_ENDS, STRONGEST, WEAKEST};
use threefold_named_enum::named_enum;

named_enum! {
    /// The scale of the requested Elo.
    pub enum StrengthCurve {
        /// Elo as measured in games against rated engines. The curve converts it to a MadChess rating.
        Calibrated = "Calibrated",
        /// MadChess's own ratings.
        MadChess = "MadChess",
    }
}

/// The playing strength that the UCI options request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strength {
    /// Whether the strength is limited.
    pub limited: bool,
    /// The requested Elo.
    pub elo: u32,
    /// The scale of the Elo.
    pub curve: StrengthCurve,
    /// The seed of random choices by the option; `None` for the one of the game.
    pub set_seed: Option<u32>,
    /// The seed of this game, which the caller chooses.
    pub game_seed: u32,
}

impl Strength {
    /// Full strength.
    pub const FULL: Self =
        Self { limited: false, elo: 1500, curve: StrengthCurve::Calibrated, set_seed: None, game_seed: 0 };

    /// The seed of random choices.
    pub fn seed(self) -> u32 {
        self.set_seed.unwrap_or(self.game_seed)
    }

    /// The MadChess rating of the handicap; `None` at full strength.
    pub fn rating(self) -> Option<u32> {
        let rating = match self.curve {
            StrengthCurve::MadChess => self.limited.then_some(self.elo),
            StrengthCurve::Calibrated => self.measured().map(|point| point.rating.round() as u32),
        };
        rating.filter(|rating| *rating < STRONGEST)
    }

    /// The point of the measured curve at the requested Elo; `None` at full strength and on MadChess's scale.
    pub fn measured(self) -> Option<CurvePoint> {
        let calibrated = self.limited && self.curve == StrengthCurve::Calibrated;
        if calibrated { MEASURED.point_at(self.elo) } else { None }
    }
}
