//! The study of Thompson's flag with several threads: how many repetitions the detector `OpenFlag` misses and
//! reports wrongly, and which traps it passes. From a run of `study open-flag`.
//!
//! The threads of a search share the transposition table and so the flags: a thread can find the flag of
//! another thread's path, and overwrite or clear one of its own. Echo compares the detector with the exact
//! one at every node of every thread.

use std::collections::BTreeMap;
use std::io;

use csv::{Terminator, WriterBuilder};

use threefold_echo::repetition::Detector;
use threefold_report::model::report::{Report, SuitePart};
use threefold_report::{ReportFormat, ReportSet};
use threefold_run::Labels;
use threefold_stats::interval::Rate;
use threefold_stats::mean::student_quantile;
use threefold_stats::paired::Discordant;
use threefold_suites::VerdictKind;

/// The reports of `study open-flag`.
pub const REPORTS: ReportSet = ReportSet {
    name: "open-flag",
    printed: FORMAT,
    files: &[FORMAT],
    is_measurement: true,
    needs_moves: false,
    derive_labels: None,
};

const FORMAT: ReportFormat = ReportFormat {
    name: "open-flag",
    file: "open-flag-study.csv",
    summary: "errors and passed traps of each detector: figure, detector, threads, value, low, high, count",
    stream: None,
    render,
};

/// The counter of nodes, and the counters of errors with their names in the report.
const NODES: &str = "nodes met";
const ERRORS: [(&str, &str); 2] = [
    ("repetitions overlooked", "missed repetitions a million nodes"),
    ("repetitions imagined", "false repetitions a million nodes"),
];

const QUESTION: &str = "question";
const ERROR_COUNT: &str = "errors";
const TRAPS: &str = "traps";
const DETECTOR: &str = "detector";
const THREADS: &str = "threads";

/// The labels of searches that count errors. All rounds of a number of threads have the same.
pub fn error_labels(detector: Detector, threads: usize) -> Labels {
    Labels::NONE.with(QUESTION, ERROR_COUNT).with(DETECTOR, detector).with(THREADS, threads)
}

/// The labels of a run of the traps.
pub fn trap_labels(detector: Detector, threads: usize) -> Labels {
    error_labels(detector, threads).with(QUESTION, TRAPS)
}

/// The value of a figure with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
struct EventRate {
    low: f64,
    value: f64,
    high: f64,
    positions: usize,
}

/// Events for each million nodes, over positions with events and nodes. Nodes of one position are not
/// independent, so a position is one observation: the interval is that of a ratio of two sums. `None` without
/// nodes; infinite ends with a single position.
fn rate(positions: &[[f64; 2]]) -> Option<EventRate> {
    let count = positions.len() as f64;
    let [events, nodes] = positions.iter().fold([0.0, 0.0], |sum, it| [sum[0] + it[0], sum[1] + it[1]]);
    let ratio = (nodes > 0.0).then(|| events / nodes)?;
    // The linearised error of a ratio of two sums, from the residuals of each position.
    let squares: f64 = positions.iter().map(|[events, nodes]| (events - ratio * nodes).powi(2)).sum();
    let error = (squares * count / (count - 1.0)).sqrt() / nodes;
    let reach = if positions.len() > 1 { student_quantile(count - 1.0) * error } else { f64::INFINITY };
    let [low, value, high] = [(ratio - reach).max(0.0), ratio, ratio + reach].map(|it| 1e6 * it);
    Some(EventRate { low, value, high, positions: positions.len() })
}

/// Detector and threads of a part.
fn variant(part: &SuitePart) -> Option<(usize, Detector)> {
    Some((part.labels.parsed(THREADS)?, part.labels.parsed(DETECTOR)?))
}

/// The parts of a question by their variants.
fn asked<'r>(report: &'r Report, question: &str) -> Vec<((usize, Detector), &'r SuitePart)> {
    let parts = report.suites.iter().filter(|part| part.labels.get(QUESTION) == Some(question));
    parts.filter_map(|part| Some((variant(part)?, part))).collect()
}

/// The counts of each position, summed over the rounds of a variant: nodes, then the errors of each kind.
fn counts(parts: &[&SuitePart]) -> Vec<[f64; 1 + ERRORS.len()]> {
    let mut positions: BTreeMap<&str, [f64; 1 + ERRORS.len()]> = BTreeMap::new();
    for case in parts.iter().flat_map(|part| &part.cases) {
        let sums = positions.entry(&case.id).or_default();
        for measure in &case.verdict.measures {
            let names = std::iter::once(NODES).chain(ERRORS.iter().map(|(name, _)| *name));
            if let Some((_, sum)) = names.zip(sums.iter_mut()).find(|(name, _)| *name == measure.name) {
                *sum += measure.amount as f64;
            }
        }
    }
    positions.into_values().collect()
}

