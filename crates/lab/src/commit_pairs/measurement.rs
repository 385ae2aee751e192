//! Measures a pair: `init` with the first program, `regress` with it again, `regress` with the second one.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::Context;

use super::list::CommitPair;
use super::pair_folder::PairFolder;
use super::record::{PairRecord, StepRecord};
use super::repository::{BUILD, ENGINE, PairRepository};
use super::timed_command;
use threefold::setup::plan_text::without_suite;

/// The plan that `init` writes.
const PLAN: &str = "threefold.toml";
/// The exit code of an interrupted run.
const INTERRUPTED: i32 = 130;
/// As in the first run of `init`: faults of the engine in the set-up are no reason to have no baseline.
const MOST_FAULTS: &str = "20";

/// How pairs are measured.
#[derive(Debug)]
pub struct Measurement<'m> {
    /// The shipped program.
    pub threefold: &'m Path,
    /// The time limit of each step.
    pub step_limit: Duration,
    /// The suites to keep in the plan; empty for all.
    pub suites: &'m [String],
    /// More options of both runs of `regress`.
    pub regress_options: &'m [String],
}

/// A step was interrupted from the terminal.
#[derive(Debug, thiserror::Error)]
#[error("interrupted; the pairs that are finished are kept")]
pub struct Interrupted;

impl Measurement<'_> {
    /// Measures a pair and writes its record.
    ///
    /// # Errors
    /// If a file can't be written, a program can't be started, or a step was interrupted.
    pub fn run(&self, pair: &CommitPair, folder: &PairFolder) -> anyhow::Result<PairRecord> {
        folder.clear()?;
        let repository = PairRepository::new()?;
        let first_bench = pair.first_bench.as_deref();
        repository.commit_program(&pair.first_program, "The first version", first_bench)?;
        let init = self.set_up(&repository, folder)?;
        let mut record = PairRecord {
            version: 1,
            threefold: self.version()?,
            init,
            unchanged: None,
            changed: None,
            peers: None,
        };
        for name in [PLAN, ".threefold/baseline"] {
            repository.copy_to(name, &folder.path(name.rsplit('/').next().unwrap_or(name)))?;
        }
        if record.init.exit == Some(0) {
            repository.commit("Add a regression test")?;
            record.unchanged = Some(self.compare(&repository, folder, "unchanged")?);
            repository.commit_program(
                &pair.second_program,
                "The second version",
                pair.second_bench.as_deref(),
            )?;
            record.changed = Some(self.compare(&repository, folder, "changed")?);
        }
        // Last, since a pair with a record is finished and not measured again.
        folder.write(&record)?;
        Ok(record)
    }

    /// `init`, or the same in two steps if the plan is shortened between them.
    fn set_up(&self, repository: &PairRepository, folder: &PairFolder) -> anyhow::Result<StepRecord> {
        let mut words = vec!["init", "--engine", ENGINE, "--build", BUILD, "--ci", "none"];
        let output = folder.path("init.txt");
        if self.suites.is_empty() {
            return self.step(repository, &words, &output);
        }
        words.push("--no-run");
        let written = self.step(repository, &words, &output)?;
        if written.exit != Some(0) {
            return Ok(written);
        }
        let plan = with_suites(&repository.read(PLAN)?, self.suites)?;
        repository.write(PLAN, &plan)?;
        self.step(repository, &["regress", "--accept", "--max-faults", MOST_FAULTS], &output)
    }

    /// `regress` with its report in the pair's folder.
    fn compare(
        &self,
        repository: &PairRepository,
        folder: &PairFolder,
        name: &str,
    ) -> anyhow::Result<StepRecord> {
        let reports = "reports/compared";
        let mut words = vec!["regress", "--fresh", "--out", reports];
        words.extend(self.regress_options.iter().map(String::as_str));
        let mut step = self.step(repository, &words, &folder.path(&format!("{name}.txt")))?;
        repository.copy_to(reports, &folder.path(name))?;
        let report = folder.path(name).join("report.json");
        // A run that was stopped has an old report or none.
        if step.exit.is_some()
            && let Some(text) = threefold::files::text_if_there(&report)?
        {
            step.read_report(&text).with_context(|| format!("{}: can't be read", report.display()))?;
        }
        Ok(step)
    }

    fn step(&self, repository: &PairRepository, words: &[&str], output: &Path) -> anyhow::Result<StepRecord> {
        let mut command = Command::new(self.threefold);
        command.args(words).current_dir(repository.path());
        let step = timed_command::run(&mut command, self.step_limit, output)
            .with_context(|| format!("{}: can't be run", self.threefold.display()))?;
        // An error, so that no record is written and the pair is measured again.
        anyhow::ensure!(step.exit != Some(INTERRUPTED), Interrupted);
        Ok(step)
    }

    /// The version of the shipped program.
    fn version(&self) -> anyhow::Result<String> {
        let output = Command::new(self.threefold).arg("--version").output();
        let output = output.with_context(|| format!("{}: can't be run", self.threefold.display()))?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}

/// A plan of `init` with only these of its suites.
fn with_suites(plan: &str, kept: &[String]) -> anyhow::Result<String> {
    let name = |line: &str| Some(line.trim().strip_prefix("\"builtin:")?.strip_suffix("\",")?.to_owned());
    let suites: Vec<String> = plan.lines().filter_map(name).collect();
    for wanted in kept {
        anyhow::ensure!(
            suites.contains(wanted),
            "suite `{wanted}` is not in the plan, which has {}",
            suites.join(", ")
        );
    }
    let left_out = suites.iter().filter(|suite| !kept.contains(suite));
    Ok(left_out.fold(plan.to_owned(), |plan, suite| without_suite(&plan, suite).unwrap_or(plan)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plan_keeps_the_suites_named() {
        let plan = "suites = [\n    \"builtin:mate\",\n    \"builtin:perft\",\n]\n[per-class]\nmate = 4\n";
        let kept = with_suites(plan, &["perft".to_owned()]).expect("a suite of the plan");
        assert_eq!(kept, "suites = [\n    \"builtin:perft\",\n]\n[per-class]\n");
        let error = with_suites(plan, &["rule".to_owned()]).expect_err("no suite of the plan").to_string();
        assert!(error.contains("suite `rule` is not in the plan, which has mate, perft"), "{error}");
    }
}
