//! The command line as a user and a CI server see it: exit codes, output, and files. Engines are Echo and
//! short shell scripts. Nothing depends on the speed of the machine.

#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "what a command reads and writes is made and looked at here")]

mod keyboard;
mod sandbox;

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_threefold");

/// The folder of the shipped files.
const WORKSPACE: &str = env!("CARGO_MANIFEST_DIR");

mod adjudication;
mod anecdotes;
mod asked_again;
mod base_engine;
mod baselines;
mod bisect;
mod builds;
mod built_in;
mod bundle;
mod calibration;
mod case_choice;
mod ci_clones;
mod ci_scripts;
mod coupled_pairs;
mod deadline;
mod determinism;
mod diff;
mod doctor;
mod documents;
mod drop_in;
mod drop_in_settings;
mod engine_log;
mod engine_repository;
mod engine_starts;
mod engines;
mod events;
mod explain;
mod fastchess_defects;
mod file_bounds;
mod file_forms;
mod game_files;
mod github;
mod hints;
mod history;
mod hostile;
mod interruption;
mod journal_contradictions;
mod journal_creation;
mod journal_owner;
mod journals;
mod knockout;
mod last_failed;
mod lengthening;
mod limited_engines;
mod match_output;
mod mate_options;
mod misuse;
mod opening_families;
mod orphans;
mod output_files;
mod outputs;
mod pgn_options;
mod plan;
mod polyglot_books;
mod preflight;
mod pull_request;
mod queue;
mod random_kills;
mod rating;
mod rating_options;
mod regressions;
mod repeated_games;
mod report_folders;
mod review;
mod screen;
mod shards;
mod sizes;
mod speed;
mod stop_after;
mod streams;
mod suspension;
mod swiss;
mod tables;
mod takes;
mod terminal;
mod timeouts;
mod tournament;
mod tune;
mod tune_schedule;
mod verdicts;
mod version;
mod warnings;
mod watch;
mod wdl;
