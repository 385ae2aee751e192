//! `bench`: the node count that identifies Echo's search, or the speed of engines.

mod candidate;
mod comparison;
mod measurement;
mod output;
mod profile;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::Args;

use self::candidate::Candidate;
pub use self::candidate::Scan;
use self::comparison::Results;
use self::measurement::{Failure, Meter, Round};
use crate::args::{engine_help, from_one, seconds};
use crate::exit::Exit;
use crate::output::progress;
use crate::session::interrupt::Interruption;
use crate::streams;
use threefold_chess::clock::{ClockSource, Limits};
use threefold_player::{EngineFault, LaunchOptions, NoticeSender, SearchTimeout, WaitLimit};
use threefold_run::pool::RunError;

/// `threefold bench`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  threefold bench    # Echo: the count changes when the search does\n  \
    threefold bench --engine ./new --engine ./old\n  \
    threefold bench --engine ./mine --engine stockfish --movetime 300 --rounds 20\n  \
    threefold bench --engine ./mine --scan Hash=1,16,256 --json")]
pub struct BenchArgs {
    /// Engine whose speed is measured; the first is compared with each of the others
    #[arg(
        long = "engine",
        value_name = "SPEC",
        long_help = engine_help("Engine whose speed is measured; the first is compared with each of the others")
    )]
    pub engines: Vec<String>,
    /// Number of rounds, after one that does not count; in each, a new process of every engine searches all
    /// positions
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = from_one::<u32>, requires = "engines")]
    pub rounds: u32,
    /// Node limit of each search [default: 250000]
    #[arg(long, value_name = "N", value_parser = from_one::<u64>, requires = "engines")]
    pub nodes: Option<u64>,
    /// Time limit of each search, in milliseconds; for engines that ignore node limits
    #[arg(
        long,
        value_name = "MS",
        value_parser = from_one::<u64>,
        conflicts_with = "nodes",
        requires = "engines"
    )]
    pub movetime: Option<u64>,
    /// Measure every engine with each of these values of a UCI option, such as Hash=1,16,256 or Threads=1,2,4
    #[arg(long, value_name = "NAME=VALUES", requires = "engines")]
    pub scan: Option<Scan>,
    /// Setting for every engine: a SPEC key or a UCI option; may be repeated
    #[arg(long = "each", value_name = "KEY=VALUE", requires = "engines")]
    pub each: Vec<String>,
    /// Time limit for an engine to start, in seconds [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, requires = "engines")]
    pub startup: Option<Duration>,
    /// Time limit for a search with a node limit, in seconds [default: 30 more than the longest search so far,
    /// at most 300]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, requires = "engines")]
    pub search_timeout: Option<Duration>,
    /// Write a flame graph of the first engine with the change against the second; needs the program `perf`
    #[arg(long, value_name = "FILE.svg", requires = "engines", conflicts_with = "scan")]
    pub profile: Option<PathBuf>,
    /// Print one JSON object for each engine and value, a line each
    #[arg(long, requires = "engines")]
    pub json: bool,
}

/// Node limit of a search without --nodes: at a million nodes per second, an engine needs about three seconds
/// for a round.
const NODES: u64 = 250_000;

/// Prints the node count that identifies Echo's search, and the speed of this machine; or measures engines.
///
/// # Errors
/// If an engine can't be started, or has a fault.
pub fn run(args: &BenchArgs) -> anyhow::Result<Exit> {
    if args.engines.is_empty() {
        streams::result(&echo_uci::bench_line())?;
        return Ok(Exit::Fine);
    }
    let candidates = candidate::of_engines(&args.engines, &args.each, args.scan.as_ref())?;
    // The number of engines and `perf` are checked before the measurement, which takes minutes.
    let profiled =
        args.profile.as_deref().map(|file| pair(&candidates).map(|pair| (file, pair))).transpose()?;
    if profiled.is_some() {
        profile::check()?;
    }
    let limits = limits(args);
    let meter = Meter::new(launch_options(args)?, limits);
    match measure(&meter, &candidates, args.rounds) {
        Ok(rounds) => {
            // Printed first, since the measurement is complete whatever becomes of the flame graph.
            print(&Results::new(candidates.clone(), rounds, limits), args)?;
            if let Some((file, pair)) = profiled {
                profile::write(&meter, pair, file)?;
            }
            Ok(Exit::Fine)
        }
        Err(Failure { fault: EngineFault::Interrupted, .. }) => {
            streams::notice("interrupted; nothing is printed before the last round");
            Ok(Exit::Interrupted)
        }
        Err(failure) => Err(error(&candidates[failure.candidate], failure.fault)),
    }
}

fn print(results: &Results, args: &BenchArgs) -> anyhow::Result<()> {
    if args.json {
        streams::results(&output::json(results))?;
    } else {
        streams::results(&output::text(results))?;
    }
    for warning in output::warnings(results) {
        streams::notice(&format!("warning: {warning}"));
    }
    Ok(())
}

/// The engines of a flame graph.
fn pair(candidates: &[Candidate]) -> anyhow::Result<[&Candidate; 2]> {
    match candidates {
        [new, old] => Ok([new, old]),
        _ => anyhow::bail!("--profile compares two engines; give --engine twice"),
    }
}

fn limits(args: &BenchArgs) -> Limits {
    match args.movetime {
        Some(time) => Limits { movetime: Some(Duration::from_millis(time)), ..Limits::default() },
        None => Limits::nodes(args.nodes.unwrap_or(NODES)),
    }
}

/// Ctrl-C stops the searches, and Ctrl-Z the clocks.
fn launch_options(args: &BenchArgs) -> anyhow::Result<LaunchOptions> {
    let mut options = LaunchOptions::new(ClockSource::Wall, Interruption::installed()?.stop);
    options.startup = args.startup.unwrap_or(options.startup);
    options.search_timeout = args.search_timeout.map_or_else(SearchTimeout::default, SearchTimeout::fixed);
    options.notices = NoticeSender::to(|notice| streams::notice(&notice.to_string()));
    options.clock.watch(&options.groups).context("can't watch for suspensions of the machine")?;
    Ok(options)
}

/// Measures all rounds, with a progress bar on a terminal.
fn measure(meter: &Meter, candidates: &[Candidate], rounds: u32) -> Result<Vec<Vec<Round>>, Failure> {
    let bar = progress::bar((u64::from(rounds) + 1) * candidates.len() as u64, "bench");
    // No thread of this process runs while an engine is measured.
    bar.disable_steady_tick();
    let measured = measurement::rounds(meter, candidates, rounds, |candidate| {
        bar.set_message(candidate.title.clone());
        bar.inc(1);
    });
    bar.finish_and_clear();
    measured
}

/// The error of a fault, with a remedy.
fn error(candidate: &Candidate, fault: EngineFault) -> anyhow::Error {
    let is_slow = matches!(
        fault,
        EngineFault::TimedOut { limit: WaitLimit::SearchTimeout | WaitLimit::Nodes | WaitLimit::Ignored, .. }
    );
    let spec = candidate.spec.text.clone().into();
    let error = RunError::Engine { engine: candidate.title.clone(), spec, fault, log: None };
    let error = anyhow::Error::new(error);
    if is_slow {
        return error
            .context("a search did not end; for an engine that ignores node limits, give --movetime 300");
    }
    error
}
