//! What the user names: suites, books, positions, lists and commits. It is read completely before a run
//! begins.

pub mod bad_lines;
pub mod baseline_versions;
pub mod book;
pub mod built_in;
pub mod by_name;
pub mod case_choice;
pub mod case_search;
pub mod known_options;
pub mod known_ratings;
pub mod last_run;
pub mod pgn;
pub mod pgn_issues;
pub mod rating_files;
pub mod repository;
pub mod search_limits;
pub(crate) mod test_queue;
