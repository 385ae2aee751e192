//! `history`: results over time, from baselines and journals.

mod sources;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::exit::Exit;
use crate::input::repository;
use crate::output::tables::table;
use crate::streams;
use threefold_report::history::{History, HistoryRun};

/// `threefold history`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold history\n  threefold history runs\n  threefold history --git .threefold/baseline --csv\n  \
    threefold history --git .threefold/baseline reports/latest --html > index.html\n\n\
    Changes are reported if p < 0.05 after Bonferroni's correction: McNemar's exact test for the cases of consecutive runs, \
    and a permutation test of cumulative sums for the speed of `bench` on one machine and for the Elo against one opponent. \
    A history without any change shows one with a probability of at most 5 %."
)]
pub struct HistoryArgs {
    /// Journals, baselines (folders with cases.csv), or folders that have them at any depth [default: all versions of
    /// .threefold/baseline, and reports/latest]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Add all versions of the baseline in this folder from the git history of the current folder
    #[arg(long, value_name = "DIR")]
    pub git: Option<PathBuf>,
    /// Use only journals of the engine with this name, and no baselines; needed if the journals have several
    /// engines
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// Print JSON
    #[arg(long, conflicts_with_all = ["csv", "html"])]
    pub json: bool,
    /// Print CSV, a row for each suite of each run
    #[arg(long, conflicts_with = "html")]
    pub csv: bool,
    /// Print one HTML page with plots, for GitHub Pages or GitLab Pages
    #[arg(long)]
    pub html: bool,
}

/// Prints the history.
pub fn run(args: &HistoryArgs) -> anyhow::Result<Exit> {
    let (mut runs, mut known) = (Vec::new(), BTreeSet::new());
    for path in &args.paths {
        runs.extend(sources::of_path(path, &mut known).map_err(|error| with_remedy(error, path))?);
    }
    if let Some(folder) = &args.git {
        runs.extend(sources::of_commits(folder)?);
    }
    if args.paths.is_empty() && args.git.is_none() {
        runs.extend(sources::of_this_repository()?);
    }
    let history = History::new(of_one_engine(runs, args.engine.as_deref())?, repository::tags());
    let text = match (args.json, args.csv, args.html) {
        (true, ..) => history.json(),
        (_, true, _) => history.csv()?,
        (.., true) => history.page(),
        (false, false, false) => history.to_text(table),
    };
    streams::results(&text)?;
    Ok(Exit::Fine)
}

/// `history --html index.html` means the file as one to write, as `rate --html` does.
fn with_remedy(error: anyhow::Error, path: &Path) -> anyhow::Error {
    let name = path.display();
    match path.extension().and_then(OsStr::to_str) {
        Some(format @ ("html" | "json")) => error
            .context(format!("--{format} prints; to write a file: threefold history --{format} > {name}")),
        _ => error,
    }
}

/// The runs of one engine: the one given, or the only one. Baselines do not name their engine.
fn of_one_engine(runs: Vec<HistoryRun>, engine: Option<&str>) -> anyhow::Result<Vec<HistoryRun>> {
    let names: BTreeSet<String> = runs.iter().filter_map(|run| run.engine.clone()).collect();
    let listed = names.iter().cloned().collect::<Vec<_>>().join(", ");
    let Some(engine) = engine else {
        anyhow::ensure!(
            names.len() <= 1,
            "the journals have several engines; choose one with --engine: {listed}"
        );
        return Ok(runs);
    };
    anyhow::ensure!(names.contains(engine), "no journal has the engine `{engine}`; there are: {listed}");
    Ok(runs.into_iter().filter(|run| run.engine.as_deref() == Some(engine)).collect())
}
