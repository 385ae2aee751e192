//! Sentences, tables and JSON of rounds that were made up.

use super::super::comparison::tests::{candidate, results};
use super::*;

fn ratio(low: f64, value: f64, high: f64) -> String {
    let rows = results(&[(candidate("new", None), &[(1, 1)]), (candidate("old", None), &[(1, 1)])]);
    sentence(rows.comparisons()[0], Estimate { low, value, high })
}

#[test]
fn sentence_says_what_the_interval_shows() {
    let table = [
        ([1.009, 1.013, 1.017], "new is 1.3 % faster than old (95 %: 0.9 to 1.7 %)"),
        ([0.983, 0.987, 0.991], "new is 1.3 % slower than old (95 %: 0.9 to 1.7 %)"),
        ([1.0004, 1.001, 1.0016], "new is 0.10 % faster than old (95 %: 0.04 to 0.16 %)"),
        ([2.5, 3.0, 3.5], "new is 200.0 % faster than old (95 %: 150.0 to 250.0 %)"),
        ([0.997, 1.002, 1.007], "no difference shown between new and old: +0.2 % (95 %: -0.3 to +0.7 %)"),
        ([0.993, 0.998, 1.003], "no difference shown between new and old: -0.2 % (95 %: -0.7 to +0.3 %)"),
        ([1.0, 1.05, 1.1], "no difference shown between new and old: +5.0 % (95 %: +0.0 to +10.0 %)"),
    ];
    for ([low, value, high], text) in table {
        assert_eq!(ratio(low, value, high), text);
    }
    let alone = ratio(0.0, 0.5, f64::INFINITY);
    assert_eq!(alone, "new is 50.0 % slower than old in one round; give --rounds 2 or more for an interval");
}

#[test]
fn text_has_a_row_for_each_candidate_and_names_what_differs() {
    let same = &[(2_000_000, 1000), (2_000_000, 1000)][..];
    let text = text(&results(&[
        (candidate("new", None), same),
        (candidate("old", None), same),
        (candidate("drift", None), &[(1_000_000, 500), (1_000_001, 500)]),
    ]));
    let lines: Vec<String> = text.lines().map(|line| line.replace('\u{202f}', " ")).collect();
    let row = |name: &str| lines.iter().find(|line| line.trim_start().starts_with(name)).cloned();
    let words = |name: &str| row(name).map(|row| row.split_whitespace().collect::<Vec<_>>().join(" "));
    assert_eq!(words("new").as_deref(), Some("new 2 000 000 2 000 000 ± 0 10.0 ms 1000.0 MiB"));
    assert!(row("drift").is_some_and(|row| row.contains(" varies ")), "{text}");
    let said = |line: &str| lines.iter().any(|found| found == line);
    assert!(
        said(
            "drift searches another number of nodes in other rounds: 1 000 000 in round 1; 1 000 001 in round 2"
        ),
        "{text}"
    );
    assert!(said("no difference shown between new and old: +0.00 % (95 %: +0.00 to +0.00 %)"), "{text}");
    assert!(
        said(
            "new and drift search different numbers of nodes: this compares nodes per second of different searches"
        ),
        "{text}"
    );
    assert!(!text.contains("new and old search"), "{text}");
}

#[test]
fn many_node_counts_are_not_all_listed() {
    let counts: Vec<(u64, u64)> = (1..=5).map(|nodes| (nodes, 9)).collect();
    let text = text(&results(&[(candidate("drift", None), &counts)]));
    assert!(text.contains("1 in round 1; 2 in round 2; 3 in round 3; and 2 other counts\n"), "{text}");
}

#[test]
fn warning_names_the_round_and_the_remedy() {
    let mut of = vec![(1000, 1000), (1000, 1010), (1000, 990), (1000, 1000), (1000, 1005)];
    assert_eq!(warnings(&results(&[(candidate("new", None), &of)])), [""; 0]);
    of[1].1 = 3400;
    let warnings = warnings(&results(&[(candidate("new", None), &of)]));
    let [warning] = &warnings[..] else { panic!("{warnings:?}") };
    assert!(
        warning.starts_with("round 2 of new has 294 nps, and the median round 1\u{202f}000 (mod"),
        "{warning}"
    );
    assert!(warning.ends_with("close other programs, and measure again"), "{warning}");
}

#[test]
fn json_has_an_object_for_each_candidate() {
    let results = results(&[
        (candidate("new", Some("1")), &[(2000, 1000), (2000, 1000)]),
        (candidate("new", Some("4")), &[(2000, 2000), (2000, 2000)]),
        (candidate("new", Some("8")), &[(2000, 1000)]),
    ]);
    let lines: Vec<Value> =
        json(&results).lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["option"], json!({ "Hash": "1" }));
    assert_eq!(lines[0]["first"], Value::Null);
    assert_eq!(lines[1]["first"]["option"], json!({ "Hash": "1" }));
    let ratio = lines[1]["first"]["speed_of_first_to_this"]["value"].as_f64().expect("a number");
    assert!((ratio - 2.0).abs() < 1e-9);
    assert_eq!(lines[1]["rounds"].as_array().map(Vec::len), Some(2));
    assert_eq!(lines[1]["rounds"][1]["seconds"], json!(2.0));
    // A single round has no interval.
    assert_eq!(lines[2]["nps"]["high"], Value::Null);
}
