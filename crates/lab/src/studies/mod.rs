//! The reports of studies: matches and measurements of Echo against variants of itself, one module per
//! question.
//!
//! A study labels the parts of its run, and its report reads the labels. The reports are made of the public
//! pieces of `report`, which knows none of them: a program adds them to its registry.

pub mod ablation;
pub mod dawdling;
pub mod loss;
pub mod open_flag;
pub mod repetition;
pub mod timing;

#[cfg(test)]
mod fixture;

use threefold_report::ReportSet;

/// The reports of every study, for a program's registry.
pub const REPORT_SETS: &[ReportSet] =
    &[ablation::REPORTS, dawdling::REPORTS, open_flag::REPORTS, repetition::REPORTS, timing::REPORTS];
