//! Command lines of other match runners.

use clap::Args;

/// An example of `threefold cutechess-cli`.
pub(super) const CUTECHESS_EXAMPLE: &str = "Example:\n  threefold cutechess-cli -engine cmd=./new name=new \
    -engine cmd=./old name=old \\\n    -each proto=uci tc=8+0.08 -openings file=book.epd format=epd order=random -srand 7 \\\n    \
    -rounds 500 -games 2 -repeat -recover\n\n\
    `threefold cutechess-cli -help` lists the options. A copy of the program that is called `fastchess` or `cutechess-cli` needs \
    no first word.";

/// `threefold fastchess` and `threefold cutechess-cli`
#[derive(Debug, Args)]
#[command(
    disable_help_flag = true,
    disable_version_flag = true,
    after_help = "Example:\n  threefold fastchess -engine cmd=./new name=new -engine cmd=./old name=old -each tc=8+0.08 \\\n    \
    -openings file=book.epd order=random -srand 7 -rounds 500 -recover\n\n\
    `threefold fastchess -help` lists the options. A copy of the program that is called `fastchess` or `cutechess-cli` needs \
    no first word."
)]
pub struct PeerArgs {
    /// Options of that program, such as -engine cmd=./mine
    #[arg(value_name = "OPTION", trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<String>,
}
