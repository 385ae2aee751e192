//! The journal's form of a job's result: version 1.
//!
//! These structs are the file format. They are separate from the types of the program, so that a change of
//! those cannot silently change the meaning of older journals: it is a compile error here. Wall times are
//! recorded only for games played with wall clocks; so the record of a job with node limits or virtual clocks
//! is always the same to the byte.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::fields::{LineV1, OutcomeV1, ScoreV1, nanos};
use super::game_warning::WarningV1;
use super::move_record::MovesV1;
use super::shadow_end::ShadowV1;
use crate::job::JobResult;
use threefold_chess::clock::Delays;
use threefold_chess::score::{Ply, Score};
use threefold_games::game::{GameEnd, GameRecord, GameTimes};
use threefold_games::playout::RuleKind;
use threefold_player::{LimitEnforcedBy, RecordedFault};
use threefold_suites::{CaseRecord, Cause, Measure, Verdict, VerdictKind};

/// The result of a job.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum JobResultV1<'r> {
    Case(Box<CaseV1>),
    Game(Box<GameV1<'r>>),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CaseV1 {
    suite: String,
    id: String,
    class: String,
    engine: String,
    accepted: String,
    note: String,
    line: String,
    mark: String,
    /// The name of a cause of the verdict kind.
    cause: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    detail: String,
    /// `harness` if the engine did not keep its node limit itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    limit_keeper: Option<String>,
    played: String,
    score: Option<ScoreV1>,
    depth: u16,
    nodes: u64,
    /// Journals of 0.2 have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    solved_nodes: Option<u64>,
    pv: String,
    /// Name, amount, and reference amount.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    measures: Vec<(String, u64, Option<u64>)>,
    /// In nanoseconds, if wall time limited a search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time: Option<u64>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameV1<'r> {
    players: [String; 2],
    opening: LineV1,
    outcome: OutcomeV1,
    end: EndV1,
    played: MovesV1<'r>,
    /// Journals of 0.2 have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<WarningV1>,
    /// Only games with adjudication in shadow mode have some.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    shadow: Vec<ShadowV1>,
    /// When it began, in milliseconds since 1970, and how long it took, in nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    times: Option<(i64, u64)>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum EndV1 {
    Checkmate,
    Stalemate,
    Threefold,
    FiftyMoves,
    InsufficientMaterial,
    TimeForfeit(ForfeitV1),
    IllegalMove(String),
    /// The name of its cause, and a description.
    EngineFault(String, String),
    /// An adjudication, by the name in the table of rules.
    #[serde(untagged)]
    Adjudicated(String),
}

/// By how much the time was exceeded, in nanoseconds, and the delays of the engine and of the runner if they
/// are known, and the margin if there is one. Older journals do not have them, or have their sum.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum ForfeitV1 {
    Over(u64),
    OverAndWaited(u64, u64),
    OverAndDelays(u64, u64, u64),
    OverDelaysAndMargin(u64, u64, u64, u64),
}

impl<'r> From<&'r JobResult> for JobResultV1<'r> {
    fn from(result: &'r JobResult) -> Self {
        match result {
            JobResult::Case(case) => Self::Case(Box::new(case.into())),
            JobResult::Game(game) => Self::Game(Box::new(game.into())),
        }
    }
}

impl JobResultV1<'_> {
    /// The result, or what is wrong with it.
    pub(super) fn restore(self) -> Result<JobResult, String> {
        match self {
            Self::Case(case) => case.restore().map(JobResult::Case),
            Self::Game(game) => game.restore().map(JobResult::Game),
        }
    }
}

impl From<&CaseRecord> for CaseV1 {
    fn from(case: &CaseRecord) -> Self {
        let CaseRecord { suite, id, class, engine, accepted, note, line, verdict } = case.clone();
        let Verdict {
            cause,
            detail,
            limit_enforced_by: limit_keeper,
            played,
            score,
            depth,
            nodes,
            solved_nodes,
            pv,
            measures,
            time,
        } = verdict;
        let line = line.to_string();
        let (mark, score, depth) = (cause.kind().name().to_owned(), score.map(ScoreV1::from), depth.0);
        let is_held = limit_keeper == LimitEnforcedBy::Harness;
        let measures = measures.into_iter().map(|Measure { name, amount, of }| (name, amount, of)).collect();
        Self {
            suite,
            id,
            class,
            engine,
            accepted,
            note,
            line,
            mark,
            cause: cause.name().to_owned(),
            detail,
            limit_keeper: is_held.then(|| limit_keeper.name().to_owned()),
            played,
            score,
            depth,
            nodes,
            solved_nodes,
            pv,
            measures,
            time: time.map(nanos),
        }
    }
}

impl CaseV1 {
    fn restore(self) -> Result<CaseRecord, String> {
        let (cause, limit_keeper) =
            self.cause().map_err(|error| format!("case {}/{}: {error}", self.suite, self.id))?;
        let Self { suite, id, class, engine, accepted, note, line, detail, .. } = self;
        let line = line.parse().map_err(|error| format!("case {suite}/{id}: line {error}"))?;
        let verdict = Verdict {
            cause,
            detail,
            limit_enforced_by: limit_keeper,
            played: self.played,
            score: self.score.map(Score::from),
            depth: Ply(self.depth),
            nodes: self.nodes,
            solved_nodes: self.solved_nodes,
            pv: self.pv,
            measures: self.measures.into_iter().map(measure).collect(),
            time: self.time.map(Duration::from_nanos),
        };
        Ok(CaseRecord { suite, id, class, engine, accepted, note, line, verdict })
    }
}

