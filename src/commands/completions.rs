//! `completions`: a shell's completion script, which asks the program at each TAB.

use std::io::{self, Write as _};

use clap::Args;
use clap_complete::Shell;

use crate::completion;
use crate::exit::Exit;
use crate::streams;

/// The example of the command.
const EXAMPLE: &str = "The script asks the program `threefold` in PATH at each TAB, so write it again after an upgrade. Names of suites and \
    cases are those built in and those of threefold.toml. Options of an engine are those that it listed in its last run; none is \
    started.\n\nExamples:\n  \
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
    let mut script = Vec::new();
    completion::write_script(&args.shell.to_string(), &mut script)?;
    // Not by `streams::results`, which replaces control characters: a script must not be changed.
    let mut out = io::stdout().lock();
    streams::printed(out.write_all(&script).and_then(|()| out.flush()))?;
    Ok(Exit::Fine)
}
