//! The Elo of search features: a line for each match of Echo against Echo without one feature.
//!
//! The number of games is fixed, so the interval is a fixed-N interval.

use std::io;

use csv::{Terminator, WriterBuilder};

use threefold_echo::feature_switches::Feature;
use threefold_player::EngineSpec;
use threefold_report::model::report::{Duel, MatchResult, Report};
use threefold_report::{FORMATS, ReportFormat, ReportSet, format};
use threefold_run::{Labels, Part, Task};

/// The label of a match: the name of the feature that the second engine lacks.
const FEATURE: &str = "feature";

/// The reports of `study ablation`: the usual ones, with a line for each feature printed.
pub const REPORTS: ReportSet = ReportSet {
    name: "ablation",
    printed: FORMAT,
    files: FORMATS,
    is_measurement: false,
    needs_moves: false,
    derive_labels: Some(|parts| parts.iter().map(derived).collect()),
};

const FORMAT: ReportFormat = ReportFormat {
    name: "ablation",
    file: "ablation.csv",
    summary: "Elo of each feature: feature, games, logistic Elo, fixed-N 95 % interval",
    stream: None,
    render,
};

/// The labels of the match of a feature.
pub fn labels(feature: Feature) -> Labels {
    Labels::NONE.with(FEATURE, feature)
}

/// The labels of a match: the second engine is the one that has a feature switched off.
fn derived(part: &Part) -> Labels {
    let Task::Match(task) = &part.task else { return Labels::NONE };
    let lacks = |engine: &EngineSpec, feature: &Feature| {
        let is_off = |(name, value): &(String, String)| name == feature.name() && value == "false";
        engine.options.iter().any(is_off)
    };
    let [whole, without] = &task.engines[..] else { return Labels::NONE };
    let feature = Feature::ALL.iter().find(|feature| lacks(without, feature) && !lacks(whole, feature));
    feature.map_or(Labels::NONE, |&feature| labels(feature))
}

fn render(report: &Report) -> io::Result<Vec<u8>> {
    let mut writer = WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(Vec::new());
    writer.write_record(["feature", "games", "elo", "interval"])?;
    for part in &report.matches {
        if let (Some(feature), MatchResult::Duel(duel)) = (part.labels.get(FEATURE), &part.result) {
            let games = (2 * duel.sheet.pairs().trials()).to_string();
            let [elo, interval] = worth(duel);
            writer.write_record([feature, &games, &elo, &interval])?;
        }
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

/// The difference and its interval. If all pairs have the same result, there is only a bound.
fn worth(duel: &Duel) -> [String; 2] {
    match duel.fixed {
        Some(fixed) => {
            let estimate = fixed.logistic;
            [format::tenths(estimate.value.0), format::range([estimate.low, estimate.high])]
        }
        None => [String::new(), format::range(duel.anytime)],
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{duel, report};
    use super::*;
    use threefold_run::job::MatchTask;
    use threefold_stats::GameResult::{Draw, Loss, Win};

    fn lines(report: &Report) -> Vec<String> {
        let text = String::from_utf8(render(report).expect("renders")).expect("UTF-8");
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn each_feature_is_a_row() {
        let table = [
            // how the pairs ended, the line
            (vec![[Win, Win], [Draw, Win], [Draw, Draw], [Win, Loss]], "NullMove,8,+136.7,-"),
            (vec![[Draw, Draw]; 2], "NullMove,4,,-"),
        ];
        for (pairs, line) in table {
            let part = duel(labels(Feature::NullMove), ["A", "B"], &pairs);
            let other = duel(Labels::NONE, ["A", "B"], &pairs);
            let lines = lines(&report(Vec::new(), vec![part, other]));
            assert_eq!((lines.len(), lines[0].as_str()), (2, "feature,games,elo,interval"), "{lines:?}");
            assert!(lines[1].starts_with(line), "{lines:?}");
        }
    }

    #[test]
    fn labels_follow_from_the_disabled_option() {
        let table = [
            (["echo,name=E", "echo,name=x,NullMove=false"], labels(Feature::NullMove)),
            (
                ["echo,name=E,NullMove=false", "echo,name=x,NullMove=false,Singular=false"],
                labels(Feature::Singular),
            ),
            (["echo,name=E", "echo,name=E without NullMove"], Labels::NONE),
        ];
        for (engines, expected) in table {
            let task = MatchTask {
                engines: engines.map(|spec| spec.parse().expect("sound")).to_vec(),
                ..super::super::fixture::games()
            };
            let part = Part::without_labels("a match".to_owned(), Task::Match(task));
            assert_eq!(derived(&part), expected, "{engines:?}");
        }
    }
}
