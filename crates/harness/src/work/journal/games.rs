//! An order's games as the journal writes them: version 1.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use super::order::read;
use crate::arena::game::{Adjudication, DrawRule, ResignRule};
use crate::arena::opening::Opening;
use crate::work::job::{MatchTask, Purpose};
use threefold_chess::line::Line;
use threefold_stats::{Conduct, Risks, Sprt};

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MatchV1 {
    engines: Vec<String>,
    openings: Vec<OpeningV1>,
    format: String,
    pairs: usize,
    control: String,
    pace: String,
    draw: Option<DrawV1>,
    resign: Option<ResignV1>,
    max_moves: Option<u32>,
    purpose: PurposeV1,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OpeningV1 {
    line: LineV1,
    name: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LineV1 {
    fen: String,
    moves: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DrawV1 {
    from_move: u32,
    moves: u32,
    score: u32,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ResignV1 {
    moves: u32,
    score: u32,
    two_sided: bool,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum PurposeV1 {
    Match,
    Test { model: String, elo0: f64, elo1: f64, alpha: f64, beta: f64, conduct: Option<ConductV1> },
    Calibration,
}

/// What version 1 of the journal took for granted, and so left out: a chance to end after every pair, at Wald's bounds.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ConductV1 {
    counts: String,
    batch: NonZeroU32,
    overshoot: String,
}

impl From<&MatchTask> for MatchV1 {
    fn from(games: &MatchTask) -> Self {
        let MatchTask { engines, openings, format, pairs, control, pace, adjudication, purpose } = games;
        let Adjudication { draw, resign, max_moves } = *adjudication;
        Self {
            engines: engines.iter().map(|engine| engine.text.clone()).collect(),
            openings: openings
                .iter()
                .map(|Opening { line, name }| OpeningV1 { line: line.into(), name: name.clone() })
                .collect(),
            format: format.to_string(),
            pairs: *pairs,
            control: control.to_string(),
            pace: pace.to_string(),
            draw: draw.map(|DrawRule { from_move, moves, score }| DrawV1 { from_move, moves, score }),
            resign: resign.map(|ResignRule { moves, score, two_sided }| ResignV1 { moves, score, two_sided }),
            max_moves,
            purpose: match purpose {
                Purpose::Match => PurposeV1::Match,
                Purpose::Calibration => PurposeV1::Calibration,
                Purpose::Test(conduct) => PurposeV1::from(conduct),
            },
        }
    }
}

impl MatchV1 {
    pub(super) fn restore(self) -> Result<MatchTask, String> {
        let opening = |OpeningV1 { line, name }| line.restore().map(|line| Opening { line, name });
        Ok(MatchTask {
            engines: self.engines.iter().map(|text| read(text)).collect::<Result<_, _>>()?,
            openings: self.openings.into_iter().map(opening).collect::<Result<_, _>>()?,
            format: read(&self.format)?,
            pairs: self.pairs,
            control: read(&self.control)?,
            pace: read(&self.pace)?,
            adjudication: Adjudication {
                draw: self.draw.map(|DrawV1 { from_move, moves, score }| DrawRule {
                    from_move,
                    moves,
                    score,
                }),
                resign: self.resign.map(|ResignV1 { moves, score, two_sided }| ResignRule {
                    moves,
                    score,
                    two_sided,
                }),
                max_moves: self.max_moves,
            },
            purpose: match self.purpose {
                PurposeV1::Match => Purpose::Match,
                PurposeV1::Calibration => Purpose::Calibration,
                PurposeV1::Test { model, elo0, elo1, alpha, beta, conduct } => {
                    let sprt = Sprt::new(read(&model)?, elo0, elo1, Risks { alpha, beta })
                        .map_err(|error| error.to_string())?;
                    Purpose::Test(conduct.map_or_else(|| Ok(sprt.into()), |conduct| conduct.restore(sprt))?)
                }
            },
        })
    }
}

impl From<&Conduct> for PurposeV1 {
    fn from(conduct: &Conduct) -> Self {
        let sprt = conduct.sprt();
        Self::Test {
            model: sprt.model().to_string(),
            elo0: sprt.elo0(),
            elo1: sprt.elo1(),
            alpha: sprt.risks().alpha,
            beta: sprt.risks().beta,
            conduct: Some(ConductV1 {
                counts: conduct.counts().to_string(),
                batch: conduct.batch(),
                overshoot: conduct.overshoot().to_string(),
            }),
        }
    }
}

impl ConductV1 {
    fn restore(self, sprt: Sprt) -> Result<Conduct, String> {
        Conduct::new(sprt, read(&self.counts)?, self.batch, read(&self.overshoot)?)
            .map_err(|error| error.to_string())
    }
}

impl From<&Line> for LineV1 {
    fn from(line: &Line) -> Self {
        Self { fen: line.start.to_string(), moves: line.moves_text() }
    }
}

impl LineV1 {
    pub(super) fn restore(self) -> Result<Line, String> {
        Line::parse(&self.fen, &self.moves).map_err(|error| error.to_string())
    }
}
