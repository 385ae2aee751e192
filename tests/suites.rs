//! The shipped suites load, and hold what the README says of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use threefold::clock::Pace;
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
        assert!(suite.thresholds.pass.is_some(), "{} may fail as a whole", suite.name);
    }
}

#[test]
fn suites_are_as_large_as_they_should_be() {
    for (kind, least) in [("repetition", 1000), ("mate", 60), ("time-control", 5)] {
        let suite = suite(kind);
        assert!(suite.entries.len() >= least, "{kind}: {} of {least} cases", suite.entries.len());
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
