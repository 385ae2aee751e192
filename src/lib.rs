//! The command line of threefold as a library, so that `threefold-lab` can reuse and extend it.
//!
//! - [`commands`]: one file for each command, and the table of them.
//! - [`args`]: options that several commands share.
//! - [`completion`]: what a shell asks the program at a TAB.
//! - [`input`]: what the user names, read completely before a run begins.
//! - [`session`]: a run from its specification to its exit code.
//! - [`output`]: what a run writes while it goes on.
//! - [`setup`]: what `init` finds in a repository and writes.
//! - [`keys`]: single keys of the terminal.
//! - [`machine`]: what the machine offers to games on the wall clock.

pub mod args;
pub mod commands;
pub mod completion;
pub mod engine_names;
pub mod exit;
pub mod files;
pub mod input;
pub mod keys;
pub mod machine;
pub mod output;
pub mod program;
pub mod session;
pub mod setup;
pub mod streams;
pub mod user_folders;

/// The program's version with the commit and the profile of its build: `0.2.0 (abc1234, release)`.
pub const VERSION: &str = env!("THREEFOLD_VERSION");
