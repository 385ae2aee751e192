//! Arguments of `threefold bench-runner` and of the engine that it uses.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, value_parser};

use super::from_one;
use crate::runner_benchmark::Runner;

/// `threefold bench-runner`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  threefold bench-runner\n  \
    threefold bench-runner --runner c-chess-cli=./c-chess-cli --runner fastchess=./fastchess\n  \
    threefold bench-runner --runner 'mine=./mine {engine} {engine} {games} {book} {pgn}'\n\n\
    Every game is played between two `threefold instant-engine` processes from positions of the built-in openings. In a \
    COMMAND of your own, {engine} is the command of the engine, {games}, {concurrency} and {tc} are the options, {book} is an \
    EPD file and {pgn} the file to write.")]
pub struct BenchRunnerArgs {
    /// Another runner, to be measured in turn with this one: `fastchess`, `c-chess-cli` or `cutechess-cli` with its path, or
    /// any name with a COMMAND; may be repeated
    #[arg(long = "runner", value_name = "NAME=PATH|COMMAND")]
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

/// `threefold instant-engine`
#[derive(Debug, Args)]
#[command(
    after_help = "Example: register this command as an engine in a match runner\n  threefold instant-engine"
)]
pub struct InstantEngineArgs {
    /// Append the time of every `go` and every `bestmove` to this file when the engine quits
    #[arg(long, value_name = "FILE")]
    pub times: Option<PathBuf>,
}
