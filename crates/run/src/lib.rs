//! Runs: their specification, the scheduler, the worker pool, and the journal.
//!
//! The specification of a run is a value, the scheduler a pure function of the specification and the results
//! so far, and the journal stores both. So resuming is a replay, a sequential test that stops is a scheduler
//! without further jobs, and neither the number of workers nor an interruption can change the counted
//! results.

pub mod calibration;
pub mod output_folder;
pub mod regress;

pub mod job;
pub mod labels;

pub mod difference;
pub mod distinct_pairs;
pub mod environment;
pub mod fault_budget;
#[cfg(test)]
mod job_tests;
#[cfg(test)]
mod knockout_tests;
mod match_extent;
mod outputs;
mod part_extent;
mod part_state;
pub mod prepared;
pub mod result_check;
pub mod scheduler;
#[cfg(test)]
mod scheduler_tests;
pub mod shard;
#[cfg(test)]
mod stop_after_tests;
mod stop_cases;
pub mod takes;
mod takes_rule;
mod test_state;
mod verdict_rules;

pub mod encounter;
pub mod event;
pub mod exclusion;
pub mod game_options;
pub mod game_reader;
pub mod journal;
pub mod knockout;
pub mod live;
mod lost_answers;
pub mod measured_elo;
pub mod merge;
pub mod pool;
pub mod run_control;
pub mod run_record;
pub mod single_match;
pub mod swiss;
#[cfg(test)]
mod swiss_tests;
pub mod time_left;
pub mod tournament;
#[cfg(test)]
mod tournament_fixture;
mod tournament_record;
pub mod trend;
pub mod tune;
mod tune_check;
mod tune_rule;
mod tune_state;
#[cfg(test)]
mod tune_tests;

pub use distinct_pairs::PairCounting;
pub use encounter::EncounterState;
pub use environment::{Environment, Property, PropertyDifference};
pub use fault_budget::{FaultBudget, FaultLimit};
pub use game_options::{GameOptions, ReadyJob};
pub use game_reader::{GameReader, RecordedGame};
pub use job::{JobKey, JobResult, MatchTask, Part, Purpose, RunSpec, SuiteTask, Task, WorkerId};
pub use knockout::KnockoutState;
pub use labels::Labels;
pub use measured_elo::MeasuredElo;
pub use part_state::JobOutcome;
pub use result_check::ResultMismatch;
pub use run_record::{PartResult, RecordedResult, RunRecord};
pub use scheduler::{NextStep, PartEnding, PartProgress, Scheduler, TestState, TestStep};
pub use swiss::SwissState;
pub use takes_rule::TakesRule;
pub use trend::TrendPoint;
pub use tune_rule::{ResultTest, TuneRule};
pub use tune_state::{TUNE_PART, TuneState};

/// The examples of the README, compiled and run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
