//! The command line: what may be said, and the help that says it.

mod adjudication;
mod calibrate;
mod games;
mod log;
mod plan;
mod positions;
mod rate;
mod tablebase;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Parser, Subcommand, value_parser};

use threefold_harness::player::spec::HarnessKey;
use threefold_harness::suite::{Cause, VerdictKind};
use threefold_report::Registry;
use threefold_report::csv::Column;

pub use adjudication::AdjudicationArgs;
pub use calibrate::CalibrateArgs;
pub use games::{GameArgs, MatchArgs, SprtArgs, number_of_games};
pub use log::LogLevel;
pub use plan::PlanArgs;
pub use positions::{
    BestMoveArgs, CheckArgs, ConversionArgs, DefenceArgs, Finished, JudgedArgs, MateArgs, Mined, OpeningArgs,
    PerpetualArgs, PositionsCommand, ProveArgs, RuleArgs, SignatureArgs, TrapArgs, UnderpromotionArgs,
    VerifyProofArgs,
};
pub use rate::{ErrorsBy, Held, Loose, RateArgs};
pub use tablebase::{BuildArgs, ProbeArgs, Shelf, TablebaseCommand, VerifyArgs};

use crate::built_in;
use threefold_harness::run::FaultLimit;
use threefold_harness::run::job::Undecided;

/// Tests a chess engine: did I break something, is it stronger, how strong is it?
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Exit codes: 0 all as asked; 1 a regression, a failed threshold or a rejected test; \
    2 wrong use or unreadable input; 3 an engine fault that stopped the work; 130 interrupted.\n\n\
    Engines are named SOURCE[,key=value]…: `echo` is built in, anything else is a command.\n  \
    echo,RepetitionPolicy=HistoryDraw,Hash=16    ./stockfish,name=SF,Threads=1    @engines.toml#old"
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// The main job: every suite, the test of policies, a calibration, compared with the baseline.
    Regress(RegressArgs),
    /// Ask engines every case of a suite.
    Suite(SuiteArgs),
    /// Play a match or a tournament.
    Match(MatchArgs),
    /// Play two engines until a sequential test decides.
    Sprt(SprtArgs),
    /// What a sequential test will cost, before it starts; and whether tests keep what they claim.
    Plan(PlanArgs),
    /// Go on with a run that was interrupted or killed.
    Resume(ResumeArgs),
    /// Measure what an engine is worth at the levels it can be set to, or at a few node budgets.
    Calibrate(CalibrateArgs),
    /// Rate all players of files of games together.
    Rate(RateArgs),
    /// Write the reports of a finished or unfinished run again.
    Report(ReportArgs),
    /// Make positions, or prove the shipped ones again.
    #[command(
        subcommand,
        after_help = "Examples:\n  threefold positions traps --seed 1 --per-class 80 --out positions/traps.csv\n  \
        threefold positions check"
    )]
    Positions(PositionsCommand),
    /// Tables of distances to mate: make them, look positions up, verify them.
    #[command(
        subcommand,
        after_help = "Examples:\n  threefold tablebase build --men 4\n  \
        threefold tablebase probe \"8/8/8/8/8/4k3/4p3/4K3 w - - 0 1\"\n  threefold tablebase verify"
    )]
    Tablebase(TablebaseCommand),
    /// Echo itself, speaking UCI on standard input and output.
    Uci(UciArgs),
    /// Search Echo's own positions to a fixed depth and print the node count.
    #[command(after_help = "Example:\n  threefold bench    # the count changes when the search does")]
    Bench,
    /// Count the leaf nodes of the game tree by Echo's own rules.
    Perft(PerftArgs),
}

/// How a run is carried out; none of it changes a result.
#[derive(Debug, Clone, Args)]
pub struct Carrying {
    /// Jobs at a time [default: the machine's cores]; more than four for each core need --force
    #[arg(long, short = 'j', value_name = "N")]
    pub concurrency: Option<NonZeroUsize>,
    /// Do what is refused otherwise: replace existing files, run far more jobs than the machine has cores
    #[arg(long)]
    pub force: bool,
    /// Seconds that an engine may take to start, and to get ready for a game [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub startup: Option<Duration>,
    /// Seconds that a search without a clock may take (nodes, depth, virtual clocks) [default: 30 more than the longest
    /// search so far, at most 300]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub patience: Option<Duration>,
    /// Write what is said to every engine and by it here, in at most 4 files of 64 MiB: FILE, FILE.2, … without the oldest
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// How much of it is written
    #[arg(long, value_name = "LEVEL", requires = "log", default_value = "trace")]
    pub log_level: LogLevel,
}

