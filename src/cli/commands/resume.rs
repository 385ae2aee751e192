//! `resume`: a run goes on where it was interrupted or killed.

use crate::cli::args::ResumeArgs;
use crate::cli::commands::conclusion;
use crate::cli::exit::Exit;
use crate::cli::running;

/// Does what the journal still lacks, then ends as the command that began it would have.
pub fn run(args: &ResumeArgs) -> anyhow::Result<Exit> {
    conclusion::of(running::resume(&args.run, &args.carrying)?)
}
