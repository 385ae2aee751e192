//! `tune`: parameters of an engine, tuned by SPSA.

mod engine;
mod first_file;
mod parameters;
mod play;
mod schedule;

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use self::play::PlayArgs;
use self::schedule::ScheduleArgs;
use crate::args::{GameArgs, engine_help};
use crate::exit::Exit;

/// `threefold tune`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  threefold tune --engine ./mine --from-engine > params.csv\n  \
    threefold tune --schedule --parameters params.csv --games 30000\n  \
    threefold tune --engine ./mine --parameters params.csv --games 30000 --tc 8+0.08\n\n\
    Exit code: 0 when the test shows that the tuned values are stronger, and with --no-test; 1 when it does not; 3 when engine \
    faults stop the run.")]
pub struct TuneArgs {
    /// Engine whose UCI options are the parameters
    #[arg(long, value_name = "SPEC", long_help = engine_help("Engine whose UCI options are the parameters"))]
    pub engine: Option<String>,
    /// File of the parameters: a line each of `name, int|float, value, min, max, c_end, r_end`, as in
    /// OpenBench, or TOML
    #[arg(long, value_name = "FILE")]
    pub parameters: Option<PathBuf>,
    /// The iterations and their gains
    #[command(flatten)]
    pub schedule_args: ScheduleArgs,
    /// Print how far apart the sides are and how far a game moves each parameter, and play nothing: one JSON
    /// object a line
    #[arg(long, conflicts_with = "from_engine", requires = "parameters")]
    pub schedule: bool,
    /// Numbers of games after which --schedule prints [default: the first and the last iteration]
    #[arg(long, value_name = "GAMES", value_delimiter = ',', requires = "schedule")]
    pub at: Vec<u64>,
    /// Print a first file of parameters, made of the spin options of the engine, and play nothing
    #[arg(long, requires = "engine", conflicts_with = "parameters")]
    pub from_engine: bool,
    /// The games of the tune, and the test of its result
    #[command(flatten)]
    pub play: PlayArgs,
    /// Print the result as one JSON object, the one of report.json
    #[arg(long)]
    pub json: bool,
    /// Conditions of the games
    #[command(flatten)]
    pub game: GameArgs,
}

/// Tunes parameters and tests the result, or prints the schedule of a tune, or a first file of parameters.
///
/// # Errors
/// If the parameters or the engine don't fit, or the run can't begin.
pub fn run(args: &TuneArgs) -> anyhow::Result<Exit> {
    if args.from_engine {
        let engine = args.engine.as_deref().context("--from-engine: name the engine by --engine")?;
        return first_file::print(engine, args.game.run_options.startup);
    }
    let path = args.parameters.as_deref().context(
        "--parameters: name the file of the parameters; `threefold tune --engine ./mine --from-engine` prints a first one",
    )?;
    let schedule = args.schedule_args.read()?;
    let file = parameters::read(path)?;
    if args.schedule {
        return schedule::print(&schedule, &file.parameters, &args.at);
    }
    play::play(args, schedule, path, file)
}
