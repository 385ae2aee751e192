//! `resume`: continues an interrupted or killed run.

use std::time::Duration;
mod lengthen;

use std::env;
use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;

use anyhow::Context;
use clap::Args;

use crate::args::{RunOptions, number_of_games};
use crate::exit::Exit;
use crate::session::outcome::{self, FinishedRun};
use crate::session::{ChangedEngines, Session, later_round, owner, report_folder};
use crate::streams;
use threefold_player::visible::visible;
use threefold_player::{EngineSource, EngineSpec};
use threefold_report::Registry;
use threefold_run::job::{Outputs, RunOrigin};
use threefold_run::journal::Journal;
use threefold_run::regress::time_budget;
use threefold_run::{FaultBudget, FaultLimit, RunRecord, RunSpec};

/// `threefold resume`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  threefold resume runs/sprt-1.sqlite\n  \
    threefold resume runs/match-1.sqlite --games 400    # of a finished match of 200 games\n\n\
    The run continues in the folder where it was started, with the same engines, --jobs, --startup and --search-timeout.\n\n\
    A journal names programs to start and files to write; the command lists both first. Treat a journal like a script: \
    resume only what you would run. A journal from another machine or user needs --trust.")]
pub struct ResumeArgs {
    /// Journal of the run
    #[arg(value_name = "RUN.sqlite")]
    pub run: PathBuf,
    /// Write the results to this folder, instead of where the first command put them
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Continue even if an engine's program has changed; reports list which build played which games
    #[arg(long)]
    pub allow_changed_engine: bool,
    /// Accept a journal from another machine or user, or one that does not name its owner
    #[arg(long)]
    pub trust: bool,
    /// Maximum number of engine faults, or share such as 2%, instead of that of the first command; a run that
    /// was stopped by faults can continue this way
    #[arg(long, value_name = "N|N%")]
    pub max_faults: Option<FaultLimit>,
    /// New total number of games of a match, or of a test without a decision; must be larger than before
    #[arg(long, value_name = "N", value_parser = number_of_games, allow_negative_numbers = true)]
    pub games: Option<usize>,
    /// New total time of a test that ended undecided by its --budget; must be longer than before
    #[arg(long, value_name = "TIME", value_parser = time_budget::parse)]
    pub budget: Option<Duration>,
    /// Match or test that --games and --budget apply to, if the run has several
    #[arg(long, value_name = "NAME")]
    pub part: Option<String>,
    /// Options of every run
    #[command(flatten)]
    pub run_options: RunOptions,
}

/// A run that was opened to go on.
pub enum OpenRun {
    /// It has all its results.
    Finished(Box<Journal>),
    /// Jobs are left.
    Ready(Box<ReadyRun>),
}

/// A run whose remaining jobs can begin.
pub struct ReadyRun {
    /// Its journal.
    pub journal: Journal,
    /// Has the options that are given, or else those of the first command.
    pub session: Session<'static>,
}

/// Runs the remaining jobs, then ends like the command that started the run.
pub fn run(args: &ResumeArgs) -> anyhow::Result<Exit> {
    run_with(args, &Registry::built_in())
}

/// The same with the reports of another program.
pub fn run_with(args: &ResumeArgs, registry: &Registry) -> anyhow::Result<Exit> {
    match open(args, registry)? {
        OpenRun::Finished(mut journal) => finished(&mut journal, args, registry),
        OpenRun::Ready(ready) => {
            let ReadyRun { journal, mut session } = *ready;
            session.resume(journal, changed_engines(args))?.finish(registry)
        }
    }
}

/// What happens if an engine is another build than before.
pub const fn changed_engines(args: &ResumeArgs) -> ChangedEngines<'static> {
    if args.allow_changed_engine {
        ChangedEngines::Allowed
    } else {
        ChangedEngines::Refused("restore that build, or continue with this one by --allow-changed-engine")
    }
}

/// Opens a journal, lengthens its run if that is asked for, and enters the folder where the run was started.
pub fn open(args: &ResumeArgs, registry: &Registry) -> anyhow::Result<OpenRun> {
    let mut journal = Journal::open(&args.run)?;
    // These options change the journal. Without them a finished run is only shown, which starts no program.
    if args.max_faults.is_some() || args.games.is_some() || args.budget.is_some() {
        check_owner(args, journal.spec())?;
    }
    // As it was recorded: what follows changes it in memory.
    let recorded = Arc::clone(journal.spec());
    if let Some(limit) = args.max_faults {
        let spec = (**journal.spec()).clone();
        journal.renew(RunSpec { max_faults: Some(FaultBudget::uniform(limit)), ..spec })?;
    }
    if args.games.is_some() || args.budget.is_some() {
        let at_once = run_options(&args.run_options, &journal.spec().origin).workers();
        lengthen::lengthen(&mut journal, args, at_once)?;
    }
    // A run whose reports this program cannot write is refused before any job runs.
    outcome::report_set(journal.spec(), &args.run, registry)?;
    // Resolved here, since `enter_folder` below changes the current folder.
    let out = args.out.as_deref().map(absolute).transpose()?;
    let events = args.run_options.events.as_deref().map(absolute).transpose()?;
    let run = RunRecord::from_journal(&journal)?;
    let next = later_round(&run);
    if run.is_done() && next.is_none() {
        return Ok(OpenRun::Finished(Box::new(journal)));
    }
    drop(run);
    if let Some(spec) = next {
        // It was interrupted between two rounds, or before lost cases were asked again.
        check_owner(args, &recorded)?;
        journal.renew(spec)?;
    }
    if let Some(folder) = out {
        journal.redirect(outputs_in(folder, &journal.spec().outputs));
    }
    check_owner(args, &recorded)?;
    let spec = journal.spec();
    args.run_options.inform(&listing(spec));
    enter_folder(spec)?;
    let run_options = RunOptions { events, ..run_options(&args.run_options, &spec.origin) };
    // The first command has checked its number of jobs already.
    let session = match args.run_options.jobs {
        Some(_) => Session::open(&run_options)?,
        None => Session::with_any_jobs(&run_options)?,
    };
    Ok(OpenRun::Ready(Box::new(ReadyRun { journal, session })))
}

