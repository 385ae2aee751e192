//! The command line, as a user and a CI machine see it: exit codes, what is said where, and what is left on
//! the disk. Engines are Echo and a few lines of shell; nothing here depends on how fast the machine is.

#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "what a command reads and writes is made and looked at here")]

mod room;

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_threefold");

/// The folder of the shipped files.
const WORKSPACE: &str = env!("CARGO_MANIFEST_DIR");

mod baselines;
mod births;
mod builds;
mod built_in;
mod documents;
mod engine_log;
mod engines;
mod file_bounds;
mod game_files;
mod hostile;
mod interruption;
mod journals;
mod levels;
mod misuse;
mod orphans;
mod outputs;
mod places;
mod plan;
mod rating;
mod regressions;
mod sameness;
mod sizes;
mod starts;
mod streams;
mod suspension;
mod tables;
mod terminal;
mod trust;
mod verdicts;
mod version;
mod waits;
