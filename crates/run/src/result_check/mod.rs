//! Does a result follow from its job? A pure function of both, for results that this process has not made
//! itself: those of other machines, and those in a journal.
//!
//! A game is played again under the conditions of its job: each move must be legal, and the end, its reason
//! and the result must be those of the rules, of adjudication by the recorded scores, or of a fault of a side
//! that could commit it. A verdict must be that of its case, as far as that can be decided without the
//! engine.

mod case;
mod game;

use super::fault_budget::FaultBy;
use super::job::{JobKey, JobResult, MatchTask, Task};
use super::part_state::JobOutcome;
use super::prepared::PreparedRun;
use threefold_suites::{CaseDefinition, CaseRecord, VerdictKind};

/// Why a result is not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResultMismatch {
    /// The run has no such job.
    #[error("the run has no such job")]
    NoJob,
    /// A case for a game, or a game for a case.
    #[error("it is the result of another kind of job")]
    OtherKind,
    /// Another case.
    #[error("`{found}` is not case `{expected}`")]
    OtherCase {
        /// The id in the result.
        found: String,
        /// The id of the job.
        expected: String,
    },
    /// Something else that a case has in common with its result.
    #[error("its {what} is `{found}` instead of `{expected}`")]
    OtherProperty {
        /// What differs.
        what: &'static str,
        /// In the result.
        found: String,
        /// In the job.
        expected: String,
    },
    /// A verdict that does not follow from the answer.
    #[error("the verdict `{verdict}` contradicts the answer `{played}`, where `{accepted}` is accepted")]
    OtherVerdict {
        /// The cause of the verdict.
        verdict: String,
        /// What was played.
        played: String,
        /// What the case accepts.
        accepted: String,
    },
    /// The built-in engine keeps its limits.
    #[error("it has {nodes} nodes, and the limit is {limit}")]
    TooManyNodes {
        /// Nodes of the whole case.
        nodes: u64,
        /// The limit of a search.
        limit: u64,
    },
    /// Other players, or the right ones with the wrong colours.
    #[error("the players are `{white}` and `{black}`, in this order, instead of `{expected}`")]
    OtherPlayers {
        /// White in the result.
        white: String,
        /// Black in the result.
        black: String,
        /// Both in the job.
        expected: String,
    },
    /// Another opening.
    #[error("the opening is `{0}`, not that of the job")]
    OtherOpening(String),
    /// The opening is no legal game.
    #[error("the opening can't be played: {0}")]
    IllegalOpening(String),
    /// A move against the rules.
    #[error("move {number} after the opening, `{mv}`, is illegal")]
    IllegalMove {
        /// The number of the move after the opening, from 1.
        number: usize,
        /// The move as UCI writes it.
        mv: String,
    },
    /// A move whose time or nodes do not agree with the clock of the job.
    #[error("move {number} after the opening has another time than its nodes give")]
    OtherTime {
        /// The number of the move after the opening, from 1.
        number: usize,
    },
    /// Moves after the end.
    #[error("it goes on after move {moves}, which ends it by {end}")]
    GoesOn {
        /// Moves up to the end.
        moves: usize,
        /// What ends it.
        end: String,
    },
    /// Another end, or an end where there is none.
    #[error("it is recorded as `{recorded}`, but its moves end in `{found}`")]
    OtherEnd {
        /// Result and reason in the record.
        recorded: String,
        /// Result and reason that follow from the moves.
        found: String,
    },
    /// A fault that its side can't have committed.
    #[error("it is recorded as `{recorded}`, but {why}")]
    NoFault {
        /// Result and reason in the record.
        recorded: String,
        /// Why that is impossible.
        why: &'static str,
    },
    /// What adjudication in shadow mode would have done does not follow from the moves.
    #[error("what adjudication would have done does not follow from its moves")]
    OtherShadow,
}

impl PreparedRun {
    /// Checks that a result follows from its job; returns what the scheduler needs to know of it.
    ///
    /// # Errors
    ///
    /// What is wrong.
    pub fn check_result(&self, key: JobKey, result: &JobResult) -> Result<JobOutcome, ResultMismatch> {
        let outcome = self.job_outcome(key, result)?;
        match (&self.spec().parts[key.part].task, result) {
            (Task::Match(games), JobResult::Game(record)) => {
                let scheduled = games.schedule().game(key.job).ok_or(ResultMismatch::NoJob)?;
                game::check(games, &scheduled, &self.terms(games, &scheduled), record)?;
            }
            (Task::Suite(task), JobResult::Case(record)) => {
                let suite = self.suite(key.part).ok_or(ResultMismatch::NoJob)?;
                let definition = suite.definitions.get(key.job).ok_or(ResultMismatch::NoJob)?;
                case::check(definition, &suite.limits, &task.engine, record)?;
            }
            _ => return Err(ResultMismatch::OtherKind),
        }
        Ok(outcome)
    }

    /// What the scheduler needs to know of a result of this process: for a game the first engine's result,
    /// and whose fault ended the job.
    ///
    /// # Errors
    ///
    /// If the result does not belong to the job, or the job does not belong to the run.
    pub fn job_outcome(&self, key: JobKey, result: &JobResult) -> Result<JobOutcome, ResultMismatch> {
        let part = self.spec().parts.get(key.part).ok_or(ResultMismatch::NoJob)?;
        match (&part.task, result) {
            (Task::Suite(_), JobResult::Case(record)) => {
                let definitions = self.suite(key.part).map(|suite| &suite.definitions);
                let definition = definitions.and_then(|all| all.get(key.job)).ok_or(ResultMismatch::NoJob)?;
                let outcome = case_outcome(definition, record)?;
                Ok(JobOutcome { has_failed: outcome.has_failed && self.counts_as_failed(record), ..outcome })
            }
            (Task::Match(games), JobResult::Game(game)) if key.job < games.schedule().games() => {
                Ok(JobOutcome {
                    result: games.result(key.job, game),
                    fault: games.fault(key.job, game),
                    has_failed: false,
                    thinking: MatchTask::thinking_time(game),
                    identity: Some(game.identity()),
                })
            }
            (Task::Match(_), JobResult::Game(_)) => Err(ResultMismatch::NoJob),
            (Task::Suite(_), JobResult::Game(_)) | (Task::Match(_), JobResult::Case(_)) => {
                Err(ResultMismatch::OtherKind)
            }
        }
    }
}

fn case_outcome(definition: &CaseDefinition, record: &CaseRecord) -> Result<JobOutcome, ResultMismatch> {
    if definition.info.id != record.id {
        return Err(ResultMismatch::OtherCase {
            found: record.id.clone(),
            expected: definition.info.id.clone(),
        });
    }
    let verdict = record.verdict.kind();
    Ok(JobOutcome {
        // A suite has one engine only, the one under test.
        fault: (verdict == VerdictKind::Fault).then_some(FaultBy::Tested),
        has_failed: matches!(verdict, VerdictKind::Failed | VerdictKind::Fault),
        ..JobOutcome::default()
    })
}

#[cfg(test)]
mod case_tests;
#[cfg(test)]
mod game_tests;
