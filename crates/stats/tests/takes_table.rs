//! The published table of several takes against one base, by simulation with the rules of a real run.

use threefold_stats::interval::Interval;
use threefold_stats::planning::takes::TakesCounts;
use threefold_stats::planning::takes_table::{SimulatedRow, TAKES_TABLE};
use threefold_stats::planning::verification::ClaimStandard;
use threefold_stats::takes::Guarantee;

/// Simulates every row, and compares it with the published one. If H0 is true for all takes, the error probability
/// is just below the limit, and the interval of the counted passes includes the limit. So likelihood ratios show it.
fn check_table(runs: u64, standard: ClaimStandard) {
    for row in &TAKES_TABLE {
        let found = row.run(20_261, 0..runs);
        let differences = row.differences(&found);
        assert!(differences.is_empty(), "{:?}: {}", row.truths, differences.join("; "));
        let level = row.level(Guarantee::Family, 20_261, runs);
        let counted = if level.is_some() { ClaimStandard::NotRefuted } else { standard };
        assert!(row.keeps_the_level(&found, counted), "{:?}: {found:?}", row.truths);
        let most = |level: Interval| if standard == ClaimStandard::Shown { level.high } else { level.low };
        assert!(level.is_none_or(|level| most(level) <= 0.05), "{:?}: {level:?}", row.truths);
    }
}

#[test]
fn published_table_is_reproduced_by_a_few_runs() {
    check_table(12, ClaimStandard::NotRefuted);
}

#[test]
#[ignore = "for its time; `.ci/long` runs it"]
fn published_table_is_reproduced() {
    check_table(20_000, ClaimStandard::Shown);
}

#[test]
fn level_of_each_take_is_not_that_of_the_family() {
    let level = |guarantee| TAKES_TABLE[0].level(guarantee, 3, 60).expect("H0 is true for all takes");
    let (family, each) = (level(Guarantee::Family), level(Guarantee::Each));
    assert!(family.high < each.low && 0.05 < each.low, "{family:?} {each:?}");
    assert_eq!(TAKES_TABLE[1].level(Guarantee::Family, 3, 1), None);
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
