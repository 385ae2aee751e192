//! `man`: the manual pages, made from the definition of the command line.

use std::fs;
use std::path::PathBuf;

use clap::{Args, CommandFactory as _};

use super::Cli;
use crate::exit::Exit;
use crate::streams;
use threefold_player::output_file::{self, OutputError};

/// `threefold man`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold man --dir ~/.local/share/man/man1")]
pub struct ManArgs {
    /// Folder for the pages; existing pages are replaced
    #[arg(long, value_name = "DIR")]
    pub dir: PathBuf,
}

/// Writes `threefold.1`, and a page for each command such as `threefold-match.1`.
pub fn run(args: &ManArgs) -> anyhow::Result<Exit> {
    output_file::check_folder(&args.dir)?;
    fs::create_dir_all(&args.dir).map_err(|cause| OutputError::from_system(&args.dir, cause))?;
    // The commands' own `help` is not a page.
    let command = Cli::command().disable_help_subcommand(true);
    clap_mangen::generate_to(command, &args.dir)
        .map_err(|cause| OutputError::from_system(&args.dir, cause))?;
    streams::notice(&format!("manual pages: {}", args.dir.display()));
    Ok(Exit::Fine)
}
