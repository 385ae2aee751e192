//! Arguments of `threefold init`.

use clap::Args;

use crate::setup::files::CiService;

/// `threefold init`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold init\n  threefold init --engine ./mine --build \"make -C src\" --ci gitlab\n\n\
    Writes threefold.toml, .threefold/baseline, lines in .gitignore, and a workflow of the CI service."
)]
pub struct InitArgs {
    /// Engine [default: the program of this repository that answers `uci`; built first if there is none]
    #[arg(long, value_name = "SPEC")]
    pub engine: Option<String>,
    /// Command that builds the engine, run in the root of the repository; `{out}` stands for the program to write [default:
    /// from the files of the build system]
    #[arg(long, value_name = "COMMAND")]
    pub build: Option<String>,
    /// CI service of the workflow [default: from the remote `origin` and the files of the repository, else `github`]
    #[arg(long, value_name = "SERVICE")]
    pub ci: Option<CiService>,
    /// Replace files that exist
    #[arg(long)]
    pub force: bool,
    /// Write the files, but run nothing and write no baseline
    #[arg(long)]
    pub no_run: bool,
}
