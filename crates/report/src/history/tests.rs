//! Changes and flaky cases of made-up runs.

use threefold_stats::{Estimate, Logistic};
use threefold_suites::{Cause, FailCause, PassCause};

use super::*;

/// A run in which the first `passed` of 40 cases of the suite `s` pass.
pub(super) fn run(time: i64, passed: usize, bench: Option<(u64, u64)>) -> HistoryRun {
    let case = |index: usize| {
        let cause: Cause =
            if index < passed { PassCause::AcceptedMove.into() } else { FailCause::History.into() };
        let name = CaseName { suite: "s".to_owned(), id: format!("{index:02}") };
        (
            name,
            BaselineCase {
                class: "c".to_owned(),
                cause,
                detail: String::new(),
                played: "e2e4".to_owned(),
                solved_nodes: None,
                accepted: None,
            },
        )
    };
    let mut cases: BTreeMap<CaseName, BaselineCase> = (0..40).map(case).collect();
    cases.extend(bench.map(|(nodes, nps)| {
        let name = CaseName { suite: "bench".to_owned(), id: bench::ID.to_owned() };
        let (class, detail) = (bench::ID.to_owned(), format!("{nodes} nodes, {nps} nps"));
        (
            name,
            BaselineCase {
                class,
                cause: PassCause::Measured.into(),
                detail,
                played: nodes.to_string(),
                solved_nodes: None,
                accepted: None,
            },
        )
    }));
    HistoryRun {
        time: time * 86_400,
        source: format!("run-{time}"),
        engine: Some("E".to_owned()),
        build: Some("aa".to_owned()),
        machine: Some("m".to_owned()),
        settings: BTreeMap::new(),
        commit: None,
        cases,
        elo: BTreeMap::new(),
    }
}

pub(super) fn history(runs: Vec<HistoryRun>) -> History {
    History::new(runs, Releases::new())
}

fn subjects(history: &History) -> Vec<(String, usize)> {
    history.changes().iter().map(|change| (change.subject.to_string(), change.run)).collect()
}

/// The same with owned names.
fn named<const N: usize>(subjects: [(&str, usize); N]) -> Vec<(String, usize)> {
    subjects.map(|(subject, run)| (subject.to_owned(), run)).to_vec()
}

#[test]
fn loss_of_many_cases_is_a_change_and_of_few_is_not() {
    let few = history(vec![run(1, 30, None), run(2, 27, None), run(3, 27, None)]);
    assert_eq!(subjects(&few), named([]));
    // The order is that of the times.
    let many = history(vec![run(3, 15, None), run(1, 30, None), run(2, 30, None)]);
    assert_eq!(subjects(&many), named([("s", 2)]));
    let change = &many.changes()[0];
    assert_eq!(change.what, "15 cases lost, 0 gained");
    assert!(
        change.test.starts_with("McNemar's exact test, p < 0.001")
            && change.test.ends_with("(Bonferroni, 1 test)")
    );
}

#[test]
fn bench_counts_change_exactly_and_speeds_by_their_level() {
    let speeds = [1000, 1010, 990, 1005, 995, 1002, 900, 905, 895, 902, 899, 901];
    let runs = speeds
        .iter()
        .zip(1..)
        .map(|(&nps, time)| run(time, 30, Some((if time < 5 { 500 } else { 501 }, nps))));
    let both = history(runs.collect());
    assert_eq!(subjects(&both), named([("bench count", 4), ("bench speed", 6)]));
    assert_eq!(both.changes()[1].what, "median from 1001 to 900 nps (-10.0 %)");
    let test = &both.changes()[1].test;
    assert!(test.starts_with("permutation test of cumulative sums, p = 0.0"), "{test}");
    // Another machine is another series.
    let runs = speeds.iter().zip(1..).map(|(&nps, time)| HistoryRun {
        machine: Some(if nps < 950 { "slow" } else { "fast" }.to_owned()),
        ..run(time, 30, Some((500, nps)))
    });
    assert_eq!(subjects(&history(runs.collect())), named([]));
}

