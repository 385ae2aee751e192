//! Where the runs of a history come from: journals, baselines, and the versions of a baseline in git.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Context;

use crate::input::baseline_versions;
use crate::session::baselines;
use crate::{files, streams};
use threefold_player::EngineBuild;
use threefold_report::history::HistoryRun;
use threefold_run::regress::baseline::{Baseline, BaselineCase, CASES, CaseName, FIGURES};
use threefold_run::{Property, RunRecord, Task, measured_elo};

/// Where `regress` writes its results.
const LATEST: &str = "reports/latest";

/// The deepest folder that is searched, below one that is given.
const DEEPEST: usize = 8;

/// The runs of all journals and baselines of a path. A folder may hold files that cannot be read; a file that
/// is given must be readable. `known` has the sources that were read before.
pub(super) fn of_path(path: &Path, known: &mut BTreeSet<PathBuf>) -> anyhow::Result<Vec<HistoryRun>> {
    let sources = sources(path)?;
    anyhow::ensure!(!sources.is_empty(), "{}: there is no journal and no baseline", path.display());
    let mut runs = Vec::new();
    for source in sources {
        // A run counts once, also if two paths lead to it.
        if !known.insert(source.canonicalize().unwrap_or_else(|_| source.clone())) {
            continue;
        }
        match of_source(&source) {
            Ok(found) => runs.extend(found),
            Err(error) if source != *path => streams::notice(&format!("left out: {error:#}")),
            Err(error) => return Err(error),
        }
    }
    Ok(runs)
}

/// The runs of the repository that is the current folder: all versions of its baseline, or the one that no commit has
/// yet, and the last run of `regress`.
pub(super) fn of_this_repository() -> anyhow::Result<Vec<HistoryRun>> {
    let [baseline, latest] = [Path::new(baselines::KEPT), Path::new(LATEST)];
    anyhow::ensure!(
        baseline.is_dir(),
        "there is no {} here; name journals or baselines, such as `threefold history runs`",
        baselines::KEPT
    );
    let mut known = BTreeSet::new();
    let mut runs = of_commits(baseline).or_else(|_| of_path(baseline, &mut known))?;
    if latest.is_dir() {
        runs.extend(of_path(latest, &mut known)?);
    }
    Ok(runs)
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
        // A link may lead to a folder above, in which the same journals would be found again.
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

/// A run for each engine that a journal tests.
fn of_journal(file: &Path) -> anyhow::Result<Vec<HistoryRun>> {
    let run = RunRecord::read(file)?;
    if let Some(shard) = run.spec().shard {
        anyhow::bail!(
            "{}: is shard {shard} of a run; merge all of them with `threefold merge`",
            file.display()
        );
    }
    let runs = measured_elo::tested_engines(&run).into_iter().map(|engine| of_engine(&run, file, engine));
    Ok(runs.filter(|run| !run.cases.is_empty() || !run.elo.is_empty()).collect())
}

fn of_engine(run: &RunRecord, file: &Path, engine: String) -> HistoryRun {
    let mut of_engine = HistoryRun {
        time: run.begun(),
        source: file.display().to_string(),
        build: None,
        machine: Some(run.spec().origin.machine.clone()),
        settings: BTreeMap::new(),
        commit: None,
        cases: BTreeMap::new(),
        elo: measured_elo::of_engine(run, &engine),
        engine: Some(engine),
    };
    for part in run.planned_parts() {
        let tested = part.part.task.engines().first();
        let Some(tested) = tested.filter(|tested| Some(&tested.name) == of_engine.engine.as_ref()) else {
            continue;
        };
        if let Some(build) = build(run, &tested.text) {
            of_engine.build = checksums(build);
            of_engine.commit.clone_from(&build.commit);
        }
        let (Task::Suite(task), Some(suite)) = (&part.part.task, part.suite) else { continue };
        let limits = task.limits.as_deref().copied().unwrap_or(suite.limits);
        of_engine.settings.insert(suite.name.clone(), format!("{}, {limits:?}", tested.text));
        of_engine.cases.extend(part.cases().map(|case| {
            let name = CaseName { suite: case.suite.clone(), id: case.id.clone() };
            (name, BaselineCase::from_record(case))
        }));
    }
    of_engine
}

/// The build of an engine; `None` if it changed during the run, or is not known.
fn build<'r>(run: &'r RunRecord, engine: &str) -> Option<&'r EngineBuild> {
    let [builds] = run.sessions() else { return None };
    builds.iter().find(|build| build.engine == engine)
}

fn checksums(build: &EngineBuild) -> Option<String> {
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
    let baseline = Baseline::parse(&text).with_context(|| folder.display().to_string())?;
    Ok(baseline_run(baseline, i64::try_from(time).unwrap_or(i64::MAX), folder.display().to_string()))
}

/// The baselines of all commits that changed one. A version that cannot be read is left out.
pub(super) fn of_commits(folder: &Path) -> anyhow::Result<Vec<HistoryRun>> {
    let versions = baseline_versions::versions(folder, None)?;
    anyhow::ensure!(!versions.is_empty(), "{}: no commit has a baseline in this folder", folder.display());
    let mut runs = Vec::new();
    for version in versions {
        let short = version.short_commit().to_owned();
        match version.baseline {
            Ok(baseline) => {
                let commit = Some(version.commit);
                runs.push(HistoryRun { commit, ..baseline_run(baseline, version.time, short) });
            }
            Err(error) => streams::notice(&format!("commit {short} left out: {error:#}")),
        }
    }
    Ok(runs)
}

fn baseline_run(baseline: Baseline, time: i64, source: String) -> HistoryRun {
    let Baseline { cases, elo, environment, .. } = baseline;
    let machine = environment.get(Property::Cpu).map(str::to_owned);
    let (engine, build, settings, commit) = (None, None, BTreeMap::new(), None);
    HistoryRun { time, source, engine, build, machine, settings, commit, cases, elo }
}
