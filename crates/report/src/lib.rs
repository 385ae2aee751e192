//! The reports of a run: every format is a pure function of one [`Report`].
//!
//! [`model`] defines the contents of a report. A format turns them into the bytes of one file and depends on nothing
//! else, so a new format is one file and one row of [`FORMATS`]. A program adds formats of its own through a
//! [`registry`]. [`html`], [`svg`] and [`mod@format`] are the parts of pages.

pub mod model;

mod anchor;
mod basis;
mod bench_comparison;
mod build;
mod build_list;
pub mod bundle;
mod case_standing;
mod code_quality;
mod conclusion;
mod counts;
mod cross_table;
mod exceeded_limits;
mod explanation;
mod explanation_json;
mod fault_effect;
mod fault_traffic;
mod faults;
mod figures;
mod finding;
pub mod format;
pub mod github;
mod headline;
pub mod history;
mod homogeneity;
mod json_intervals;
mod knockout;
mod match_stats;
mod multiple_tests;
mod node_curve;
mod not_started;
mod numbered_game;
mod p_adjust;
mod page_link;
mod paired_comparison;
mod position_fen;
mod repeats;
mod report_format;
pub mod rerun;
mod result_headline;
mod run_notice;
mod san;
mod sarif;
mod shadow;
mod signature;
mod sources;
mod suite_stats;
mod time_losses;
mod tournament;
mod verdict_sentence;
mod warnings;
mod worst;

pub mod calibration;
pub mod csv;
pub mod html;
pub mod json;
mod junit;
mod markdown;
mod pgn;
mod rates;
pub mod ratings;
pub mod svg;
mod terminal;

mod folder;
pub mod registry;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod junit_schema_tests;

pub use basis::{Gap, GapReason, VerdictBasis};
pub use bench_comparison::BenchComparison;
pub use explanation::{CaseExplanation, CaseResult};
pub use explanation_json::json as explanation_json;
pub use fault_traffic::FORMAT as FAULT_TRAFFIC;
pub use faults::{Fault, FaultGroup, fault_of_game, game_place};
pub use folder::{Unwritten, write_all};
pub use headline::Acceptance;
pub use markdown::page as markdown_summary;
pub use model::Report;
pub use pgn::{game, recorded_game};
pub use registry::{Registry, ReportSet, UnknownReportSet};
pub use report_format::{ReportFormat, WriteReport};
pub use shadow::ShadowRow;
pub use sources::{SourcePlace, Sources};
pub use warnings::WarningGroup;

/// The formats of every run: a new one is one file and one line here.
pub const FORMATS: &[ReportFormat] = &[
    html::FORMAT,
    markdown::FORMAT,
    junit::FORMAT,
    sarif::FORMAT,
    code_quality::FORMAT,
    csv::FORMAT,
    pgn::FORMAT,
    json::FORMAT,
    rates::FORMATS[0],
    rates::FORMATS[1],
    rates::FORMATS[2],
    fault_traffic::FORMAT,
];

/// The examples of the README, compiled and run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
