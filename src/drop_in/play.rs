//! Plays the games of a command line and prints their lines.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::Context;
use clap::Parser;

use super::book;
use super::bracket;
use super::engine;
use super::heading::Heading;
use super::lines::{Intervals, Lines};
use super::score::Unit;
use super::settings::{BookOrder, Form, OutputFile, Settings};
use super::translation::{OutputFiles, games, jobs, words};
use super::warning::Checked;
use crate::args::{GameArgs, MatchArgs, SprtArgs, cores};
use crate::commands::games::{games_of, outputs, sprt_config, task_of};
use crate::execute::{self, RunOutcome};
use crate::exit::Exit;
use crate::journal_path::JournalPath;
use crate::peer::Peer;
use crate::program;
use crate::streams;
use threefold_harness::arena::game::GameEnd;
use threefold_harness::arena::knockout::{self, MOST_EXTRA_PAIRS};
use threefold_harness::arena::opening::Opening;
use threefold_harness::arena::pairing::{ScheduleRules, TournamentFormat};
use threefold_harness::player::{EngineSpec, UnknownOptions};
use threefold_harness::run::event::RunEvent;
use threefold_harness::run::job::ReportSetName;
use threefold_harness::run::journal;
use threefold_harness::run::{JobResult, MatchTask, Purpose, RunSpec, Task};

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

/// Plays all games; the exit code is 1 if the run was interrupted.
#[expect(clippy::disallowed_methods, reason = "the last line says how long the run took")]
pub(super) fn play(peer: Peer, settings: &Settings) -> anyhow::Result<Exit> {
    let begun = Instant::now();
    let Prepared { spec, game, intervals } = prepare(peer, settings)?;
    program::subscribe(Some(&game.run_options))?;
    let task = match (&spec.knockout, &spec.parts[0].task) {
        (Some(task), _) => (**task).clone(),
        (None, Task::Match(task)) => task.clone(),
        (None, Task::Suite(_)) => anyhow::bail!("the run is no match"),
    };
    let heading = Heading::of(&task.engines, settings.book.file.as_deref());
    let mut lines = Lines::new(io::stdout(), &task, heading, intervals);
    if settings.book.file.is_none() {
        lines.line("Warning: no opening book is given; all games begin at the start position.");
    } else if settings.book.order == BookOrder::Random {
        lines.line("Indexing opening suite...");
    }
    if task.format == TournamentFormat::Knockout && settings.seeds.get() < task.engines.len() {
        lines.line("Warning: all engines of the knockout are seeded in the order of -engine; none has a random place.");
    }
    let mut pool = execute::pool(&game.run_options)?;
    pool.launch_options.unknown_options = skipped_options();
    let stop = pool.launch_options.stop.clone();
    let mut crashed = None;
    let place = settings.journal.as_deref().map_or(JournalPath::Next(peer.program()), JournalPath::Over);
    let outcome = execute::begin_observed(&pool, &game.run_options, spec, &place, &mut |event| {
        lines.take(event);
        if lines.is_over() || (!settings.recovers && is_crash(event, &lines, &mut crashed)) {
            stop.raise();
        }
    })?;
    let (exit, mut closing) = match outcome {
        RunOutcome::Finished(finished) => {
            finished.games?;
            if settings.is_test_environment && settings.journal.is_none() {
                journal::remove(&finished.journal).context("Error: the journal can't be removed")?;
            }
            let is_failed = settings.is_strict && lines.has_warnings();
            let bracket =
                finished.run.knockout().map(|state| bracket::lines(&task, &state)).unwrap_or_default();
            (if is_failed { Exit::Worse } else { Exit::Fine }, bracket)
        }
        RunOutcome::Interrupted => (Exit::Worse, interrupted(crashed)),
    };
    closing.push("Finished match".to_owned());
    closing.push(total_time(begun.elapsed()));
    closing.push(String::new());
    lines.end(&closing).context("standard output can't be written")?;
    Ok(exit)
}

/// Options that an engine lacks are left out, as fastchess does, with a warning for each.
fn skipped_options() -> UnknownOptions {
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
    intervals: Intervals,
}

