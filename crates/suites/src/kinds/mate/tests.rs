//! Tests of the scoring.

use super::*;
use crate::dialogue::script::{lead, says};
use crate::{Suite, SuiteSource, VerdictKind};
use threefold_player::ScoredInfo;

const IN_TWO: &str = "k7/8/1K6/8/8/8/8/1R6 w - - bm #2;";
const LATE: &str = "k7/8/1K6/8/8/8/8/1R6 w - - 98 80 bm #2;";
const MATED: &str = "k7/8/1K6/8/8/8/8/7R b - - dm -1;";
const UNKNOWN: &str = "k7/8/1K6/8/8/8/8/1R6 w - -";
const SHOWN: &str = "mate 2 b1h1 a8b8 h1h8";

fn suite(text: &str) -> Result<Suite, SuiteError> {
    let source_file = SourceFile { file: "m.epd".to_owned(), text: text.to_owned() };
    Suite::read(&SuiteSource::from_positions(&KIND, source_file, &Limits::nodes(1000)))
}

fn put(position: &str, answer: Answer) -> Verdict {
    let (_, mut case) = suite(position).expect("sound").cases().remove(0);
    let (verdict, asked, games) = lead(case.as_mut(), [answer]);
    assert_eq!((asked.len(), games, asked[0].limits), (1, 1, Limits::nodes(1000)));
    verdict
}

/// `name: amount` of every measure.
pub(super) fn counts(verdict: &Verdict) -> String {
    let counts: Vec<String> =
        verdict.measures.iter().map(|it| format!("{}: {}", it.name, it.amount)).collect();
    counts.join("; ")
}

#[test]
fn mate_claims_are_checked_against_the_proof() {
    use VerdictKind::{Failed, Fault, Passed};
    let wrong = "wrong mates: #-2 at depth 1, where #2 is proven";
    let better = "better mates: #1 at depth 1, where #2 is proven";
    let table = [
        // position, move played, claims, mark, reason
        (IN_TWO, "b1h1", &["cp 500 b1h1", SHOWN][..], Passed, "best"),
        (MATED, "a8b8", &["mate -1 a8b8 h1h8"], Passed, "best"),
        (IN_TWO, "b1h1", &[SHOWN, "mate 2 >= b1h1"], Failed, "missed: its last report is a bound"),
        (IN_TWO, "b1h1", &[SHOWN, "cp 310 b1h1"], Failed, "missed: cp 310"),
        (IN_TWO, "b1h1", &["cp 310 b1h1"], Failed, "missed: cp 310"),
        (IN_TWO, "b1h1", &[], Failed, "missed: it claims nothing"),
        (IN_TWO, "b1h1", &["mate 1 >= b1h1", SHOWN], Passed, "best"),
        (IN_TWO, "b1c1", &["mate 3 b1c1 a8b8 c1d1 b8a8 d1d8"], Failed, "longer: #3 instead of #2"),
        (MATED, "a8b8", &["mate -2 a8b8 h1h7 b8a8 h7h8"], Failed, "longer: #-2 instead of #-1"),
        (IN_TWO, "b1h1", &["mate 1 b1h1", SHOWN], Failed, better),
        (IN_TWO, "b1h1", &["mate -2", SHOWN], Failed, wrong),
        (MATED, "a8b8", &["mate 0"], Failed, "invalid mate scores: #0 at depth 1"),
        (IN_TWO, "b1h1", &["mate 124", SHOWN], Failed, "invalid mate scores: #124 at depth 1"),
        (IN_TWO, "b1h1", &["mate 124 >=", SHOWN], Failed, "invalid mate scores: #124 at depth 1"),
        (IN_TWO, "b1g1", &[SHOWN], Failed, "another move: b1g1, and the mate begins with b1h1"),
        // A line that ends early decides only in the last report, or in one that is the same.
        (IN_TWO, "b1h1", &["mate 2 b1h1", SHOWN], Passed, "best"),
        (IN_TWO, "b1h1", &[SHOWN, "mate 2 b1h1"], Failed, "bad PVs: short, 1 plies for #2 at depth 2"),
        (
            IN_TWO,
            "b1h1",
            &["mate 2 b1h1", SHOWN, "mate 2 b1h1"],
            Failed,
            "bad PVs: short, 1 plies for #2 at depth 1",
        ),
        (
            IN_TWO,
            "b1h1",
            &["mate 2 b1h1 a8b8 h1h7", SHOWN],
            Failed,
            "bad PVs: wrong, 3 plies for #2 at depth 1",
        ),
        (UNKNOWN, "b1h1", &["cp 310 b1h1"], Passed, "no mate claimed"),
        (UNKNOWN, "b1h1", &[SHOWN], Failed, "unexpected mates: #2 at depth 1"),
        (IN_TWO, "b1b8", &[SHOWN], Fault, "illegal move: b1b8"),
        (IN_TWO, "", &[SHOWN], Fault, "no move"),
    ];
    for (position, best, claims, mark, reason) in table {
        let verdict = put(position, says(best, claims));
        assert_eq!((verdict.kind(), verdict.reason().as_str()), (mark, reason), "{position} {claims:?}");
    }
}

