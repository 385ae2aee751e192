//! `diff`: where two versions of an engine play differently.

mod positions;
mod questions;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use self::questions::Versions;
use crate::args::{RunOptions, from_one};
use crate::exit::Exit;
use crate::input::search_limits;
use crate::session::Session;
use crate::session::journal_path::JournalPath;
use crate::{files, streams};
use threefold_chess::clock::{Control, Limits};
use threefold_chess::position::GamePosition;
use threefold_games::opening::Opening;
use threefold_player::EngineSpec;
use threefold_report::Registry;
use threefold_report::version_diff::VersionDiff;
use threefold_run::job::{Outputs, ReportSetName};
use threefold_run::{MatchTask, RunSpec, single_match};

/// `threefold diff`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  threefold diff ./new ./old\n  \
    threefold diff ./new ./old --positions runs/match-1.sqlite --nodes 50000 --html diff.html\n  \
    threefold diff ./new ./old --play\n\n\
    Each position is a new game for both versions, so that no answer depends on another. Versions that search the same \
    give the same answers everywhere.\n\n\
    Exit code: 0 when all positions are asked, with any number of differences; with --play that of `match`.")]
pub struct DiffArgs {
    /// The new version
    #[arg(value_name = "NEW")]
    pub new: String,
    /// The old version
    #[arg(value_name = "OLD")]
    pub old: String,
    /// Positions: a file of openings (EPD, FEN lines, PGN), `builtin:NAME`, or the journal of a run, whose games have them
    /// [default: games that the old version plays against itself]
    #[arg(long, value_name = "FILE|NAME")]
    pub positions: Option<PathBuf>,
    /// The most positions; those of a longer file are spread evenly over it
    #[arg(long, value_name = "N", default_value = "400", value_parser = from_one::<NonZeroUsize>)]
    pub count: NonZeroUsize,
    /// Node limit of each search
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = from_one::<u64>)]
    pub nodes: u64,
    /// Setting for both versions: a SPEC key or a UCI option; may be repeated
    #[arg(long = "each", value_name = "KEY=VALUE")]
    pub each: Vec<String>,
    /// Write a page with a board for each position with different moves
    #[arg(long, value_name = "FILE.html")]
    pub html: Option<PathBuf>,
    /// Write every position with both answers as JSON; `-` prints it
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write the positions with different moves as a file of openings
    #[arg(long, value_name = "FILE.epd")]
    pub epd: Option<PathBuf>,
    /// Play a pair of games from each position with different moves, at the same node limit
    #[arg(long)]
    pub play: bool,
    /// Write the reports of these games to this folder
    #[arg(long, value_name = "DIR", requires = "play")]
    pub out: Option<PathBuf>,
    /// Options of every run
    #[command(flatten)]
    pub run_options: RunOptions,
}

/// Asks both versions, prints the differences, and plays from them if that is asked for.
///
/// # Errors
/// If an engine or the positions can't be used, or a file can't be written.
pub fn run(args: &DiffArgs) -> anyhow::Result<Exit> {
    let engines = files::engines(&[args.new.clone(), args.old.clone()], &args.each)?;
    search_limits::without_own(&engines, "--nodes")?;
    let versions = Versions::new(&engines, Limits::nodes(args.nodes), &args.run_options)?;
    let (source, positions) = match &args.positions {
        Some(given) => (given.display().to_string(), positions::of_file(given, args.count)?),
        None => (format!("{}'s games against itself", engines[1].name), versions.walk(args.count)?),
    };
    let asked = versions.ask(&positions)?;
    let names = [engines[0].name.clone(), engines[1].name.clone()];
    let diff = VersionDiff { names, nodes: args.nodes, source, asked };
    deliver(args, &diff)?;
    if args.play { play(args, engines, &diff) } else { Ok(Exit::Fine) }
}

/// Writes the files and prints the text.
fn deliver(args: &DiffArgs, diff: &VersionDiff) -> anyhow::Result<()> {
    if let Some(file) = &args.html {
        files::write_whole(file, diff.page().as_bytes())?;
    }
    if let Some(file) = &args.epd {
        files::write_whole(file, diff.to_epd().as_bytes())?;
    }
    match args.json.as_deref() {
        Some(file) if file.as_os_str() == "-" => streams::results(&diff.to_json()),
        Some(file) => {
            files::write_whole(file, diff.to_json().as_bytes())?;
            streams::results(&diff.to_text())
        }
        None => streams::results(&diff.to_text()),
    }
}

/// A pair of games from each position with different moves.
fn play(args: &DiffArgs, engines: Vec<EngineSpec>, diff: &VersionDiff) -> anyhow::Result<Exit> {
    let differing = diff.other_moves();
    if differing.is_empty() {
        streams::result("no games: the versions choose the same move in each position")?;
        return Ok(Exit::Fine);
    }
    let openings: Vec<Opening> = differing.iter().map(|asked| opening(&asked.position)).collect();
    let pairs = openings.len();
    let control = Control { nodes: Some(args.nodes), ..Control::default() };
    let task = MatchTask { control, ..MatchTask::new(engines, openings, pairs) };
    let outputs =
        Outputs { reports: args.out.clone(), report_set: ReportSetName::default(), ..Outputs::default() };
    let spec = RunSpec { outputs, ..single_match::spec("diff", task) };
    let mut session = Session::open(&args.run_options)?;
    session.run(spec, &JournalPath::of(None, "diff"))?.finish(&Registry::built_in())
}

fn opening(position: &GamePosition) -> Opening {
    Opening { history: position.clone(), eco: None, name: None }
}
