//! Generates the endgame tables that a run's cases need, before the first job; all workers share them.
//!
//! Generating a table can take minutes on all cores. During a run it would use up the clocks of other games.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;

use super::{JobKey, PreparedRun, RunError, RunEvent, Scheduler};
use threefold_chess::clock::Stop;
use threefold_oracle::{Material, Tables};

/// Generates the tables of all cases that are not done yet; `None` if the run is interrupted meanwhile.
pub(super) fn make_tables(
    prepared: &PreparedRun,
    scheduler: &Scheduler,
    stop: &Stop,
    observe: &mut dyn FnMut(&RunEvent<'_>),
) -> Result<Option<Arc<Tables>>, RunError> {
    let mut tables = Tables::new(thread::available_parallelism().unwrap_or(NonZeroUsize::MIN));
    let layers = tables.missing(&needed_endings(prepared, scheduler))?;
    if !layers.is_empty() {
        observe(&RunEvent::MakingTables { number: layers.iter().map(Vec::len).sum() });
    }
    for layer in layers {
        if stop.is_raised() {
            return Ok(None);
        }
        tables.make(&layer, &mut |_| {})?;
    }
    Ok(Some(Arc::new(tables)))
}

/// The endings of the cases that are not done yet.
fn needed_endings(prepared: &PreparedRun, scheduler: &Scheduler) -> Vec<Material> {
    let parts = 0..prepared.spec().parts.len();
    let entries = parts.filter_map(|part| Some((part, prepared.suite(part)?))).flat_map(|(part, suite)| {
        suite
            .definitions
            .iter()
            .enumerate()
            .filter(move |(job, _)| scheduler.is_wanted(JobKey { part, job: *job }))
    });
    let endings: BTreeSet<Material> = entries.flat_map(|(_, entry)| entry.endings.iter().copied()).collect();
    endings.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::super::{PoolConfig, PreparedPool, RunStatus};
    use super::*;
    use crate::job::{Part, RunSpec, SuiteTask, Task};
    use crate::journal::Journal;
    use crate::run_record::RunRecord;
    use threefold_suites::{SourceFile, SuiteSource, VerdictKind};

    const NOW: SystemTime = SystemTime::UNIX_EPOCH;

    const POSITIONS: &str = "7k/8/8/8/8/8/8/KQ6 w - - 0 1 id \"queen\"; dm 7;\n\
        7k/8/8/8/8/8/8/KR6 w - - 0 1 id \"rook\"; dm 10;\n";

    fn journal() -> Journal {
        let source_file =
            |file: &str, text: &str| SourceFile { file: file.to_owned(), text: text.to_owned() };
        let toml = "version = 1\nkind = \"conversion\"\ntitle = \"c\"\npositions = [\"c.epd\"]\n[limits]\nnodes = 300";
        let source = SuiteSource {
            suite_file: source_file("c.toml", toml),
            positions: vec![source_file("c.epd", POSITIONS)],
        };
        let engine = "echo,Hash=1".parse().expect("sound");
        let task = SuiteTask::new(engine, source);
        let parts = vec![Part::without_labels("c".to_owned(), Task::Suite(task))];
        Journal::in_memory(RunSpec { parts, ..RunSpec::default() }, NOW).expect("memory")
    }

    /// Runs what the journal lacks and returns the events as words. If `stopped`, it is interrupted when
    /// tables are generated.
    fn observed(journal: &mut Journal, stopped: bool) -> (RunStatus, Vec<String>) {
        let stop = Stop::default();
        let config = PoolConfig::new(NonZeroUsize::MIN, stop.clone());
        let mut seen = Vec::new();
        let ready = PreparedPool::to_resume(journal, &config).expect("sound");
        let outcome = ready.run(journal, &config, &mut |event| match event {
            RunEvent::MakingTables { number } => {
                seen.push(format!("{number} tables"));
                if stopped {
                    stop.raise();
                }
            }
            RunEvent::JobStarted { .. } => seen.push("began".to_owned()),
            RunEvent::Opened { .. }
            | RunEvent::EngineSilent { .. }
            | RunEvent::ResultRefused { .. }
            | RunEvent::GamesVoid { .. }
            | RunEvent::TakesAdvanced { .. }
            | RunEvent::JobEnded { .. } => {}
        });
        (outcome.expect("no trouble"), seen)
    }

    #[test]
    fn tables_are_built_once_before_the_first_pending_case() {
        let mut journal = journal();
        let (outcome, seen) = observed(&mut journal, true);
        assert_eq!((outcome, seen), (RunStatus::Interrupted, vec!["2 tables".to_owned()]));
        let (outcome, seen) = observed(&mut journal, false);
        assert_eq!(
            (outcome, seen),
            (RunStatus::Finished, ["2 tables", "began", "began"].map(str::to_owned).to_vec())
        );
        let run = RunRecord::from_journal(&journal).expect("sound");
        let parts = run.parts();
        let verdicts: Vec<_> = parts[0].cases().map(|case| &case.verdict).collect();
        assert!(verdicts.iter().all(|verdict| verdict.kind() != VerdictKind::Fault), "{verdicts:?}");
        let (outcome, seen) = observed(&mut journal, false);
        assert_eq!(
            (outcome, seen.len()),
            (RunStatus::Finished, 0),
            "nothing is left to ask, so nothing is made"
        );
    }
}
