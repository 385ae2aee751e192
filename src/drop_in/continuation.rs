//! `-config file=JOURNAL`: the rest of the games of a journal, or the same games from the start.

use std::path::{Path, PathBuf, absolute};

use anyhow::Context;
use clap::Parser;

use super::play::{begin, printer, skipped_options, subscribe};
use super::settings::Settings;
use super::translation::run_words;
use crate::args::{ResumeArgs, cores};
use crate::commands::resume::{self, OpenRun, ReadyRun};
use crate::exit::Exit;
use crate::peer::Peer;
use crate::session::execute;
use threefold_player::output_file::{self, IfThere};
use threefold_report::Registry;
use threefold_run::job::Outputs;
use threefold_run::journal::Journal;
use threefold_run::{MatchTask, RunRecord, RunSpec, Task, knockout};

/// The translated command.
#[derive(Parser)]
struct Resume {
    #[command(flatten)]
    args: ResumeArgs,
}

/// Plays the games of a journal.
pub(super) fn play(peer: Peer, settings: &Settings, file: &Path) -> anyhow::Result<Exit> {
    let task = task_of(Journal::open(file).with_context(|| described(file))?.spec())
        .with_context(|| described(file))?;
    let mut words = vec!["resume".to_owned(), file.to_string_lossy().into_owned()];
    words.extend(run_words(settings, cores())?);
    if let Some(rounds) = settings.rounds {
        let games =
            rounds.saturating_mul(task.rules.encounter.games()).saturating_mul(task.schedule().pairings());
        if games != task.schedule().games() {
            words.extend(["--games".to_owned(), games.to_string()]);
        }
    }
    let Resume { mut args } = Resume::try_parse_from(words)?;
    args.run_options.words.clone_from(&settings.line);
    subscribe(settings, &args.run_options)?;
    if settings.config.keeps_results {
        go_on(peer, settings, &args)
    } else {
        play_again(peer, settings, &args)
    }
}

fn described(file: &Path) -> String {
    format!("Error: -config file={}: a journal of threefold is needed", file.display())
}

/// The games of a run that is one match, or a knockout tournament.
fn task_of(spec: &RunSpec) -> anyhow::Result<MatchTask> {
    match (&spec.knockout, &spec.parts[..]) {
        (Some(task), _) => Ok((**task).clone()),
        (None, [part]) => match &part.task {
            Task::Match(task) => Ok(task.clone()),
            Task::Suite(_) => anyhow::bail!("the run is no match"),
        },
        (None, _) => anyhow::bail!("the run has several matches; continue it with `threefold resume`"),
    }
}

/// Plays the remaining games.
fn go_on(peer: Peer, settings: &Settings, args: &ResumeArgs) -> anyhow::Result<Exit> {
    if let Some(outname) = &settings.config.outname {
        anyhow::ensure!(
            absolute(outname)? == absolute(&args.run)?,
            "Error: -config outname={}: the run goes on in its own journal; leave outname= out, or give stats=false",
            outname.display()
        );
    }
    let opened = resume::open(args, &Registry::built_in())?;
    let task = match &opened {
        OpenRun::Finished(journal) => task_of(journal.spec())?,
        OpenRun::Ready(ready) => task_of(ready.journal.spec())?,
    };
    let mut printer = printer(peer, settings, &task);
    match opened {
        OpenRun::Finished(journal) => {
            printer.count(&journal)?;
            printer.summary();
            printer.end_of(&RunRecord::of(&journal)?)
        }
        OpenRun::Ready(ready) => {
            let ReadyRun { journal, run_options, mut pool } = *ready;
            printer.count(&journal)?;
            pool.launch_options.unknown_options = skipped_options();
            let stop = pool.launch_options.stop.clone();
            let changed = resume::changed_engines(args);
            let outcome = execute::resume_observed(&pool, &run_options, journal, changed, &mut |event| {
                printer.take(event, &stop);
            })?;
            printer.end(outcome)
        }
    }
}

/// Plays the games from the start, as a new run. Existing files of games are kept, and the games are added to them.
fn play_again(peer: Peer, settings: &Settings, args: &ResumeArgs) -> anyhow::Result<Exit> {
    let journal = Journal::open(&args.run)?;
    resume::check_owner(args, journal.spec())?;
    let spec = (**journal.spec()).clone();
    drop(journal);
    let task = task_of(&spec)?;
    let settings = Settings {
        // The folder changes below.
        config: settings.config.with_absolute_name()?,
        ..settings.clone()
    };
    resume::enter_folder(&spec)?;
    let Outputs { games, final_positions, .. } = &spec.outputs;
    let start = |file: &Option<PathBuf>| {
        file.as_deref().map_or(Ok(0), |file| output_file::check_in_folder(file, IfThere::Append))
    };
    let outputs = Outputs {
        games_start: start(games)?,
        final_positions_start: start(final_positions)?,
        ..spec.outputs.clone()
    };
    let parts = if spec.knockout.is_some() { knockout::first_round(&task) } else { spec.parts.clone() };
    let spec = RunSpec { outputs, parts, ..spec };
    let printer = printer(peer, &settings, &task);
    begin(peer, &settings, &args.run_options, spec, printer)
}
