//! Tests of tablebase scores, with the tables of `SYZYGY_PATH`: a folder with those of three pieces at least.

use std::env;
use std::path::PathBuf;

use super::tests::counts;
use crate::suite::dialogue::script::{lead, says};
use crate::suite::{SourceFile, Suite, SuiteSource, Verdict};

/// A win with the queen; h7c7 is stalemate.
const QUEEN: &str = "k7/7Q/2K5/8/8/8/8/8 w - - bm #2;";
/// The pawn promotes to a queen at once.
const PAWN: &str = "k7/2K4P/8/8/8/8/8/8 w - - bm #2;";
const UNKNOWN: &str = "k7/7P/2K5/8/8/8/8/8 w - -";

fn put(folder: &str, position: &str, claim: &str) -> Verdict {
    let text = "version = 1\nkind = \"mate\"\ntitle = \"t\"\npositions = [\"m.epd\"]\n[limits]\nnodes = 9\n\n[settings]\n\
         tablebase_scores = [19000, 20000]\n";
    let file = |file: &str, text: &str| SourceFile { file: file.to_owned(), text: text.to_owned() };
    let source = SuiteSource { suite_file: file("s.toml", text), positions: vec![file("m.epd", position)] };
    let (_, mut case) = Suite::read(&source.with_setting("syzygy", folder)).expect("sound").cases().remove(0);
    lead(case.as_mut(), [says("h7h8q", &[claim])]).0
}

#[test]
fn missing_tables_are_reported() {
    let verdict = put("/nowhere/at/all", PAWN, "cp 20000 h7h8q");
    assert!(verdict.reason().contains("can't be read as a folder of Syzygy tables"), "{}", verdict.reason());
}

#[test]
fn tablebase_scores_are_checked_with_the_tables() {
    let Some(folder) = env::var_os("SYZYGY_PATH").map(PathBuf::from) else {
        assert!(env::var_os("CI").is_none(), "SYZYGY_PATH is not set");
        return;
    };
    let folder = folder.to_str().expect("UTF-8");
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
        let counts = counts(&put(folder, position, claim));
        assert!(counts.contains(expected), "{position} {claim}: {counts}");
    }
}
