//! `completions`: a shell's completion script, made from the definition of the command line.

use std::io::{self, Write as _};

use anyhow::Context as _;
use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::Cli;
use crate::exit::Exit;

/// The example of the command.
const EXAMPLE: &str = "Examples:\n  \
    threefold completions bash > ~/.local/share/bash-completion/completions/threefold\n  \
    threefold completions zsh > ~/.zfunc/_threefold\n  \
    threefold completions fish > ~/.config/fish/completions/threefold.fish\n  \
    threefold completions powershell >> $PROFILE";

/// `threefold completions`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct CompletionsArgs {
    /// Shell
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

/// Prints the completion script of a shell.
pub fn run(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    let mut command = Cli::command();
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    let mut out = io::stdout().lock();
    let written = out.write_all(&script).and_then(|()| out.flush());
    written.context("standard output can't be written")?;
    Ok(Exit::Fine)
}
