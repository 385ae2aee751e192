//! Engine faults, through every command that plays.
//!
//! The test has its own main function, because it also runs as the faulty engine (`engine.rs`). It needs a
//! Unix shell; on other systems it tests nothing.

#![expect(clippy::disallowed_methods, reason = "runs are timed, and files are made and looked at here")]
#![expect(clippy::print_stderr, reason = "the faulty engines write to standard error")]

#[cfg(unix)]
#[macro_use]
mod engine;
#[cfg(unix)]
mod dialogues;
#[cfg(unix)]
mod fault_table;
#[cfg(unix)]
#[path = "../cli/sandbox.rs"]
#[expect(dead_code, reason = "the command line's tests use more of the sandbox")]
mod sandbox;

/// The program under test.
#[cfg(unix)]
const PROGRAM: &str = env!("CARGO_BIN_EXE_threefold");

/// The folder of the shipped files.
#[cfg(unix)]
const WORKSPACE: &str = env!("CARGO_MANIFEST_DIR");

fn main() {
    #[cfg(unix)]
    fault_table::main();
}
