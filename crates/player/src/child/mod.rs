//! An engine in a child process, and the protection against its failures.
//!
//! Whatever the process does (crash, hang, print without end, stop reading, leave children behind), a
//! question to it ends in an answer or a typed fault within bounded time and memory.

mod compliance;
mod delay_meter;
mod dialogue;
mod engine;
#[cfg(all(test, unix))]
mod engine_keys_tests;
mod error_file;
mod line_buffer;
mod live_engine;
mod node_limit;
mod own_process;
mod perft;
mod ponder_search;
mod pondering;
mod process;
#[cfg(all(test, unix))]
mod restart_tests;
mod search;
mod search_log;
mod watchdog;

pub use engine::ChildEngine;
