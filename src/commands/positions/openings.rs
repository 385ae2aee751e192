//! `positions openings`: balanced openings from a seed.

use std::num::NonZeroUsize;

use clap::Args;

use crate::args::{GeneratorOptions, from_one};
use crate::commands::generator::{bar, check_place, deliver, finish};
use crate::exit::Exit;
use threefold_mining::openings;

/// `threefold positions openings`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold positions openings --seed 7 --count 100 --out openings.epd")]
pub struct OpeningArgs {
    /// Number of positions
    #[arg(long, value_name = "N", default_value = "2000", value_parser = from_one::<NonZeroUsize>)]
    pub count: NonZeroUsize,
    /// Nodes that Echo searches to check that an opening is balanced
    #[arg(long, value_name = "N", default_value_t = openings::JUDGE_NODES)]
    pub nodes: u64,
    /// Seed, output and threads
    #[command(flatten)]
    pub options: GeneratorOptions,
}

/// Generates openings that Echo scores as balanced.
pub fn run(args: &OpeningArgs) -> anyhow::Result<Exit> {
    check_place(&args.options)?;
    let (seed, count) = (args.options.seed, args.count.get());
    let bar = bar(count, "checking openings");
    let text = openings::file(seed, count, args.nodes, args.options.jobs.count(), &|| bar.inc(1));
    finish(&bar);
    deliver(&args.options, &text)
}