#[test]
fn flaky_cases_differ_in_runs_of_one_build_with_one_setting() {
    let both = vec![run(1, 30, None), run(2, 29, None), run(3, 30, None)];
    let flaky = history(both.clone()).flaky().to_vec();
    assert_eq!(flaky.len(), 1);
    assert_eq!((flaky[0].name.id.as_str(), flaky[0].build.as_str()), ("29", "aa"));
    assert_eq!(flaky[0].verdicts, [(VerdictKind::Passed, 2), (VerdictKind::Failed, 1)].into());
    let mut other = both.clone();
    other[1].build = Some("bb".to_owned());
    assert_eq!(history(other).flaky(), []);
    let mut other = both;
    other[1].settings.insert("s".to_owned(), "9 nodes".to_owned());
    assert_eq!(history(other).flaky(), []);
}

#[test]
fn csv_has_every_run_and_the_text_leaves_equal_runs_out() {
    let same = history((1..=5).map(|time| run(time, 30, Some((500, 77)))).collect());
    let csv = same.csv().expect("written in memory");
    assert_eq!(csv.lines().count(), 1 + 2 * 5);
    assert!(csv.contains("s,1970-01-04,run-3,E,aa,30,40,0,0,500,77,"), "{csv}");
    let text = same.to_text(|header, rows| format!("{} | {} rows", header.join(" "), rows.len()));
    assert!(
        text.contains("date source passed lost gained | 2 rows\n3 runs without a difference left out"),
        "{text}"
    );
}

/// A run with the Elo of a match.
pub(super) fn rated(
    time: i64,
    [low, value, high]: [f64; 3],
    opponent: &str,
    commit: Option<&str>,
) -> HistoryRun {
    let elo = MeasuredElo {
        opponent: opponent.to_owned(),
        opponent_commit: commit.map(str::to_owned),
        games: 400,
        elo: Estimate { low: Logistic(low), value: Logistic(value), high: Logistic(high) },
    };
    HistoryRun { elo: [("base".to_owned(), elo)].into(), ..run(time, 30, None) }
}

#[test]
fn elo_against_one_opponent_is_a_series_and_against_many_is_none() {
    let gains = [0.0, 1.0, -1.0, 2.0, 0.5, 1.5, 20.0, 21.0, 19.0, 22.0, 20.5, 21.5];
    let runs = |opponent: &dyn Fn(i64) -> String| -> Vec<HistoryRun> {
        let run = |(&elo, time): (&f64, i64)| rated(time, [elo - 4.0, elo, elo + 4.0], &opponent(time), None);
        gains.iter().zip(1..).map(run).collect()
    };
    let found = history(runs(&|_| "v1".to_owned()));
    assert_eq!(subjects(&found), named([("Elo of base against v1", 6)]));
    assert_eq!(found.changes()[0].what, "median from +0.8 to +20.8 Elo");
    assert_eq!(subjects(&history(runs(&|time| format!("base {time}")))), named([]), "each has its own base");
}

#[test]
fn opponent_is_called_by_its_release() {
    let runs = vec![
        rated(1, [-2.0, 1.0, 4.0], "base 1a2b", Some("1a2b3c")),
        rated(2, [3.0, 5.0, 7.0], "base 9f8e", Some("9f8e7d")),
    ];
    let history = History::new(runs, [("9f8e7d".to_owned(), "v1.2".to_owned())].into());
    let text =
        history.to_text(|_, rows| rows.into_iter().map(|row| row.join(" ")).collect::<Vec<_>>().join("\n"));
    assert!(text.contains("run-1 base base 1a2b 400 +1.0 (-2.0 to +4.0)"), "{text}");
    assert!(text.contains("run-2 base v1.2 400 +5.0 (+3.0 to +7.0)"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&history.json()).expect("JSON");
    assert_eq!(json["runs"][1]["elo"][0]["release"], "v1.2");
    assert_eq!(json["runs"][0]["elo"][0]["release"], serde_json::Value::Null);
}
