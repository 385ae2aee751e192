//! What a case's run came to.

use std::time::Duration;

use shakmaty::uci::UciMove;

use super::cause::{Cause, SkipCause};
use crate::player::{Answer, EngineFault, FaultCause, LimitEnforcedBy, RecordedFault};
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Ply, Score};

threefold_named_enum::named_enum! {
    /// What a case's run came to.
    pub enum VerdictKind {
        /// The engine did what the case asks for.
        Passed = "passed",
        /// It did not.
        Failed = "failed",
        /// It lacks what the case needs (an option, a limit, a command), or the machine kept it waiting, and that is
        /// told: the case says nothing of it.
        Skipped = "skipped",
        /// It crashed, hung, broke the protocol, made an illegal move or lost on time.
        Fault = "fault",
    }
}

/// A number that a kind takes of a case beside its mark, to be summed over the cases of a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measure {
    /// What is counted, in the kind's own words: `best mates`, `points`, `moves to mate`.
    pub name: String,
    /// How much of it.
    pub amount: u64,
    /// Of how much, where there is something to compare it with: the most points, the proven distance.
    pub of: Option<u64>,
}

impl Measure {
    /// So many.
    pub fn count(name: impl Into<String>, amount: u64) -> Self {
        Self { name: name.into(), amount, of: None }
    }

    /// So much of that much.
    pub fn share(name: impl Into<String>, amount: u64, of: u64) -> Self {
        Self { name: name.into(), amount, of: Some(of) }
    }
}

/// What a case's run came to, and what was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Why it passed, failed, was skipped or is a fault.
    pub cause: Cause,
    /// What differs from case to case, in one line (`#5 instead of #3`); empty where the cause says it all.
    pub detail: String,
    /// Who ended the searches at their limit of nodes.
    pub limit_enforced_by: LimitEnforcedBy,
    /// The move played, or what was played, as the kind counts it.
    pub played: String,
    /// The final score, from the side to move's view.
    pub score: Option<Score>,
    /// Depth reached.
    pub depth: Ply,
    /// Nodes spent over the whole dialogue.
    pub nodes: u64,
    /// The final line of play, moves as UCI writes them, separated by spaces.
    pub pv: String,
    /// What the kind counted, in its own order.
    pub measures: Vec<Measure>,
    /// Time used over the whole dialogue in searches that the wall's clock limits; `None` where it limits none.
    pub time: Option<Duration>,
}

impl Verdict {
    /// A judgement of one answer, with what the answer shows.
    pub fn of(answer: &Answer, cause: impl Into<Cause>, detail: impl Into<String>) -> Self {
        let last = answer.final_info();
        Self {
            limit_enforced_by: answer.limit_enforced_by,
            played: answer.best.map(|best| best.to_string()).unwrap_or_default(),
            score: last.map(|claim| claim.score),
            depth: last.map_or(Ply(0), |claim| claim.depth),
            nodes: answer.nodes,
            pv: last.map(|claim| moves_text(&claim.pv)).unwrap_or_default(),
            ..Self::unanswered(cause, detail)
        }
    }

    /// The dialogue broke off without an answer to judge.
    pub fn unanswered(cause: impl Into<Cause>, detail: impl Into<String>) -> Self {
        Self {
            cause: cause.into(),
            detail: detail.into(),
            limit_enforced_by: LimitEnforcedBy::Engine,
            played: String::new(),
            score: None,
            depth: Ply(0),
            nodes: 0,
            pv: String::new(),
            measures: Vec::new(),
            time: None,
        }
    }

    /// What the engine did instead of an answer. One that lacks what the case needs is no fault: nobody counts the
    /// case for or against it.
    pub fn of_fault(fault: &EngineFault) -> Self {
        match fault {
            EngineFault::NotSupported(what) => Self::unanswered(SkipCause::NotSupported, what),
            fault => {
                let RecordedFault { cause, detail } = fault.into();
                Self::unanswered(cause, detail)
            }
        }
    }

    /// The suite or its tables are wrong: what about them.
    pub fn unsound_case(what: impl Into<String>) -> Self {
        Self::unanswered(FaultCause::UnsoundCase, what)
    }

    /// Passed, failed, skipped or a fault.
    pub const fn kind(&self) -> VerdictKind {
        self.cause.kind()
    }

    /// The cause and the detail in one line, with who ended the search where that was the harness.
    pub fn reason(&self) -> String {
        let reason = self.cause.with_detail(&self.detail);
        match self.limit_enforced_by {
            LimitEnforcedBy::Engine => reason,
            LimitEnforcedBy::Harness => format!("{reason}; node limit held by the harness"),
        }
    }
}

/// Moves as UCI writes them, separated by spaces.
pub fn moves_text(moves: &[UciMove]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// A case with its verdict, as reports and baselines know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseRecord {
    /// Suite.
    pub suite: String,
    /// The case's own id, unique in its suite.
    pub id: String,
    /// Class within the suite.
    pub class: String,
    /// The engine asked.
    pub engine: String,
    /// What was accepted, in words of the kind.
    pub accepted: String,
    /// Why the accepted answer is true, and other notes.
    pub note: String,
    /// The position with its history.
    pub line: GamePosition,
    /// What came of it.
    pub verdict: Verdict,
}
