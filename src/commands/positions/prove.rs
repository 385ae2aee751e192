//! `positions prove`: a distance to mate with a checkable proof.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};

use crate::exit::Exit;
use crate::{files, streams};
use threefold_oracle::mate_prover::MateProver;
use threefold_oracle::proof::{MateClaim, Proof};
use threefold_player::output_file::{self, IfThere};

/// `threefold positions prove`
#[derive(Debug, Args)]
#[command(after_help = "Example:
  threefold positions prove '6k1/pr3pb1/2p3n1/4P1R1/2p1p3/4B3/r7/2Kb4 b - - 0 1' --proof mate.proof
  threefold positions verify-proof mate.proof

If there is no mate within `--within` moves, the command proves that instead.
The move counters of the FEN are ignored.")]
pub struct ProveArgs {
    /// Position in FEN
    #[arg(value_name = "FEN")]
    pub fen: String,
    /// Longest mate to search for, in moves
    #[arg(long, value_name = "MOVES", default_value_t = 6, value_parser = clap::value_parser!(u16).range(0..=30))]
    pub within: u16,
    /// Maximum number of positions to search
    #[arg(long, value_name = "N", default_value_t = 50_000_000)]
    pub nodes: u64,
    /// Write a proof to this file, for `verify-proof`
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// Replace an existing proof file
    #[arg(long, requires = "proof")]
    pub force: bool,
}

/// Proves a position's distance to mate.
pub fn run(args: &ProveArgs) -> anyhow::Result<Exit> {
    let fen: Fen = args.fen.parse().with_context(|| format!("`{}` is not a FEN", args.fen))?;
    let position: Chess = fen
        .into_position(CastlingMode::Standard)
        .with_context(|| format!("`{}` is not a legal position", args.fen))?;
    if let Some(file) = &args.proof {
        output_file::check(file, IfThere::forced(args.force))?;
    }
    let mut prover = MateProver::new(args.nodes);
    let found = prover.distance(&position, args.within)?;
    let claim = found.map_or(MateClaim::NoMate { within: args.within }, MateClaim::Mate);
    streams::result(&format!("{claim}: proven, {} positions searched", prover.spent()))?;
    let line = found.map(|distance| prover.line(&position, distance)).transpose()?.unwrap_or_default();
    if !line.is_empty() {
        let line: Vec<String> =
            line.into_iter().map(|mv| mv.to_uci(CastlingMode::Standard).to_string()).collect();
        streams::result(&format!("best play: {}", line.join(" ")))?;
    }
    if let Some(file) = &args.proof {
        let proof = Proof::write(&mut prover, &position, claim)?;
        files::write_whole(file, proof.to_string().as_bytes())?;
        streams::result(&format!("{}: proof with {} replies", file.display(), proof.answers.len()))?;
    }
    Ok(Exit::Fine)
}
