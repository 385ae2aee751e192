//! `bench`: the node count that identifies Echo's search.

use clap::Args;

use crate::exit::Exit;
use crate::streams;

/// `threefold bench`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold bench    # the count changes when the search does")]
pub struct BenchArgs {}

/// Prints the node count that identifies the search, and the speed of this machine.
pub fn run(_: &BenchArgs) -> anyhow::Result<Exit> {
    streams::result(&echo_uci::bench_line())?;
    Ok(Exit::Fine)
}
