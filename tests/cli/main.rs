//! The command line, as a user and a CI machine see it: exit codes, what is said where, and what is left on
//! the disk. Engines are Echo and a few lines of shell; nothing here depends on how fast the machine is.

#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "what a command reads and writes is made and looked at here")]

mod sandbox;

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_threefold");

/// The folder of the shipped files.
const WORKSPACE: &str = env!("CARGO_MANIFEST_DIR");

mod baselines;
mod builds;
mod built_in;
mod calibration;
mod determinism;
mod engine_log;
mod engine_starts;
mod engines;
mod file_bounds;
mod game_files;
mod hostile;
mod interruption;
mod journal_creation;
mod journal_owner;
mod journals;
mod misuse;
mod orphans;
mod output_files;
mod outputs;
mod plan;
mod rating;
mod regressions;
mod sizes;
mod streams;
mod suspension;
mod tables;
mod terminal;
mod timeouts;
mod verdicts;
