//! Measures the strength of an engine at node budgets, or at the settings of a strength option.
//!
//! A `node_ladder` is a round robin of one engine at different budgets; its ratings give a monotone
//! `node_curve`. For a `strength_option`, the `scheduler` plans rounds: by gain in precision (`allocation`,
//! `precision`), or where ratings cannot decide yet (`pairings`). `ratings` fits all games on the scale of
//! the anchors (`anchoring`); `game_stats` counts costs and faults. The `elo_curve` gives the level for each
//! Elo, the `error_profile` the errors of each level, and `comparison` the changes since an earlier
//! calibration.

mod allocation;
mod anchoring;
pub mod comparison;
pub mod elo_curve;
pub mod error_profile;
pub mod fit;
mod game_stats;
pub mod node_curve;
pub mod node_ladder;
mod pairings;
mod player_role;
mod precision;
pub mod ratings;
pub mod scheduler;
#[cfg(test)]
mod simulated;
pub mod strength_option;

pub use anchoring::AnchorDisagreement;
pub use comparison::{EarlierCalibration, EarlierCalibrationError, LevelChange, LevelFigure};
pub use elo_curve::{EloCurve, EloMark};
pub use error_profile::{ErrorProfile, MoveJudge, MoveSample};
pub use fit::{PlayerRating, RatingScale, Unrated, fit};
pub use node_curve::{NodeCurve, NodeLevel};
pub use node_ladder::{NodeLadder, NodeLadderError};
pub use player_role::PlayerRole;
pub use precision::PrecisionTarget;
pub use ratings::{RatedPlayer, RatingSurvey};
pub use scheduler::{CalibrationDesign, CalibrationError, NextRound};
pub use strength_option::{AnchorEngine, AnchorError, AnchorRating, StrengthOption};
