//! The published table of several takes against one base, by simulation with the rules of a real run.

use threefold_stats::planning::takes::TakesCounts;
use threefold_stats::planning::takes_table::{SimulatedRow, TAKES_TABLE};
use threefold_stats::planning::verification::ClaimStandard;

/// Simulates every row, and compares it with the published one. `nulls` is the number of runs of a row in which H0 is
/// true for all takes: their level is the closest to the one that is promised.
fn check_table(runs: u64, nulls: u64, standard: ClaimStandard) {
    for row in &TAKES_TABLE {
        let runs = if row.truths.iter().all(|&truth| truth <= 0.0) { nulls } else { runs };
        let found = row.run(20_261, 0..runs);
        let differences = row.differences(&found);
        assert!(differences.is_empty(), "{:?}: {}", row.truths, differences.join("; "));
        assert!(row.keeps_the_level(&found, standard), "{:?}: {found:?}", row.truths);
    }
}

#[test]
fn published_table_is_reproduced_by_a_few_runs() {
    check_table(12, 12, ClaimStandard::NotRefuted);
}

#[test]
#[ignore = "for its time; `.ci/long` runs it"]
fn published_table_is_reproduced() {
    check_table(20_000, 50_000, ClaimStandard::Shown);
}

#[test]
fn other_figures_than_the_published_ones_are_found() {
    // Of another row.
    let found = TAKES_TABLE[3].run(1, 0..12);
    assert!(!TAKES_TABLE[0].differences(&found).is_empty());
    let everything_passes =
        SimulatedRow { family: TakesCounts { null_passed: 12, ..found.family.clone() }, ..found };
    assert!(!TAKES_TABLE[0].keeps_the_level(&everything_passes, ClaimStandard::NotRefuted));
}
