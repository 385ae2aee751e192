//! Arguments of `threefold-lab strength-curve`.

use std::path::PathBuf;

use clap::Args;

use threefold::commands::calibrate::CalibrateArgs;

/// `threefold-lab strength-curve`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  \
    threefold-lab strength-curve --engine echo,name=Echo,StrengthCurve=MadChess \\\n      \
    --levels 650:3200:150 --anchor \"./stash-21,name=Stash 21=2713\" \\\n      \
    --accept crates/echo/src/strength/curve.csv    # the next build uses it\n\n\
    The options are those of `threefold calibrate`. The same command continues an interrupted calibration.")]
pub struct StrengthCurveArgs {
    /// Write the measured curve to this file
    #[arg(long, value_name = "FILE.csv")]
    pub accept: PathBuf,
    /// Options of the calibration
    #[command(flatten)]
    pub calibrate: CalibrateArgs,
}
