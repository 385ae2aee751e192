//! `fleet sign`: signatures of engine files.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use crate::exit::Exit;
use crate::{files, streams};
use threefold_fleet::engine_files::{self, FileHash};

/// `threefold fleet sign`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold fleet sign --key team.nk ./engine net.bin > signatures\n\n\
    Make a key with `nk -gen user > team.nk`; `nk -inkey team.nk -pubout` prints the public key for --trust-key.")]
pub struct SignArgs {
    /// File with the seed of a NATS user's nkey (SU…)
    #[arg(long, value_name = "FILE")]
    pub key: PathBuf,
    /// Files to sign
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Signs files and prints the signatures.
///
/// # Errors
/// If the key or a file can't be read.
pub fn run(args: &SignArgs) -> anyhow::Result<Exit> {
    let seed = files::text(&args.key)?;
    for path in &args.files {
        let file = files::open(path)?;
        let (sha256, _) = FileHash::hash_of(file, u64::MAX).with_context(|| path.display().to_string())?;
        streams::result(&engine_files::sign(&seed, &sha256)?.to_string())?;
    }
    Ok(Exit::Fine)
}
