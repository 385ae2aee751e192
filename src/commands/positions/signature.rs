//! `positions signature`: an engine's node counts at a fixed depth.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, value_parser};

use crate::args::from_one;
use crate::exit::Exit;
use crate::input::built_in::Category;
use crate::input::by_name;
use crate::{files, streams};
use threefold_chess::clock::{ClockSource, Stop};
use threefold_chess::score::Ply;
use threefold_mining::signatures;
use threefold_player::output_file::{self, IfThere};
use threefold_player::{LaunchOptions, launch};
use threefold_suites::epd;

/// `threefold positions signature`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  threefold positions signature --engine ./mine --positions balanced \\\n    \
    --every 20 --depth 8 --out mine.epd\n  threefold suite --positions mine.epd --kind signature --engine ./mine"
)]
pub struct SignatureArgs {
    /// Engine to record
    #[arg(long, value_name = "SPEC")]
    pub engine: String,
    /// File with one EPD or FEN per line, or the name of built-in positions; may be repeated
    #[arg(long, value_name = "FILE|NAME", required = true)]
    pub positions: Vec<PathBuf>,
    /// Use every Nth position of each file
    #[arg(long, value_name = "N", default_value = "1", value_parser = from_one::<NonZeroUsize>)]
    pub every: NonZeroUsize,
    /// Search depth, in plies
    #[arg(long, value_name = "N", default_value = "8", value_parser = value_parser!(u16).range(1..))]
    pub depth: u16,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long, requires = "out")]
    pub force: bool,
}

/// Records an engine's node counts.
pub fn run(args: &SignatureArgs) -> anyhow::Result<Exit> {
    if let Some(file) = &args.out {
        output_file::check(file, IfThere::forced(args.force))?;
    }
    let (mut picked, mut named) = (Vec::new(), Vec::new());
    for file in &args.positions {
        named.push(file.display().to_string());
        picked.extend(
            epd::parse_epd(&by_name::source_file(file, Category::Positions)?)?
                .into_iter()
                .step_by(args.every.get()),
        );
    }
    let engine = files::engine(&args.engine, &[])?;
    let mut player = launch(&engine, &LaunchOptions::new(ClockSource::Wall, Stop::default()))?;
    let command = format!(
        "threefold positions signature --engine {} --positions {} --every {} --depth {}",
        args.engine,
        named.join(" --positions "),
        args.every,
        args.depth
    );
    let text = signatures::file(player.as_mut(), &picked, Ply(args.depth), &command)?;
    match &args.out {
        Some(file) => files::write_whole(file, text.as_bytes())?,
        None => streams::results(&text)?,
    }
    Ok(Exit::Fine)
}
