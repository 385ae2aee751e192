//! Running: what was asked for, what to do next, what came of it, and where that is kept.
//!
//! The order of work is a value, the plan a pure function of the order and of what is already found, and the
//! journal holds both. So resuming is a replay, a sequential test that stops is a plan with nothing more to
//! ask, and neither the number of workers nor an interruption can change what is counted.

pub mod job;
pub mod labels;

pub mod agenda;
pub mod difference;
pub mod fault_budget;
mod part_state;
pub mod plan;

pub mod event;
pub mod journal;
pub mod pool;
pub mod run;

pub use fault_budget::{FaultBudget, FaultLimit};
pub use job::{JobResult, JobKey, MatchTask, RunSpec, Part, Purpose, WorkerId, SuiteTask, Task};
pub use labels::Labels;
pub use part_state::JobOutcome;
pub use plan::{PartEnding, TestState, Scheduler, PartProgress, NextStep};
pub use run::{PartResult, RunRecord};
