//! An engine in a process of its own, and what it takes not to be at its mercy.
//!
//! Whatever the process does (crash, hang, chatter without end, stop reading, leave children behind), a
//! question put to it ends in an answer or a typed fault within a known time and a known amount of memory.

mod engine;
mod groups;
mod live_engine;
mod node_limit;
mod pipes;
mod process;
mod search_log;
mod watchdog;

pub use engine::ChildEngine;
pub use groups::EngineGroups;
