//! One command a file: from its arguments to a run specification, and from its result to an exit code.

pub mod bundle;
pub mod calibrate;
pub mod doctor;
pub mod documents;
pub mod drop_in;
pub mod echo;
pub mod explain;
pub mod fleet;
pub mod games;
pub mod generator;
pub mod history;
pub mod init;
mod lengthen;
mod live_page;
pub mod plan;
pub mod positions;
pub mod proof;
pub mod rate;
pub mod regress;
pub mod report;
pub mod resume;
pub mod suite;
pub mod suite_catalog;
pub mod tablebase;
