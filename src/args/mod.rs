//! The command line: commands, options, and their help.

mod adjudication;
mod calibrate;
mod cases;
mod doctor;
mod documents;
mod fleet;
mod game_files;
mod games;
#[cfg(test)]
mod help_page_tests;
pub mod hints;
mod init;
mod jobs;
mod log;
mod peer;
mod plan;
mod positions;
mod rate;
#[cfg(test)]
mod reference_tests;
mod report;
mod resume;
mod run_options;
mod tablebase;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, value_parser};

use threefold_chess::clock::Clocks;
use threefold_player::spec::HarnessKey;
use threefold_run::regress::BaseOptions;

pub use adjudication::AdjudicationArgs;
pub use calibrate::CalibrateArgs;
pub use cases::{BundleArgs, ExplainArgs, HistoryArgs};
pub use doctor::DoctorArgs;
pub use documents::{CompletionsArgs, ManArgs};
pub use fleet::{
    ConfineArgs, ExcludeArgs, FleetCommand, RemoveArgs, ServerArgs, SignArgs, StatusArgs, SubmitArgs,
    SubmittedCommand, WorkArgs,
};
pub use game_files::GameFileArgs;
pub use games::{GameArgs, MatchArgs, SprtArgs, number_of_games};
pub use init::InitArgs;
pub use jobs::Jobs;
pub use log::{LogLevel, LogOptions};
use peer::CUTECHESS_EXAMPLE;
pub use peer::PeerArgs;
pub use plan::PlanArgs;
pub use positions::{
    CheckArgs, GeneratorOptions, OpeningArgs, PositionsCommand, ProveArgs, SignatureArgs, TablesOption,
    VerifyProofArgs,
};
pub use rate::{BrokenOff, ErrorsBy, RateArgs};
pub use report::ReportArgs;
pub use resume::ResumeArgs;
pub use run_options::{CpuList, RunOptions};
pub use tablebase::{BuildArgs, ProbeArgs, TableFolder, TablebaseCommand, VerifyArgs};

use documents::COMPLETIONS_EXAMPLE;
pub use run_options::from_one;
use run_options::seconds;
use threefold_run::FaultLimit;
use threefold_run::job::Undecided;

/// Tests chess engines: regression suites, SPRT matches, rating lists and strength calibration
#[derive(Debug, Parser)]
#[command(
    version = crate::VERSION,
    after_help = "Exit codes:\n  0    success\n  1    a regression, a missed threshold, or an SPRT that accepted H0\n  2    wrong usage or unreadable input\n  \
    3    an engine cannot be started, or engine faults stopped the run\n  130  interrupted; `threefold resume` continues the run\n\n\
    An engine is written as SOURCE[,key=value]…, where SOURCE is `echo` (built in), a command, or an entry of a file:\n  \
    echo,RepetitionPolicy=HistoryDraw,Hash=16    ./stockfish,name=SF,Threads=1    @engines.toml#old"
)]
pub struct Cli {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Set up an engine's repository for `regress`: find the engine, write a plan, a baseline and a CI workflow.
    Init(InitArgs),
    /// Run a regression test: suites, matches and a calibration, compared with a baseline.
    Regress(RegressArgs),
    /// Run suites of test positions on engines.
    Suite(SuiteArgs),
    /// Play a match or a tournament.
    Match(MatchArgs),
    /// Play two engines against each other until a sequential test (SPRT) decides.
    Sprt(SprtArgs),
    /// Play games by a command line of fastchess, and print its lines.
    Fastchess(PeerArgs),
    /// Play games by a command line of cutechess-cli, and print its lines.
    #[command(after_help = CUTECHESS_EXAMPLE)]
    CutechessCli(PeerArgs),
    /// Estimate how many games an SPRT needs.
    Plan(PlanArgs),
    /// Continue a run that was interrupted or killed.
    Resume(ResumeArgs),
    /// Measure the Elo of an engine's strength levels, or of node budgets.
    Calibrate(CalibrateArgs),
    /// Compute a rating list of all players in PGN files.
    Rate(RateArgs),
    /// Write the reports of a run from its journal.
    Report(ReportArgs),
    /// Explain a case: its position, what is accepted and why, and what the engine played.
    Explain(ExplainArgs),
    /// Write everything that reproduces a case, or a game with a fault, into a folder.
    Bundle(BundleArgs),
    /// Show results over time from baselines and journals: trends, changes and flaky cases.
    History(HistoryArgs),
    /// Generate openings, prove mates, or verify position files.
    #[command(
        subcommand,
        after_help = "Examples:\n  threefold positions openings --seed 1 --count 500 --out openings.epd\n  \
        threefold positions check"
    )]
    Positions(PositionsCommand),
    /// Build, probe and verify endgame tables (distance to mate).
    #[command(
        subcommand,
        after_help = "Examples:\n  threefold tablebase build --pieces 4\n  \
        threefold tablebase probe \"8/8/8/8/8/4k3/4p3/4K3 w - - 0 1\"\n  threefold tablebase verify"
    )]
    Tablebase(TablebaseCommand),
    /// Run the built-in engine Echo as a UCI engine.
    Uci(UciArgs),
    /// Search a fixed set of positions with Echo and print the node count and speed.
    #[command(after_help = "Example:\n  threefold bench    # the count changes when the search does")]
    Bench,
    /// Count the leaf nodes of the legal move tree with Echo's move generator.
    Perft(PerftArgs),
    /// Check whether this machine is fit for games on the wall clock, and how many at a time.
    Doctor(DoctorArgs),
    /// Run the jobs of a command on many machines, through a NATS server.
    #[command(subcommand)]
    Fleet(FleetCommand),
    /// Print a completion script for a shell.
    #[command(after_help = COMPLETIONS_EXAMPLE)]
    Completions(CompletionsArgs),
    /// Write the manual pages, one for each command.
    #[command(after_help = "Example:\n  threefold man --dir ~/.local/share/man/man1")]
    Man(ManArgs),
}

