//! `strength-curve`: measures Echo's levels and writes the curve that Echo is built with.

use threefold::commands::calibrate::{self, Hooks};
use threefold::exit::Exit;
use threefold::{files, streams};
use threefold_echo::strength::curve::Curve;
use threefold_echo::strength::{STRONGEST, StrengthCurve};
use threefold_harness::calibration::CalibrationDesign;
use threefold_harness::output_file::{self, IfThere};
use threefold_report::graded::{self, Graded};

use crate::args::StrengthCurveArgs;

/// The option of Echo that says what its levels are.
const CURVE: &str = "StrengthCurve";
/// Its value for those that a curve is made of.
const RATINGS: StrengthCurve = StrengthCurve::MadChess;

/// Calibrates by levels, then writes the curve if it rises.
pub fn run(args: &StrengthCurveArgs) -> anyhow::Result<Exit> {
    output_file::check(&args.accept, IfThere::Replace)?;
    anyhow::ensure!(args.calibrate.nodes.is_empty(), "--nodes: a strength curve is measured by --levels");
    calibrate::levels(&args.calibrate, &Hooks { check: &check, finish: &|graded| write(args, graded) })
}

/// Echo is built with a curve of MadChess's ratings, up to full strength, on the scale of anchors.
fn check(CalibrationDesign { option: dial, levels, anchors, .. }: &CalibrationDesign) -> anyhow::Result<()> {
    let ratings = RATINGS.name();
    let is_ratings = |(name, value): &(String, String)| {
        name.eq_ignore_ascii_case(CURVE) && value.eq_ignore_ascii_case(ratings)
    };
    anyhow::ensure!(
        dial.engine().options.iter().any(is_ratings),
        "--accept writes what MadChess's ratings are worth; measure those: --engine \"echo,name=Echo,{CURVE}={ratings}\""
    );
    anyhow::ensure!(
        levels.last() == Some(&STRONGEST),
        "--accept writes a curve that ends at full strength: let --levels end at {STRONGEST}, such as 800:{STRONGEST}:200"
    );
    anyhow::ensure!(
        !anchors.is_empty(),
        "--accept writes a curve in the Elo of anchors; name some, such as --anchor \"./stash-21,name=Stash 21=2713\""
    );
    Ok(())
}

fn write(args: &StrengthCurveArgs, graded: &Graded) -> anyhow::Result<()> {
    let curve = graded::curve(graded);
    anyhow::ensure!(
        graded.rises() && Curve::read(&curve).is_some(),
        "--accept: these games make no curve that rises, so {} is left as it was; look where a higher level is \
         weaker in the report, or play more --games",
        args.accept.display()
    );
    files::write_whole(&args.accept, curve.as_bytes())?;
    streams::notice(&format!("curve: {}", args.accept.display()));
    Ok(())
}
