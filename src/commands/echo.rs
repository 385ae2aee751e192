//! `uci`, `bench` and `perft`: Echo itself.

use std::io;

use anyhow::Context;

use crate::args::{PerftArgs, UciArgs};
use crate::exit::Exit;
use crate::streams;
use echo_uci as serve;
use threefold_chess::clock::Stop;
use threefold_chess::position::GamePosition;
use threefold_echo as echo;
use threefold_echo::options::Listing;

/// Runs the UCI loop until `quit` or the end of input.
pub fn uci(args: &UciArgs) -> anyhow::Result<Exit> {
    let listing = if args.experimental { Listing::Experimental } else { Listing::Players };
    serve::serve(io::stdin().lock(), io::stdout(), listing)?;
    Ok(Exit::Fine)
}

/// Prints the node count that identifies the search, and the speed of this machine.
pub fn bench() -> anyhow::Result<Exit> {
    streams::result(&serve::bench_line())?;
    Ok(Exit::Fine)
}

/// Counts leaf nodes.
pub fn perft(args: &PerftArgs) -> anyhow::Result<Exit> {
    let line = match &args.fen {
        Some(fen) => GamePosition::parse(fen, "").context("give the position as a FEN in quotation marks")?,
        None => GamePosition::start_position(),
    };
    streams::result(&echo::perft(&line, args.depth, &Stop::default())?.to_string())?;
    Ok(Exit::Fine)
}
