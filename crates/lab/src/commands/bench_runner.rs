//! `bench-runner`: measures match runners in turn.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use tempfile::TempDir;

use crate::args::BenchRunnerArgs;
use threefold::exit::Exit;
use threefold::input::by_name;
use threefold::output::tables::table;
use threefold::streams;
use threefold_games::opening;
use threefold_lab::runner_benchmark::{Placeholders, Runner, TimedEvent, Turns};

/// One run of a runner.
struct Measured {
    elapsed: Duration,
    /// CPU time of the runner and the engines; `None` where the system does not say.
    cpu: Option<Duration>,
    turns: Turns,
}

/// Measures every runner and prints a table.
///
/// # Errors
/// If a runner fails, or plays no game.
pub fn run(args: &BenchRunnerArgs) -> anyhow::Result<Exit> {
    let folder = tempfile::tempdir().context("a temporary folder can't be made")?;
    let book = folder.path().join("book.epd");
    write_book(&book)?;
    let mut best: Vec<Option<Measured>> = args.runners.iter().map(|_| None).collect();
    for run in 1..=args.runs {
        for (runner, best) in args.runners.iter().zip(&mut best) {
            let measured = measure(runner, args, &folder, &book).with_context(|| runner.name.clone())?;
            streams::notice(&format!("run {run}: {}: {:.0} plies a second", runner.name, speed(&measured)));
            if best.as_ref().is_none_or(|best| speed(best) < speed(&measured)) {
                *best = Some(measured);
            }
        }
    }
    let measured: Vec<(&Runner, Measured)> =
        args.runners.iter().zip(best).filter_map(|(runner, best)| Some((runner, best?))).collect();
    let first = measured.first().map(|(_, first)| speed(first)).unwrap_or_default();
    if args.json {
        let objects: Vec<String> = measured.iter().map(|(runner, best)| json(runner, best)).collect();
        streams::result(&objects.join("\n"))?;
    } else {
        let header = ["runner", "plies/s", "times slower", "CPU/ply", "delay p50", "p99", "max"];
        streams::result(&table(&header, measured.iter().map(|(runner, best)| row(runner, best, first))))?;
    }
    Ok(Exit::Fine)
}

fn speed(measured: &Measured) -> f64 {
    measured.turns.moves as f64 / measured.elapsed.as_secs_f64().max(1e-9)
}

fn cpu_of_a_ply(measured: &Measured) -> Option<f64> {
    Some(measured.cpu?.as_secs_f64() * 1e6 / measured.turns.moves as f64)
}

fn micros(time: Option<Duration>) -> String {
    time.map_or_else(String::new, |time| format!("{:.0} µs", time.as_secs_f64() * 1e6))
}

fn row(runner: &Runner, best: &Measured, first: f64) -> Vec<String> {
    vec![
        runner.name.clone(),
        format!("{:.0}", speed(best)),
        format!("{:.2}", first / speed(best)),
        cpu_of_a_ply(best).map_or_else(String::new, |micros| format!("{micros:.1} µs")),
        micros(best.turns.quantile(0.5)),
        micros(best.turns.quantile(0.99)),
        micros(best.turns.quantile(1.0)),
    ]
}

fn json(runner: &Runner, best: &Measured) -> String {
    let micros = |share| best.turns.quantile(share).map(|time| time.as_secs_f64() * 1e6);
    serde_json::json!({
        "runner": runner.name,
        "plies": best.turns.moves,
        "seconds": best.elapsed.as_secs_f64(),
        "plies_per_second": speed(best),
        "cpu_us_per_ply": cpu_of_a_ply(best),
        "delay_us": { "p50": micros(0.5), "p99": micros(0.99), "max": micros(1.0) },
    })
    .to_string()
}

#[expect(clippy::disallowed_methods, reason = "another program is timed, and its files are read and written")]
fn measure(
    runner: &Runner,
    args: &BenchRunnerArgs,
    folder: &TempDir,
    book: &Path,
) -> anyhow::Result<Measured> {
    let program = std::env::current_exe().context("the path of this program is not known")?;
    let [times, pgn, journal] = ["times", "games.pgn", "run.sqlite"].map(|name| folder.path().join(name));
    for file in [&times, &pgn, &journal] {
        // A file may not exist yet. Engines append their times, so an old file would add those of another
        // run.
        let _ = fs::remove_file(file);
    }
    let words = runner.command(&Placeholders {
        program: &program,
        times: &times,
        book,
        pgn: &pgn,
        journal: &journal,
        games: args.games,
        jobs: args.jobs.get(),
        tc: &args.tc,
    });
    let (path, arguments) = words.split_first().context("the command is empty")?;
    // The folder of the caller: a path of a runner is relative to it.
    let mut command = Command::new(path);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let (before, begun) = (children_cpu(), Instant::now());
    let output = command.output().with_context(|| format!("`{path}` can't be started"))?;
    let elapsed = begun.elapsed();
    let cpu = children_cpu().zip(before).map(|(after, before)| after.saturating_sub(before));
    let records = fs::read(&times).unwrap_or_default();
    let (records, _) = records.as_chunks::<{ TimedEvent::SIZE }>();
    let turns = Turns::of(records.iter().map(TimedEvent::read).collect());
    if !output.status.success() || turns.moves == 0 {
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        let end: Vec<&str> = text.lines().rev().take(5).collect();
        let end: Vec<&str> = end.into_iter().rev().collect();
        anyhow::bail!(
            "it ended with {} after {} moves of its engines; its last output: {}",
            output.status,
            turns.moves,
            end.join(" / ")
        );
    }
    Ok(Measured { elapsed, cpu, turns })
}

/// The CPU time of all processes that this one has started and that have ended, with those that they had
/// started.
#[cfg(unix)]
fn children_cpu() -> Option<Duration> {
    use nix::sys::resource::{UsageWho, getrusage};
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).ok()?;
    let time = |time: nix::sys::time::TimeVal| {
        let micros = i128::from(time.tv_sec()) * 1_000_000 + i128::from(time.tv_usec());
        Duration::from_micros(u64::try_from(micros).unwrap_or_default())
    };
    Some(time(usage.user_time()) + time(usage.system_time()))
}

#[cfg(not(unix))]
fn children_cpu() -> Option<Duration> {
    None
}

/// Positions of the built-in openings, a FEN a line: every runner reads that.
#[expect(clippy::disallowed_methods, reason = "the book of other programs is a file")]
pub(super) fn write_book(file: &Path) -> anyhow::Result<()> {
    let (_, format, bytes) = by_name::openings(Path::new("builtin:balanced"))?;
    let openings = opening::parse_book(&bytes, format, None)?.openings;
    let fens = openings.iter().map(|opening| &opening.history).filter(|line| line.moves.is_empty());
    let fens: Vec<String> = fens.map(|line| line.start.to_string()).collect();
    fs::write(file, fens.join("\n") + "\n").with_context(|| format!("{}: can't be written", file.display()))
}
