//! `watch`: builds the engine at every change of its source, and runs the short suites of the plan.
//!
//! The first regression ends a round, so that the answer comes soon. On a terminal a round fills one screen,
//! and keys run the whole test or explain a case; in a pipe each result is a line.

mod build;
mod input;
mod keys;
mod last_failed;
mod result;
mod round;
mod screen;
mod sources;
mod step;

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::Context;
use clap::Args;

use self::input::RoundInput;
use self::keys::Key;
use self::result::RoundResult;
use self::screen::Screen;
use self::sources::{Snapshot, Sources};
use crate::args::RunOptions;
use crate::exit::Exit;
use crate::input::by_name::{self, PLAN_FILE};
use crate::keys::Keys;
use crate::session::{Session, baselines};
use threefold_player::EngineSource;
use threefold_run::regress::baseline::Baseline;

/// `threefold watch`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold watch\n  threefold watch --once    # in a pre-commit hook\n\n\
    The suites are those of the plan among `bench`, `perft`, `compliance` and `repetition`, in this order, and the cases that the \
    last `threefold regress` lost. On several cores, `bench` and the suite after it are asked at the same time. Each is compared with \
    the baseline. A new node count of `bench` is shown and is no regression, since a change of the search changes it."
)]
pub struct WatchArgs {
    /// Plan with the engine, its `build` and the suites
    #[arg(long, value_name = "FILE", default_value = PLAN_FILE)]
    pub plan: PathBuf,
    /// Baseline to compare with [default: that of `threefold regress`]
    #[arg(long, value_name = "DIR")]
    pub baseline: Option<PathBuf>,
    /// Do one round without waiting for a change; exit code 1 for a failed build or a regression, 2 if nothing
    /// is compared
    #[arg(long)]
    pub once: bool,
    /// Options of every run
    #[command(flatten)]
    pub run_options: RunOptions,
}

/// The interval at which the source is looked at.
const INTERVAL: Duration = Duration::from_millis(300);

/// What follows after a round.
enum Next {
    /// Another round, since these files have changed.
    Round(Vec<PathBuf>),
    /// Nothing.
    End(Exit),
}

/// Builds and tests at every change until the user ends it.
pub fn run(args: &WatchArgs) -> anyhow::Result<Exit> {
    anyhow::ensure!(
        args.plan.exists(),
        "{}: there is no plan; `threefold init` writes one, or name it with --plan",
        args.plan.display()
    );
    anyhow::ensure!(
        !args.run_options.tui,
        "--tui: a round of `watch` has a screen of its own; leave --tui out"
    );
    let screen = Screen::of_terminal();
    let mut changed = Vec::new();
    let mut earlier = RoundResult::default();
    let mut sources: Option<Sources> = None;
    loop {
        // The plan and the baseline may change, too.
        let input = round_input(args)?;
        let mut watched = sources.take().map_or_else(|| Sources::open(&input), Ok)?;
        // Taken before the build, so a file that changes during the round begins the next one.
        let before = watched.snapshot()?;
        screen.begin(&changed)?;
        let result = round::run(&input, &earlier)?;
        if result.is_interrupted {
            return Ok(Exit::Interrupted);
        }
        if args.once {
            return Ok(exit(&result));
        }
        watched.leave_out_built_files(&before)?;
        match wait(&watched, &before, &result, &screen, args)? {
            Next::Round(files) => changed = files,
            Next::End(exit) => return Ok(exit),
        }
        sources = Some(watched);
        earlier = result;
    }
}

/// The exit code of one round.
fn exit(result: &RoundResult) -> Exit {
    if result.is_red() {
        Exit::Worse
    } else if result.compared_suites() == 0 {
        Exit::Misuse
    } else {
        Exit::Fine
    }
}

/// The plan with its engine, and the baseline.
fn round_input(args: &WatchArgs) -> anyhow::Result<RoundInput> {
    let run_options = RunOptions { quiet: true, ..args.run_options.clone() };
    let given = by_name::plan(&args.plan)?;
    let engine = given.plan.engine()?;
    let EngineSource::Command { program, .. } = &engine.source else {
        anyhow::bail!(
            "{}: the plan tests Echo, which is built in; watch an engine of your own",
            args.plan.display()
        )
    };
    let baseline = baselines::earlier(args.baseline.as_deref(), false, &run_options)?;
    let baseline =
        baseline.context("there is no baseline to compare with; `threefold regress --accept` writes one")?;
    Ok(RoundInput {
        baseline: Baseline::parse(&baseline)?,
        build: given.plan.build().map(str::to_owned),
        program: PathBuf::from(program),
        plan: given.plan,
        materials: given.materials,
        engine,
        run_options,
    })
}

/// Waits for a change of the source, or for a key.
fn wait(
    sources: &Sources,
    before: &Snapshot,
    result: &RoundResult,
    screen: &Screen,
    args: &WatchArgs,
) -> anyhow::Result<Next> {
    let stop = Session::open(&args.run_options)?.pool.launch_options.stop;
    loop {
        screen.show_waiting(result)?;
        let keys = screen.is_terminal().then(Keys::listen).transpose()?;
        let key = loop {
            let key = if let Some(keys) = &keys {
                keys.next(INTERVAL)?.and_then(Key::of)
            } else {
                thread::sleep(INTERVAL);
                None
            };
            if stop.is_raised() {
                return Ok(Next::End(Exit::Interrupted));
            }
            if key.is_some() {
                break key;
            }
            if let Some(changed) = changed(sources, before)? {
                return Ok(Next::Round(changed));
            }
        };
        // The terminal belongs to the other command.
        drop(keys);
        match key {
            Some(Key::Quit) => return Ok(Next::End(Exit::Fine)),
            Some(Key::Interrupt) => return Ok(Next::End(Exit::Interrupted)),
            Some(Key::Regress) => {
                run_command(&["regress".as_ref(), "--plan".as_ref(), args.plan.as_os_str()])?;
            }
            Some(Key::Explain) => {
                if let Some(lost) = result.first_lost() {
                    run_command(&["explain".as_ref(), lost.journal.as_os_str(), lost.case.as_ref()])?;
                }
            }
            None => {}
        }
    }
}

/// The changed files, once they have stopped changing; `None` if there are none. Editors write several files,
/// or one in several steps.
fn changed(sources: &Sources, before: &Snapshot) -> anyhow::Result<Option<Vec<PathBuf>>> {
    let mut changed = sources.changed_since(before)?;
    while !changed.is_empty() {
        thread::sleep(INTERVAL);
        let later = sources.changed_since(before)?;
        if later == changed {
            return Ok(Some(later.into_keys().collect()));
        }
        changed = later;
    }
    Ok(None)
}

/// Runs another command of this program on the same terminal. It prints its result itself.
fn run_command(words: &[&OsStr]) -> anyhow::Result<()> {
    let program = std::env::current_exe().context("can't find this program")?;
    Command::new(program).args(words).status().map(|_| ()).context("can't start this program")
}
