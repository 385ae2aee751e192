//! `positions prove` and `positions verify-proof`: a distance to mate with a checkable proof.

use anyhow::Context;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};

use crate::args::{ProveArgs, VerifyProofArgs};
use crate::exit::Exit;
use crate::{files, streams};
use threefold_oracle::mate_prover::MateProver;
use threefold_oracle::proof::{MateClaim, Proof};
use threefold_player::output_file::{self, IfThere};

/// Proves a position's distance to mate.
pub fn prove(args: &ProveArgs) -> anyhow::Result<Exit> {
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

/// Verifies proof files.
pub fn verify(args: &VerifyProofArgs) -> anyhow::Result<Exit> {
    let mut exit = Exit::Fine;
    for file in &args.files {
        let name = file.display();
        let proof: Proof = files::source_file(file)?.text.parse().with_context(|| name.to_string())?;
        let fen = Fen::from_position(&proof.position, shakmaty::EnPassantMode::Legal);
        match proof.verify() {
            Ok(weighed) => streams::result(&format!(
                "{name}: {fen}: {}, verified: {} replies, {} positions",
                proof.claim, weighed.answers, weighed.positions
            ))?,
            Err(flaw) => {
                exit = Exit::Worse;
                streams::notice(&format!("{name}: {fen}: {} is not proven: {flaw}", proof.claim));
            }
        }
    }
    Ok(exit)
}
