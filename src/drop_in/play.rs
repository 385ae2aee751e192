//! Plays the games of a command line and prints their lines.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use clap::Parser;

use super::book;
use super::engine;
use super::heading::Heading;
use super::lines::{Intervals, Lines};
use super::printer::Printer;
use super::ranking::Ranking;
use super::score::Unit;
use super::settings::{BookOrder, Form, OutputFile, Settings};
use super::translation::{Games, OutputFiles, games, words};
use super::warning::Checked;
use crate::args::{GameArgs, MatchArgs, RunOptions, SprtArgs, cores};
use crate::commands::games::{games_of, outputs, sprt_config, task_of};
use crate::exit::Exit;
use crate::output::traffic_printer::TrafficPrinter;
use crate::peer::Peer;
use crate::program;
use crate::session::execute::{self, RunOutcome};
use crate::session::journal_path::JournalPath;
use crate::streams;
use threefold_games::knockout::{self, MOST_EXTRA_PAIRS};
use threefold_games::opening::Opening;
use threefold_games::pairing::{Encounter, ScheduleRules, TournamentFormat};
use threefold_player::{EngineSpec, UnknownOptions};
use threefold_run::job::ReportSetName;
use threefold_run::journal;
use threefold_run::{MatchTask, PairCounting, Purpose, RunSpec, Task};

/// The translated command, with the options that `match` and `sprt` share.
#[derive(Parser)]
struct Match {
    #[command(flatten)]
    args: MatchArgs,
}

/// The same for a test.
#[derive(Parser)]
struct Test {
    #[command(flatten)]
    args: SprtArgs,
}

/// Plays the games of a command line. The exit code is 1 if the run was interrupted.
pub(super) fn play(peer: Peer, settings: &Settings) -> anyhow::Result<Exit> {
    let Prepared { spec, game } = prepare(peer, settings)?;
    subscribe(settings, &game.run_options)?;
    let task = match (&spec.knockout, &spec.parts[0].task) {
        (Some(task), _) => (**task).clone(),
        (None, Task::Match(task)) => task.clone(),
        (None, Task::Suite(_)) => anyhow::bail!("the run is no match"),
    };
    let mut printer = printer(peer, settings, &task);
    if settings.book.file.is_none() {
        printer.line("Warning: no opening book is given; all games begin at the start position.");
    } else if settings.book.order == BookOrder::Random {
        printer.line("Indexing opening suite...");
    }
    if task.format == TournamentFormat::Knockout && settings.seeds.get() < task.engines.len() {
        printer.line("Warning: all engines of the knockout are seeded in the order of -engine; none has a random place.");
    }
    begin(peer, settings, &game.run_options, spec, printer)
}

/// Begins a run and plays it to its end.
pub(super) fn begin(
    peer: Peer,
    settings: &Settings,
    run_options: &RunOptions,
    spec: RunSpec,
    mut printer: Printer<'_>,
) -> anyhow::Result<Exit> {
    let mut pool = execute::pool(run_options)?;
    pool.launch_options.unknown_options = skipped_options();
    let stop = pool.launch_options.stop.clone();
    let named = settings.config.outname.as_deref();
    let place = named.map_or(JournalPath::Next(peer.program()), JournalPath::Over);
    let outcome = execute::begin_observed(&pool, run_options, spec, &place, &mut |event| {
        printer.take(event, &stop);
    })?;
    if let RunOutcome::Finished(finished) = &outcome
        && finished.games.is_ok()
        && settings.is_test_environment
        && named.is_none()
    {
        journal::remove(&finished.journal).context("Error: the journal can't be removed")?;
    }
    printer.end(outcome)
}

/// Begins the log, and the display of the traffic.
pub(super) fn subscribe(settings: &Settings, run_options: &RunOptions) -> anyhow::Result<()> {
    let printer = settings.prints_traffic.then(TrafficPrinter::start);
    Ok(program::subscribe(Some(run_options), printer)?)
}

