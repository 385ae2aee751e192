//! Golden statistics: what fishtest, fastchess, cutechess, OpenBench, Ordo, statsmodels and others compute, case by
//! case, each within its own tolerance.
//!
//! `GOLDEN_STATS` names another file of the same form. A kind of case is either in [`KINDS`] or, by name, in
//! [`PENDING`]; one that is in neither fails the test, so that nothing is passed over in silence.

mod anytime;
mod case;
mod elo;
mod rating;
mod sequential;
mod suites;

use std::collections::BTreeMap;
use std::path::PathBuf;

use case::{File, Found, Input};

/// Computes the fields of one kind of case.
type Compute = fn(&Input) -> Found;

/// Every kind that is held, with what computes its fields.
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

/// Kinds that the library can't compute yet.
const PENDING: &[&str] = &["rating_bayeselo", "rating_fixed_anchors", "rating_ordo", "rating_ordo_wdl"];

#[test]
fn golden_cases_hold() {
    let file = read();
    let mut checked = BTreeMap::<&str, usize>::new();
    let mut pending = BTreeMap::<&str, usize>::new();
    let mut wrong = Vec::new();
    for case in &file.cases {
        let Some((kind, compute)) = KINDS.iter().find(|(kind, _)| *kind == case.kind) else {
            let known = PENDING.iter().find(|kind| **kind == case.kind);
            *pending
                .entry(known.unwrap_or_else(|| panic!("{}: kind `{}` is unknown", case.id, case.kind)))
                .or_default() += 1;
            continue;
        };
        *checked.entry(kind).or_default() += 1;
        wrong.extend(
            case.disagreements(&compute(&case.input)).into_iter().map(|line| format!("{}: {line}", case.id)),
        );
    }
    println!("held: {checked:?}\nnot computed yet: {pending:?}");
    assert!(wrong.is_empty(), "{} of {checked:?} disagree:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn golden_kinds_are_held_or_pending() {
    let doubled: Vec<_> =
        PENDING.iter().filter(|pending| KINDS.iter().any(|(kind, _)| kind == *pending)).collect();
    assert!(doubled.is_empty(), "both held and pending: {doubled:?}");
}

#[expect(
    clippy::disallowed_methods,
    reason = "a test reads its cases from a file, which the environment may name"
)]
fn read() -> File {
    let default = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/stats.json"));
    let path = std::env::var("GOLDEN_STATS").map_or_else(|_| default(), PathBuf::from);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file: File =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(file.format, 1, "{} has a format that this test can't read", path.display());
    assert!(!file.cases.is_empty(), "{} has no cases", path.display());
    file
}