/// `threefold regress`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold regress --accept    # store the results as the new baseline\n  \
    threefold regress             # compare with it\n  threefold regress --base-commit origin/main\n  \
    threefold regress --engine ./mine    # without a plan of its own"
)]
pub struct RegressArgs {
    /// Plan of suites, tests and calibrations: a file, or the name of a built-in plan [default: `threefold.toml` in this
    /// folder; else `engine` with --engine, and `regress`, the plan for Echo, without]
    #[arg(long, value_name = "FILE|NAME")]
    pub plan: Option<PathBuf>,
    /// Engine under test [default: the engine of the plan]
    #[arg(long, value_name = "SPEC")]
    pub engine: Option<String>,
    /// Commit of the base version, which the engine plays against; built by the plan's `build`, once for each commit
    /// [default: that of the plan]
    #[arg(long, value_name = "REVISION", conflicts_with = "base_engine")]
    pub base_commit: Option<String>,
    /// Engine that is the base version [default: that of the plan]
    #[arg(long, value_name = "SPEC")]
    pub base_engine: Option<String>,
    /// UCI options of a base version that is another engine: `inherited` from the engine under test where its SPEC has no
    /// value, or only its `own` [default: that of the plan, or inherited]
    #[arg(long, value_name = "WHICH")]
    pub base_options: Option<BaseOptions>,
    /// Baseline to compare with; the folder must exist [default: `.threefold/baseline` in this folder or a parent inside
    /// the git repository; for Echo under the built-in plan, the built-in baseline]
    #[arg(long, value_name = "DIR")]
    pub baseline: Option<PathBuf>,
    /// Folder for the reports
    #[arg(long, value_name = "DIR", default_value = "reports/latest")]
    pub out: PathBuf,
    /// Store the results as the new baseline, in the folder of --baseline or in `.threefold/baseline`
    #[arg(long)]
    pub accept: bool,
    /// Play fewer games: the quick numbers of the plan
    #[arg(long, conflicts_with = "accept")]
    pub quick: bool,
    /// Maximum number of engine faults in a suite or match, or share such as 2%; more stop the run with exit code 3 [default:
    /// 0 of the engine under test]
    #[arg(long, value_name = "N|N%")]
    pub max_faults: Option<FaultLimit>,
    /// Exit code of an undecided test: `pass` is 0, `fail` is 1
    #[arg(long, value_name = "HOW", default_value_t = Undecided::Pass)]
    pub undecided: Undecided,
    /// Start over, even if the report folder holds an interrupted run
    #[arg(long)]
    pub fresh: bool,
    /// Options of every run
    #[command(flatten)]
    pub run_options: RunOptions,
}

/// Limits of one search.
#[derive(Debug, Clone, Args)]
pub struct SearchLimits {
    /// Node limit of each search
    #[arg(long, value_name = "N", value_parser = from_one::<u64>)]
    pub nodes: Option<u64>,
    /// Depth limit of each search, in plies
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..))]
    pub depth: Option<u16>,
}

/// `threefold suite`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  threefold suite repetition mate --engine echo --engine stockfish\n  \
    threefold suite policy --engine ./mine    # which repetitions does it score as draws?\n  \
    threefold suite my.toml --engine ./mine\n  threefold suite --list\n  \
    threefold suite --positions my.csv --kind repetition --engine ./mine --nodes 20000 --json")]
