//! The trend: cases, bench and speed of the last versions of the baseline and of this run, a line each.

use super::text;
use crate::format;
use crate::model::report::Report;
use threefold_run::TrendPoint;
use threefold_run::trend::CaseCount;

/// A quantity in a version or in this run.
struct Value {
    words: String,
    height: f64,
}

/// The fewest values of a line, that of this run included.
const FEWEST: usize = 3;

/// A table with a row for each quantity; `None` without a history.
pub(super) fn table(report: &Report) -> Option<String> {
    let quantities = [
        ("cases passed", cases(report)),
        ("bench, nodes", bench(report)),
        ("nodes per second, on any machine", speed(report)),
    ];
    let rows = quantities.into_iter().filter_map(|(name, values)| row(name, &values));
    let rows: Vec<Vec<String>> = rows.collect();
    let versions = format::count(report.trend.len(), "baseline");
    let heading = format!("last {versions} and this run");
    (!rows.is_empty()).then(|| text::table(&[&heading, "oldest", "this run", "trend"], rows))
}

fn row(name: &str, values: &[Value]) -> Option<Vec<String>> {
    let [first, .., last] = values else { return None };
    let cells = || vec![name.to_owned(), first.words.clone(), last.words.clone(), sparkline(values)];
    (values.len() >= FEWEST).then(cells)
}

/// The heights in eight steps between the lowest and the highest; in the middle if all are equal.
fn sparkline(values: &[Value]) -> String {
    const STEPS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let heights = || values.iter().map(|value| value.height);
    let (low, high) = (heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max));
    let step = |height: f64| if high > low { ((height - low) / (high - low) * 7.0).round() } else { 3.0 };
    heights().map(|height| STEPS[step(height) as usize]).collect()
}

/// The passed cases of the suites of this run; none if it has no case.
fn cases(report: &Report) -> Vec<Value> {
    let of_suites = |point: &TrendPoint| {
        let suites = report.suites.iter().filter_map(|part| point.suites.get(&part.suite));
        suites.fold(CaseCount::default(), |sum, suite| CaseCount {
            passed: sum.passed + suite.passed,
            cases: sum.cases + suite.cases,
        })
    };
    let (passed, cases) = report.cases();
    let now = CaseCount { passed: passed as u64, cases: cases as u64 };
    // A version without any of these suites has no share.
    let all = report.trend.iter().map(of_suites).chain([now]).filter(|count| count.cases > 0);
    let value = |count: CaseCount| Value {
        words: format!("{} of {}", format::grouped(count.passed), format::grouped(count.cases)),
        height: count.passed as f64 / count.cases as f64,
    };
    if cases > 0 { all.map(value).collect() } else { Vec::new() }
}

fn bench(report: &Report) -> Vec<Value> {
    let now = report.benches.first().map(|bench| bench.now.nodes);
    numbers(report.trend.iter().filter_map(|point| point.bench), now)
}

fn speed(report: &Report) -> Vec<Value> {
    let now = report.benches.first().and_then(|bench| bench.now.nps);
    numbers(report.trend.iter().filter_map(|point| point.nps), now)
}

/// Numbers of earlier versions and of this run; none if this run has none.
fn numbers(earlier: impl Iterator<Item = u64>, now: Option<u64>) -> Vec<Value> {
    let value = |number: u64| Value { words: format::grouped(number), height: number as f64 };
    now.map_or_else(Vec::new, |now| earlier.chain([now]).map(value).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::bench_comparison::BenchComparison;
    use crate::model::fixture;
    use threefold_suites::kinds::bench::BenchReading;

    fn point(passed: u64, bench: u64, nps: Option<u64>) -> TrendPoint {
        let suites = [("repetition", passed), ("other", 9)];
        let suites = suites.map(|(suite, passed)| (suite.to_owned(), CaseCount { passed, cases: 10 }));
        TrendPoint { commit: "1a2b".to_owned(), suites: suites.into(), bench: Some(bench), nps }
    }

    #[test]
    fn trend_has_the_suites_of_this_run_and_needs_a_history() {
        let mut report = fixture::report();
        report.suites.truncate(1);
        let now = BenchReading { nodes: 4711, nps: Some(1_500_000), runs: None };
        report.benches = vec![BenchComparison { suite: "bench".to_owned(), now, was: None }];
        assert_eq!(table(&report), None);
        report.trend = vec![point(1, 4000, None), point(8, 4000, Some(1_400_000))];
        let table = table(&report).expect("there is a history").replace('\u{202f}', ",");
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines.len(), 4, "the speed has two values only: {table}");
        assert_eq!(lines[0], "| last 2 baselines and this run | oldest | this run | trend |");
        assert!(lines[2].starts_with("| cases passed | 1 of 10 | "), "{table}");
        assert_eq!(lines[3], "| bench, nodes | 4,000 | 4,711 | ▁▁█ |");
    }

    #[test]
    fn sparkline_has_eight_steps() {
        let line = |heights: &[f64]| {
            let value = |&height: &f64| Value { words: String::new(), height };
            sparkline(&heights.iter().map(value).collect::<Vec<_>>())
        };
        assert_eq!(line(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]), "▁▂▃▄▅▆▇█");
        assert_eq!(line(&[5.0, 5.0]), "▄▄");
    }
}
