//! Arguments of the generators of positions.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, value_parser};

use threefold::args::{GeneratorOptions, TablesOption, from_one};
use threefold_mining::values::ValueClass;
use threefold_oracle::Material;

/// `threefold-lab positions traps`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold-lab positions traps --seed 7 --per-class 20 --out traps.csv")]
pub struct TrapArgs {
    /// Number of traps of each class
    #[arg(long, value_name = "N", default_value = "80", value_parser = from_one::<NonZeroUsize>)]
    pub per_class: NonZeroUsize,
    /// Endgame tables
    #[command(flatten)]
    pub tables: TablesOption,
    /// Seed, output and threads
    #[command(flatten)]
    pub options: GeneratorOptions,
}

/// `threefold-lab positions anecdotes`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  threefold-lab positions anecdotes --seed 7 --per-class 5 --out anecdotes.csv"
)]
pub struct AnecdoteArgs {
    /// Number of cases of each anecdote
    #[arg(long, value_name = "N", default_value = "24", value_parser = from_one::<NonZeroUsize>)]
    pub per_class: NonZeroUsize,
    /// Endgame tables
    #[command(flatten)]
    pub tables: TablesOption,
    /// Seed, output and threads
    #[command(flatten)]
    pub options: GeneratorOptions,
}

/// `threefold-lab positions mates`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  threefold-lab positions mates --seed 7 --longest 5 --per-distance 10 --out mates.epd"
)]
pub struct MateArgs {
    /// Longest mate, in moves
    #[arg(long, value_name = "MOVES", default_value_t = 20, value_parser = value_parser!(u16).range(1..=40))]
    pub longest: u16,
    /// Number of positions for each distance and each side (mating, being mated)
    #[arg(long, value_name = "N", default_value = "25", value_parser = from_one::<NonZeroUsize>)]
    pub per_distance: NonZeroUsize,
    /// Endgame tables
    #[command(flatten)]
    pub tables: TablesOption,
    /// Seed, output and threads
    #[command(flatten)]
    pub options: GeneratorOptions,
}

/// `threefold-lab positions underpromotions`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  threefold-lab positions underpromotions --seed 7 --count 50 --out underpromotions.epd"
)]
pub struct UnderpromotionArgs {
    /// Number of positions
    #[arg(long, value_name = "N", default_value = "24", value_parser = from_one::<NonZeroUsize>)]
    pub count: NonZeroUsize,
    /// Endgame tables
    #[command(flatten)]
    pub tables: TablesOption,
    /// Seed, output and threads
    #[command(flatten)]
    pub options: GeneratorOptions,
}

/// `threefold-lab positions perpetuals`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  threefold-lab positions perpetuals --traps traps.csv --out perpetuals.csv"
)]
pub struct PerpetualArgs {
    /// File of traps from `threefold-lab positions traps`
    #[arg(long, value_name = "FILE", default_value = "positions/traps.csv")]
    pub traps: PathBuf,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long, requires = "out")]
    pub force: bool,
}

/// `threefold-lab positions conversions`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  threefold-lab positions conversions --seed 7 --count 50 --out conversions.epd"
)]
pub struct ConversionArgs {
    /// Number of positions
    #[arg(long, value_name = "N", default_value = "200", value_parser = from_one::<NonZeroUsize>)]
    pub count: NonZeroUsize,
    /// An ending that can be won, White's pieces first; repeat it for more. Without it there are fifteen.
    #[arg(long, value_name = "MATERIAL")]
    pub material: Vec<Material>,
    /// Endgame tables
    #[command(flatten)]
    pub tables: TablesOption,
    /// Seed, output and threads
    #[command(flatten)]
    pub options: GeneratorOptions,
}

/// `threefold-lab positions defences`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold-lab positions defences --seed 7 --count 50 --out defences.epd")]
pub struct DefenceArgs {
    /// Number of positions: three draws to two losses
    #[arg(long, value_name = "N", default_value = "100", value_parser = from_one::<NonZeroUsize>)]
    pub count: NonZeroUsize,
    /// Endgame tables
    #[command(flatten)]
    pub tables: TablesOption,
    /// Seed, output and threads
    #[command(flatten)]
    pub options: GeneratorOptions,
}

