//! The last run of some suites, and the cases that did not pass in it.
//!
//! The journals of `suite` in the folder `runs` and the journal of `regress` in its usual folder are looked at,
//! those written last first.

use std::collections::{BTreeMap, BTreeSet};
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

/// The options that choose cases: a run with one of them says nothing about the other cases.
const CHOICES: [&str; 6] =
    ["--case", "--filter", "--last-failed", "--only-new", "--per-class", "--stop-after"];
/// The short form of `--filter`, and the short options without a value, which can be in front of it in one word.
const FILTER: char = 'k';
const SWITCHES: [char; 1] = ['q'];

/// The last run of some suites. Where it had some of the cases only, earlier runs say what became of the others.
#[derive(Debug)]
pub struct LastRun {
    /// The last one first.
    journals: Vec<PathBuf>,
    suites: Vec<SuiteRun>,
}

/// A suite in a run.
#[derive(Debug)]
struct SuiteRun {
    source: SuiteSource,
    engine: String,
    /// The cases by their ids: did they fail? `None` for skipped ones.
    cases: BTreeMap<String, Option<bool>>,
    /// Did the run have all its cases?
    is_whole: bool,
}

impl LastRun {
    /// Finds the last run that has one of these suites, or any suite if none is given, with one of these engines.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(suites: &[SuiteSource], engines: &[EngineSpec]) -> anyhow::Result<Self> {
        let mut names: Vec<String> = suites.iter().map(SuiteSource::name).collect();
        let mut found = Self { journals: Vec::new(), suites: Vec::new() };
        for journal in journals() {
            let run = match RunRecord::read(&journal) {
                Ok(run) => run,
                Err(error) => {
                    streams::notice(&format!("warning: --last-failed leaves out a journal: {error}"));
                    continue;
                }
            };
            let is_whole = run.is_done() && !chooses_cases(&run.spec().origin.command);
            let parts = run.planned_parts();
            let runs = parts.iter().filter_map(|part| SuiteRun::of_part(part, &names, engines));
            let runs: Vec<SuiteRun> = runs.map(|suite| SuiteRun { is_whole, ..suite }).collect();
            if runs.is_empty() {
                continue;
            }
            found.journals.push(journal);
            for run in runs {
                match found.suites.iter_mut().find(|known| known.is_same(&run)) {
                    Some(known) => known.add_earlier(run),
                    None => found.suites.push(run),
                }
            }
            if found.suites.iter().all(|suite| suite.is_whole) {
                return Ok(found);
            }
            // Earlier runs may have suites that the last one does not have.
            names = found.sources().iter().map(SuiteSource::name).collect();
        }
        if !found.suites.is_empty() {
            return Ok(found);
        }
        let of_suites = if names.is_empty() { String::new() } else { format!(" of {}", names.join(", ")) };
        let specs: Vec<&str> = engines.iter().map(|engine| engine.text.as_str()).collect();
        anyhow::bail!(
            "--last-failed: {RUNS}/suite-*.sqlite and {REGRESSION_RUN} have no run{of_suites} with the engine `{}`; run \
             the suites once without --last-failed, in this folder and with the same --engine",
            specs.join("` or `")
        )
    }

    /// The suites of the run, each once, as they were in the last run that had all their cases.
    pub fn sources(&self) -> Vec<SuiteSource> {
        let mut names = BTreeSet::new();
        let sources = self.suites.iter().map(|suite| &suite.source);
        sources.filter(|source| names.insert(source.name())).cloned().collect()
    }

    /// `last run: runs/suite-3.sqlite, 7 of 40 cases did not pass`, and which of the suites are not in it.
    pub fn describe(&self, suites: &[SuiteSource]) -> String {
        let verdicts = || self.suites.iter().flat_map(|suite| suite.cases.values().flatten());
        let (failed, ran) = (verdicts().filter(|has_failed| **has_failed).count(), verdicts().count());
        let others = suites.iter().map(SuiteSource::name);
        let others: Vec<String> =
            others.filter(|name| self.suites.iter().all(|run| run.source.name() != *name)).collect();
        let others = if others.is_empty() {
            String::new()
        } else {
            format!("; it has no case of {}", others.join(", "))
        };
        let journals: Vec<String> = self.journals.iter().map(|file| file.display().to_string()).collect();
        let (run, earlier) = journals.split_first().map_or(("", &[][..]), |(last, rest)| (last, rest));
        let earlier = match earlier {
            [] => String::new(),
            files => format!(" (cases that it left out: {})", files.join(", ")),
        };
        format!("last run: {run}{earlier}, {failed} of {ran} cases did not pass{others}")
    }

    /// Did a case of this suite not pass with this engine?
    pub fn has_failed(&self, suite: &str, engine: &EngineSpec, id: &str) -> bool {
        let of = |run: &&SuiteRun| run.source.name() == suite && run.engine == engine.text;
        self.suites.iter().filter(of).any(|run| run.cases.get(id) == Some(&Some(true)))
    }
}

