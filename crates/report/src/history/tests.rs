//! Changes and flaky cases of made-up runs.

use threefold_suites::{Cause, FailCause, PassCause};

use super::*;

/// A run in which the first `passed` of 40 cases of the suite `s` pass.
fn run(time: i64, passed: usize, bench: Option<(u64, u64)>) -> HistoryRun {
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
        cases,
    }
}

fn subjects(history: &History) -> Vec<(&str, usize)> {
    history.changes().iter().map(|change| (change.subject.as_str(), change.run)).collect()
}

#[test]
fn loss_of_many_cases_is_a_change_and_of_few_is_not() {
    let few = History::new(vec![run(1, 30, None), run(2, 27, None), run(3, 27, None)]);
    assert_eq!(subjects(&few), []);
    // The order is that of the times.
    let many = History::new(vec![run(3, 15, None), run(1, 30, None), run(2, 30, None)]);
    assert_eq!(subjects(&many), [("s", 2)]);
    let change = &many.changes()[0];
    assert_eq!(change.what, "15 cases lost, 0 gained");
    assert!(
        change.test.starts_with("McNemar's exact test, p = ")
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
    let history = History::new(runs.collect());
    assert_eq!(subjects(&history), [("bench count", 4), ("bench speed", 6)]);
    assert_eq!(history.changes()[1].what, "median from 1001 to 900 nps (-10.0 %)");
    // Another machine is another series.
    let runs = speeds.iter().zip(1..).map(|(&nps, time)| HistoryRun {
        machine: Some(if nps < 950 { "slow" } else { "fast" }.to_owned()),
        ..run(time, 30, Some((500, nps)))
    });
    assert_eq!(subjects(&History::new(runs.collect())), []);
}

#[test]
fn flaky_cases_differ_in_runs_of_one_build_with_one_setting() {
    let both = vec![run(1, 30, None), run(2, 29, None), run(3, 30, None)];
    let flaky = History::new(both.clone()).flaky().to_vec();
    assert_eq!(flaky.len(), 1);
    assert_eq!((flaky[0].name.id.as_str(), flaky[0].build.as_str()), ("29", "aa"));
    assert_eq!(flaky[0].verdicts, [(VerdictKind::Passed, 2), (VerdictKind::Failed, 1)].into());
    let mut other = both.clone();
    other[1].build = Some("bb".to_owned());
    assert_eq!(History::new(other).flaky(), []);
    let mut other = both;
    other[1].settings.insert("s".to_owned(), "9 nodes".to_owned());
    assert_eq!(History::new(other).flaky(), []);
}

#[test]
fn csv_has_every_run_and_the_text_leaves_equal_runs_out() {
    let history = History::new((1..=5).map(|time| run(time, 30, Some((500, 77)))).collect());
    let csv = history.csv().expect("written in memory");
    assert_eq!(csv.lines().count(), 1 + 2 * 5);
    assert!(csv.contains("s,1970-01-04,run-3,E,aa,30,40,0,0,500,77"), "{csv}");
    let text = history.to_text(|header, rows| format!("{} | {} rows", header.join(" "), rows.len()));
    assert!(
        text.contains("date source passed lost gained | 2 rows\n3 runs without a difference left out"),
        "{text}"
    );
}