#[test]
fn mate_counts_have_the_names_of_matetrack() {
    let table = [
        // position, claims, counts
        (IN_TWO, &[SHOWN][..], "found mates: 1; best mates: 1"),
        (IN_TWO, &[SHOWN, "cp 3 b1h1"], "found mates: 0; best mates: 0"),
        (
            IN_TWO,
            // The same report twice counts once; a shorter mate needs a right PV, too.
            &["mate 1 b1h1", "mate 1 b1h1", "mate -3", "mate 2 b1h1", "mate 2 b1h1 a8b8", SHOWN],
            "found mates: 1; best mates: 1; wrong mates: 1; better mates: 1; bad PVs: 3; \
             PV status \"short\": 2; PV status \"wrong\": 1",
        ),
        (UNKNOWN, &[SHOWN, "mate -9"], "unexpected mates: 2"),
    ];
    for (position, claims, expected) in table {
        assert_eq!(counts(&put(position, says("b1h1", claims))), expected, "{claims:?}");
    }
}

#[test]
fn variations_have_a_status() {
    let shuffle = "b1c1 a8b8 c1b1 b8a8 b1c1 a8b8 c1b1 b8a8 b1h1 a8b8 h1h8";
    let table = [
        // position, mate and line, status
        (IN_TWO, "2 b1h1 a8b8 h1h8", None),
        (IN_TWO, "2 b1h1 a8b8", Some("short")),
        (IN_TWO, "2 b1h1 a8b8 h1h7 b8a8 h7h8", Some("long")),
        (IN_TWO, "2 b1h1 a8b8 h1h7", Some("wrong")),
        (IN_TWO, "2 b1h1 a8a7 h1h8", Some("error")),
        (IN_TWO, "2 b1h1 a8b8 h1h8 b8a8", Some("error")),
        (IN_TWO, &format!("6 {shuffle}"), Some("draw: 3fold")),
        // After one move Black's own move completes the fifty.
        (LATE, "2 b1h1 a8b8 h1h8", Some("draw: 50mr")),
    ];
    for (position, claim, status) in table {
        let verdict = put(position, says("b1h1", &[&format!("mate {claim}")]));
        let said = verdict.measures.iter().find_map(|it| it.name.strip_prefix("PV status "));
        assert_eq!(said.map(|it| it.trim_matches('"')), status, "{claim}");
    }
}

