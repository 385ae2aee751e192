//! Arguments of `threefold-lab bench-runner` and of the engine that it uses.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, value_parser};

use threefold::args::from_one;
use threefold_lab::runner_benchmark::Runner;

/// `threefold-lab bench-runner`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold-lab bench-runner --runner threefold=./threefold --runner fastchess=./fastchess\n  \
    threefold-lab bench-runner --runner 'mine=./mine {engine} {engine} {games} {book} {pgn}'\n\n\
    Every game is played between two `threefold-lab instant-engine` processes from positions of the built-in openings. In a \
    COMMAND of your own, {engine} is the command of the engine, {games}, {concurrency} and {tc} are the options, {book} is an \
    EPD file and {pgn} the file to write."
)]
pub struct BenchRunnerArgs {
    /// A runner: `threefold`, `fastchess`, `c-chess-cli` or `cutechess-cli` with its path, or any name with a
    /// COMMAND. May be repeated: the runners are measured in turn, and compared with the first one
    #[arg(long = "runner", value_name = "NAME=PATH|COMMAND", required = true)]
    pub runners: Vec<Runner>,
    /// Number of games of a run
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = value_parser!(u32).range(2..))]
    pub games: u32,
    /// Number of runs of each runner, in turn; the fastest counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = value_parser!(u32).range(1..))]
    pub runs: u32,
    /// Number of games at a time
    #[arg(short = 'j', long = "jobs", value_name = "N", default_value = "2", value_parser = from_one::<NonZeroUsize>)]
    pub jobs: NonZeroUsize,
    /// Time control of the games
    #[arg(long, value_name = "TC", default_value = "10+0.1")]
    pub tc: String,
    /// Print one JSON object for each runner
    #[arg(long)]
    pub json: bool,
}

/// `threefold-lab instant-engine`
#[derive(Debug, Args)]
#[command(
    after_help = "Example: register this command as an engine in a match runner\n  threefold-lab instant-engine"
)]
pub struct InstantEngineArgs {
    /// Append the time of every `go` and every `bestmove` to this file when the engine quits
    #[arg(long, value_name = "FILE")]
    pub times: Option<PathBuf>,
}
