//! Mutants: do the suites fail on an engine with a known bug, and say what is wrong with it?
//!
//! Each bug is put to the suite that is to catch it first ([`CATCHES`]), then to the other suites of a plan, and a
//! suite ends with the first case that catches the bug. A case catches a bug where the engine without it comes to a
//! better verdict. Suites of the kinds `signature` and `determinism` only say that something changed: they come last,
//! and a bug that nothing else catches is not caught well enough.

mod bug;
mod catches;
mod hunt;

pub use bug::{Bug, has_seeded_bugs};
pub use catches::{CATCHES, Catch};
pub use hunt::{Caught, Finding, Hunt, HuntError, Observed};
