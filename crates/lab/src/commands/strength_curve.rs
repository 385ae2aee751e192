//! `strength-curve`: measures Echo's levels and writes the curve that Echo is built with.

use threefold::commands::calibrate::{self, Hooks};
use threefold::exit::Exit;
use threefold::{files, streams};
use threefold_echo::strength::curve::EloCurve;
use threefold_echo::strength::{STRONGEST, StrengthCurve};
use threefold_player::output_file::{self, IfThere};
use threefold_report::formats::calibration::{self, CalibrationReport};
use threefold_run::calibration::CalibrationDesign;

use crate::args::StrengthCurveArgs;

/// The option of Echo that selects the scale of its levels.
const CURVE: &str = "StrengthCurve";
/// The value for the levels that a curve is made from.
const RATINGS: StrengthCurve = StrengthCurve::MadChess;

/// Calibrates by levels, then writes the curve if it rises.
pub fn run(args: &StrengthCurveArgs) -> anyhow::Result<Exit> {
    output_file::check(&args.accept, IfThere::Replace)?;
    anyhow::ensure!(args.calibrate.nodes.is_empty(), "--nodes: measure a strength curve with --levels");
    calibrate::levels(&args.calibrate, &Hooks { check: &check, finish: &|report| write(args, report) })
}

/// An error for a calibration that cannot be built into Echo: it needs levels on MadChess's scale, up to full strength, and anchors
/// for the scale of Elo.
fn check(CalibrationDesign { option, levels, anchors, .. }: &CalibrationDesign) -> anyhow::Result<()> {
    let ratings = RATINGS.name();
    let is_ratings = |(name, value): &(String, String)| {
        name.eq_ignore_ascii_case(CURVE) && value.eq_ignore_ascii_case(ratings)
    };
    anyhow::ensure!(
        option.engine().options.iter().any(is_ratings),
        "--accept needs levels on MadChess's scale; give --engine \"echo,name=Echo,{CURVE}={ratings}\""
    );
    anyhow::ensure!(
        levels.last() == Some(&STRONGEST),
        "--accept needs full strength as the highest level; end --levels at {STRONGEST}, such as 800:{STRONGEST}:200"
    );
    anyhow::ensure!(
        !anchors.is_empty(),
        "--accept needs anchors; give some, such as --anchor \"./stash-21,name=Stash 21=2713\""
    );
    Ok(())
}

fn write(args: &StrengthCurveArgs, report: &CalibrationReport) -> anyhow::Result<()> {
    let curve = calibration::curve(report);
    anyhow::ensure!(
        report.elo_curve.is_some(),
        "--accept: fewer than two levels were measured, so {} is unchanged",
        args.accept.display()
    );
    anyhow::ensure!(
        report.rises() && EloCurve::parse(&curve).is_some(),
        "--accept: the measured curve does not rise everywhere, so {} is unchanged; find the weaker levels in the report, or \
         play more --games",
        args.accept.display()
    );
    files::write_whole(&args.accept, curve.as_bytes())?;
    streams::notice(&format!("curve: {}", args.accept.display()));
    Ok(())
}