fn prepare(peer: Peer, settings: &Settings) -> anyhow::Result<Prepared> {
    anyhow::ensure!(
        !settings.is_chess960 || settings.book.file.is_some(),
        "Error: -variant fischerandom needs a book; give -openings file="
    );
    let games = games(peer, settings)?;
    let engines = engine::specs(settings)?;
    let files = OutputFiles {
        pgn: settings.pgn.as_ref().map(|pgn| named(peer, pgn, "pgn")),
        epd: settings.epd.as_ref().map(|epd| named(peer, epd, "epd")),
    };
    let words = words(settings, &engines, games, jobs(settings, cores())?, &files)?;
    let openings = match settings.format {
        TournamentFormat::Knockout => games.rounds * knockout::rounds(engines.len()) + MOST_EXTRA_PAIRS,
        _ => games.rounds,
    };
    let openings = book::openings(&settings.book, settings.seed, openings)?;
    let (mut game, task) = read_words(settings, &words, engines, openings)?;
    game.run_options.force = !settings.appends() || settings.forces_concurrency;
    let names: Vec<&str> = task.engines.iter().map(|engine| engine.name.as_str()).collect();
    let spec = RunSpec {
        title: names.join(" – "),
        outputs: outputs(&game, ReportSetName::default())?,
        seed: settings.seed.unwrap_or_default(),
        // -recover, or its absence, decides what a fault does.
        max_faults: None,
        ..games_of(peer.program(), task)
    };
    let counts_pairs = settings.reports_pairs && games.per_encounter == 2 && settings.form == Form::Fastchess;
    let intervals = Intervals {
        form: settings.form,
        unit: if counts_pairs { Unit::Pairs } else { Unit::Games },
        rating: settings.rating_interval,
        score: settings.score_interval,
        checked: if settings.checks_mate_pvs { Checked::MatePvs } else { Checked::Usual },
    };
    Ok(Prepared { spec, game, intervals })
}

/// Reads the words of `match` or `sprt` and describes their games.
fn read_words(
    settings: &Settings,
    words: &[String],
    engines: Vec<EngineSpec>,
    openings: Vec<Opening>,
) -> anyhow::Result<(GameArgs, MatchTask)> {
    if settings.sprt.is_some() {
        let Test { args } = Test::try_parse_from(words)?;
        let purpose = Purpose::Test(sprt_config(&args)?);
        let rules = args.game.rules();
        let task =
            task_of(&args.game, engines, openings, (TournamentFormat::Gauntlet, rules), args.games, purpose)?;
        return Ok((args.game, task));
    }
    let Match { args } = Match::try_parse_from(words)?;
    let rules = ScheduleRules { seeds: args.seeds, ..args.game.rules() };
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

/// Has an engine crashed, or stopped to answer? The first such game is kept.
fn is_crash<W: io::Write>(event: &RunEvent<'_>, lines: &Lines<'_, W>, crashed: &mut Option<usize>) -> bool {
    if let RunEvent::JobEnded { key, result: JobResult::Game(game), .. } = event
        && matches!(game.end, GameEnd::EngineFault(_))
    {
        crashed.get_or_insert(lines.number(*key));
    }
    crashed.is_some()
}

/// The lines of a run that was interrupted. They have none of the words that frameworks count as faults.
fn interrupted(crashed: Option<usize>) -> Vec<String> {
    let why = crashed.map(|game| format!("Game {game} ended by an engine fault, and -recover is not given."));
    let what = "Tournament was interrupted. `threefold resume` continues it from its journal.".to_owned();
    why.into_iter().chain([what]).collect()
}

/// `Total Time: 00:01:02 (hours:minutes:seconds)`
fn total_time(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("Total Time: {hours:02}:{minutes:02}:{seconds:02} (hours:minutes:seconds)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn total_time_has_hours_minutes_and_seconds() {
        assert_eq!(
            total_time(Duration::from_secs(2 * 3600 + 62)),
            "Total Time: 02:01:02 (hours:minutes:seconds)"
        );
    }

    #[test]
    fn lines_of_an_interruption_have_no_word_that_counts_as_a_fault() {
        for line in interrupted(Some(3)).iter().chain(&interrupted(None)) {
            for word in ["disconnect", "stall", "on time", "timeout"] {
                assert!(!line.contains(word), "{line}");
            }
            assert!(line.is_ascii() && !line.is_empty());
        }
        assert!(interrupted(Some(3))[0].starts_with("Game 3 ended by an engine fault"));
    }
}