#[test]
fn suite_can_be_limited_by_the_distance_of_either_side() {
    let mated = "1k6/8/1K6/8/8/8/8/7R b - - bm #-1; id \"m\";";
    let text = format!("{IN_TWO}\n{mated}\nk7/8/1K6/8/8/8/8/2R5 w - -");
    let source_file = |file: &str, text: &str| SourceFile { file: file.to_owned(), text: text.to_owned() };
    let suite = |settings: &str| {
        let head = format!(
            "version = 1\nkind = \"mate\"\ntitle = \"t\"\npositions = [\"m.epd\"]\n[limits]\ndepth = 1\n{settings}"
        );
        let suite_file = source_file("s.toml", &head);
        let positions = vec![source_file("m.epd", &text)];
        Suite::read(&SuiteSource { suite_file, positions }).expect("sound")
    };
    let classes = |settings: &str| -> Vec<String> {
        suite(settings).definitions.iter().map(|definition| definition.info.class.clone()).collect()
    };
    assert_eq!(classes("[settings]\nlongest_distance = 1\n"), ["mated-in-1"]);
    assert_eq!(classes("[settings]\nshortest_distance = 2\n"), ["mate-in-2"]);
    // The same `go mate N` for every position.
    let (_, mut case) = suite("[settings]\nmate = 5\nlongest_distance = 1\n").cases().remove(0);
    let (_, asked, _) = lead(case.as_mut(), [says("a8b8", &["mate -1 b8a8 h1h8"])]);
    assert_eq!(asked[0].limits.mate, Some(5));
}

#[test]
fn later_variations_are_checked_too() {
    let second = |info: ScoredInfo| ScoredInfo { multipv: 2, ..info };
    let with = |other: &str| Answer {
        other_lines: says("", &[other]).infos.into_iter().map(second).collect(),
        ..says("b1h1", &[SHOWN])
    };
    let table = [
        ("mate 2 b1h1 a8b8 h1h8", "found mates: 1; best mates: 1"),
        ("mate -9", "found mates: 1; best mates: 1"),
        (
            "mate 1 b1h1",
            "found mates: 1; best mates: 1; MultiPV better mates: 1; MultiPV bad PVs: 1; \
          PV status \"wrong\": 1",
        ),
    ];
    for (other, expected) in table {
        assert_eq!(counts(&put(IN_TWO, with(other))), expected, "{other}");
    }
}

#[test]
fn mate_distance_can_be_required() {
    let text = "version = 1\nkind = \"mate\"\ntitle = \"T\"\npositions = [\"m.epd\"]\n[limits]\nnodes = 9\n\
                [settings]\nmate = true\n";
    let source_file = |file: &str, text: &str| SourceFile { file: file.to_owned(), text: text.to_owned() };
    let source =
        SuiteSource { suite_file: source_file("s.toml", text), positions: vec![source_file("m.epd", MATED)] };
    let claims = ["mate -1 a8b8 h1h8"; 3];
    for (claims, reason) in [(&claims[..2], "best"), (&claims[..], "best: it searches on beyond `go mate 1`")]
    {
        let (_, mut case) = Suite::read(&source).expect("sound").cases().remove(0);
        let (verdict, asked, _) = lead(case.as_mut(), [says("a8b8", claims)]);
        assert_eq!(asked[0].limits, Limits { mate: Some(1), ..Limits::nodes(9) });
        assert_eq!(verdict.reason(), reason);
    }
    let typo = SuiteSource {
        suite_file: source_file("s.toml", &text.replace("mate = true", "mates = true")),
        ..source
    };
    let error = Suite::read(&typo).expect_err("a typo").to_string();
    assert!(error.starts_with("s.toml:8: unknown field `mates`, expected one of `mate`, `longest`, `shortest_distance`, `longest_distance`, `syzygy`, `tablebase_scores`, `syzygy_fifty_move_rule`, `tablebase_entry_only`, `valid_mates`, `child_values`; "), "{error}");
}

#[test]
fn case_info_shows_the_shorter_proven_mate() {
    let text =
        format!("# two\n{IN_TWO}\n{MATED} id \"m\"; c0 \"by the rules\";\n{IN_TWO}").replacen("#2", "#5", 1);
    let infos: Vec<_> =
        suite(&text).expect("sound").definitions.into_iter().map(|definition| definition.info).collect();
    let seen: Vec<_> =
        infos.iter().map(|info| (info.id.as_str(), info.class.as_str(), info.accepted.as_str())).collect();
    assert_eq!(seen, [("k7/8/1K6/8/8/8/8/1R6 w - -", "mate-in-2", "#2"), ("m", "mated-in-1", "#-1")]);
    assert_eq!(infos[1].note, "by the rules");
    let text =
        format!("{IN_TWO} id \"long\"; c0 \"1\";\n{IN_TWO} id \"short\"; c0 \"2\";").replacen("#2", "#5", 1);
    let short = suite(&text).expect("sound").definitions.remove(0).info;
    assert_eq!(
        [short.id, short.accepted, short.note],
        ["short", "#2", "2"],
        "all of the line with the shorter mate"
    );
    let only =
        suite("8/8/8/k7/8/K7/1p6/8 b - - bm #7; only b2b1r;").expect("sound").definitions.remove(0).info;
    assert_eq!((only.class.as_str(), only.note.as_str()), ("underpromotion", "only: b2b1r"));
}

