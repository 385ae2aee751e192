//! The engines of a survey, and their two runs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Context;
use serde::Deserialize;

use super::result::SurveyResult;
use crate::commit_pairs::repository::{BUILD, ENGINE, PairRepository};
use crate::commit_pairs::timed_command;
use threefold_suites::csv_line::line_of_record;

/// The folders of the two runs.
const RUNS: [&str; 2] = ["first", "second"];
/// The journal of a run.
const JOURNAL: &str = "run.sqlite";
/// No number of faults ends the second run.
const MOST_FAULTS: &str = "1000000";

/// An engine of a list.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SurveyEngine {
    /// Its name in the folder of the survey, of letters, digits and hyphens.
    pub id: String,
    /// Where it comes from: a repository, such as `owner/name`, or a distribution.
    pub source: String,
    /// The commit, or the version of the package.
    pub commit: String,
    /// The program; if it is empty, it is `ID/engine` in the folder of the programs.
    #[serde(default)]
    pub program: PathBuf,
}

/// The engines of a CSV file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurveyList(pub Vec<SurveyEngine>);

impl SurveyList {
    /// Reads a list. `programs` is the folder of the programs that the list does not name.
    ///
    /// # Errors
    /// If a line can't be read, or an id is no name or is there twice.
    pub fn parse(file: &Path, text: &str, programs: &Path) -> anyhow::Result<Self> {
        let mut engines: Vec<SurveyEngine> = Vec::new();
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let form =
            || format!("{}: write CSV with the columns id, source, commit and program", file.display());
        let header = reader.headers().with_context(form)?.clone();
        for record in reader.records() {
            let record = record.with_context(form)?;
            let mut engine: SurveyEngine = record.deserialize(Some(&header)).with_context(form)?;
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
            let line = record.position().map_or(1, |position| line_of_record(text, position, None));
            let place = format!("{}:{line}", file.display());
            anyhow::ensure!(
                !engine.id.is_empty() && engine.id.chars().all(is_name),
                "{place}: `{}` is no id; use letters, digits and hyphens",
                engine.id
            );
            anyhow::ensure!(
                engines.iter().all(|other| other.id != engine.id),
                "{place}: `{}` is there twice; give each engine an id of its own",
                engine.id
            );
            if engine.program.as_os_str().is_empty() {
                engine.program = programs.join(&engine.id).join("engine");
            }
            engines.push(engine);
        }
        Ok(Self(engines))
    }
}

/// Runs the plan of engines twice.
#[derive(Debug)]
pub struct SurveyRun<'s> {
    /// The shipped program.
    pub threefold: &'s Path,
    /// The time limit of each run.
    pub limit: Duration,
    /// The folder of the survey; each engine has a folder in it.
    pub out: &'s Path,
}

impl SurveyRun<'_> {
    /// Do both runs of an engine exist?
    pub fn is_done(&self, engine: &SurveyEngine) -> bool {
        self.journals(engine).iter().all(|journal| journal.exists())
    }

    fn journals(&self, engine: &SurveyEngine) -> [PathBuf; 2] {
        RUNS.map(|run| self.out.join(&engine.id).join(run).join(JOURNAL))
    }

    /// The result of an engine; runs what is missing of it.
    ///
    /// # Errors
    /// If a run gives no result.
    pub fn result(&self, engine: &SurveyEngine) -> anyhow::Result<SurveyResult> {
        if !self.is_done(engine) {
            self.run(engine)?;
        }
        let [first, second] = self.journals(engine);
        SurveyResult::read(&first, &second)
    }

    fn run(&self, engine: &SurveyEngine) -> anyhow::Result<()> {
        let folder = self.out.join(&engine.id);
        std::fs::create_dir_all(&folder).with_context(|| format!("{}: can't be made", folder.display()))?;
        let repository = PairRepository::new()?;
        repository.commit_program(&engine.program, "The engine", None)?;
        let words = ["init", "--engine", ENGINE, "--build", BUILD, "--ci", "none"];
        self.step(&repository, &words, &folder.join("init.txt"))?;
        repository.copy_to("reports/latest", &folder.join(RUNS[0]))?;
        // What was left out since it ended in a fault has to be seen again.
        let plan = repository.read("threefold.toml")?;
        let whole = plan.find("[left-out]").map_or(plan.as_str(), |at| &plan[..at]);
        repository.write("threefold.toml", whole)?;
        let words = ["regress", "--fresh", "--max-faults", MOST_FAULTS, "--out", "reports/second"];
        self.step(&repository, &words, &folder.join("second.txt"))?;
        repository.copy_to("threefold.toml", &folder.join("threefold.toml"))?;
        repository.copy_to("reports/second", &folder.join(RUNS[1]))
    }

    fn step(&self, repository: &PairRepository, words: &[&str], output: &Path) -> anyhow::Result<()> {
        let mut command = Command::new(self.threefold);
        command.args(words).current_dir(repository.path());
        let step = timed_command::run(&mut command, self.limit, output)
            .with_context(|| format!("{}: can't be run", self.threefold.display()))?;
        // A run with regressions or faults is a result, too.
        let has_result = matches!(step.exit, Some(0 | 1 | 3));
        anyhow::ensure!(
            has_result,
            "`{}` gives no result: {}; see {}",
            words[0],
            step.headline,
            output.display()
        );
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_has_programs_and_distinct_ids() {
        let read = |text: &str| SurveyList::parse(Path::new("list.csv"), text, Path::new("built"));
        let list =
            read("id,source,commit,program\na,o/n,1234,\nb,Debian 12,1.0,/usr/games/b\n").expect("sound");
        let programs: Vec<&Path> = list.0.iter().map(|engine| engine.program.as_path()).collect();
        assert_eq!(programs, [Path::new("built/a/engine"), Path::new("/usr/games/b")]);
        for (text, complaint) in [
            ("id,source,commit,program\na b,o/n,1,\n", "list.csv:2: `a b` is no id"),
            ("id,source,commit,program\na,o/n,1,\na,o/n,2,\n", "list.csv:3: `a` is there twice"),
            ("id,source,commit,program\na,\"o\nn\",1,\na,o/n,2,\n", "list.csv:4: `a` is there twice"),
            ("id,source\na,b\n", "write CSV with the columns id, source, commit and program"),
        ] {
            let error = format!("{:#}", read(text).expect_err("no sound list"));
            assert!(error.contains(complaint), "{error}");
        }
    }
}
