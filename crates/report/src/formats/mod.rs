//! The formats of a report: each is a pure function from the report to the bytes of one file.

pub(crate) mod badge;
pub(crate) mod block;
pub mod calibration;
pub(crate) mod case_lines;
pub(crate) mod code_quality;
pub(crate) mod comment;
pub mod csv;
pub(crate) mod explanation_json;
pub(crate) mod fault_traffic;
pub(crate) mod folder;
pub mod github;
pub mod html;
pub mod json;
pub(crate) mod junit;
#[cfg(test)]
pub(crate) mod junit_schema_tests;
pub(crate) mod markdown;
pub(crate) mod pgn;
pub(crate) mod rates;
pub mod ratings;
pub mod registry;
pub(crate) mod report_format;
pub(crate) mod sarif;
pub mod svg;
pub(crate) mod terminal;