fn render(report: &Report) -> io::Result<Vec<u8>> {
    let mut writer = WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(Vec::new());
    writer.write_record(["figure", "detector", "threads", "value", "low", "high", "count"])?;
    let number = |value: f64| format!("{value:.4}");
    let mut row = |figure: &str, (threads, detector): (usize, Detector), cells: [String; 3], count: usize| {
        let [value, low, high] = cells;
        let (detector, threads) = (detector.to_string(), threads.to_string());
        writer.write_record([figure, &detector, &threads, &value, &low, &high, &count.to_string()])
    };
    let mut rounds: Vec<((usize, Detector), Vec<&SuitePart>)> = Vec::new();
    for (variant, part) in asked(report, ERROR_COUNT) {
        match rounds.iter_mut().find(|(known, _)| *known == variant) {
            Some((_, parts)) => parts.push(part),
            None => rounds.push((variant, vec![part])),
        }
    }
    for (variant, parts) in &rounds {
        let counts = counts(parts);
        for (at, (_, figure)) in (1..).zip(ERRORS) {
            let positions: Vec<[f64; 2]> = counts.iter().map(|counts| [counts[at], counts[0]]).collect();
            if let Some(EventRate { low, value, high, positions }) = rate(&positions) {
                row(figure, *variant, [value, low, high].map(number), positions)?;
            }
        }
    }
    let traps = asked(report, TRAPS);
    for &(variant, part) in &traps {
        let passed: Rate = part.rate();
        let interval = passed.wilson(0.05);
        let share = passed.share().map(number).unwrap_or_default();
        row("traps passed", variant, [share, number(interval.low), number(interval.high)], part.cases.len())?;
        let base = (variant.0, Detector::KeyStack);
        let Some((_, exact)) = traps.iter().find(|(other, _)| *other == base && variant != base) else {
            continue;
        };
        let differ = differing(part, exact);
        let count = |count: u64| [count.to_string(), String::new(), String::new()];
        row("traps that only it passed", variant, count(differ.only_a), part.cases.len())?;
        row("traps that only KeyStack passed", variant, count(differ.only_b), part.cases.len())?;
        let p = [number(differ.exact()), String::new(), String::new()];
        row("p-value of equal passes (McNemar)", variant, p, part.cases.len())?;
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

/// The traps that only one of two parts passed.
fn differing(one: &SuitePart, other: &SuitePart) -> Discordant {
    let passed = |part: &SuitePart| -> BTreeMap<String, bool> {
        part.cases.iter().map(|case| (case.id.clone(), case.verdict.kind() == VerdictKind::Passed)).collect()
    };
    let (one, other) = (passed(one), passed(other));
    let only = |one: &BTreeMap<String, bool>, other: &BTreeMap<String, bool>| {
        one.iter().filter(|(id, passed)| **passed && other.get(*id) == Some(&false)).count() as u64
    };
    Discordant { only_a: only(&one, &other), only_b: only(&other, &one) }
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;
    use threefold_suites::Measure;

    /// A part whose cases have these ids.
    fn named(mut part: SuitePart, ids: &[&str]) -> SuitePart {
        for (case, id) in part.cases.iter_mut().zip(ids) {
            case.id = (*id).to_owned();
        }
        part
    }

    fn counted(threads: usize, id: &str, nodes: u64, missed: u64) -> SuitePart {
        let measures = [Measure::count(NODES, nodes), Measure::count(ERRORS[0].0, missed)];
        named(fixture::suite(error_labels(Detector::OpenFlag, threads), [1, 0], &measures), &[id])
    }

    #[test]
    fn rate_counts_a_position_once() {
        let sure = rate(&[[1.0, 1e6], [2.0, 2e6]]).expect("nodes");
        assert_eq!((sure.low, sure.value, sure.high), (1.0, 1.0, 1.0));
        let unsure = rate(&[[0.0, 1e6], [2.0, 1e6]]).expect("nodes");
        assert!(
            (unsure.value - 1.0).abs() < 1e-9 && unsure.low == 0.0 && (unsure.high - 13.706).abs() < 1e-3
        );
        assert_eq!(rate(&[[1.0, 1e6]]).map(|it| (it.value, it.high)), Some((1.0, f64::INFINITY)));
        assert_eq!(rate(&[]), None);
    }

    #[test]
    fn rounds_are_added_up_by_position() {
        let traps = |detector, [passed, failed]: [usize; 2], ids: &[&str]| {
            named(fixture::suite(trap_labels(detector, 2), [passed, failed], &[]), ids)
        };
        let suites = vec![
            counted(2, "a", 500_000, 1),
            counted(2, "b", 1_000_000, 2),
            counted(2, "a", 500_000, 1),
            counted(4, "a", 1_000_000, 9),
            fixture::suite(Labels::NONE, [1, 1], &[]),
            traps(Detector::KeyStack, [2, 1], &["x", "y", "z"]),
            traps(Detector::OpenFlag, [1, 2], &["z", "x", "y"]),
        ];
        let text = render(&fixture::report(suites, Vec::new())).expect("renders");
        let text = String::from_utf8(text).expect("UTF-8");
        let expected = [
            "missed repetitions a million nodes,OpenFlag,2,2.0000,2.0000,2.0000,2",
            "false repetitions a million nodes,OpenFlag,2,0.0000,0.0000,0.0000,2",
            "missed repetitions a million nodes,OpenFlag,4,9.0000,0.0000,inf,1",
            "false repetitions a million nodes,OpenFlag,4,0.0000,0.0000,inf,1",
            "traps passed,KeyStack,2,0.6667,0.2077,0.9385,3",
            "traps passed,OpenFlag,2,0.3333,0.0615,0.7923,3",
            "traps that only it passed,OpenFlag,2,1,,,3",
            "traps that only KeyStack passed,OpenFlag,2,2,,,3",
            "p-value of equal passes (McNemar),OpenFlag,2,1.0000,,,3",
        ];
        assert_eq!(text.lines().skip(1).collect::<Vec<_>>(), expected);
    }
}
