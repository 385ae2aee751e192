//! `positions verify-proof`: proof files verified without any search.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use shakmaty::EnPassantMode;
use shakmaty::fen::Fen;

use crate::exit::Exit;
use crate::{files, streams};
use threefold_oracle::proof::Proof;

/// `threefold positions verify-proof`
#[derive(Debug, Args)]
#[command(after_help = "Example:
  threefold positions verify-proof mate.proof")]
pub struct VerifyProofArgs {
    /// Proof files from `threefold positions prove`
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
}

/// Verifies proof files.
pub fn run(args: &VerifyProofArgs) -> anyhow::Result<Exit> {
    let mut exit = Exit::Fine;
    for file in &args.files {
        let name = file.display();
        let proof: Proof = files::source_file(file)?.text.parse().with_context(|| name.to_string())?;
        let fen = Fen::from_position(&proof.position, EnPassantMode::Legal);
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