#[test]
fn suite_can_be_limited_to_short_mates() {
    let mated = "1k6/8/1K6/8/8/8/8/7R b - - bm #-1; id \"m\";";
    let one = "1k6/8/1K6/8/8/8/8/7R w - - bm #1; id \"one\";";
    let text = format!("{IN_TWO}\n{mated}\n{one}");
    let source_file = |file: &str, text: &str| SourceFile { file: file.to_owned(), text: text.to_owned() };
    let ids = |settings: &str| -> Vec<String> {
        let head = format!(
            "version = 1\nkind = \"mate\"\ntitle = \"t\"\npositions = [\"m.epd\"]\n[limits]\ndepth = 1\n{settings}"
        );
        let source = SuiteSource {
            suite_file: source_file("s.toml", &head),
            positions: vec![source_file("m.epd", &text)],
        };
        let suite = Suite::read(&source).expect("sound");
        suite.definitions.iter().map(|definition| definition.info.id.clone()).collect()
    };
    assert_eq!(ids("").len(), 3);
    assert_eq!(ids("[settings]\nlongest = 1\n"), ["one"]);
    assert_eq!(ids("[settings]\nlongest = 2\n").len(), 2);
}

#[test]
fn mates_of_provers_have_a_distance_and_moves() {
    for operations in ["bm Rh1#; dm 1;", "dm 1; bm b1h1;", "acn 99; bm #1; dm 1;"] {
        let info = suite(&format!("k7/8/1K6/8/8/8/8/1R6 w - - {operations}")).expect(operations).definitions;
        assert_eq!(info[0].info.accepted, "#1", "{operations}");
    }
    let info = suite("k7/8/1K6/8/8/8/8/1R6 w - -; acn 99; bm Rh1#; dm 1;").expect("sound").definitions;
    assert_eq!(info[0].info.note, "acn: 99; bm: Rh1#");
}

#[test]
fn invalid_mates_are_named() {
    let remedy = "give `bm #3;` (or `dm 3;`), in moves, negative where the side to move is mated";
    let table = [
        (
            "\nk7/8/1K6/8/8/8/8/1R6 w - - bm Rh1;",
            format!("m.epd:2: `bm Rh1` is no distance to mate; {remedy}"),
        ),
        ("k7/8/1K6/8/8/8/8/1R6 w - - bm #0;", format!("m.epd:1: `0` is no distance to mate; {remedy}")),
        (
            "k7/8/1K6/8/8/8/8/1R6 w - - bm #2; dm 3;",
            format!("m.epd:1: `bm #2` and `dm 3` contradict each other; {remedy}"),
        ),
        (
            "k7/8/1K6/8/8/8/8/1R6 w - - bm Rb3 Rh9; dm 1;",
            "m.epd:1: `Rh9` is no move; give the mating move in `bm`".to_owned(),
        ),
        (
            "1k5R/8/1K6/8/8/8/8/8 b - - bm #-1;",
            "m.epd:1: the game is over here (checkmate); remove the line".to_owned(),
        ),
        (
            "k7/8/1K6/8/8/8/8/1R6 w - - bm #2;\nk7/8/1K6/8/8/8/8/1R6 w - - 3 9 bm #2;",
            "m.epd:2: `k7/8/1K6/8/8/8/8/1R6 w - -` is also in m.epd:1; give each case an id of its own"
                .to_owned(),
        ),
        ("", "m.epd: there is no case in it; give at least one position".to_owned()),
    ];
    for (text, message) in table {
        assert_eq!(suite(text).expect_err(text).to_string(), message);
    }
}
