//! `completions` and `man`: shell completion scripts and manual pages, made from the definition of the command line.

use std::fs;
use std::io::{self, Write as _};

use anyhow::Context as _;
use clap::CommandFactory as _;

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::exit::Exit;
use crate::streams;
use threefold_player::output_file::{self, OutputError};

/// Prints the completion script of a shell.
pub fn completions(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    let mut command = Cli::command();
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    let mut out = io::stdout().lock();
    let written = out.write_all(&script).and_then(|()| out.flush());
    written.context("standard output can't be written")?;
    Ok(Exit::Fine)
}

/// Writes `threefold.1`, and a page for each command such as `threefold-match.1`.
pub fn man(args: &ManArgs) -> anyhow::Result<Exit> {
    output_file::check_folder(&args.dir)?;
    fs::create_dir_all(&args.dir).map_err(|cause| OutputError::of(&args.dir, cause))?;
    // The commands' own `help` is not a page.
    let command = Cli::command().disable_help_subcommand(true);
    clap_mangen::generate_to(command, &args.dir).map_err(|cause| OutputError::of(&args.dir, cause))?;
    streams::notice(&format!("manual pages: {}", args.dir.display()));
    Ok(Exit::Fine)
}
