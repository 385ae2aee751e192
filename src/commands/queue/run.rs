//! `queue run`: the waiting tests, one after another.

use std::collections::BTreeSet;
use std::path::Path;
use std::thread;
use std::time::Duration;

use clap::Args;

use super::QueueArgs;
use super::add::files_of;
use super::list;
use super::results::KnownResults;
use super::words::{self, ReadWords};
use crate::args::RunOptions;
use crate::commands::games::{self, Printed, PrintedForm};
use crate::commands::resume::{self, OpenRun, ReadyRun, ResumeArgs};
use crate::commands::sprt::{self, SprtArgs};
use crate::exit::Exit;
use crate::input::test_queue::{QueueFolder, StoredFile, StoredTest};
use crate::session::fleet_link;
use crate::session::interrupt::Interruption;
use crate::session::journal_path::JournalPath;
use crate::session::outcome::RunOutcome;
use crate::streams;
use threefold_player::{EngineBuild, EngineId};
use threefold_report::Registry;
use threefold_report::queue::{Queue, QueueState};
use threefold_run::{MatchTask, single_match};

/// The time between two looks for new tests.
const LOOK: Duration = Duration::from_secs(1);

/// `threefold queue run`
#[derive(Debug, Args)]
#[command(
    after_help = "Tests that are added in the meantime are run, too. An interrupted test continues when its turn comes. A test that \
    can't be started, or that engine faults stop, is left out until it is named.\n\n\
    Exit code: 0 when no test waits any more, whatever their results; 3 if an engine does not start or engine faults stopped a \
    test, 2 if a test is wrong for another reason; the other tests are run all the same."
)]
pub struct RunArgs {
    /// Names or numbers of the tests to run, also after a fault [default: all that wait or were interrupted]
    #[arg(value_name = "TEST")]
    pub tests: Vec<String>,
    /// Wait for further tests when none is left, until Ctrl-C
    #[arg(long, conflicts_with = "tests")]
    pub wait: bool,
    /// Where the queue is
    #[command(flatten)]
    pub place: QueueArgs,
}

/// Runs the tests.
pub fn run(args: &RunArgs) -> anyhow::Result<Exit> {
    let folder = args.place.folder()?;
    let contents = folder.read_existing()?;
    let find = |given: &String| Ok(contents.find(given)?.number);
    let named = args.tests.iter().map(find).collect::<anyhow::Result<Vec<u32>>>()?;
    let _lock = folder.lock_run()?;
    let stop = Interruption::installed()?.stop;
    let mut runner = Runner {
        folder,
        named,
        tried: BTreeSet::new(),
        known: KnownResults::default(),
        shown: None,
        worst: Exit::Fine,
    };
    while !stop.is_raised() {
        match runner.next()? {
            Some(number) => {
                if runner.run_test(number)? == Exit::Interrupted {
                    break;
                }
            }
            None if args.wait => thread::sleep(LOOK),
            None => return runner.finish(),
        }
    }
    runner.update()?;
    Ok(Exit::Interrupted)
}

/// What runs the tests.
struct Runner {
    folder: QueueFolder,
    /// The numbers of the tests that the user named; empty for all.
    named: Vec<u32>,
    /// The numbers of the tests that were run, each once.
    tried: BTreeSet<u32>,
    known: KnownResults,
    /// The queue on the page.
    shown: Option<Queue>,
    /// The exit code of the worst fault.
    worst: Exit,
}

impl Runner {
    /// The number of the next test.
    fn next(&mut self) -> anyhow::Result<Option<u32>> {
        self.update()?;
        let Some(queue) = &self.shown else { return Ok(None) };
        let next = queue.in_order().into_iter().find(|test| {
            let is_wanted = if self.named.is_empty() {
                test.state.is_open()
            } else {
                self.named.contains(&test.number) && (test.state.is_open() || test.state == QueueState::Fault)
            };
            is_wanted && !self.tried.contains(&test.number)
        });
        Ok(next.map(|test| test.number))
    }

    /// Reads the queue, and writes its page if anything has changed.
    fn update(&mut self) -> anyhow::Result<()> {
        let contents = self.folder.read_existing()?;
        let queue = self.known.queue(&self.folder, &contents)?;
        if self.shown.as_ref() != Some(&queue) {
            list::write_page(&self.folder, &queue)?;
            self.shown = Some(queue);
        }
        Ok(())
    }

    /// Prints the list.
    fn finish(&mut self) -> anyhow::Result<Exit> {
        if let Some(queue) = &self.shown {
            let without: Vec<&str> = self
                .named
                .iter()
                .filter(|number| !self.tried.contains(*number))
                .filter_map(|number| queue.tests.iter().find(|test| test.number == *number))
                .map(|test| test.name.as_str())
                .collect();
            if !without.is_empty() {
                streams::notice(&format!("there was nothing to run of {}", without.join(", ")));
            }
            streams::results(&list::text(queue))?;
            streams::notice(&format!("page: {}", self.folder.page().display()));
        }
        Ok(self.worst)
    }

