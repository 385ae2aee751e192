//! The shipped suites load, and hold what the README says of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use shakmaty::{CastlingMode, Chess};
use threefold::clock::Pace;
use threefold::suite::epd;
use threefold::suite::{KINDS, Page, Source, Suite};

#[expect(clippy::disallowed_methods, reason = "a test of shipped files reads them")]
fn page(file: &str) -> Page {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Page { file: file.to_owned(), text }
}

fn suite(kind: &str) -> Suite {
    let page = page(&format!("suites/{kind}.toml"));
    let positions = Source::wanted(&page).unwrap_or_else(|error| panic!("{error}"));
    let positions = positions.iter().map(|file| self::page(file)).collect();
    Suite::read(&Source { page, positions }).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn there_is_a_suite_of_every_kind() {
    for kind in KINDS {
        let suite = suite(kind.name);
        assert_eq!((suite.kind.name, suite.name.as_str()), (kind.name, kind.name));
        // What measures fails nobody.
        let measures = ["policy", "effort"].contains(&kind.name);
        assert_eq!(suite.thresholds.pass.is_none(), measures, "{} may fail as a whole", suite.name);
    }
}

#[test]
fn suites_are_as_large_as_they_should_be() {
    let sizes = [
        ("repetition", 1000),
        ("rule", 130),
        ("perpetual", 50),
        ("perpetual-shallow", 50),
        ("horizon", 25),
        ("depth-limit", 1000),
        ("detector", 200),
        ("mate", 1000),
        ("time-control", 17),
        ("conversion", 200),
        ("defence", 100),
        ("hash-pollution", 40),
        ("best-move", 100),
        ("perft", 20),
        ("signature", 15),
        ("determinism", 15),
        ("calibration", 4),
    ];
    for (kind, least) in sizes {
        let suite = suite(kind);
        assert!(suite.entries.len() >= least, "{kind}: {} of {least} cases", suite.entries.len());
    }
}

#[test]
fn two_generators_agree_on_every_count_of_leaves() {
    let records = epd::read(&page("positions/perft.epd")).unwrap_or_else(|error| panic!("{error}"));
    for record in records {
        let fen = record.line.start.to_string();
        let position: Chess =
            record.line.start.into_position(CastlingMode::Standard).expect("the reader has checked it");
        for (code, leaves) in &record.operations {
            let Some(depth) = code.strip_prefix('D').map(|depth| depth.parse().expect("a depth")) else {
                continue;
            };
            let leaves: u64 = leaves.parse().expect("a number");
            if leaves <= 50_000 {
                assert_eq!(shakmaty::perft(&position, depth), leaves, "{fen} {code}, by shakmaty");
            }
        }
    }
}

#[test]
fn every_trap_says_why_its_answer_is_true() {
    for entry in suite("repetition").entries {
        assert!(!entry.card.note.is_empty(), "{}", entry.card.id);
    }
}

#[test]
fn mates_of_every_length_are_asked_of_both_sides() {
    let mates = suite("mate");
    let classes: BTreeSet<&str> = mates.entries.iter().map(|entry| entry.card.class.as_str()).collect();
    for moves in 1..=8 {
        assert!(classes.contains(format!("mate-in-{moves}").as_str()), "#{moves}: {classes:?}");
    }
    assert!(classes.iter().any(|class| class.starts_with("mated-in-")), "{classes:?}");
}

#[test]
fn time_controls_of_every_sort_are_played_on_virtual_clocks() {
    let controls = suite("time-control");
    let classes: BTreeSet<&str> = controls.entries.iter().map(|entry| entry.card.class.as_str()).collect();
    assert_eq!(classes.into_iter().collect::<Vec<_>>(), ["increment", "moves-per-period", "sudden-death"]);
    for entry in &controls.entries {
        assert!(matches!(entry.card.pace, Pace::Virtual { .. }), "{}", entry.card.id);
    }
}

#[test]
fn what_is_played_on_the_walls_clock_is_a_suite_of_its_own() {
    let controls = suite("time-control-wall");
    assert!(controls.entries.iter().all(|entry| entry.card.pace == Pace::Wall));
    let loads: BTreeSet<usize> = controls.entries.iter().map(|entry| entry.card.load).collect();
    assert_eq!(loads.into_iter().collect::<Vec<_>>(), [0, 4], "with a busy machine, and without");
    let plan = page("suites/regress.toml").text;
    assert!(plan.contains("time-control.toml") && !plan.contains("time-control-wall"));
}
