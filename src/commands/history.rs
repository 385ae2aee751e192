//! `history`: results over time, from baselines and journals.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Context;
use clap::Args;

use crate::exit::Exit;
use crate::input::repository;
use crate::output::tables::table;
use crate::{files, streams};
use threefold_player::EngineSpec;
use threefold_report::history::{History, HistoryRun};
use threefold_run::job::BaselineText;
use threefold_run::regress::baseline::{Baseline, BaselineCase, CASES, CaseName, FIGURES, FILES};
use threefold_run::{Property, RunRecord, Task};

/// The deepest folder that is searched, below one that is given.
const DEEPEST: usize = 8;

/// `threefold history`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold history runs\n  threefold history --git .threefold/baseline --csv\n\n\
    Changes are reported if p < 0.05 after Bonferroni's correction: McNemar's exact test for the cases of consecutive runs, \
    and Pettitt's test for the speed of `bench` on one machine."
)]
pub struct HistoryArgs {
    /// Journals, baselines (folders with cases.csv), or folders that have them at any depth
    #[arg(value_name = "PATH", required_unless_present = "git")]
    pub paths: Vec<PathBuf>,
    /// Add all versions of the baseline in this folder from the git history of the current folder
    #[arg(long, value_name = "DIR")]
    pub git: Option<PathBuf>,
    /// Use only journals of the engine with this name, and no baselines; needed if the journals have several
    /// engines
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// Print JSON
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,
    /// Print CSV, a row for each suite of each run
    #[arg(long)]
    pub csv: bool,
}

/// Prints the history.
pub fn run(args: &HistoryArgs) -> anyhow::Result<Exit> {
    let mut runs = Vec::new();
    for path in &args.paths {
        let sources = sources(path)?;
        anyhow::ensure!(!sources.is_empty(), "{}: there is no journal and no baseline", path.display());
        for source in sources {
            // A folder may hold other journals; a file that is given must be readable.
            match of_source(&source) {
                Ok(found) => runs.extend(found),
                Err(error) if source != *path => streams::notice(&format!("left out: {error:#}")),
                Err(error) => return Err(error),
            }
        }
    }
    if let Some(folder) = &args.git {
        runs.extend(of_commits(folder)?);
    }
    let history = History::new(of_one_engine(runs, args.engine.as_deref())?);
    let text = match (args.json, args.csv) {
        (true, _) => history.json(),
        (false, true) => history.csv()?,
        (false, false) => history.to_text(table),
    };
    streams::results(&text)?;
    Ok(Exit::Fine)
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

/// The journals and baselines of a path: itself, or all inside it.
fn sources(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if path.is_dir() {
        search(path, 0, &mut found)?;
    } else {
        found.push(path.to_owned());
    }
    Ok(found)
}

fn search(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    // A folder of reports has a file of cases as well, but no file of figures.
    if [CASES, FIGURES].iter().all(|file| folder.join(file).is_file()) {
        found.push(folder.to_owned());
    }
    let unreadable = || format!("{}: can't be read; check the path", folder.display());
    let entries: Vec<_> = fs::read_dir(folder).and_then(Iterator::collect).with_context(unreadable)?;
    let mut entries: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() && !entry.is_symlink() {
            if depth < DEEPEST {
                search(&entry, depth + 1, found)?;
            }
        } else if entry.extension().is_some_and(|extension| extension == "sqlite") {
            found.push(entry);
        }
    }
    Ok(())
}

fn of_source(source: &Path) -> anyhow::Result<Vec<HistoryRun>> {
    if source.is_dir() { of_baseline(source).map(|run| vec![run]) } else { of_journal(source) }
}

/// A run for each engine of a journal's suites.
fn of_journal(file: &Path) -> anyhow::Result<Vec<HistoryRun>> {
    let run = RunRecord::read(file)?;
    let mut engines: BTreeMap<String, HistoryRun> = BTreeMap::new();
    for part in run.planned_parts() {
        let (Task::Suite(task), Some(suite)) = (&part.part.task, part.suite) else { continue };
        let limits = task.limits.as_deref().copied().unwrap_or(suite.limits);
        let of_engine = engines.entry(task.engine.name.clone()).or_insert_with(|| HistoryRun {
            time: run.begun(),
            source: file.display().to_string(),
            engine: Some(task.engine.name.clone()),
            build: build(&run, &task.engine),
            machine: Some(run.spec().origin.machine.clone()),
            settings: BTreeMap::new(),
            cases: BTreeMap::new(),
        });
        of_engine.settings.insert(suite.name.clone(), format!("{}, {limits:?}", task.engine.text));
        of_engine.cases.extend(part.cases().map(|case| {
            let name = CaseName { suite: case.suite.clone(), id: case.id.clone() };
            (name, BaselineCase::from_record(case))
        }));
    }
    Ok(engines.into_values().filter(|run| !run.cases.is_empty()).collect())
}

/// The checksums of an engine's files; `None` if they changed during the run, or are not known.
fn build(run: &RunRecord, engine: &EngineSpec) -> Option<String> {
    let [builds] = run.sessions() else { return None };
    let build = builds.iter().find(|build| build.engine == engine.text)?;
    let sums: Vec<&str> = build.files.iter().map(|file| file.sha256.as_str()).collect();
    (!sums.is_empty()).then(|| sums.join("+"))
}

/// The baseline of a folder, with the time of its file.
fn of_baseline(folder: &Path) -> anyhow::Result<HistoryRun> {
    let text =
        files::baseline(folder)?.with_context(|| format!("{}: there is no baseline", folder.display()))?;
    let modified = fs::metadata(folder.join(CASES)).and_then(|found| found.modified());
    let modified = modified.with_context(|| format!("{}: can't be read", folder.display()))?;
    let time = modified.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    baseline_run(&text, i64::try_from(time).unwrap_or(i64::MAX), folder.display().to_string())
}

/// The baselines of all commits that changed one. A version that cannot be read is left out.
fn of_commits(folder: &Path) -> anyhow::Result<Vec<HistoryRun>> {
    let [cases, figures, environment] = FILES.map(|file| folder.join(file));
    let versions = repository::versions(&cases)?;
    anyhow::ensure!(!versions.is_empty(), "{}: no commit has a baseline in this folder", folder.display());
    let mut runs = Vec::new();
    for version in versions {
        let short = version.commit.get(..7).unwrap_or(&version.commit).to_owned();
        let read = || {
            let text = |file| repository::text_of_version(&version.commit, file);
            // Versions before 0.3 have no environment.
            let environment = text(&environment).ok();
            let text = BaselineText { cases: text(&cases)?, figures: text(&figures)?, environment };
            baseline_run(&text, version.time, short.clone())
        };
        match read() {
            Ok(run) => runs.push(run),
            Err(error) => streams::notice(&format!("commit {short} left out: {error:#}")),
        }
    }
    Ok(runs)
}

fn baseline_run(text: &BaselineText, time: i64, source: String) -> anyhow::Result<HistoryRun> {
    let Baseline { cases, environment, .. } = Baseline::parse(text).with_context(|| source.clone())?;
    let machine = environment.get(Property::Cpu).map(str::to_owned);
    let (engine, build, settings) = (None, None, BTreeMap::new());
    Ok(HistoryRun { time, source, engine, build, machine, settings, cases })
}
