//! Tests of the values of positions after one move, and of the limits and options that kind `mate` adds to a
//! search.

use super::mate_lists::MateLists;
use super::tests::counts;
use crate::dialogue::script::{lead, says};
use crate::{CaseRecord, SkipCause, SourceFile, Suite, SuiteError, SuiteSource, Verdict};
use threefold_player::{Answer, EngineFault, ScoredInfo};

const IN_TWO: &str = "k7/8/1K6/8/8/8/8/1R6 w - - bm #2;";
const SHOWN: &str = "mate 2 b1h1 a8b8 h1h8";
/// After b1h1 Black is mated in one, after b1c1 in two. The other values are made up.
const CHILDREN: &str = "k7/8/1K6/8/8/8/8/7R b - - bm #-1;\n\
     k7/8/1K6/8/8/8/8/2R5 b - - bm #-2;\n\
     k7/8/2K5/8/8/8/8/1R6 b - -\n\
     k7/8/8/1K6/8/8/8/1R6 b - - bm #1;\n\
     k7/8/8/1K6/8/8/8/1R6 b - - bm #4;\n";

fn source_file(file: &str, text: &str) -> SourceFile {
    SourceFile { file: file.to_owned(), text: text.to_owned() }
}

fn source(positions: &str, settings: &str) -> SuiteSource {
    let text = format!(
        "version = 1\nkind = \"mate\"\ntitle = \"t\"\npositions = [\"m.epd\"]\n[limits]\nnodes = 9\n\n[settings]\n{settings}"
    );
    SuiteSource { suite_file: source_file("s.toml", &text), positions: vec![source_file("m.epd", positions)] }
}

fn with_children(children: &str) -> Result<Suite, SuiteError> {
    Suite::read(&source(IN_TWO, "").with_child_values(vec![source_file("c.epd", children)]))
}

/// An answer whose second and third line report this.
fn answer(second: &str, third: &str) -> Answer {
    let line = |multipv: u32, text: &str| {
        let infos = says("", &[text]).infos.into_iter();
        infos.map(move |info| ScoredInfo { multipv, ..info }).collect::<Vec<_>>()
    };
    Answer { other_lines: [line(2, second), line(3, third)].concat(), ..says("b1h1", &[SHOWN]) }
}

fn put(suite: &Suite, answer: Answer) -> Verdict {
    let (_, mut case) = suite.cases().remove(0);
    lead(case.as_mut(), [answer]).0
}

#[test]
fn later_lines_are_compared_with_the_position_after_their_move() {
    let suite = with_children(CHILDREN).expect("sound");
    let table = [
        // second line, issues
        ("mate 3 b1c1 a8b8 c1d1 b8a8 d1d8", ""),
        ("mate 2 b1c1 a8b8 c1h1", "MultiPV better mates: 1; MultiPV bad PVs: 2; PV status \"wrong\": 2"),
        ("mate -5 b1c1", "MultiPV wrong mates: 1"),
        ("mate 9 b6c6", "MultiPV unexpected mates: 1; MultiPV bad PVs: 1; PV status \"short\": 1"),
        // Black mates in one after it: the shorter of both values counts.
        ("mate 9 b6b5", "MultiPV wrong mates: 1; MultiPV bad PVs: 1; PV status \"short\": 1"),
        // The table lacks the position.
        ("mate -5 b1d1", ""),
        ("cp -12 b1c1", ""),
        // No legal move.
        ("mate 5 b1a2", "MultiPV bad PVs: 2; PV status \"error\": 2"),
    ];
    for (second, issues) in table {
        let verdict = put(&suite, answer(second, "cp 0 b1a1"));
        let expected = ["found mates: 1; best mates: 1", issues].join("; ");
        assert_eq!(counts(&verdict), expected.trim_end_matches("; "), "{second}");
    }
}

#[test]
fn without_child_values_later_lines_have_fewer_issues() {
    let suite = Suite::read(&source(IN_TWO, "")).expect("sound");
    for second in ["mate -5 b1c1", "mate 5 b1c1 a8b8 c1d1 b8a8 d1e1 a8b8 e1f1 b8a8 f1f8"] {
        let verdict = put(&suite, answer(second, "cp 0 b1a1"));
        assert_eq!(counts(&verdict), "found mates: 1; best mates: 1", "{second}");
    }
}

#[test]
fn every_line_has_issues_of_its_own() {
    let suite = Suite::read(&source(IN_TWO, "")).expect("sound");
    let verdict = put(&suite, answer("mate 4 b1c1", "mate 4 b1c1"));
    let twice = "found mates: 1; best mates: 1; MultiPV bad PVs: 2; PV status \"short\": 2";
    assert_eq!(counts(&verdict), twice);
    // A lost position: a line that loses is checked for its PV, and may lose sooner than the best line.
    let lost = Suite::read(&source("k7/8/1K6/8/8/8/8/2R5 b - - bm #-2;", "")).expect("sound");
    let lines = says("", &["mate -1 a8b8"]).infos.into_iter().map(|info| ScoredInfo { multipv: 2, ..info });
    let verdict = put(&lost, Answer { other_lines: lines.collect(), ..says("a8b8", &["cp -900 a8b8"]) });
    let short = "found mates: 0; best mates: 0; MultiPV bad PVs: 1; PV status \"short\": 1";
    assert_eq!(counts(&verdict), short);
}

