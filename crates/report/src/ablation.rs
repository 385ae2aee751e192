//! The worth of features: a line for each match of an engine against itself without one, by that feature's name.
//!
//! The numbers of games are settled beforehand, so the interval is the usual one.

use std::io;

use csv::{Terminator, WriterBuilder};

use super::Format;
use super::model::{Duel, MatchResult, Report};
use super::phrase;

/// What `study ablation` prints.
pub(super) const FORMAT: Format = Format {
    name: "ablation",
    file: "ablation.csv",
    summary: "what each feature is worth: feature, games, logistic Elo, fixed-N 95 % interval",
    render,
};

fn render(report: &Report) -> io::Result<Vec<u8>> {
    let mut writer = WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(Vec::new());
    writer.write_record(["feature", "games", "elo", "interval"])?;
    for part in &report.matches {
        if let MatchResult::Duel(duel) = &part.result {
            let [elo, interval] = worth(duel);
            writer.write_record([
                part.name.clone(),
                (2 * duel.sheet.pairs().trials()).to_string(),
                elo,
                interval,
            ])?;
        }
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

/// The difference and its interval. Where all pairs ended alike there is no difference to tell, but a bound.
fn worth(duel: &Duel) -> [String; 2] {
    match duel.fixed {
        Some(fixed) => {
            let estimate = fixed.logistic;
            [phrase::tenths(estimate.value.0), phrase::range([estimate.low, estimate.high])]
        }
        None => [String::new(), phrase::range(duel.anytime)],
    }
}

#[cfg(test)]
mod tests {
    use super::super::specimen;
    use super::*;
    use threefold_stats::GameResult::{Draw, Loss, Win};

    #[test]
    fn a_feature_is_a_line() {
        let mut report = specimen::report();
        let duel = |pairs: &[_]| MatchResult::Duel(Duel::of(["A", "B"].map(str::to_owned), pairs));
        let table = [
            // how the pairs ended, the line
            (vec![[Win, Win], [Draw, Win], [Draw, Draw], [Win, Loss]], "NullMove,8,+136.7,-"),
            (vec![[Draw, Draw]; 2], "NullMove,4,,-"),
        ];
        report.matches.retain(|part| matches!(part.result, MatchResult::Duel(_)));
        "NullMove".clone_into(&mut report.matches[0].name);
        for (pairs, line) in table {
            report.matches[0].result = duel(&pairs);
            let text = String::from_utf8(render(&report).expect("renders")).expect("UTF-8");
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!((lines.len(), lines[0]), (2, "feature,games,elo,interval"), "{text}");
            assert!(lines[1].starts_with(line), "{text}");
        }
    }
}
