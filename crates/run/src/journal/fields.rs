//! Fields that several rows of a journal have, in their written form: version 1.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use threefold_chess::position::GamePosition;
use threefold_chess::score::{Centipawns, MateDistance, Ply, Score};
use threefold_games::game::GameOutcome;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LineV1 {
    fen: String,
    moves: String,
}

impl From<&GamePosition> for LineV1 {
    fn from(position: &GamePosition) -> Self {
        Self { fen: position.start.to_string(), moves: position.moves_text() }
    }
}

impl LineV1 {
    pub(super) fn restore(self) -> Result<GamePosition, String> {
        GamePosition::parse(&self.fen, &self.moves).map_err(|error| error.to_string())
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ScoreV1 {
    /// Centipawns.
    Cp(i32),
    /// Plies to mate.
    Mate(u16),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum OutcomeV1 {
    White,
    Black,
    Draw,
}

impl From<GameOutcome> for OutcomeV1 {
    fn from(outcome: GameOutcome) -> Self {
        match outcome {
            GameOutcome::White => Self::White,
            GameOutcome::Black => Self::Black,
            GameOutcome::Draw => Self::Draw,
        }
    }
}

impl From<OutcomeV1> for GameOutcome {
    fn from(outcome: OutcomeV1) -> Self {
        match outcome {
            OutcomeV1::White => Self::White,
            OutcomeV1::Black => Self::Black,
            OutcomeV1::Draw => Self::Draw,
        }
    }
}

impl From<Score> for ScoreV1 {
    fn from(score: Score) -> Self {
        match score {
            Score::Cp(centipawns) => Self::Cp(centipawns.0),
            Score::Mate(mate) => Self::Mate(mate.plies().0),
        }
    }
}

impl From<ScoreV1> for Score {
    fn from(score: ScoreV1) -> Self {
        match score {
            ScoreV1::Cp(centipawns) => Self::Cp(Centipawns(centipawns)),
            ScoreV1::Mate(plies) => Self::Mate(MateDistance::from_plies(Ply(plies))),
        }
    }
}

/// Whole nanoseconds. Times beyond the range (five centuries) are clamped.
pub(super) fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// serde leaves the field out if it is not set.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
pub(super) const fn is_false(flag: &bool) -> bool {
    !*flag
}

/// Parses what `Display` wrote.
pub(super) fn parse_field<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error| format!("`{text}`: {error}"))
}

/// The JSON of a row.
pub(super) fn json<T: Serialize>(written: &T) -> String {
    serde_json::to_string(written).expect("no map with keys that aren't text, and no writer that fails")
}
