//! Arguments of `threefold-lab strength-curve`.

use std::path::PathBuf;

use clap::Args;

use threefold::args::CalibrateArgs;

/// `threefold-lab strength-curve`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  \
    threefold-lab strength-curve --engine echo,name=Echo,StrengthCurve=MadChess --levels 650:3200:150 \\\n      \
    --anchor \"./stash-21,name=Stash 21=2713\" --accept crates/echo/src/strength/curve.csv    # the next build has it\n\n\
    It calibrates as `threefold calibrate` does, and the same command goes on where it was interrupted.")]
pub struct StrengthCurveArgs {
    /// Write the measured curve here
    #[arg(long, value_name = "FILE.csv")]
    pub accept: PathBuf,
    /// How it is calibrated
    #[command(flatten)]
    pub calibrate: CalibrateArgs,
}
