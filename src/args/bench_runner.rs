//! Arguments of `threefold instant-engine`.

use std::path::PathBuf;

use clap::Args;

/// `threefold instant-engine`
#[derive(Debug, Args)]
#[command(
    after_help = "Example: register this command as an engine in a match runner\n  threefold instant-engine"
)]
pub struct InstantEngineArgs {
    /// Append the time of every `go` and every `bestmove` to this file when the engine quits
    #[arg(long, value_name = "FILE")]
    pub times: Option<PathBuf>,
}