pub struct SuiteArgs {
    /// Suites: files, or names of built-in suites. An existing file takes precedence; `builtin:NAME` is always built in
    #[arg(value_name = "SUITE", required_unless_present_any = ["positions", "list", "export"])]
    pub suites: Vec<PathBuf>,
    /// Engine to test; may be repeated
    #[arg(
        long = "engine",
        value_name = "SPEC",
        required_unless_present_any = ["list", "export"],
        long_help = engine_help("Engine to test; may be repeated")
    )]
    pub engines: Vec<String>,
    /// List the built-in suites, plans, positions and openings
    #[arg(long, exclusive = true)]
    pub list: bool,
    /// Write all built-in suites, plans and position files to this folder; --force replaces existing files
    #[arg(long, value_name = "DIR", conflicts_with_all = ["suites", "engines", "positions"])]
    pub export: Option<PathBuf>,
    /// Position file to use without a suite file, or the name of a built-in one
    #[arg(long, value_name = "FILE|NAME", requires = "kind")]
    pub positions: Option<PathBuf>,
    /// Suite kind of --positions
    #[arg(long, value_name = "KIND", requires = "positions")]
    pub kind: Option<String>,
    /// Leave out the lines of position files that can't be read, and print them with their number
    #[arg(long)]
    pub skip_bad_lines: bool,
    /// Node limit of each search, instead of the suite's limits; with several values, the suite runs once for each
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = from_one::<u64>)]
    pub nodes: Vec<u64>,
    /// Depth limit of each search, in plies
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..))]
    pub depth: Option<u16>,
    /// Time limit of each search, in milliseconds
    #[arg(long, value_name = "MS", value_parser = from_one::<u64>)]
    pub movetime: Option<u64>,
    /// Clock of both sides in each search, such as 3+0.01 (seconds + increment); for kinds of single searches
    #[arg(long, value_name = "TC", conflicts_with = "movetime")]
    pub tc: Option<Clocks>,
    /// Tolerance for a reply after the end of --movetime or --tc, in milliseconds [default: the suite's, or 100]
    #[arg(long, value_name = "MS")]
    pub timemargin: Option<u64>,
    /// Run only the case with this id; exit code 1 if it does not pass
    #[arg(long, value_name = "ID", conflicts_with_all = ["per_class", "positions"])]
    pub case: Option<String>,
    /// Check tablebase scores of suites of kind `mate` with these Syzygy tables, and set the engines' `SyzygyPath`
    #[arg(long, value_name = "DIR")]
    pub syzygy: Option<PathBuf>,
    /// Positions after one move with their mates: check the lines of `MultiPV` in suites of kind `mate`; may be repeated
    #[arg(long, value_name = "FILE")]
    pub child_values: Vec<PathBuf>,
    /// Setting of the suites' kind, in addition to `[settings]`; may be repeated
    #[arg(long = "setting", value_name = "KEY=VALUE")]
    pub settings: Vec<String>,
    /// Write the positions with a found mate to this file, for one suite of kind `mate` and one engine
    #[arg(long, value_name = "FILE")]
    pub found_mates: Option<PathBuf>,
    /// Write the positions without a found mate to this file
    #[arg(long, value_name = "FILE")]
    pub missed_mates: Option<PathBuf>,
    /// Run only N cases of each class, evenly spread
    #[arg(long, value_name = "N", value_parser = from_one::<NonZeroUsize>)]
    pub per_class: Option<NonZeroUsize>,
    /// Maximum number of engine faults in a suite, or share of its cases such as 2%; more stop the run with exit code 3
    #[arg(long, value_name = "N|N%", default_value = "0")]
    pub max_faults: FaultLimit,
    /// Setting for every engine: a SPEC key or a UCI option; may be repeated
    #[arg(long = "each", value_name = "KEY=VALUE")]
    pub each: Vec<String>,
    /// Write the reports to this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print one JSON object for each case, a line each
    #[arg(long)]
    pub json: bool,
    /// Journal file of the run [default: runs/suite-N.sqlite]
    #[arg(long, value_name = "FILE.sqlite")]
    pub run: Option<PathBuf>,
    /// Options of every run
    #[command(flatten)]
    pub run_options: RunOptions,
}

/// The help of `--engine`: the syntax of a SPEC, and its keys.
fn engine_help(asked: &str) -> String {
    let row =
        |key: &HarnessKey| format!("  {:16} {}", format!("{key}={}", key.value_syntax()), key.summary());
    let keys: Vec<String> = HarnessKey::ALL.iter().map(row).collect();
    format!(
        "{asked}.\n\nSPEC is SOURCE[,KEY=VALUE]…: SOURCE is `echo` or a command, and a key that is not listed here is \
         a UCI option. Write `\\,` for a comma inside a value.\n{}",
        keys.join("\n")
    )
}

/// `threefold uci`
#[derive(Debug, Args)]
#[command(after_help = "Example: register this command as an engine in a chess GUI\n  threefold uci")]
pub struct UciArgs {
    /// List every UCI option, not only those for players; all options are always accepted
    #[arg(long)]
    pub experimental: bool,
}

/// `threefold perft`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold perft 5\n  threefold perft 4 '4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1'"
)]
pub struct PerftArgs {
    /// Depth, in plies
    pub depth: u32,
    /// Position [default: the start position]
    #[arg(value_name = "FEN")]
    pub fen: Option<String>,
}
