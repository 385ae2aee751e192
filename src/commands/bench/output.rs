//! The output of a measurement: a table with sentences for people, JSON for programs, and warnings.

use std::ptr;
use std::time::Duration;

use serde_json::{Value, json};

use super::comparison::{Comparison, NodeCount, Results, Row};
use crate::output::tables::table;
use threefold_report::format::{count, grouped, listed};
use threefold_stats::Estimate;

/// The most node counts of a candidate that are listed.
const MOST_COUNTS: usize = 3;

/// A table with a row for each candidate, and a line for each comparison.
pub(super) fn text(results: &Results) -> String {
    let rows = results.rows.iter().map(|row| {
        let peak = row.peak_memory().map_or_else(|| "not known".to_owned(), mebibytes);
        vec![row.candidate.title.clone(), nodes(row), speed(row.speed()), milliseconds(row.startup()), peak]
    });
    let table = table(&["engine", "nodes", "nps (95 %)", "start-up", "memory"], rows);
    let mut lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    for row in &results.rows {
        let counts = results.differing_counts(row);
        lines.extend(counts.map(|counts| differing(&row.candidate.title, &counts)));
    }
    for pair in results.comparisons() {
        lines.extend(pair.ratio().map(|ratio| sentence(pair, ratio)));
        if pair.searches_differ() {
            let [first, other] = titles(pair);
            lines.push(format!(
                "{first} and {other} search different numbers of nodes: this compares nodes per second of different \
                 searches"
            ));
        }
    }
    lines.join("\n") + "\n"
}

/// One object for each candidate, a line each.
pub(super) fn json(results: &Results) -> String {
    let comparisons = results.comparisons();
    let object = |row: &Row| {
        let pair = comparisons.iter().find(|pair| ptr::eq(pair.other, row));
        let value = row.candidate.value.as_ref().map(|(option, value)| json!({ option.as_str(): value }));
        let rounds: Vec<Value> = row
            .rounds
            .iter()
            .map(|round| {
                json!({
                    "nodes": round.nodes,
                    "seconds": round.elapsed.as_secs_f64(),
                    "nps": round.speed(),
                    "startup_seconds": round.startup.as_secs_f64(),
                    "peak_memory_bytes": round.peak_memory,
                })
            })
            .collect();
        json!({
            "engine": row.candidate.engine,
            "option": value,
            "nps": estimate(row.speed()),
            "startup_seconds": row.startup().as_secs_f64(),
            "peak_memory_bytes": row.peak_memory(),
            "first": pair.map(|pair| json!({
                "engine": pair.first.candidate.engine,
                "option": pair.first.candidate.value.as_ref().map(|(option, value)| json!({ option.as_str(): value })),
                "speed_of_first_to_this": pair.ratio().map(estimate),
            })),
            "outlier_rounds": row.outliers().iter().map(|outlier| outlier.index + 1).collect::<Vec<_>>(),
            "rounds": rounds,
        })
        .to_string()
    };
    results.rows.iter().map(|row| object(row) + "\n").collect()
}

/// What makes the figures uncertain: rounds whose time is far from that of the others.
pub(super) fn warnings(results: &Results) -> Vec<String> {
    let of_row = |row: &Row| {
        let median = whole(row.median_speed());
        let title = row.candidate.title.clone();
        let warnings: Vec<String> = row
            .outliers()
            .into_iter()
            .map(|outlier| {
                let speed = whole(row.rounds[outlier.index].speed());
                format!(
                    "round {} of {title} has {speed} nps, and the median round {median} (modified Z-score {:.1}); close other \
                     programs, and measure again",
                    outlier.index + 1,
                    outlier.score
                )
            })
            .collect();
        warnings
    };
    results.rows.iter().flat_map(of_row).collect()
}

/// An estimate as JSON. An open end is null.
fn estimate(estimate: Estimate<f64>) -> Value {
    json!({ "value": estimate.value, "low": estimate.low, "high": estimate.high })
}

fn titles(pair: Comparison<'_>) -> [&str; 2] {
    [&pair.first.candidate.title, &pair.other.candidate.title]
}

/// `new is 1.3 % faster than old (95 %: 0.9 to 1.7 %)`
fn sentence(pair: Comparison<'_>, ratio: Estimate<f64>) -> String {
    let [first, other] = titles(pair);
    let Estimate { low, value, high } = ratio;
    let (word, sign) = if value < 1.0 { ("slower", -1.0) } else { ("faster", 1.0) };
    // A short interval needs more digits.
    let digits = if high - low < 0.002 { 2 } else { 1 };
    let percent = |ratio: f64| format!("{:.digits$}", sign * (ratio - 1.0) * 100.0);
    let signed = |ratio: f64| format!("{:+.digits$}", (ratio - 1.0) * 100.0);
    let (near, far) = if value < 1.0 { (high, low) } else { (low, high) };
    if high.is_infinite() {
        return format!(
            "{first} is {} % {word} than {other} in one round; give --rounds 2 or more for an interval",
            percent(value)
        );
    }
    if low <= 1.0 && high >= 1.0 {
        return format!(
            "no difference shown between {first} and {other}: {} % (95 %: {} to {} %)",
            signed(value),
            signed(low),
            signed(high)
        );
    }
    format!(
        "{first} is {} % {word} than {other} (95 %: {} to {} %)",
        percent(value),
        percent(near),
        percent(far)
    )
}

/// The node count, if it is the same in every round.
fn nodes(row: &Row) -> String {
    match &row.node_counts()[..] {
        [count] => grouped(count.nodes),
        _ => "varies".to_owned(),
    }
}

/// The node counts of a candidate that should have one, with their rounds.
fn differing(title: &str, counts: &[NodeCount]) -> String {
    let shown = counts.iter().take(MOST_COUNTS).map(|NodeCount { nodes, rounds }| {
        let numbers: Vec<String> = rounds.iter().map(ToString::to_string).collect();
        let word = if rounds.len() == 1 { "round" } else { "rounds" };
        format!("{} in {word} {}", grouped(*nodes), listed(&numbers))
    });
    let mut shown: Vec<String> = shown.collect();
    if counts.len() > MOST_COUNTS {
        shown.push(format!("and {}", count(counts.len() - MOST_COUNTS, "other count")));
    }
    format!("{title} searches another number of nodes in other rounds: {}", shown.join("; "))
}

/// `1 234 567 ± 890`
fn speed(speed: Estimate<f64>) -> String {
    let reach = speed.high - speed.value;
    if reach.is_finite() { format!("{} ± {}", whole(speed.value), whole(reach)) } else { whole(speed.value) }
}

fn whole(number: f64) -> String {
    grouped(number.round() as u64)
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

#[cfg(test)]
#[path = "output_tests.rs"]
mod tests;