impl SuiteRun {
    /// The verdicts of a part, if it is one of these suites with one of these engines. A suite that the run has not reached
    /// says nothing.
    fn of_part(part: &PartResult<'_>, names: &[String], engines: &[EngineSpec]) -> Option<Self> {
        let Task::Suite(task) = &part.part.task else { return None };
        let is_asked = names.is_empty() || names.contains(&task.source.name());
        let has_engine = engines.iter().any(|engine| engine.text == task.engine.text);
        if !is_asked || !has_engine || part.results.is_empty() {
            return None;
        }
        let has_failed = |case: &CaseRecord| match case.verdict.kind() {
            VerdictKind::Skipped => None,
            VerdictKind::Passed => Some(false),
            VerdictKind::Failed | VerdictKind::Fault => Some(true),
        };
        Some(Self {
            source: task.source.clone(),
            engine: task.engine.text.clone(),
            cases: part.cases().map(|case| (case.id.clone(), has_failed(case))).collect(),
            is_whole: false,
        })
    }

    fn is_same(&self, other: &Self) -> bool {
        (self.source.name(), &self.engine) == (other.source.name(), &other.engine)
    }

    /// Takes over the cases that only an earlier run has.
    fn add_earlier(&mut self, earlier: Self) {
        if self.is_whole {
            return;
        }
        for (id, has_failed) in earlier.cases {
            self.cases.entry(id).or_insert(has_failed);
        }
        // A run of some cases has a source with only these.
        (self.source, self.is_whole) = (earlier.source, earlier.is_whole);
    }
}

/// Does a command run only some of the cases?
fn chooses_cases(command: &str) -> bool {
    let is_choice = |word: &str| {
        // A word with spaces is in quotes.
        let word = word.trim_start_matches('\'');
        let name = word.split_once('=').map_or(word, |(name, _)| name);
        // The value of a short option can follow without a space, such as `-kEXPR`.
        let short = word.strip_prefix('-').map(|rest| rest.trim_start_matches(SWITCHES));
        CHOICES.contains(&name) || short.is_some_and(|short| short.starts_with(FILTER))
    };
    command.split_whitespace().any(is_choice)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_an_option_that_chooses_cases_is_recognised() {
        for (options, expected) in [
            ("mate --engine ./k -q -j4", false),
            ("mate --keep -jk", false),
            ("mate --case a", true),
            ("mate --case=a", true),
            ("mate --filter 'a and b'", true),
            ("mate -k a", true),
            ("mate -ka", true),
            ("mate -k=a", true),
            ("mate -qka", true),
            ("mate '-ka and b'", true),
            ("mate --last-failed", true),
        ] {
            assert_eq!(chooses_cases(&format!("threefold suite {options}")), expected, "{options}");
        }
    }
}