/// `threefold-lab positions rules`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold-lab positions rules --seed 7 --per-class 5 --out rules.csv")]
pub struct RuleArgs {
    /// Number of positions of each class
    #[arg(long, value_name = "N", default_value = "12", value_parser = from_one::<NonZeroUsize>)]
    pub per_class: NonZeroUsize,
    /// Endgame tables
    #[command(flatten)]
    pub tables: TablesOption,
    /// Seed, output and threads
    #[command(flatten)]
    pub options: GeneratorOptions,
}

/// `threefold-lab positions values`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold-lab positions values --seed 7 --per-class 5 --out values.csv")]
pub struct ValueArgs {
    /// A class of positions; repeat it for more. Without it there are all
    #[arg(long, value_name = "CLASS")]
    pub class: Vec<ValueClass>,
    /// Number of positions of each class
    #[arg(long, value_name = "N", default_value = "12", value_parser = from_one::<NonZeroUsize>)]
    pub per_class: NonZeroUsize,
    /// Endgame tables
    #[command(flatten)]
    pub tables: TablesOption,
    /// Seed, output and threads
    #[command(flatten)]
    pub options: GeneratorOptions,
}

/// `threefold-lab positions special-moves`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  threefold-lab positions special-moves --seed 7 --per-class 5 --out special-moves.csv"
)]
pub struct SpecialMoveArgs {
    /// Number of positions of each class
    #[arg(long, value_name = "N", default_value = "10", value_parser = from_one::<NonZeroUsize>)]
    pub per_class: NonZeroUsize,
    /// Seed, output and threads
    #[command(flatten)]
    pub options: GeneratorOptions,
}

/// `threefold-lab positions symmetry`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  threefold-lab positions symmetry --seed 7 --per-class 5 --out symmetry.epd"
)]
pub struct SymmetryArgs {
    /// Number of positions of each class
    #[arg(long, value_name = "N", default_value = "96", value_parser = from_one::<NonZeroUsize>)]
    pub per_class: NonZeroUsize,
    /// Seed, output and threads
    #[command(flatten)]
    pub options: GeneratorOptions,
}

/// `threefold-lab positions root-returns`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  threefold-lab positions root-returns --seed 7 --per-class 5 --out root-returns.epd"
)]
pub struct RootReturnArgs {
    /// Number of positions of each material
    #[arg(long, value_name = "N", default_value = "16", value_parser = from_one::<NonZeroUsize>)]
    pub per_class: NonZeroUsize,
    /// Endgame tables
    #[command(flatten)]
    pub tables: TablesOption,
    /// Seed, output and threads
    #[command(flatten)]
    pub options: GeneratorOptions,
}

/// `threefold-lab positions fifty`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold-lab positions fifty --seed 7 --per-class 5 --out fifty.csv")]
pub struct FiftyArgs {
    /// Number of positions of each class
    #[arg(long, value_name = "N", default_value = "12", value_parser = from_one::<NonZeroUsize>)]
    pub per_class: NonZeroUsize,
    /// Endgame tables
    #[command(flatten)]
    pub tables: TablesOption,
    /// Seed, output and threads
    #[command(flatten)]
    pub options: GeneratorOptions,
}

/// `threefold-lab positions perpetual-bonus`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  threefold-lab positions perpetual-bonus --seed 7 --per-class 2 --out perpetual-bonus.csv"
)]
pub struct PerpetualBonusArgs {
    /// Number of positions of each class
    #[arg(long, value_name = "N", default_value = "12", value_parser = from_one::<NonZeroUsize>)]
    pub per_class: NonZeroUsize,
    /// Seed, output and threads
    #[command(flatten)]
    pub options: GeneratorOptions,
}

/// `threefold-lab positions best-moves`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  threefold-lab positions best-moves --seed 7 --count 50 --out best-moves.epd"
)]
pub struct BestMoveArgs {
    /// Number of positions
    #[arg(long, value_name = "N", default_value = "120", value_parser = from_one::<NonZeroUsize>)]
    pub count: NonZeroUsize,
    /// Seed, output and threads
    #[command(flatten)]
    pub options: GeneratorOptions,
    /// Endgame tables
    #[command(flatten)]
    pub tables: TablesOption,
}

/// `threefold-lab positions middlegame`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  threefold-lab positions middlegame --seed 7 --count 10 --out middlegame.csv"
)]
pub struct MiddlegameArgs {
    /// Number of positions
    #[arg(long, value_name = "N", default_value = "16", value_parser = from_one::<NonZeroUsize>)]
    pub count: NonZeroUsize,
    /// Seed, output and threads
    #[command(flatten)]
    pub options: GeneratorOptions,
}
