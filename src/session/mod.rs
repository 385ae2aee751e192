//! A run from its specification to its exit code: journal, Ctrl-C, rounds, and the end with its reports.

pub mod base_version;
pub mod baselines;
pub mod execute;
pub(crate) mod fleet_link;
pub mod journal_path;
pub mod not_started;
pub mod owner;
pub mod preflight;
pub mod report_folder;
pub mod rounds;
pub mod user_secret;
