//! The suites about policies, the fifty-move counter and the bonus of perpetual checks separate the values of
//! Echo's options: the right one passes, and the one that the cases warn of fails.

use std::collections::BTreeMap;

use crate::sandbox::Sandbox;

/// The exit code of a suite, and the passed and all cases of each class, with a repetition policy.
fn by_policy(suite: &str, policy: &str) -> (Option<i32>, BTreeMap<String, [usize; 2]>) {
    by_options(suite, &format!("Hash=1,RepetitionPolicy={policy}"))
}

/// The same with options of Echo.
fn by_options(suite: &str, options: &str) -> (Option<i32>, BTreeMap<String, [usize; 2]>) {
    let sandbox = Sandbox::empty();
    let command = format!("suite {suite} --engine echo,{options} -j 1 --json");
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

#[test]
fn returns_to_the_root_are_draws_by_the_history_draw_policy() {
    let passed = |policy| {
        let (_, classes) = by_policy("root-return", policy);
        let sum = |at: usize| classes.values().map(|counts| counts[at]).sum::<usize>();
        assert_eq!((classes.len(), sum(1)), (5, 80), "{classes:?}");
        sum(0)
    };
    assert!(passed("HistoryIgnored") >= 70);
    assert!(passed("HistoryDraw") <= 20);
}

#[test]
fn hash_fifty_cases_separate_the_values_of_the_option() {
    let passed = |options: &str| {
        let (code, classes) = by_options("hash-fifty", options);
        let passed = ["ignore", "late", "keyed"].map(|class| classes[class]);
        assert!(classes.len() == 3 && passed.iter().all(|&[_, all]| all == 12), "{classes:?}");
        (code, passed.map(|[passed, _]| passed))
    };
    for (fifty, code, expected) in [
        ("Ignore", 1, [0, 0, 0]),
        ("Late", 1, [12, 0, 0]),
        ("Keyed", 1, [12, 12, 0]),
        ("Bounds", 0, [12, 12, 12]),
    ] {
        let found = passed(&format!("SearchDriver=MTDF,HashFifty={fifty}"));
        assert_eq!(found, (Some(code), expected), "{fifty}");
    }
    // Open windows take no score from the table.
    assert_eq!(passed("HashFifty=Ignore"), (Some(0), [12, 12, 12]));
}

#[test]
fn perpetual_bonus_helps_in_one_half_and_harms_in_the_other() {
    let passed = |options: &str| {
        let (code, classes) = by_options("perpetual-bonus", &format!("Hash=1,{options}"));
        let passed = ["bonus-helps", "bonus-harms"].map(|class| classes[class]);
        assert!(classes.len() == 2 && passed.iter().all(|&[_, all]| all == 12), "{classes:?}");
        (code, passed.map(|[passed, _]| passed))
    };
    assert_eq!(passed("PerpetualBonus=0"), (Some(0), [0, 12]));
    assert_eq!(passed("PerpetualBonus=200"), (Some(0), [12, 0]));
    // In between, a bonus decides some of both.
    let (code, [helps, harms]) = passed("PerpetualBonus=100");
    assert!(code == Some(0) && (1..12).contains(&helps) && (1..12).contains(&harms), "{helps} {harms}");
    // The counterexample: an engine that blunders fails both halves.
    let (code, [helps, harms]) = passed("UCI_LimitStrength=true,UCI_Elo=600,StrengthSeed=0");
    assert!(code == Some(1) && helps + harms < 12, "{helps} {harms}");
}