/// Refuses a run that this user has not begun on this machine, unless --trust is given.
pub fn check_owner(args: &ResumeArgs, spec: &RunSpec) -> anyhow::Result<()> {
    match owner::check(spec) {
        Err(why) if !args.trust => anyhow::bail!(
            "{}: {why}; give --trust if you want to run this:\n{}",
            args.run.display(),
            listing(spec)
        ),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Prints the result of a finished run. Writes reports only if --out is given.
fn finished(journal: &mut Journal, args: &ResumeArgs, registry: &Registry) -> anyhow::Result<Exit> {
    let file = &args.run;
    let out = args.out.as_deref().map(absolute).transpose()?;
    if out.is_none() {
        let file = file.display();
        streams::notice(&format!(
            "{file}: the run is finished; `threefold report {file} --out DIR` writes its reports"
        ));
    }
    let writes_baseline = out.is_some();
    let asked = journal.spec().outputs.clone();
    journal.redirect(match out {
        Some(folder) => outputs_in(folder, &asked),
        None => Outputs {
            reports: None,
            games: None,
            final_positions: None,
            found_mates: None,
            missed_mates: None,
            ..asked
        },
    });
    if writes_baseline {
        report_folder::check(&journal.spec().outputs, &args.run_options)?;
    }
    let run = RunRecord::from_journal(journal)?;
    let finished = FinishedRun {
        run,
        journal: file.clone(),
        games: Ok(()),
        writes_baseline,
        events: None,
        run_options: args.run_options.clone(),
    };
    finished.finish(registry)
}

/// The outputs of the first command, all in one folder. The reports include the games.
fn outputs_in(folder: PathBuf, asked: &Outputs) -> Outputs {
    let inside = |file: &PathBuf| Some(folder.join(file.file_name()?));
    Outputs {
        baseline: asked.baseline.is_some().then(|| folder.join("baseline")),
        found_mates: asked.found_mates.as_ref().and_then(inside),
        missed_mates: asked.missed_mates.as_ref().and_then(inside),
        reports: Some(folder),
        games: None,
        final_positions: None,
        ..asked.clone()
    }
}

/// The run options: those given, or else those of the first command.
fn run_options(given: &RunOptions, origin: &RunOrigin) -> RunOptions {
    RunOptions {
        affinity: given.affinity.clone(),
        jobs: given.jobs.or(origin.conditions.concurrency),
        force: given.force,
        startup: given.startup.or(origin.conditions.startup),
        search_timeout: given.search_timeout.or(origin.conditions.search_timeout),
        events: given.events.clone(),
        github: given.github,
        report_every: given.report_every,
        tui: given.tui,
        quiet: given.quiet,
        log: given.log.clone(),
        words: given.words.clone(),
    }
}

/// Enters the folder where the run was started, for relative paths and programs.
pub fn enter_folder(spec: &RunSpec) -> anyhow::Result<()> {
    let is_relative = spec.outputs.places().any(|place| place.is_relative());
    let mut programs = spec.engines().filter(|engine| engine.source != EngineSource::Echo);
    let Some(folder) = &spec.origin.folder else { return Ok(()) };
    // Such a run can continue even if its folder is gone.
    if !is_relative && programs.next().is_none() {
        return Ok(());
    }
    env::set_current_dir(folder).with_context(|| {
        format!(
            "{}: can't enter the folder where the run was started; create it, with the engines in their old places",
            visible(&folder.display().to_string())
        )
    })
}

/// The programs that a run starts and the files that it writes, one per line.
fn listing(spec: &RunSpec) -> String {
    let folder = spec.origin.folder.as_deref().unwrap_or(Path::new(""));
    let mut engines: Vec<&EngineSpec> = spec.engines().collect();
    engines.sort_by_key(|engine| &engine.text);
    engines.dedup();
    let runs = engines.into_iter().map(|engine| format!("  runs {}", started(engine, folder)));
    let mut errors: Vec<&PathBuf> = spec.engines().filter_map(|it| it.stderr.as_ref()).collect();
    errors.sort();
    errors.dedup();
    let errors = errors.into_iter().map(PathBuf::as_path);
    let places = spec.outputs.places().map(PathBuf::as_path).chain(errors);
    let writes = places.map(|place| format!("  writes {}", folder.join(place).display()));
    runs.chain(writes).map(|line| visible(&line)).collect::<Vec<_>>().join("\n")
}

/// A program with its arguments and its absolute path.
fn started(engine: &EngineSpec, folder: &Path) -> String {
    let EngineSource::Command { program, args, dir } = &engine.source else {
        return format!("{} (built in)", engine.text);
    };
    let program = threefold_player::program_from(program, folder);
    let words = std::iter::once(program.display().to_string()).chain(args.iter().cloned());
    let quoted = |word: String| if word.contains(char::is_whitespace) { format!("\"{word}\"") } else { word };
    let command = words.map(quoted).collect::<Vec<_>>().join(" ");
    match dir {
        Some(dir) => format!("{command} in {}", folder.join(dir).display()),
        None => command,
    }
}