/// The printer of a run with these games.
pub(super) fn printer<'t>(peer: Peer, settings: &'t Settings, task: &'t MatchTask) -> Printer<'t> {
    let is_in_pairs = task.rules.encounter == Encounter::Pair;
    let counts_pairs = settings.reports_pairs && is_in_pairs && settings.form == Form::Fastchess;
    let intervals = Intervals {
        form: settings.form,
        unit: if counts_pairs { Unit::Pairs } else { Unit::Games },
        rating: settings.rating_interval,
        score: settings.score_interval,
        checked: if settings.checks_mate_pvs { Checked::MatePvs } else { Checked::Usual },
    };
    let heading = Heading::of(&task.engines, settings.book.file.as_deref());
    let ranking = (peer == Peer::Cutechess)
        .then(|| Ranking::new(task, settings.result_format.clone(), settings.outcome_interval));
    Printer::new(Lines::new(io::stdout(), task, heading, intervals).with_ranking(ranking), task, settings)
}

/// Options that an engine lacks are left out, as fastchess does, with a warning for each.
pub(super) fn skipped_options() -> UnknownOptions {
    let known: Mutex<BTreeSet<[String; 2]>> = Mutex::default();
    UnknownOptions::Skipped(Arc::new(move |engine, option| {
        let is_new = known.lock().is_ok_and(|mut known| known.insert([engine, option].map(str::to_owned)));
        if is_new {
            // If standard output is closed, the next line of the run reports it.
            _ = streams::result(&format!("Warning; {engine} doesn't have option {option}"));
        }
    }))
}

/// A run that can begin.
struct Prepared {
    spec: RunSpec,
    game: GameArgs,
}

fn prepare(peer: Peer, settings: &Settings) -> anyhow::Result<Prepared> {
    anyhow::ensure!(
        !settings.is_chess960 || settings.book.file.is_some(),
        "Error: -variant fischerandom needs a book; give -openings file="
    );
    let engines = engine::specs(settings)?;
    let games = games(peer, settings, engines.len())?;
    let files = OutputFiles {
        pgn: settings.pgn.as_ref().map(|pgn| named(peer, pgn, "pgn")),
        epd: settings.epd.as_ref().map(|epd| named(peer, epd, "epd")),
    };
    let words = words(settings, &engines, games, cores(), &files)?;
    let openings = match settings.format {
        TournamentFormat::Knockout => games.rounds * knockout::rounds(engines.len()) + MOST_EXTRA_PAIRS,
        _ => games.schedule(settings, engines.len()).openings_needed(),
    };
    let openings = book::openings(&settings.book, settings.seed, openings)?;
    let (mut game, task) = read_words(settings, &words, games, engines, openings)?;
    game.run_options.words.clone_from(&settings.line);
    game.run_options.force = !settings.appends() || settings.forces_concurrency || settings.log.is_replaced();
    let names: Vec<&str> = task.engines.iter().map(|engine| engine.name.as_str()).collect();
    let spec = RunSpec {
        title: names.join(" – "),
        outputs: outputs(&game, ReportSetName::default())?,
        seed: settings.seed.unwrap_or_default(),
        // -recover, or its absence, decides what a fault does.
        max_faults: None,
        // The programs that it stands in for count every game, also one that was played before.
        counting: PairCounting::All,
        ..games_of(peer.program(), task)
    };
    Ok(Prepared { spec, game })
}

/// Reads the words of `match` or `sprt` and describes their games.
fn read_words(
    settings: &Settings,
    words: &[String],
    games: Games,
    engines: Vec<EngineSpec>,
    openings: Vec<Opening>,
) -> anyhow::Result<(GameArgs, MatchTask)> {
    if settings.sprt.is_some() {
        let Test { args } = Test::try_parse_from(words)?;
        let purpose = Purpose::Test(sprt_config(&args)?.into());
        let rules = ScheduleRules { cutechess: games.order, ..args.game.rules() };
        let task =
            task_of(&args.game, engines, openings, (TournamentFormat::Gauntlet, rules), args.games, purpose)?;
        return Ok((args.game, task));
    }
    let Match { args } = Match::try_parse_from(words)?;
    let rules = ScheduleRules { seeds: args.seeds, cutechess: games.order, ..args.game.rules() };
    let format = args.tournament.parse()?;
    let task = task_of(&args.game, engines, openings, (format, rules), args.games, Purpose::Match)?;
    Ok((args.game, task))
}

/// A file with a name: without one it has the time, as that of fastchess.
#[expect(clippy::disallowed_methods, reason = "the default name has the time")]
fn named(peer: Peer, output: &OutputFile, extension: &str) -> PathBuf {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let unnamed = || PathBuf::from(format!("{}_{seconds}.{extension}", peer.program()));
    output.file.clone().unwrap_or_else(unnamed)
}
