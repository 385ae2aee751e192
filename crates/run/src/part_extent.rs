//! How long a part of a run can be, how far it is, and why it is over.

use std::num::NonZeroUsize;
use std::time::Duration;

use super::distinct_pairs::PairCounting;
use super::fault_budget::{FaultBudget, FaultCount, FaultTolerance};
use super::shard::JobShare;
use super::test_state::TestState;
use super::tune_state::TuneState;
use threefold_games::knockout::EncounterRule;
use threefold_games::pairing::EncounterLength;
use threefold_stats::AnyRule;

threefold_named_enum::named_enum! {
    /// Why a part is over.
    pub enum PartEnding {
        /// All jobs are done.
        Complete = "complete",
        /// The test accepted H1.
        AcceptedH1 = "H1 accepted",
        /// The test accepted H0.
        AcceptedH0 = "H0 accepted",
        /// The test used up its games or its time without a decision.
        Undecided = "undecided",
        /// The test has played every opening, and further games only repeated earlier ones.
        NoNewGames = "not decided: no new games",
        /// The test accepts one hypothesis with the pairs that had a fault, and the other without them.
        DependsOnFaults = "not decided: depends on engine faults",
        /// Another take passed first, so that this one needs no further games.
        AnotherPassed = "not decided: another take passed",
        /// There were more engine faults than the run allows, and the whole run stopped.
        TooManyFaults = "too many engine faults",
        /// As many cases did not pass as the run was to stop after, and the whole run stopped.
        FailedCases = "stopped after failed cases",
    }
}

impl PartEnding {
    /// Does a part with this ending stop the whole run?
    pub(super) const fn stops_run(self) -> bool {
        matches!(self, Self::TooManyFaults | Self::FailedCases)
    }
}

/// What the scheduler needs to know of a part in advance.
#[derive(Debug, Clone, PartialEq)]
pub struct PartExtent {
    /// The largest number of jobs.
    pub jobs: usize,
    /// The rule of the test that may end it earlier; games 2n and 2n + 1 are a pair.
    pub test: Option<AnyRule>,
    /// The encounter of a knockout tournament that it is: it ends once it is decided. A part with a test is
    /// none.
    pub encounter: Option<EncounterRule>,
    /// The engine faults that it may have; `None` for no limit.
    pub max_faults: Option<FaultBudget>,
    /// The number of cases that do not pass, in this part and those before it, after which the run stops;
    /// `None` for no limit.
    pub stop_after: Option<NonZeroUsize>,
    /// Does it ask lost cases again? Then it is done although failed cases stopped the run.
    pub is_asked_again: bool,
    /// The number of faults that its result can bear, if the limit is the usual one.
    pub tolerance: FaultTolerance,
    /// Which pairs a test counts.
    pub counting: PairCounting,
    /// The games of an encounter.
    pub meeting: EncounterLength,
    /// The games after which every opening was played, unless wall time limits a player: it makes other games
    /// of an opening.
    pub book: Option<usize>,
    /// The thinking time after which its test ends undecided; `None` for no limit.
    pub budget: Option<Duration>,
    /// The jobs that this process does.
    pub share: JobShare,
}

impl PartExtent {
    /// Cases of a suite, without a limit of faults.
    pub const fn of_cases(jobs: usize) -> Self {
        Self {
            jobs,
            test: None,
            encounter: None,
            max_faults: None,
            stop_after: None,
            is_asked_again: false,
            tolerance: FaultTolerance::Cases,
            counting: PairCounting::Distinct,
            meeting: EncounterLength::Pair,
            book: None,
            budget: None,
            share: JobShare::All,
        }
    }
}

/// The progress of a part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartProgress<'p> {
    /// Jobs that have ended, including those that do not count.
    pub ended: usize,
    /// The jobs before this index count, in schedule order.
    pub counted: usize,
    /// The largest number of jobs, or that of this shard; of an encounter of a knockout tournament the number
    /// that is known to be needed.
    pub jobs: usize,
    /// Why it is over; `None` while it is not.
    pub ending: Option<PartEnding>,
    /// The state of its test, if it has one.
    pub test: Option<&'p TestState>,
    /// The state of its tune, if it has one.
    pub tune: Option<&'p TuneState>,
    /// Engine faults among the jobs that count.
    pub faults: FaultCount,
}
