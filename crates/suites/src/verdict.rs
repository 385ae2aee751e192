//! The verdict on a case.

use std::time::Duration;

use shakmaty::uci::UciMove;

use super::cause::{Cause, FailCause, PassCause, SkipCause};
pub use super::verdict_kind::VerdictKind;
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Ply, Score};
use threefold_player::{
    Answer, DialogueResult, EngineFault, FaultCause, LimitEnforcedBy, RecordedFault, ScoredInfo,
};

/// A number that a suite kind counts in addition to the verdict, summed over the cases of a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measure {
    /// What is counted, in the kind's own terms: `best mates`, `points`, `moves to mate`.
    pub name: String,
    /// The number that was counted.
    pub amount: u64,
    /// The maximum or reference amount, if there is one: the most points, the proven distance.
    pub of: Option<u64>,
}

impl Measure {
    /// An amount.
    pub fn count(name: impl Into<String>, amount: u64) -> Self {
        Self { name: name.into(), amount, of: None }
    }

    /// An amount relative to another one.
    pub fn share(name: impl Into<String>, amount: u64, of: u64) -> Self {
        Self { name: name.into(), amount, of: Some(of) }
    }
}

/// The verdict on a case, with data for reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Why it passed, failed, was skipped or is a fault.
    pub cause: Cause,
    /// Details of the individual case, in one line (`#5 instead of #3`); may be empty.
    pub detail: String,
    /// Who ended the searches at their node limit.
    pub limit_enforced_by: LimitEnforcedBy,
    /// The move played, or what was played, in the kind's terms.
    pub played: String,
    /// The final score, from the side to move's view.
    pub score: Option<Score>,
    /// Depth reached.
    pub depth: Ply,
    /// Nodes searched in the whole dialogue.
    pub nodes: u64,
    /// Nodes after which the search has shown an accepted answer to its end, for a passed case that one search decides; `None`
    /// for the others, and if the engine reports no nodes.
    pub solved_nodes: Option<u64>,
    /// The final PV, moves in UCI form, separated by spaces.
    pub pv: String,
    /// The measures, in the kind's order.
    pub measures: Vec<Measure>,
    /// Time used in searches that wall time limits, over the whole dialogue; `None` without any.
    pub time: Option<Duration>,
}

impl Verdict {
    /// A verdict on one answer, with the answer's data.
    pub fn new(answer: &Answer, cause: impl Into<Cause>, detail: impl Into<String>) -> Self {
        let (cause, last) = (cause.into(), answer.final_info());
        Self {
            limit_enforced_by: answer.limit_enforced_by,
            played: answer.best.map(|best| best.to_string()).unwrap_or_default(),
            nodes: answer.nodes,
            detail: detail.into(),
            ..last.map_or_else(|| Self::unanswered(cause, ""), |report| Self::of_report(report, cause))
        }
    }

    /// A verdict with the data of one report of a search, as if the engine played the first move of its line.
    pub fn of_report(report: &ScoredInfo, cause: impl Into<Cause>) -> Self {
        Self {
            played: report.pv.first().map(ToString::to_string).unwrap_or_default(),
            score: Some(report.score),
            depth: report.depth,
            nodes: report.nodes.unwrap_or_default(),
            pv: moves_text(&report.pv),
            ..Self::unanswered(cause, "")
        }
    }

    /// A verdict without an answer.
    pub fn unanswered(cause: impl Into<Cause>, detail: impl Into<String>) -> Self {
        Self {
            cause: cause.into(),
            detail: detail.into(),
            limit_enforced_by: LimitEnforcedBy::Engine,
            played: String::new(),
            score: None,
            depth: Ply(0),
            nodes: 0,
            solved_nodes: None,
            pv: String::new(),
            measures: Vec::new(),
            time: None,
        }
    }

    /// The verdict on a fault. An engine that lacks what the case needs is skipped.
    pub fn of_fault(fault: &EngineFault) -> Self {
        match fault {
            EngineFault::NotSupported(what) => Self::unanswered(SkipCause::NotSupported, what),
            fault => {
                let RecordedFault { cause, detail } = fault.into();
                Self::unanswered(cause, detail)
            }
        }
    }

    /// The verdict on a dialogue, or on a clause of the protocol that was tested.
    pub fn of_dialogue(result: DialogueResult) -> Self {
        match result {
            DialogueResult::Met => Self::unanswered(PassCause::ClauseMet, ""),
            DialogueResult::Flaky(what) => Self::unanswered(SkipCause::Flaky, what),
            DialogueResult::Unanswered(what) => Self::unanswered(SkipCause::NoAnswer, what),
            DialogueResult::Violated(what) => Self::unanswered(FailCause::ProtocolViolated, what),
        }
    }

    /// The suite or its tables are wrong.
    pub fn unsound_case(what: impl Into<String>) -> Self {
        Self::unanswered(FaultCause::UnsoundCase, what)
    }

    /// The verdict on an engine whose standard error has a line that shows a defect: a fault, whatever it
    /// answered. The line is quoted.
    #[must_use]
    pub fn with_error_line(self, line: Option<String>) -> Self {
        match line {
            None => self,
            Some(line) if self.kind() != VerdictKind::Fault => {
                Self { cause: FaultCause::ErrorLine.into(), detail: format!("`{line}`"), ..self }
            }
            // The detail of a fault may quote the line already.
            Some(line) if self.detail.contains(&line) => self,
            Some(line) => Self { detail: format!("{}; on standard error: `{line}`", self.detail), ..self },
        }
    }

    /// Passed, failed, skipped or a fault.
    pub const fn kind(&self) -> VerdictKind {
        self.cause.kind()
    }

    /// The cause and the detail in one line, with a note if the harness enforced the node limit.
    pub fn reason(&self) -> String {
        let reason = self.cause.with_detail(&self.detail);
        match self.limit_enforced_by {
            LimitEnforcedBy::Engine => reason,
            LimitEnforcedBy::Harness => format!("{reason}; node limit held by the harness"),
        }
    }
}

/// Moves in UCI form, separated by spaces.
pub fn moves_text(moves: &[UciMove]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// A case with its verdict, for reports and baselines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseRecord {
    /// Suite.
    pub suite: String,
    /// The case's own id, unique in its suite.
    pub id: String,
    /// Class within the suite.
    pub class: String,
    /// The name of the engine.
    pub engine: String,
    /// The accepted answers, in the kind's terms.
    pub accepted: String,
    /// Why the accepted answers are right, and other notes.
    pub note: String,
    /// The position with its history.
    pub line: GamePosition,
    /// What came of it.
    pub verdict: Verdict,
}
