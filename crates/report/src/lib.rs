//! The reports of a run: every format is a pure function of one [`Report`].
//!
//! [`model::report`] defines the contents of a report. A format turns them into the bytes of one file and
//! depends on nothing else, so a new format is one file and one row of [`FORMATS`]. A program adds formats of
//! its own through a [`formats::registry`]. [`formats::html`], [`formats::svg`] and [`mod@format`] are the
//! parts of pages.

pub mod bundle;
pub mod format;
pub mod formats;
pub mod history;
pub mod model;
pub mod queue;
pub mod version_diff;
pub mod wdl;
pub mod words;

pub use formats::explanation_json::json as explanation_json;
pub use formats::fault_traffic::FORMAT as FAULT_TRAFFIC;
pub use formats::folder::{Unwritten, write_all};
pub use formats::markdown::page as markdown_summary;
pub use formats::pgn::{game, recorded_game};
pub use formats::registry::{Registry, ReportSet, UnknownReportSet};
pub use formats::report_format::{ReportFormat, WriteReport};
pub use model::basis::{Gap, GapReason, VerdictBasis};
pub use model::bench_comparison::BenchComparison;
pub use model::environment_comparison::EnvironmentComparison;
pub use model::faults::{Fault, FaultGroup, fault_of_game, game_place};
pub use model::position_fen::fen;
pub use model::report::Report;
pub use model::shadow::ShadowRow;
pub use model::sources::{SourcePlace, Sources};
pub use model::warnings::WarningGroup;
pub use words::explanation::{CaseExplanation, CaseResult};
pub use words::headline::Acceptance;

/// The formats of every run: a new one is one file and one line here.
pub const FORMATS: &[ReportFormat] = &[
    formats::html::FORMAT,
    formats::markdown::FORMAT,
    formats::comment::FORMAT,
    formats::junit::FORMAT,
    formats::sarif::FORMAT,
    formats::code_quality::FORMAT,
    formats::csv::FORMAT,
    formats::pgn::FORMAT,
    formats::json::FORMAT,
    formats::rates::FORMATS[0],
    formats::rates::FORMATS[1],
    formats::rates::FORMATS[2],
    formats::fault_traffic::FORMAT,
    formats::badge::FORMAT,
];

/// The examples of the README, compiled and run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
