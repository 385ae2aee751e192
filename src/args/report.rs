//! Arguments of the command `report`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use threefold_report::Registry;
use threefold_report::formats::csv::Column;
use threefold_suites::{Cause, VerdictKind};

/// The formats of this program, with what they hold.
fn formats() -> PossibleValuesParser {
    let formats = Registry::built_in().formats().into_iter();
    formats.map(|format| PossibleValue::new(format.name).help(format.summary)).collect::<Vec<_>>().into()
}

/// An example of `threefold report`.
const REPORT_EXAMPLE: &str = "Example:\n  threefold report runs/sprt-1.sqlite --out reports/sprt-1\n  \
    threefold report runs/sprt-1.sqlite --format junit --out ci";

/// The example, and what `cases.csv` holds: its columns, and the causes of each verdict.
fn report_help() -> String {
    let row = |name: &str, meaning: &str| format!("\n  {name:30}{meaning}");
    let columns: String = Column::ALL.iter().map(|column| row(column.name(), column.summary())).collect();
    let causes = |mark: VerdictKind| {
        let rows: String = Cause::of(mark).map(|cause| row(cause.name(), cause.summary())).collect();
        format!("Causes of {mark}:{rows}")
    };
    let causes: Vec<String> = VerdictKind::ALL.iter().copied().map(causes).collect();
    format!("{REPORT_EXAMPLE}\n\nColumns of cases.csv:{columns}\n\n{}", causes.join("\n\n"))
}

/// `threefold report`
#[derive(Debug, Args)]
#[command(after_help = REPORT_EXAMPLE, after_long_help = report_help())]
pub struct ReportArgs {
    /// Journal of the run
    #[arg(value_name = "RUN.sqlite")]
    pub run: PathBuf,
    /// Folder for the reports
    #[arg(long, value_name = "DIR", default_value = "reports/latest")]
    pub out: PathBuf,
    /// Replace files in that folder that no run wrote
    #[arg(long)]
    pub force: bool,
    /// Format to write; may be repeated [default: the formats of the run]
    #[arg(long = "format", value_name = "FORMAT", value_parser = formats())]
    pub formats: Vec<String>,
    /// Baseline to compare with
    #[arg(long, value_name = "DIR")]
    pub baseline: Option<PathBuf>,
}
