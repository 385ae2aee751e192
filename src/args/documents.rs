//! `threefold completions` and `threefold man`: files that packages of the program include.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

pub(super) const COMPLETIONS_EXAMPLE: &str = "Examples:\n  \
    threefold completions bash > ~/.local/share/bash-completion/completions/threefold\n  \
    threefold completions zsh > ~/.zfunc/_threefold\n  \
    threefold completions fish > ~/.config/fish/completions/threefold.fish\n  \
    threefold completions powershell >> $PROFILE";

/// `threefold completions`
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// Shell
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

/// `threefold man`
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Folder for the pages; existing pages are replaced
    #[arg(long, value_name = "DIR")]
    pub dir: PathBuf,
}
