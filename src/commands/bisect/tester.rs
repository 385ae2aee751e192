//! Builds the commits of a bisection, counts their `bench`, and keeps what is known of them.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::BisectArgs;
use super::commits::Commits;
use super::state::{self, CommitState, StateFile};
use crate::args::RunOptions;
use crate::session::commit_builds::CommitBuilds;
use crate::session::interrupt::Interruption;
use crate::session::{Session, origin};
use crate::streams;
use threefold_chess::clock::Stop;
use threefold_player::spec::HarnessKey;
use threefold_player::{EngineFault, EngineSpec, launch};
use threefold_run::pool::RunError;
use threefold_stats::bisection::{EqualCommits, Verdict};

/// The longest `bench`.
const LONGEST_BENCH: Duration = Duration::from_mins(1);

/// The result of a test of a commit.
#[derive(Debug)]
pub(super) enum Tested<T> {
    /// It was tested.
    Done(T),
    /// It does not build or start; the reason is recorded.
    Skipped(String),
    /// Ctrl-C.
    Interrupted,
}

/// Builds commits, and keeps what is known of them.
pub(super) struct CommitTester<'a> {
    pub(super) commits: &'a Commits,
    pub(super) file: StateFile,
    /// Runs the cases and games.
    pub(super) session: Session<'static>,
    builds: CommitBuilds,
    run_options: RunOptions,
    uses_bench: bool,
    stop: Stop,
    begun: Instant,
    /// The wall time of earlier sessions, in seconds.
    earlier: f64,
}

impl<'a> CommitTester<'a> {
    /// Opens or begins the bisection of a question.
    ///
    /// # Errors
    /// If its folder holds the bisection of another question.
    #[expect(clippy::disallowed_methods, reason = "the answer says how long it took")]
    pub(super) fn open(
        args: &BisectArgs,
        commits: &'a Commits,
        builds: CommitBuilds,
        question: &str,
    ) -> anyhow::Result<Self> {
        let begun = Instant::now();
        let name = format!("{}-{}", commits.short(0), commits.short(commits.bad()));
        let open = if args.fresh { StateFile::replaced } else { StateFile::open };
        let file = open(builds.repository(), args.out.as_deref(), &state::checksum(question), &name)?;
        let quiet = RunOptions { quiet: true, report_every: None, ..args.run_options.clone() };
        let mut session = Session::open(&quiet)?;
        // With --fresh the command would start over.
        session.continue_command = Some(origin::command(&args.run_options).replace(" --fresh", ""));
        let tester = Self {
            commits,
            earlier: file.state.seconds,
            file,
            session,
            builds,
            run_options: args.run_options.clone(),
            uses_bench: !args.ignore_bench,
            stop: Interruption::installed()?.stop,
            begun,
        };
        tester.announce();
        Ok(tester)
    }

    /// Prints what is bisected.
    fn announce(&self) {
        let (commits, folder) = (self.commits, self.file.folder().display());
        let counted = if self.uses_bench {
            format!(
                "; {} of {} messages have a node count of `bench`",
                commits.messages_with_count(),
                commits.after_good() + 1
            )
        } else {
            String::new()
        };
        let verb = if self.file.is_continued { "continuing" } else { "bisecting" };
        self.inform(&format!(
            "{verb} {} commits after {}{counted}; state and journals: {folder}",
            commits.after_good(),
            commits.short(0)
        ));
    }

    /// Prints a line of progress.
    pub(super) fn inform(&self, text: &str) {
        self.run_options.inform(text);
    }

    /// What is known of a commit.
    pub(super) fn known(&self, index: usize) -> CommitState {
        self.file.state.commit(self.commits.hash(index)).cloned().unwrap_or_default()
    }

    /// Records what is known of a commit.
    ///
    /// # Errors
    /// If it can't be written.
    pub(super) fn record(
        &mut self,
        index: usize,
        change: impl FnOnce(&mut CommitState),
    ) -> anyhow::Result<()> {
        change(self.file.state.commit_mut(self.commits.hash(index)));
        self.save()
    }

    /// Writes the state.
    ///
    /// # Errors
    /// If it can't be written.
    pub(super) fn save(&mut self) -> anyhow::Result<()> {
        self.file.state.seconds = self.earlier + self.begun.elapsed().as_secs_f64();
        self.file.write()
    }