/// Some time, more than none.
fn seconds(given: &str) -> Result<Duration, String> {
    let time = given.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.filter(|time| !time.is_zero()).ok_or_else(|| "give seconds above 0, such as 2.5".to_owned())
}

/// `threefold regress`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold regress\n  threefold regress --engine echo,RepetitionPolicy=HistoryDraw\n  \
    threefold regress --accept    # what it finds becomes the baseline"
)]
pub struct RegressArgs {
    /// The plan: suites, test and calibration; a file, or the name of a built-in one
    #[arg(long, value_name = "FILE|NAME", default_value = built_in::PLAN)]
    pub plan: PathBuf,
    /// The engine under test [default: the plan's]
    #[arg(long, value_name = "SPEC")]
    pub engine: Option<String>,
    /// The verdicts and figures to compare with; they must be there [default: `.threefold/baseline` here or above, up to
    /// the root of the git repository; else Echo's own for Echo under the built-in plan]
    #[arg(long, value_name = "DIR")]
    pub baseline: Option<PathBuf>,
    /// Where the reports go
    #[arg(long, value_name = "DIR", default_value = "reports/latest")]
    pub out: PathBuf,
    /// Make what is found the new baseline: in the folder of --baseline, else in `.threefold/baseline`
    #[arg(long)]
    pub accept: bool,
    /// Small budgets of games
    #[arg(long, conflicts_with = "accept")]
    pub quick: bool,
    /// Stop with exit code 3 once engines committed more faults than this in a suite or a match, or than this share of
    /// its cases or games, as in 2% [default: 0 of the engine under test]
    #[arg(long, value_name = "N|N%")]
    pub max_faults: Option<FaultLimit>,
    /// What an undecided test means for the exit code: `pass` is 0, `fail` is 1
    #[arg(long, value_name = "HOW", default_value_t = Undecided::Pass)]
    pub undecided: Undecided,
    /// Begin anew instead of going on with an interrupted run in the folder of the reports
    #[arg(long)]
    pub fresh: bool,
    /// How it is carried out
    #[command(flatten)]
    pub carrying: Carrying,
}

/// Limits of one search.
#[derive(Debug, Clone, Args)]
pub struct SearchLimits {
    /// Nodes for each search
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Depth of each search, in plies
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..))]
    pub depth: Option<u16>,
}

/// `threefold suite`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  threefold suite repetition mate --engine echo --engine stockfish\n  \
    threefold suite policy --engine ./mine    # which repetitions does it count?\n  \
    threefold suite my.toml --engine ./mine\n  threefold suite --list\n  \
    threefold suite --positions my.csv --kind repetition --engine ./mine --nodes 20000 --json")]
pub struct SuiteArgs {
    /// Suites: files, or names of built-in ones; a file that is there wins, `builtin:NAME` is always built in
    #[arg(value_name = "SUITE", required_unless_present_any = ["positions", "list", "export"])]
    pub suites: Vec<PathBuf>,
    /// Engines to ask
    #[arg(
        long = "engine",
        value_name = "SPEC",
        required_unless_present_any = ["list", "export"],
        long_help = engine_help("Engines to ask")
    )]
    pub engines: Vec<String>,
    /// Print the built-in suites, plans, positions and openings
    #[arg(long, exclusive = true)]
    pub list: bool,
    /// Write every built-in suite, plan and file of positions into this folder; --force replaces files
    #[arg(long, value_name = "DIR", conflicts_with_all = ["suites", "engines", "positions"])]
    pub export: Option<PathBuf>,
    /// A file of positions without a suite file, or the name of a built-in one
    #[arg(long, value_name = "FILE|NAME", requires = "kind")]
    pub positions: Option<PathBuf>,
    /// The kind of those positions
    #[arg(long, value_name = "KIND", requires = "positions")]
    pub kind: Option<String>,
    /// Nodes for each search instead of the suite's own limits; given again, the suite is asked again
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = value_parser!(u64).range(1..))]
    pub nodes: Vec<u64>,
    /// Depth of each search, in plies
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..))]
    pub depth: Option<u16>,
    /// Milliseconds for each search
    #[arg(long, value_name = "MS", value_parser = value_parser!(u64).range(1..))]
    pub movetime: Option<u64>,
    /// Milliseconds by which an answer may be later than --movetime before it fails its case [default: the suite's, or
    /// 100]
    #[arg(long, value_name = "MS")]
    pub timemargin: Option<u64>,
    /// Ask only so many cases of each class, evenly spread
    #[arg(long, value_name = "N")]
    pub per_class: Option<NonZeroUsize>,
    /// Stop with exit code 3 once an engine committed more faults than this in a suite, or than this share of its cases,
    /// as in 2%
    #[arg(long, value_name = "N|N%", default_value = "0")]
    pub max_faults: FaultLimit,
    /// Set for every engine
    #[arg(long = "each", value_name = "KEY=VALUE")]
    pub each: Vec<String>,
    /// Write the reports here
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print one JSON object for each case
    #[arg(long)]
    pub json: bool,
    /// Keep the journal here [default: runs/suite-N.sqlite]
    #[arg(long, value_name = "FILE.sqlite")]
    pub run: Option<PathBuf>,
    /// How it is carried out
    #[command(flatten)]
    pub carrying: Carrying,
}

