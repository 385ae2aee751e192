//! Arguments of `wdl`.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::Context;
use clap::Args;
use serde::Deserialize;

use crate::args::Jobs;
use crate::files;
use threefold_report::wdl::{ScoreUnit, UnitModel, WdlBy, WdlSettings};

/// `threefold wdl`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  threefold wdl games.pgn --html wdl.html\n  \
    threefold wdl a.pgn.gz runs/match-1.sqlite --engine dev --by move\n  \
    threefold wdl new.pgn --old-model wdl.json --json new.json\n\n\
    The model: win = σ((x - a) / b), loss = σ((-x - a) / b), draw the rest, with σ(z) = 1 / (1 + exp(-z)). x is the score \
    from the view of the side to move, a and b are cubics of the material or of the move number. It is that of \
    official-stockfish/WDL_model, whose defaults are the defaults here.\n\n\
    Scores are read from the beginning of the comment on each move, as fastchess, cutechess-cli and threefold write it: \
    `{+0.31/12 …}`, and from journals.")]
pub struct WdlArgs {
    /// PGN files, plain, gzip, zstd or zip, and journals (`.sqlite`); `-` is standard input; `@FILE` reads paths, one per
    /// line
    #[arg(value_name = "GAMES", required = true)]
    pub files: Vec<PathBuf>,
    /// What a and b depend on: `material` or `move`
    #[arg(long, value_name = "WHAT", default_value_t = WdlBy::Material)]
    pub by: WdlBy,
    /// Count only the scores of this engine; may be repeated [default: all]
    #[arg(long = "engine", value_name = "NAME")]
    pub engines: Vec<String>,
    /// Material or move number at which a is the sum of its coefficients [default: 58, or 32 by move]
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u16).range(1..=999))]
    pub target: Option<u16>,
    /// Move numbers that count
    #[arg(long, value_name = "FIRST..LAST", default_value = "1..120")]
    pub moves: Span,
    /// Material of both sides that counts: 78 at the start
    #[arg(long, value_name = "LEAST..MOST", default_value = "17..78")]
    pub material: Span,
    /// Highest score that counts, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 400, value_parser = clap::value_parser!(u16).range(10..=10_000))]
    pub max_score: u16,
    /// Round scores to multiples of this, in centipawns; 1 for no rounding
    #[arg(long, value_name = "CP", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=100))]
    pub bin: u16,
    /// Units of the engine in a printed score of one pawn
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub pawn_value: u32,
    /// The model by which the engine scales the scores that it prints: a file of `--json`
    #[arg(long, value_name = "FILE.json", conflicts_with = "pawn_value")]
    pub old_model: Option<PathBuf>,
    /// Write the model with its errors to this file; `-` prints it instead of the table
    #[arg(long, value_name = "FILE.json")]
    pub json: Option<PathBuf>,
    /// Write the model to this file as a page with plots
    #[arg(long, value_name = "FILE.html")]
    pub html: Option<PathBuf>,
    /// Write every warning to this file, one per line
    #[arg(long, value_name = "FILE")]
    pub warnings: Option<PathBuf>,
    /// Replace existing files
    #[arg(long)]
    pub force: bool,
    /// Worker threads.
    #[command(flatten)]
    pub jobs: Jobs,
}

impl WdlArgs {
    /// Which positions count.
    ///
    /// # Errors
    /// If the file of the old model can't be used.
    pub fn settings(&self) -> anyhow::Result<WdlSettings> {
        let unit = match &self.old_model {
            None => ScoreUnit::Fixed(self.pawn_value),
            Some(file) => ScoreUnit::Model(old_model(file)?),
        };
        Ok(WdlSettings {
            by: self.by,
            target: self.target.unwrap_or_else(|| self.by.default_target()),
            moves: self.moves.0,
            material: self.material.0,
            most: self.max_score,
            bin: self.bin,
            unit,
        })
    }
}

/// `FIRST..LAST`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span(pub [u16; 2]);

impl FromStr for Span {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        let ends =
            given.split_once("..").and_then(|(first, last)| Some([first.parse().ok()?, last.parse().ok()?]));
        ends.filter(|[first, last]| first < last).map(Self).ok_or_else(|| {
            format!("`{given}` is no range; write the first and the last number, such as 20..78")
        })
    }
}

/// The fields of `--json` that scale scores.
#[derive(Deserialize)]
struct ModelFile {
    by: String,
    target: f64,
    range: [u16; 2],
    #[serde(rename = "as")]
    a: [f64; 4],
}

fn old_model(file: &Path) -> anyhow::Result<UnitModel> {
    let form =
        "a model is a JSON object with `by`, `target`, `range` and `as`, as `threefold wdl --json` writes it";
    let text = files::text(file)?;
    let read: ModelFile =
        serde_json::from_str(&text).with_context(|| format!("{}: {form}", file.display()))?;
    let by = read.by.parse().map_err(|error| anyhow::anyhow!("{}: by: {error}", file.display()))?;
    let model = UnitModel { by, a: read.a, target: read.target, range: read.range };
    let [low, high] = model.range;
    let sound = low <= high
        && model.target > 0.0
        && (low..=high).all(|m| {
            let m = f64::from(m) / model.target;
            // Horner's scheme: the coefficient of the highest power is the first.
            model.a.iter().fold(0.0, |sum, coefficient| sum * m + coefficient) > 0.0
        });
    anyhow::ensure!(
        sound,
        "{}: a of this model is not positive in its range {low}..{high}; {form}",
        file.display()
    );
    Ok(model)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_have_two_ends() {
        assert_eq!("17..78".parse(), Ok(Span([17, 78])));
        for bad in ["17", "78..17", "5..5", "a..b", "1...3", "..", "1..70000"] {
            assert!(bad.parse::<Span>().is_err(), "{bad}");
        }
    }
}
