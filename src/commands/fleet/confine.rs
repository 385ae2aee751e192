//! `fleet confine`: starts a program with limits.

use std::num::NonZeroU32;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use crate::exit::Exit;
use threefold_fleet::confinement::{self, Confinement};

/// `threefold fleet confine`
#[derive(Debug, Args)]
pub struct ConfineArgs {
    /// Most memory in MiB
    #[arg(long, value_name = "MIB")]
    pub memory: NonZeroU32,
    /// Most processes of the user
    #[arg(long, value_name = "N")]
    pub processes: NonZeroU32,
    /// A file or folder that it may read
    #[arg(long, value_name = "PATH")]
    pub read: Vec<PathBuf>,
    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    pub words: Vec<String>,
}

/// Limits this process and becomes the program.
///
/// # Errors
/// If that fails.
pub fn run(args: &ConfineArgs) -> anyhow::Result<Exit> {
    let confinement = Confinement { memory: args.memory, processes: args.processes, read: args.read.clone() };
    let (program, rest) = args.words.split_first().context("no program is given")?;
    Err(confinement::apply_and_exec(&confinement, program, rest).into())
}
