//! Running: what was asked for, what to do next, what came of it, and where that is kept.
//!
//! The order of work is a value, the plan a pure function of the order and of what is already found, and the
//! journal holds both. So resuming is a replay, a sequential test that stops is a plan with nothing more to
//! ask, and neither the number of workers nor an interruption can change what is counted.

pub mod job;
pub mod labels;

pub mod difference;
pub mod fault_budget;
mod part_state;
pub mod prepared;
pub mod scheduler;

pub mod event;
pub mod journal;
pub mod pool;
pub mod run;

pub use fault_budget::{FaultBudget, FaultLimit};
pub use job::{JobKey, JobResult, MatchTask, Part, Purpose, RunSpec, SuiteTask, Task, WorkerId};
pub use labels::Labels;
pub use part_state::JobOutcome;
pub use run::{PartResult, RunRecord};
pub use scheduler::{NextStep, PartEnding, PartProgress, Scheduler, TestState};
