//! Tests of tablebase scores, with the tables of `SYZYGY_PATH`: a folder with those of three pieces at least.

use std::env;
use std::path::PathBuf;

use super::tests::counts;
use crate::dialogue::script::{lead, says};
use crate::{SourceFile, Suite, SuiteSource, Verdict};

/// The queen captures the pawn on the second move; after the first one Black can claim fifty moves.
const LATE: &str = "k7/8/2K5/8/8/6p1/8/6Q1 w - - 98 80 bm #9;";
/// White captures the pawn; the bishop alone does not win.
const DRAWN: &str = "k7/8/8/8/8/8/1p6/K5B1 w - - bm #2;";
/// A win with the queen; h7c7 is stalemate.
const QUEEN: &str = "k7/7Q/2K5/8/8/8/8/8 w - - bm #2;";
/// The pawn promotes to a queen at once.
const PAWN: &str = "k7/2K4P/8/8/8/8/8/8 w - - bm #2;";
const UNKNOWN: &str = "k7/7P/2K5/8/8/8/8/8 w - -";

fn put(folder: &str, position: &str, claim: &str) -> Verdict {
    put_with(folder, "", position, claim)
}

fn put_with(folder: &str, settings: &str, position: &str, claim: &str) -> Verdict {
    let text = format!(
        "version = 1\nkind = \"mate\"\ntitle = \"t\"\npositions = [\"m.epd\"]\n[limits]\nnodes = 9\n\n[settings]\n\
         tablebase_scores = [19000, 20000]\n{settings}"
    );
    let file = |file: &str, text: &str| SourceFile { file: file.to_owned(), text: text.to_owned() };
    let source = SuiteSource { suite_file: file("s.toml", &text), positions: vec![file("m.epd", position)] };
    let (_, mut case) = Suite::read(&source.with_setting("syzygy", folder)).expect("sound").cases().remove(0);
    lead(case.as_mut(), [says("h7h8q", &[claim])]).0
}

#[test]
fn missing_tables_are_reported() {
    let verdict = put("/nowhere/at/all", PAWN, "cp 20000 h7h8q");
    assert!(verdict.reason().contains("can't be read as a folder of Syzygy tables"), "{}", verdict.reason());
}

/// The folder of tables, if there is one.
fn tables() -> Option<String> {
    let folder = env::var_os("SYZYGY_PATH").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    assert!(folder.is_some() || env::var_os("CI").is_none(), "SYZYGY_PATH is not set");
    folder.map(|folder| folder.to_str().expect("UTF-8").to_owned())
}

#[test]
fn fifty_move_rule_can_be_switched_off() {
    let Some(folder) = tables() else { return };
    let claim = "cp 19997 g1g2 a8b8 g2g3";
    for (settings, expected) in [
        ("", "bad PVs: 1; PV status \"draw: 50mr\": 1"),
        ("syzygy_fifty_move_rule = true\n", "bad PVs: 1; PV status \"draw: 50mr\": 1"),
        ("syzygy_fifty_move_rule = false\n", "found TB wins: 1"),
    ] {
        let counts = counts(&put_with(&folder, settings, LATE, claim));
        assert!(counts.ends_with(expected), "{settings}: {counts}");
    }
}

#[test]
fn check_can_be_of_the_entry_only() {
    let Some(folder) = tables() else { return };
    let table = [
        // position, claim, status with all faults, and with those of the entry alone
        (PAWN, "cp 20000", Some("short"), Some("short")),
        (PAWN, "cp 19998 h7h8q", Some("wrong TB entry"), Some("wrong TB entry")),
        (DRAWN, "cp 20000 a1b2", Some("draw: wdl"), Some("draw: wdl")),
        (PAWN, "cp 20000 h7h8b", Some("draw: wdl"), None),
        (PAWN, "cp 20000 h7h8q a8b7", Some("error"), None),
    ];
    for (position, claim, every, entry) in table {
        for (settings, status) in [("", every), ("tablebase_entry_only = true\n", entry)] {
            let counts = counts(&put_with(&folder, settings, position, claim));
            let expected = status.map_or("bad PVs".to_owned(), |status| format!("PV status \"{status}\": 1"));
            assert_eq!(counts.contains(&expected), status.is_some(), "{settings} {claim}: {counts}");
        }
    }
}

#[test]
fn tablebase_scores_are_checked_with_the_tables() {
    let Some(folder) = tables() else { return };
    let table = [
        (PAWN, "cp 20000 h7h8q", "found mates: 0; best mates: 0; found TB wins: 1"),
        (PAWN, "cp 18999 h7h8q", "found mates: 0; best mates: 0"),
        (PAWN, "cp 20000", "bad PVs: 1; PV status \"short\": 1"),
        (PAWN, "cp 19998 h7h8q", "bad PVs: 1; PV status \"wrong TB entry\": 1"),
        (PAWN, "cp 20000 h7h8b", "bad PVs: 1; PV status \"draw: wdl\": 1"),
        (PAWN, "cp 20000 h7h8q a8b7", "bad PVs: 1; PV status \"error\": 1"),
        (PAWN, "cp -20000 h7h8q", "found mates: 0; best mates: 0; wrong TB scores: 1"),
        (UNKNOWN, "cp 20000 h7h8q", "unexpected TB scores: 1"),
        (QUEEN, "cp 20000 h7c7", "bad PVs: 1; PV status \"draw: wdl\": 1"),
    ];
    for (position, claim, expected) in table {
        let counts = counts(&put(&folder, position, claim));
        assert!(counts.contains(expected), "{position} {claim}: {counts}");
    }
}
