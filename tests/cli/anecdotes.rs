//! The suites about policies separate them: the right one passes, and the one that the anecdotes warn of fails.

use std::collections::BTreeMap;

use crate::sandbox::Sandbox;

/// The exit code of a suite, and the passed and all cases of each class, with a repetition policy.
fn by_policy(suite: &str, policy: &str) -> (Option<i32>, BTreeMap<String, [usize; 2]>) {
    let sandbox = Sandbox::empty();
    let command = format!("suite {suite} --engine echo,Hash=1,RepetitionPolicy={policy} -j 1 --json");
    let output = sandbox.run(&command);
    let mut classes = BTreeMap::<String, [usize; 2]>::new();
    for line in output.out.lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("an object");
        let [passed, all] = classes.entry(case["class"].as_str().expect("a class").to_owned()).or_default();
        *passed += usize::from(case["verdict"] == "passed");
        *all += 1;
    }
    (output.code, classes)
}

#[test]
fn anecdotes_are_failed_by_the_history_draw_policy() {
    let (code, classes) = by_policy("anecdotes", "HistoryIgnored");
    assert_eq!((code, classes.len()), (Some(0), 3), "{classes:?}");
    assert!(classes.values().all(|&[passed, all]| all >= 20 && 10 * passed >= 9 * all), "{classes:?}");
    // The counterexample: in each story the program that scores a first repetition as a draw fails.
    let (code, classes) = by_policy("anecdotes", "HistoryDraw");
    assert_eq!((code, classes.len()), (Some(1), 3), "{classes:?}");
    assert!(classes.values().all(|&[passed, all]| 4 * passed <= all), "{classes:?}");
}

#[test]
fn middlegame_traps_are_failed_by_the_history_draw_policy() {
    let passed =
        |classes: &BTreeMap<String, [usize; 2]>| classes.values().map(|[passed, _]| passed).sum::<usize>();
    let (code, classes) = by_policy("middlegame", "HistoryIgnored");
    assert_eq!(code, Some(0), "{classes:?}");
    assert!(passed(&classes) >= 12, "{classes:?}");
    let (code, classes) = by_policy("middlegame", "HistoryDraw");
    assert_eq!(code, Some(1), "{classes:?}");
    assert!(passed(&classes) <= 6, "{classes:?}");
}
