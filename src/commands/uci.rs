//! `uci`: Echo as a UCI engine.

use std::io;

use clap::Args;

use crate::exit::Exit;
use threefold_echo::options::Listing;

/// `threefold uci`
#[derive(Debug, Args)]
#[command(after_help = "Example: register this command as an engine in a chess GUI\n  threefold uci")]
pub struct UciArgs {
    /// List every UCI option, not only those for players; all options are always accepted
    #[arg(long)]
    pub experimental: bool,
}

/// Runs the UCI loop until `quit` or the end of input.
pub fn run(args: &UciArgs) -> anyhow::Result<Exit> {
    let listing = if args.experimental { Listing::Experimental } else { Listing::Players };
    echo_uci::serve(io::stdin().lock(), io::stdout(), listing)?;
    Ok(Exit::Fine)
}
