//! `tune`: parameters of an engine, tuned by SPSA.

mod engine;
mod first_file;
mod parameters;
mod schedule;

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use self::schedule::ScheduleArgs;
use crate::args::engine_help;
use crate::exit::Exit;

/// `threefold tune`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  threefold tune --engine ./mine --from-engine > params.csv\n  \
    threefold tune --schedule --parameters params.csv --games 30000")]
pub struct TuneArgs {
    /// Engine whose UCI options are the parameters
    #[arg(long, value_name = "SPEC", long_help = engine_help("Engine whose UCI options are the parameters"))]
    pub engine: Option<String>,
    /// File of the parameters: a line each of `name, int|float, value, min, max, c_end, r_end`, as in OpenBench, or TOML
    #[arg(long, value_name = "FILE")]
    pub parameters: Option<PathBuf>,
    /// The iterations and their gains
    #[command(flatten)]
    pub schedule_args: ScheduleArgs,
    /// Print how far apart the sides are and how far a game moves each parameter, and play nothing: one JSON object a line
    #[arg(long, conflicts_with = "from_engine", requires = "parameters")]
    pub schedule: bool,
    /// Numbers of games after which --schedule prints [default: the first and the last iteration]
    #[arg(long, value_name = "GAMES", value_delimiter = ',', requires = "schedule")]
    pub at: Vec<u64>,
    /// Print a first file of parameters, made of the spin options of the engine, and play nothing
    #[arg(long, requires = "engine", conflicts_with = "parameters")]
    pub from_engine: bool,
}

/// Prints the schedule of a tune, or a first file of parameters.
///
/// # Errors
/// If the parameters or the engine don't fit.
pub fn run(args: &TuneArgs) -> anyhow::Result<Exit> {
    if args.from_engine {
        let engine = args.engine.as_deref().context("--from-engine: name the engine by --engine")?;
        return first_file::print(engine);
    }
    let file = args.parameters.as_deref().context(
        "--parameters: name the file of the parameters; `threefold tune --engine ./mine --from-engine` prints a first one",
    )?;
    schedule::print(&args.schedule_args.read()?, &parameters::read(file)?.parameters, &args.at)
}