    /// The verdicts so far.
    pub(super) fn verdicts(&self) -> Vec<Option<Verdict>> {
        let verdict = |known: &CommitState| match known {
            CommitState { skipped: Some(_), .. } => Some(Verdict::Skipped),
            CommitState { is_bad: Some(true), .. } => Some(Verdict::Bad),
            CommitState { is_bad: Some(false), .. } => Some(Verdict::Good),
            _ => None,
        };
        (0..=self.commits.bad()).map(|index| verdict(&self.known(index))).collect()
    }

    /// The commits that play the same, by their node counts; none if these are not used.
    pub(super) fn equal(&self) -> EqualCommits {
        if self.uses_bench {
            self.commits.equal(|index| self.known(index).bench)
        } else {
            EqualCommits::none(self.commits.history().size())
        }
    }

    /// The engine at a commit, built and with its `bench` counted if that is needed.
    ///
    /// # Errors
    /// If git or the disk fails.
    pub(super) fn engine(&mut self, index: usize) -> anyhow::Result<Tested<EngineSpec>> {
        let hash = self.commits.hash(index).to_owned();
        let built = self.builds.engine(&hash, "commit")?;
        // Checked first: Ctrl-C interrupts the build, too, and its failure then says nothing about the
        // commit.
        if self.stop.is_raised() {
            return Ok(self.interrupted());
        }
        let engine = match built {
            Ok(engine) => engine,
            Err(failure) => {
                let first_line = failure.to_string().lines().next().unwrap_or_default().to_owned();
                self.skip(index, &first_line)?;
                return Ok(Tested::Skipped(failure.to_string()));
            }
        };
        let name = format!("{} {}", engine.name, self.commits.short(index));
        let engine = engine.with(&[(HarnessKey::Name, name.as_str())])?;
        if !self.known(index).is_built {
            self.record(index, |known| known.is_built = true)?;
        }
        self.count_bench(index, &engine)?;
        Ok(if self.stop.is_raised() { self.interrupted() } else { Tested::Done(engine) })
    }

    /// Ctrl-C between two runs. Prints the notice that an interrupted run prints.
    fn interrupted<T>(&self) -> Tested<T> {
        let command = self.session.continue_command.as_deref().unwrap_or_default();
        streams::notice(&format!("\ninterrupted; continue with:\n  {command}"));
        Tested::Interrupted
    }

    /// Runs `bench` once for a commit whose message has no count.
    fn count_bench(&mut self, index: usize, engine: &EngineSpec) -> anyhow::Result<()> {
        let is_known = self.commits.count_in_message(index).is_some() || self.known(index).bench.is_some();
        if !self.uses_bench || is_known || self.file.state.lacks_bench {
            return Ok(());
        }
        match launch(engine, &self.session.pool.launch_options)
            .and_then(|mut player| player.bench(LONGEST_BENCH))
        {
            Ok(counts) => self.record(index, |known| known.bench = counts.nodes),
            Err(EngineFault::NotSupported(_)) => {
                self.file.state.lacks_bench = true;
                self.save()
            }
            // What fails here fails in the test, too, and is reported there.
            Err(_) => Ok(()),
        }
    }

    /// Records that a commit can't be tested.
    ///
    /// # Errors
    /// If it can't be written.
    pub(super) fn skip(&mut self, index: usize, why: &str) -> anyhow::Result<()> {
        self.inform(&format!("{} skipped: {why}", self.commits.short(index)));
        self.record(index, |known| known.skipped = Some(why.to_owned()))
    }

    /// The number of commits that this bisection built or took from the cache.
    pub(super) fn built(&self) -> usize {
        self.file.state.commits().filter(|(_, known)| known.is_built).count()
    }

    /// The folder of all builds.
    pub(super) fn cache(&self) -> PathBuf {
        self.builds.cache()
    }

    /// Author, date and message of a commit.
    ///
    /// # Errors
    /// If git fails.
    pub(super) fn description(&self, index: usize) -> anyhow::Result<String> {
        self.builds.repository().description(self.commits.hash(index))
    }
}

/// Does an engine not start, or lack a feature or an option? Another commit may not have this error.
pub(super) fn is_of_engine(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref::<RunError>(), Some(RunError::Engine { .. }))
}

/// This error, with a remedy if a commit lacks an option that others have.
pub(super) fn with_remedy(error: anyhow::Error) -> anyhow::Error {
    let lacks_option = matches!(
        error.downcast_ref::<RunError>(),
        Some(RunError::Engine { fault: EngineFault::Option(_), .. })
    );
    if lacks_option {
        anyhow::anyhow!(
            "{error:#}; all commits get the same options, so leave this one out of the engine's spec (in the plan, or --engine)"
        )
    } else {
        error
    }
}
