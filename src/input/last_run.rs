//! The last run of some suites, and the cases that did not pass in it.
//!
//! The journals of `suite` in the folder `runs` and the journal of `regress` in its usual folder are looked at,
//! those written last first.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::streams;
use threefold_player::EngineSpec;
use threefold_run::{PartResult, RunRecord, Task};
use threefold_suites::{CaseRecord, SuiteSource, VerdictKind};

/// The folder of the journals of `suite`.
const RUNS: &str = "runs";
/// The journal of `regress`.
const REGRESSION_RUN: &str = "reports/latest/run.sqlite";

/// The last run of some suites.
#[derive(Debug)]
pub struct LastRun {
    journal: PathBuf,
    /// The number of cases that ran and were not skipped.
    cases: usize,
    suites: Vec<SuiteRun>,
}

/// A suite in a run.
#[derive(Debug)]
struct SuiteRun {
    source: SuiteSource,
    engine: String,
    /// The ids of the cases that did not pass.
    failed: BTreeSet<String>,
}

impl LastRun {
    /// Finds the last run that has one of these suites, or any suite if none is given, with one of these engines.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(suites: &[SuiteSource], engines: &[EngineSpec]) -> anyhow::Result<Self> {
        let names: Vec<String> = suites.iter().map(SuiteSource::name).collect();
        for journal in journals() {
            let run = match RunRecord::read(&journal) {
                Ok(run) => run,
                Err(error) => {
                    streams::notice(&format!("warning: --last-failed leaves out a journal: {error}"));
                    continue;
                }
            };
            let parts = run.planned_parts();
            let mut found = Self { journal, cases: 0, suites: Vec::new() };
            for part in &parts {
                found.add(part, &names, engines);
            }
            if !found.suites.is_empty() {
                return Ok(found);
            }
        }
        let of_suites = if names.is_empty() { String::new() } else { format!(" of {}", names.join(", ")) };
        let specs: Vec<&str> = engines.iter().map(|engine| engine.text.as_str()).collect();
        anyhow::bail!(
            "--last-failed: {RUNS}/suite-*.sqlite and {REGRESSION_RUN} have no run{of_suites} with the engine `{}`; run \
             the suites once without --last-failed, in this folder and with the same --engine",
            specs.join("` or `")
        )
    }

    fn add(&mut self, part: &PartResult<'_>, names: &[String], engines: &[EngineSpec]) {
        let Task::Suite(task) = &part.part.task else { return };
        let is_asked = names.is_empty() || names.contains(&task.source.name());
        let has_engine = engines.iter().any(|engine| engine.text == task.engine.text);
        // A suite that the run has not reached says nothing.
        if !is_asked || !has_engine || part.results.is_empty() {
            return;
        }
        let verdict = |case: &&CaseRecord| case.verdict.kind();
        let ran = part.cases().filter(|case| verdict(case) != VerdictKind::Skipped);
        self.cases += ran.count();
        let failed =
            part.cases().filter(|case| matches!(verdict(case), VerdictKind::Failed | VerdictKind::Fault));
        self.suites.push(SuiteRun {
            source: task.source.clone(),
            engine: task.engine.text.clone(),
            failed: failed.map(|case| case.id.clone()).collect(),
        });
    }

    /// The suites of the run, each once, as they were then.
    pub fn sources(&self) -> Vec<SuiteSource> {
        let mut names = BTreeSet::new();
        let sources = self.suites.iter().map(|suite| &suite.source);
        sources.filter(|source| names.insert(source.name())).cloned().collect()
    }

    /// `last run: runs/suite-3.sqlite, 7 of 40 cases did not pass`, and which of the suites are not in it.
    pub fn describe(&self, suites: &[SuiteSource]) -> String {
        let failed: usize = self.suites.iter().map(|suite| suite.failed.len()).sum();
        let others = suites.iter().map(SuiteSource::name);
        let others: Vec<String> =
            others.filter(|name| self.suites.iter().all(|run| run.source.name() != *name)).collect();
        let others = if others.is_empty() {
            String::new()
        } else {
            format!("; it has no case of {}", others.join(", "))
        };
        let journal = self.journal.display();
        format!("last run: {journal}, {failed} of {} cases did not pass{others}", self.cases)
    }

    /// Did a case of this suite not pass with this engine?
    pub fn has_failed(&self, suite: &str, engine: &EngineSpec, id: &str) -> bool {
        self.suites
            .iter()
            .any(|run| run.source.name() == suite && run.engine == engine.text && run.failed.contains(id))
    }
}

/// The journals, those written last first.
fn journals() -> Vec<PathBuf> {
    let entries = fs::read_dir(RUNS).into_iter().flatten().filter_map(Result::ok);
    let of_suite = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("suite-") && path.extension().is_some_and(|extension| extension == "sqlite")
    };
    let runs = entries.map(|entry| entry.path()).filter(of_suite);
    let all = runs.chain([PathBuf::from(REGRESSION_RUN)]);
    let mut dated: Vec<(SystemTime, PathBuf)> =
        all.filter_map(|path| Some((written(&path)?, path))).collect();
    dated.sort();
    dated.into_iter().rev().map(|(_, path)| path).collect()
}

/// When a journal was written last: the file, or its write-ahead log if the run goes on or was killed.
fn written(journal: &Path) -> Option<SystemTime> {
    let modified = |path: &Path| fs::metadata(path).and_then(|found| found.modified()).ok();
    let log = PathBuf::from(format!("{}-wal", journal.display()));
    Some(modified(journal)?.max(modified(&log).unwrap_or(SystemTime::UNIX_EPOCH)))
}