#[test]
fn child_values_are_checked() {
    let error = with_children("k7/8/1K6/8/8/8/8/7R b - - bm Rh8;").expect_err("no distance").to_string();
    assert!(error.starts_with("c.epd:1: `bm Rh8` is no distance to mate; "), "{error}");
    let over = with_children("k6R/8/1K6/8/8/8/8/8 b - -").expect_err("mated").to_string();
    assert_eq!(over, "c.epd:1: the game is over here (checkmate); remove the line");
    let unread =
        Suite::read(&source(IN_TWO, "child_values = [\"c.epd\"]\n")).expect_err("no file").to_string();
    assert_eq!(
        unread,
        "s.toml: 2 positions files are named and 1 were read; pass every file that the suite names"
    );
    let named = source(IN_TWO, "child_values = [\"../c.epd\"]\n");
    let files = SuiteSource::position_files(&named.suite_file);
    assert_eq!(files, Ok(vec!["m.epd".to_owned(), "../c.epd".to_owned()]));
}

#[test]
fn range_of_valid_mates_is_a_setting() {
    let bound = "mate 40 >= b1h1";
    for (settings, issue) in [
        ("", ""),
        ("valid_mates = [-40, 39]\n", "; invalid mate scores: 1"),
        ("valid_mates = [-9, 40]\n", ""),
    ] {
        let suite = Suite::read(&source(IN_TWO, settings)).expect("sound");
        let verdict = put(&suite, says("b1h1", &[bound, bound, SHOWN]));
        assert_eq!(counts(&verdict), format!("found mates: 1; best mates: 1{issue}"), "{settings}");
    }
}

#[test]
fn fifty_move_setting_reaches_the_engine() {
    for (settings, value) in [
        ("", None),
        ("syzygy_fifty_move_rule = false\n", Some("false")),
        ("syzygy_fifty_move_rule = true\n", Some("true")),
    ] {
        let suite = Suite::read(&source(IN_TWO, settings)).expect("sound");
        let options = &suite.definitions[0].info.players[0];
        let expected: Vec<_> =
            value.map(|value| ("Syzygy50MoveRule".to_owned(), value.to_owned())).into_iter().collect();
        assert_eq!(options, &expected, "{settings}");
    }
}

#[test]
fn mate_lists_have_the_lines_as_they_are_written() {
    let positions = "# mine\nk7/8/1K6/8/8/8/8/1R6 w - - bm #5; id \"a\";\n\
         k7/8/1K6/8/8/8/8/7R b - - dm -1;   c0 \"two  words\"; id \"b\";\n\
         k7/8/1K6/8/8/8/8/2R5 b - - bm #-2; id \"c\";\n\
         k7/8/1K6/8/8/8/8/2R5 w - - id \"d\";\n\
         k7/8/1K6/8/8/8/8/3R4 b - - bm #-2; id \"e\";\n\
         k7/8/1K6/8/8/8/8/1R6 w - - bm #2; id \"shorter\";\n";
    let source = source(positions, "");
    let suite = Suite::read(&source).expect("sound");
    let answers = [
        Ok(says("b1h1", &["mate 3 b1h1"])),
        Ok(says("a8b8", &["mate -1 a8b8 h1h8", "cp -900 a8b8"])),
        Err(EngineFault::ProtocolBreach("it left".to_owned())),
        Ok(says("c1h1", &["cp 900 c1h1"])),
    ];
    let mut cases: Vec<CaseRecord> = Vec::new();
    for ((info, mut case), answer) in suite.cases().into_iter().zip(answers) {
        let verdict = match answer {
            Ok(answer) => lead(case.as_mut(), [answer]).0,
            Err(fault) => Verdict::of_fault(&fault),
        };
        cases.push(record(&info.id, verdict));
    }
    cases.push(record("e", Verdict::unanswered(SkipCause::NotSupported, String::new())));
    let lists = MateLists::from_cases(&source, &cases).expect("sound");
    assert_eq!(lists.found, "k7/8/1K6/8/8/8/8/1R6 w - - bm #2; id \"shorter\";\n");
    assert_eq!(
        lists.missed,
        "k7/8/1K6/8/8/8/8/7R b - - dm -1;   c0 \"two  words\"; id \"b\";\n\
         k7/8/1K6/8/8/8/8/2R5 b - - bm #-2; id \"c\";\n"
    );
}

fn record(id: &str, verdict: Verdict) -> CaseRecord {
    CaseRecord {
        suite: "s".to_owned(),
        id: id.to_owned(),
        class: String::new(),
        engine: "e".to_owned(),
        accepted: String::new(),
        note: String::new(),
        line: threefold_chess::position::GamePosition::start_position(),
        verdict,
    }
}
