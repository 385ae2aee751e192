//! A reproduction bundle: the files that reproduce a case or a game.
//!
//! A bundle of a case has a suite of that case alone, its position file, a script with the one command, the
//! traffic of the fault if it was recorded, and a README with the engine's build, the machine and the seed.

mod game;

pub use game::BundledGame;

use std::fmt::Write;

use crate::words::explanation::{CaseExplanation, CaseResult};
use crate::words::rerun::shell_word;
use threefold_player::visible::{visible, visible_lines};
use threefold_player::{EngineBuild, EngineSpec, FaultTraffic};
use threefold_run::RunSpec;
use threefold_run::job::SuiteTask;
use threefold_suites::single_case;
use threefold_suites::{CaseInfo, Suite, SuiteError, Verdict};

/// The script that runs the case or plays the game again.
pub const SCRIPT: &str = "reproduce.sh";

/// A file of a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BundleFile {
    /// Its name in the folder.
    pub name: String,
    /// The contents of the file.
    pub text: String,
}

/// A case that ran.
#[derive(Debug)]
pub struct BundledCase<'c> {
    /// The specification of the run.
    pub run: &'c RunSpec,
    /// The suite of the case.
    pub suite: &'c Suite,
    /// How the suite was run.
    pub task: &'c SuiteTask,
    /// The case's description.
    pub info: &'c CaseInfo,
    /// The verdict that is reproduced.
    pub verdict: &'c Verdict,
    /// The builds of the engines.
    pub builds: &'c [EngineBuild],
    /// The traffic before its fault.
    pub traffic: Option<&'c FaultTraffic>,
}

impl BundledCase<'_> {
    /// The files of the bundle of a case.
    ///
    /// # Errors
    /// If the suite cannot be read.
    pub fn files(&self) -> Result<Vec<BundleFile>, SuiteError> {
        let Self { suite, task, info, verdict, .. } = self;
        let single = single_case::reduced(&task.source, &info.id)?;
        let is_single = single.is_some();
        // The limits of the run belong in the suite file, so that the script needs none.
        let limits =
            Some(task.limits.as_deref().unwrap_or(&suite.limits)).filter(|limits| !limits.is_infinite());
        let mut written = single_case::portable(single.as_ref().unwrap_or(&task.source), limits)?;
        // The threshold makes the exit code depend on the case. A whole suite has cases that may fail.
        if is_single {
            written.suite_file.text.push_str("\n[thresholds]\npass = 1.0\n");
        }
        let result = CaseResult { engine: &task.engine, task, verdict, baseline: None };
        let command = format!("sh {SCRIPT}");
        let explained = CaseExplanation { suite, info, result: Some(result), command }.to_text(None);
        let mut files = vec![
            BundleFile {
                name: "README.txt".to_owned(),
                text: visible_lines(&self.readme(&explained, is_single)),
            },
            BundleFile { name: SCRIPT.to_owned(), text: self.script(&written.suite_file.file) },
        ];
        let sources = std::iter::once(written.suite_file).chain(written.positions);
        files.extend(sources.map(|source| BundleFile { name: source.file, text: source.text }));
        files.extend(self.traffic.map(traffic_file));
        Ok(files)
    }

    fn readme(&self, explained: &str, is_single: bool) -> String {
        let scope = if is_single {
            "The script runs this case alone. Its exit code is 0 if the case passes, 1 if it fails, 3 after an engine fault."
        } else {
            "The case cannot be separated from its suite. The script runs the whole suite."
        };
        format!(
            "Run the case again:\n  sh {SCRIPT}\n  sh {SCRIPT} SPEC    # with another engine\n\n{scope}\nIt needs \
             `threefold` in the PATH, or its path in the variable THREEFOLD.\n\n{explained}\n{}",
            origin(self.run, std::slice::from_ref(&self.task.engine), self.builds)
        )
    }

    fn script(&self, suite_file: &str) -> String {
        let (change, times) = (change_folder(self.run), timeouts(self.run));
        // `--run` refuses a file that exists. With CDPATH set, `cd` may print a path, also into `here`.
        format!(
            "#!/bin/sh\n# Runs the case again. Usage: {SCRIPT} [SPEC of another engine]\n\
             here=$(CDPATH= cd -- \"$(dirname -- \"$0\")\" && pwd)\nengine={}\n{change}\
             rm -f \"$here/reproduced.sqlite\"\n\
             exec \"${{THREEFOLD:-threefold}}\" suite \"$here\"/{} --engine \"${{1:-$engine}}\" --json{times} \
             --run \"$here/reproduced.sqlite\"\n",
            shell_word(&self.task.engine.text),
            shell_word(suite_file),
        )
    }
}

/// The timeouts of the run, as options of the program.
fn timeouts(run: &RunSpec) -> String {
    let conditions = &run.origin.conditions;
    let times = [("--startup", conditions.startup), ("--search-timeout", conditions.search_timeout)];
    let given =
        times.into_iter().filter_map(|(option, time)| Some(format!(" {option} {}", time?.as_secs_f64())));
    given.collect()
}

/// The line of a script that changes to the folder of the run, unless it has arguments.
fn change_folder(run: &RunSpec) -> String {
    let folder = run.origin.folder.as_ref().map(|folder| shell_word(&folder.display().to_string()));
    folder.map_or_else(String::new, |folder| {
        // On another machine the folder may be missing. Paths are relative to the folder of the caller then.
        format!("# Paths in a SPEC are relative to the folder of the run.\n[ $# -gt 0 ] || cd {folder} 2> /dev/null\n")
    })
}

fn traffic_file(traffic: &FaultTraffic) -> BundleFile {
    let mut text =
        format!("UCI traffic and standard error of {} before the fault.\n\n", visible(&traffic.engine));
    for line in &traffic.lines {
        // Writing to text never fails.
        _ = writeln!(text, "{}", visible(&line.to_string()));
    }
    BundleFile { name: "traffic.txt".to_owned(), text }
}

/// The engines with their files, and the run: command, folder, machine, seed.
fn origin(run: &RunSpec, engines: &[EngineSpec], builds: &[EngineBuild]) -> String {
    let mut text = String::new();
    for engine in engines {
        // Writing to text never fails.
        _ = writeln!(text, "engine     {}", engine.text);
        let Some(build) = builds.iter().find(|build| build.engine == engine.text) else { continue };
        if let Some(name) = &build.engine_id.name {
            _ = writeln!(text, "  id name  {name}");
        }
        for file in &build.files {
            _ = writeln!(text, "  file     {} ({} bytes), SHA-256 {}", file.path, file.size, file.sha256);
        }
    }
    let origin = &run.origin;
    _ = writeln!(text, "command    {}", origin.command);
    if let Some(folder) = &origin.folder {
        _ = writeln!(text, "folder     {}", folder.display());
    }
    _ = writeln!(text, "machine    {}\nseed       {}", origin.machine, run.seed);
    text
}
