//! Set-up of an engine's repository for `regress`: what is found in it, and the files that are written.

pub mod build_system;
pub mod cases_per_class;
pub mod engine_search;
pub mod files;
pub mod plan_text;
mod programs;
mod search_depth;