impl CaseV1 {
    /// The cause, and who ended the searches at their node limit.
    fn cause(&self) -> Result<(Cause, LimitEnforcedBy), String> {
        let mark: VerdictKind = self.mark.parse().map_err(|error| format!("mark {error}"))?;
        let cause = Cause::named(mark, &self.cause).map_err(|error| format!("cause {error}"))?;
        let keeper = self.limit_keeper.as_deref().map(str::parse).transpose();
        let keeper = keeper.map_err(|error| format!("limit_keeper {error}"))?;
        Ok((cause, keeper.unwrap_or(LimitEnforcedBy::Engine)))
    }
}

fn measure((name, amount, of): (String, u64, Option<u64>)) -> Measure {
    Measure { name, amount, of }
}

impl<'r> From<&'r GameRecord> for GameV1<'r> {
    fn from(game: &'r GameRecord) -> Self {
        let GameRecord { players, opening, played, outcome, end, warnings, shadow, times } = game;
        Self {
            players: players.clone(),
            opening: opening.into(),
            outcome: (*outcome).into(),
            end: end.into(),
            played: MovesV1::borrowed(played),
            warnings: warnings.iter().map(WarningV1::from).collect(),
            shadow: shadow.iter().map(ShadowV1::from).collect(),
            times: times.map(|GameTimes { begun, duration }| (begun, nanos(duration))),
        }
    }
}

impl GameV1<'_> {
    fn restore(self) -> Result<GameRecord, String> {
        Ok(GameRecord {
            players: self.players,
            opening: self.opening.restore()?,
            played: self.played.into_owned(),
            outcome: self.outcome.into(),
            end: self.end.restore()?,
            warnings: self.warnings.into_iter().map(WarningV1::restore).collect::<Result<_, _>>()?,
            shadow: self.shadow.into_iter().map(ShadowV1::restore).collect::<Result<_, _>>()?,
            times: self
                .times
                .map(|(begun, nanos)| GameTimes { begun, duration: Duration::from_nanos(nanos) }),
        })
    }
}

impl From<&GameEnd> for EndV1 {
    fn from(end: &GameEnd) -> Self {
        match end {
            GameEnd::Checkmate => Self::Checkmate,
            GameEnd::Stalemate => Self::Stalemate,
            GameEnd::Threefold => Self::Threefold,
            GameEnd::FiftyMoves => Self::FiftyMoves,
            GameEnd::InsufficientMaterial => Self::InsufficientMaterial,
            GameEnd::Adjudicated(rule) => Self::Adjudicated(rule.end.to_owned()),
            // Without delays a game has no margin either: see `GameEnd::from_cause`.
            GameEnd::TimeForfeit { over, margin: _, delays: None } => {
                Self::TimeForfeit(ForfeitV1::Over(nanos(*over)))
            }
            GameEnd::TimeForfeit { over, margin, delays: Some(Delays { engine, runner }) } => {
                let [over, engine, runner, margin] = [over, engine, runner, margin].map(|time| nanos(*time));
                Self::TimeForfeit(match margin {
                    0 => ForfeitV1::OverAndDelays(over, engine, runner),
                    margin => ForfeitV1::OverDelaysAndMargin(over, engine, runner, margin),
                })
            }
            GameEnd::IllegalMove(mv) => Self::IllegalMove(mv.clone()),
            GameEnd::EngineFault(RecordedFault { cause, detail }) => {
                Self::EngineFault(cause.name().to_owned(), detail.clone())
            }
        }
    }
}

impl EndV1 {
    fn restore(self) -> Result<GameEnd, String> {
        Ok(match self {
            Self::Checkmate => GameEnd::Checkmate,
            Self::Stalemate => GameEnd::Stalemate,
            Self::Threefold => GameEnd::Threefold,
            Self::FiftyMoves => GameEnd::FiftyMoves,
            Self::InsufficientMaterial => GameEnd::InsufficientMaterial,
            Self::TimeForfeit(ForfeitV1::Over(over)) => GameEnd::TimeForfeit {
                over: Duration::from_nanos(over),
                margin: Duration::ZERO,
                delays: None,
            },
            // Older journals have the sum of both delays, which counts as the engine's.
            Self::TimeForfeit(ForfeitV1::OverAndWaited(over, waited)) => time_forfeit(over, waited, 0, 0),
            Self::TimeForfeit(ForfeitV1::OverAndDelays(over, engine, runner)) => {
                time_forfeit(over, engine, runner, 0)
            }
            Self::TimeForfeit(ForfeitV1::OverDelaysAndMargin(over, engine, runner, margin)) => {
                time_forfeit(over, engine, runner, margin)
            }
            Self::IllegalMove(mv) => GameEnd::IllegalMove(mv),
            Self::EngineFault(cause, detail) => {
                let cause = cause.parse().map_err(|error| format!("cause of an engine fault {error}"))?;
                GameEnd::EngineFault(RecordedFault { cause, detail })
            }
            Self::Adjudicated(end) => {
                let rule = RuleKind::of_end(&end);
                GameEnd::Adjudicated(rule.ok_or_else(|| format!("no rule ends a game by `{end}`"))?)
            }
        })
    }
}

fn time_forfeit(over: u64, engine: u64, runner: u64, margin: u64) -> GameEnd {
    let [over, engine, runner, margin] = [over, engine, runner, margin].map(Duration::from_nanos);
    GameEnd::TimeForfeit { over, margin, delays: Some(Delays { engine, runner }) }
}
