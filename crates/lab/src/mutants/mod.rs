//! Mutation testing: do the suites fail on an engine with a known bug, and name the cause?
//!
//! Each bug is tested by the suite that should catch it ([`CATCHES`]), then by the other suites of a plan. A
//! case catches a bug if the engine without the bug has a better verdict; the suite stops there. Suites of
//! the kinds `signature` and `determinism` only show that something changed. They come last, and do not count
//! as a catch.

mod bug;
mod catches;
mod hunt;

pub use bug::{Bug, has_seeded_bugs};
pub use catches::{CATCHES, CAUGHT_BY_SEARCH_TESTS, Catch};
pub use hunt::{Caught, Hunt, HuntError, HuntResult, Observed};
