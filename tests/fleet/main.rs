//! Runs on a fleet: a real server, workers as processes, and what can go wrong with them.
//!
//! The tests need `nats-server`. Without it they are skipped, and fail where `CI` is set.

mod chaos;
mod processes;
mod raw_client;
mod refusals;
mod same_results;