    /// Runs a test, or continues it. An error is the test's, and the next one can run.
    fn run_test(&mut self, number: u32) -> anyhow::Result<Exit> {
        // Otherwise a test that fails at its start would be chosen again without end.
        self.tried.insert(number);
        let begun = self.folder.change(|contents| {
            let Some(contents) = contents else { return Ok(None) };
            let place = contents.next_place();
            let Some(test) = contents.test_mut(number) else { return Ok(None) };
            // Before its first game, so that its results have no influence on its place.
            test.place = test.place.or(Some(place));
            test.problem = None;
            Ok(Some(test.clone()))
        })?;
        // It was removed in the meantime.
        let Some(test) = begun else { return Ok(Exit::Fine) };
        let journal = self.folder.journal(number);
        let verb = if journal.exists() { "continuing" } else { "starting" };
        streams::notice(&format!("{verb} test {number} `{}`, priority {}", test.name, test.priority));
        let exit = match self.play(&test, &journal) {
            Ok(exit) => exit,
            // Later tests could not print their results either.
            Err(error) if error.is::<streams::ClosedOutput>() => return Err(error),
            Err(error) => {
                let why = format!("{error:#}");
                streams::notice(&format!("error: test {number} `{}`: {why}", test.name));
                let has_games = journal.exists();
                self.folder.change_test(number, |test| {
                    test.problem = Some(why);
                    // Without a journal no game was played, so the place is free again.
                    test.place = test.place.filter(|_| has_games);
                })?;
                Exit::of(&error)
            }
        };
        if matches!(exit, Exit::EngineFault | Exit::Misuse) && self.worst != Exit::EngineFault {
            self.worst = exit;
        }
        Ok(exit)
    }

    fn play(&self, test: &StoredTest, journal: &Path) -> anyhow::Result<Exit> {
        words::enter(&test.folder)?;
        let ReadWords::Test(mut args) = words::read(&test.words)? else {
            anyhow::bail!("its words ask for help only; remove it with `{}`", self.folder.command("remove"))
        };
        let outcome = if journal.exists() {
            self.go_on(journal, &args.game.run_options)?
        } else {
            let folder = self.folder.root().join(QueueFolder::of_test(test.number));
            args.game.out = Some(folder);
            args.game.run = Some(journal.to_owned());
            self.begin(&test.files, &args, journal)?
        };
        let registry = Registry::built_in();
        match outcome {
            // A line for each test: the details are in its folder.
            RunOutcome::Finished(finished) => finished.finish_by(&registry, |_, report| {
                streams::result(&format!("test {} `{}`: {}", test.number, test.name, report.headline()))
            }),
            RunOutcome::ShardFinished | RunOutcome::Interrupted => outcome.finish(&registry),
        }
    }

    /// Begins a test.
    fn begin(&self, files: &[StoredFile], args: &SprtArgs, journal: &Path) -> anyhow::Result<RunOutcome> {
        let task = sprt::task(args)?;
        let gone = check_files(files, &task)?;
        let printed = Printed { form: PrintedForm::Text, undecided: args.undecided };
        let mut session = games::session(&args.game, games::check_of(&task, &args.game))?;
        session.continue_command = Some(self.continue_command());
        let spec = single_match::spec("sprt", task);
        if let Some(file) = gone {
            // An engine that is gone does not start, which is the error to report.
            session.start_engines(spec)?;
            anyhow::bail!("{file}: is gone since the test was added; restore it");
        }
        let spec = games::run_spec(&args.game, spec, printed)?;
        session.run(spec, &JournalPath::File(journal))
    }

    /// Continues an interrupted test.
    fn go_on(&self, journal: &Path, run_options: &RunOptions) -> anyhow::Result<RunOutcome> {
        let args = ResumeArgs {
            run: journal.to_owned(),
            out: None,
            allow_changed_engine: false,
            trust: false,
            max_faults: None,
            games: None,
            budget: None,
            part: None,
            run_options: run_options.clone(),
        };
        match resume::open(&args, &Registry::built_in())? {
            OpenRun::Ready(ready) => {
                let ReadyRun { journal, mut session } = *ready;
                session.continue_command = Some(self.continue_command());
                session.resume(journal, resume::changed_engines(&args))
            }
            OpenRun::Finished(_) => anyhow::bail!(
                "engine faults ended it; `threefold resume {} --max-faults N` continues it with more",
                journal.display()
            ),
        }
    }

    /// The command that continues an interrupted test.
    fn continue_command(&self) -> String {
        let command = self.folder.command("run");
        match (fleet_link::workers(), command.strip_prefix("threefold ")) {
            (Some(_), Some(command)) => format!("threefold fleet submit --nats URL {command}"),
            _ => command,
        }
    }
}

/// Fails if an engine is another build than when the test was added. Returns a file that is gone.
fn check_files<'f>(files: &'f [StoredFile], task: &MatchTask) -> anyhow::Result<Option<&'f str>> {
    let named: Vec<_> = task.engines.iter().map(|engine| (engine.clone(), EngineId::default())).collect();
    let present = files_of(&EngineBuild::of_all(&named));
    let now = |file: &StoredFile| present.iter().find(|now| now.path == file.path);
    for file in files {
        anyhow::ensure!(
            now(file).is_none_or(|now| now.sha256 == file.sha256),
            "{}: has changed since the test was added; restore that build, or remove the test and add it again",
            file.path
        );
    }
    Ok(files.iter().find(|file| now(file).is_none()).map(|file| file.path.as_str()))
}
