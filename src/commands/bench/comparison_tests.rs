//! Figures of rounds that were made up.

use super::*;

/// A candidate: the engine, and the value of the scanned option if there is one.
pub(crate) fn candidate(engine: &str, value: Option<&str>) -> Candidate {
    let value = value.map(|value| ("Hash".to_owned(), value.to_owned()));
    let title =
        value.as_ref().map_or_else(|| engine.to_owned(), |(_, value)| format!("{engine} Hash={value}"));
    let spec = format!("./{engine}").parse().expect("sound");
    Candidate { title, engine: engine.to_owned(), value, spec }
}

/// Rounds of these nodes and milliseconds.
fn rounds(of: &[(u64, u64)]) -> Vec<Round> {
    let round = |&(nodes, millis): &(u64, u64)| Round {
        nodes,
        elapsed: Duration::from_millis(millis),
        startup: Duration::from_millis(millis / 100),
        peak_memory: Some(millis << 20),
    };
    of.iter().map(round).collect()
}

pub(crate) fn results(of: &[(Candidate, &[(u64, u64)])]) -> Results {
    let (candidates, rounds): (Vec<_>, Vec<_>) =
        of.iter().map(|(candidate, of)| (candidate.clone(), rounds(of))).unzip();
    Results::new(candidates, rounds, Limits::nodes(1000))
}

/// The titles of the candidates that are compared.
fn compared(of: &[(&str, Option<&str>)]) -> Vec<String> {
    let rows: Vec<(Candidate, &[(u64, u64)])> =
        of.iter().map(|(engine, value)| (candidate(engine, *value), &[(1000, 1000)][..])).collect();
    let results = results(&rows);
    let title = |row: &Row| row.candidate.title.clone();
    results.comparisons().iter().map(|pair| title(pair.first) + " | " + &title(pair.other)).collect()
}

#[test]
fn comparisons_are_with_the_first_engine_or_value() {
    assert_eq!(compared(&[("a", None)]), [""; 0]);
    assert_eq!(compared(&[("a", None), ("b", None), ("c", None)]), ["a | b", "a | c"]);
    assert_eq!(
        compared(&[("a", Some("1")), ("a", Some("4")), ("a", Some("16"))]),
        ["a Hash=1 | a Hash=4", "a Hash=1 | a Hash=16"]
    );
    assert_eq!(
        compared(&[("a", Some("1")), ("b", Some("1")), ("a", Some("4")), ("b", Some("4"))]),
        ["a Hash=1 | b Hash=1", "a Hash=4 | b Hash=4"]
    );
}

#[test]
fn figures_are_those_of_the_rounds() {
    let results = results(&[(candidate("a", None), &[(1000, 1000), (1000, 500), (1010, 1010), (1000, 250)])]);
    let row = &results.rows[0];
    // 1000, 2000, 1000 and 4000 nodes per second.
    assert!((row.speed().value - 2000.0).abs() < 1e-9);
    // The median of 2, 5, 10 and 10 ms.
    assert_eq!(row.startup(), Duration::from_micros(7500));
    assert_eq!(row.peak_memory(), Some(1010 << 20));
    let count = |nodes, rounds: &[usize]| NodeCount { nodes, rounds: rounds.to_vec() };
    assert_eq!(results.differing_counts(row), Some(vec![count(1000, &[1, 2, 4]), count(1010, &[3])]));
}

#[test]
fn node_counts_may_differ_under_time_limits() {
    let by_time = Limits { movetime: Some(Duration::from_millis(9)), ..Limits::default() };
    for (limits, nodes, differ) in
        [(Limits::nodes(5), [5, 6], true), (Limits::nodes(5), [5, 5], false), (by_time, [5, 6], false)]
    {
        let rounds = rounds(&nodes.map(|nodes| (nodes, 1)));
        let results = Results::new(vec![candidate("a", None)], vec![rounds], limits);
        assert_eq!(results.differing_counts(&results.rows[0]).is_some(), differ, "{limits:?} {nodes:?}");
    }
}

#[test]
fn ratio_is_of_the_same_round() {
    // The machine gets three times slower; the first engine is always 10 % faster.
    let results = results(&[
        (candidate("new", None), &[(1100, 1000), (1100, 2000), (1100, 3000)]),
        (candidate("old", None), &[(1000, 1000), (1000, 2000), (1000, 3000)]),
    ]);
    let [pair] = results.comparisons()[..] else { panic!("a pair") };
    let ratio = pair.ratio().expect("three rounds");
    assert!(ratio.low > 1.0999 && ratio.high < 1.1001, "{ratio:?}");
    assert!(pair.searches_differ());
    // Unpaired, their intervals overlap.
    assert!(pair.first.speed().low < pair.other.speed().high);
}

#[test]
fn one_equal_node_count_is_enough_for_equal_searches() {
    for (nodes, differ) in [([1000, 1000], false), ([1000, 1001], false), ([1001, 1001], true)] {
        let results = results(&[
            (candidate("new", None), &[(1000, 9), (1000, 9)]),
            (candidate("old", None), &nodes.map(|nodes| (nodes, 9))),
        ]);
        assert_eq!(results.comparisons()[0].searches_differ(), differ, "{nodes:?}");
    }
}

#[test]
fn outlier_is_the_round_with_another_time() {
    let mut of = [(1000, 1000), (1000, 1001), (1000, 999), (1000, 1002), (1000, 998), (1000, 1000)];
    let outliers = |of: &[(u64, u64)]| {
        let results = results(&[(candidate("a", None), of)]);
        results.rows[0].outliers().iter().map(|outlier| outlier.index).collect::<Vec<_>>()
    };
    assert_eq!(outliers(&of), [0; 0]);
    of[3].1 = 1400;
    assert_eq!(outliers(&of), [3]);
    // Under a time limit, the nodes differ.
    of[3] = (700, 1002);
    assert_eq!(outliers(&of), [3]);
    of[3] = (2000, 2000);
    assert_eq!(outliers(&of), [0; 0]);
}
