//! Runs on a fleet: a real server, workers as processes, and what can go wrong with them.
//!
//! The tests need `nats-server`. Without it they are skipped, and fail where `CI` is set.

#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "tests read and write files")]

mod chaos;
mod engines;
mod exclusion;
mod hostile_workers;
mod processes;
mod proxy;
mod raw_client;
mod refusals;
mod same_results;
mod several_runs;
