//! Golden statistics: values of fishtest, fastchess, cutechess, OpenBench, Ordo, statsmodels and others, each
//! with its tolerance.
//!
//! `GOLDEN_STATS` names another file of the same format. A kind of case that is not in [`KINDS`] fails the
//! test, and so does a kind in [`KINDS`] without a case, so that nothing is skipped silently.

mod anytime;
mod case;
mod elo;
mod rating;
mod reading;
mod sequential;
mod spsa;
mod suites;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use case::{Case, File, Found, Input};

/// Computes the fields of one kind of case.
type Compute = fn(&Input) -> Found;

/// Every kind of case, with the function that computes its fields.
const KINDS: &[(&str, Compute)] = &[
    ("sprt_bounds", sequential::sprt_bounds),
    ("gsprt_llr", sequential::gsprt_llr),
    ("gsprt_llr_extreme", sequential::gsprt_llr_extreme),
    ("fastchess_llr", sequential::fastchess_llr),
    ("cutechess_sprt", sequential::cutechess_sprt),
    ("bayeselo_llr", sequential::bayeselo_llr),
    ("openbench_llr", sequential::openbench_llr),
    ("elo_fishtest", elo::fishtest),
    ("elo_fastchess", elo::fastchess),
    ("elo_cutechess", elo::cutechess),
    ("elo_openbench", elo::openbench),
    ("los_exact", elo::los_exact),
    ("conversions", elo::conversions),
    ("nelo_page", elo::nelo_page),
    ("brownian_cdf", sequential::brownian_cdf),
    ("sprt_estimate", sequential::sprt_estimate),
    ("sprt_overshoot", sequential::sprt_overshoot),
    ("sprt_curve", sequential::sprt_curve),
    ("rating_bayeselo", rating::bayeselo),
    ("rating_fixed_anchors", rating::fixed_anchors),
    ("rating_ordo", rating::ordo),
    ("rating_ordo_wdl", rating::ordo_wdl),
    ("rating_davidson", rating::davidson),
    ("esprt", anytime::esprt),
    ("mixture_cs", anytime::mixture_cs),
    ("ebh", anytime::ebh),
    ("exact_type1", anytime::exact_type1),
    ("proportion_ci", suites::proportion_ci),
    ("mcnemar", suites::mcnemar),
    ("multiplicity", suites::multiplicity),
    ("isotonic_fit", suites::isotonic_fit),
    ("worker_chi2", suites::worker_chi2),
];

/// Kinds that only the file or only [`KINDS`] has.
fn untested(cases: &[Case]) -> Vec<String> {
    let known: BTreeSet<&str> = KINDS.iter().map(|(kind, _)| *kind).collect();
    let present: BTreeSet<&str> = cases.iter().map(|case| case.kind.as_str()).collect();
    let unread = present.difference(&known).map(|kind| format!("nothing computes cases of kind `{kind}`"));
    let without = known.difference(&present).map(|kind| format!("there is no case of kind `{kind}`"));
    unread.chain(without).collect()
}

#[test]
fn golden_kinds_and_cases_match() {
    assert_eq!(untested(&read().cases), [""; 0]);
}

#[test]
fn golden_kinds_without_cases_and_cases_without_a_kind_are_named() {
    let mut cases = read().cases;
    cases.retain(|case| case.kind != "mcnemar");
    cases.push(
        serde_json::from_str(
            r#"{"id": "x", "kind": "tarot", "input": {}, "expected": {}, "source": "x", "tolerance": {"abs": 0, "rel": 0}}"#,
        )
        .expect("a case"),
    );
    let expected = ["nothing computes cases of kind `tarot`", "there is no case of kind `mcnemar`"];
    assert_eq!(untested(&cases), expected);
    assert_eq!(untested(&[]).len(), KINDS.len());
}

#[test]
fn golden_cases_hold() {
    let file = read();
    let mut checked = BTreeMap::<&str, usize>::new();
    let mut wrong = Vec::new();
    for case in &file.cases {
        let (kind, compute) = KINDS
            .iter()
            .find(|(kind, _)| *kind == case.kind)
            .unwrap_or_else(|| panic!("{}: kind `{}` is unknown", case.id, case.kind));
        *checked.entry(kind).or_default() += 1;
        wrong.extend(
            case.disagreements(&compute(&case.input)).into_iter().map(|line| format!("{}: {line}", case.id)),
        );
    }
    println!("held: {checked:?}");
    assert!(wrong.is_empty(), "{} of {checked:?} disagree:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn golden_games_are_read() {
    let folder = place().parent().expect("a file is in a folder").to_owned();
    let file = read();
    let with_games: Vec<_> = file.cases.iter().filter(|case| case.input.has("pgn")).collect();
    let wrong: Vec<String> =
        with_games.iter().flat_map(|case| reading::disagreements(&case.input, &folder)).collect();
    println!("{} cases name their games", with_games.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[expect(clippy::disallowed_methods, reason = "the environment may name another file")]
fn place() -> PathBuf {
    let default = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/stats.json"));
    std::env::var("GOLDEN_STATS").map_or_else(|_| default(), PathBuf::from)
}

#[expect(clippy::disallowed_methods, reason = "a test reads its cases from a file")]
fn read() -> File {
    let path = place();
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file: File =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(file.format, 1, "{} has a format that this test can't read", path.display());
    assert!(!file.cases.is_empty(), "{} has no cases", path.display());
    file
}