/// `threefold resume`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold resume runs/sprt-1.sqlite\n\n\
    It goes on in the folder in which the run was begun, with the same engines, --concurrency, --startup and --patience.\n\n\
    A journal names the programs to start and the files to write. Both are listed first. Resume no journal that you would \
    not run as a script; one of another machine or user is refused without --trust.")]
pub struct ResumeArgs {
    /// The journal of the run
    #[arg(value_name = "RUN.sqlite")]
    pub run: PathBuf,
    /// Write the results here, and not where the first command said
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Go on although an engine is another build than before; reports say which played what
    #[arg(long)]
    pub allow_changed_engine: bool,
    /// Run and write what a journal says that comes from another machine or user, or from a version that didn't say whose it is
    #[arg(long)]
    pub trust: bool,
    /// Allow more engine faults, or fewer, than the command that began the run: a number, or a share as in 2%; a run that
    /// stopped because of its faults goes on
    #[arg(long, value_name = "N|N%")]
    pub max_faults: Option<FaultLimit>,
    /// How it is carried out
    #[command(flatten)]
    pub carrying: Carrying,
}

/// The formats of this program, with what they hold.
fn formats() -> PossibleValuesParser {
    let formats = Registry::built_in().formats().into_iter();
    formats.map(|format| PossibleValue::new(format.name).help(format.summary)).collect::<Vec<_>>().into()
}

/// What `--engine` asks for, and how a spec is written, with the harness's keys.
fn engine_help(asked: &str) -> String {
    let row =
        |key: &HarnessKey| format!("  {:42} {}", format!("{key}={}", key.value_syntax()), key.summary());
    let keys: Vec<String> = HarnessKey::ALL.iter().map(row).collect();
    format!(
        "{asked}.\n\nSPEC is SOURCE[,KEY=VALUE]…: SOURCE is `echo` or a command, and a key that is not listed here is \
         a UCI option. A comma inside a value is written `\\,`.\n{}",
        keys.join("\n")
    )
}

/// An example of `threefold report`.
const REPORT_EXAMPLE: &str = "Example:\n  threefold report runs/sprt-1.sqlite --out reports/sprt-1\n  \
    threefold report runs/sprt-1.sqlite --format junit --out ci";

/// The example, and what `cases.csv` holds: its columns, and the causes of each verdict.
fn report_help() -> String {
    let row = |name: &str, meaning: &str| format!("\n  {name:30}{meaning}");
    let columns: String = Column::ALL.iter().map(|column| row(column.name(), column.summary())).collect();
    let causes = |mark: VerdictKind| {
        let rows: String = Cause::of(mark).map(|cause| row(cause.name(), cause.summary())).collect();
        format!("Causes of {mark}:{rows}")
    };
    let causes: Vec<String> = VerdictKind::ALL.iter().copied().map(causes).collect();
    format!("{REPORT_EXAMPLE}\n\nColumns of cases.csv:{columns}\n\n{}", causes.join("\n\n"))
}

/// `threefold report`
#[derive(Debug, Args)]
#[command(after_help = REPORT_EXAMPLE, after_long_help = report_help())]
pub struct ReportArgs {
    /// The journal of a run
    #[arg(value_name = "RUN.sqlite")]
    pub run: PathBuf,
    /// Where the reports go
    #[arg(long, value_name = "DIR", default_value = "reports/latest")]
    pub out: PathBuf,
    /// Write only this format; may be given again [default: those that the run asks for]
    #[arg(long = "format", value_name = "FORMAT", value_parser = formats())]
    pub formats: Vec<String>,
    /// Compare with this baseline
    #[arg(long, value_name = "DIR")]
    pub baseline: Option<PathBuf>,
}

/// `threefold uci`
#[derive(Debug, Args)]
#[command(after_help = "Examples: give a GUI the command\n  threefold uci\n  threefold uci --experimental")]
pub struct UciArgs {
    /// Have `uci` list every option, not only those for players; all are accepted either way
    #[arg(long)]
    pub experimental: bool,
}

/// `threefold perft`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold perft 5\n  threefold perft 4 '4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1'"
)]
pub struct PerftArgs {
    /// Plies
    pub depth: u32,
    /// The position [default: the start position]
    #[arg(value_name = "FEN")]
    pub fen: Option<String>,
}
