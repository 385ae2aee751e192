//! `perft`: leaf nodes of the legal move tree, by Echo's move generator.

use anyhow::Context;
use clap::Args;

use crate::exit::Exit;
use crate::streams;
use threefold_chess::clock::Stop;
use threefold_chess::position::GamePosition;

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

/// Counts leaf nodes.
pub fn run(args: &PerftArgs) -> anyhow::Result<Exit> {
    let line = match &args.fen {
        Some(fen) => GamePosition::parse(fen, "").context("give the position as a FEN in quotation marks")?,
        None => GamePosition::start_position(),
    };
    streams::result(&threefold_echo::perft(&line, args.depth, &Stop::default())?.to_string())?;
    Ok(Exit::Fine)
}
