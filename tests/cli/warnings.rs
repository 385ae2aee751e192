//! Warnings about what engines print in games: in the terminal, the reports, the journal and the exit code.
//! And defects of other match runners in reading such lines, which must not be here.

use serde_json::Value;

use crate::sandbox::{CommandOutput, Sandbox};

/// An engine that moves its knights out and home again, with these commands of a shell before each move `$m`.
fn engine(sandbox: &Sandbox, name: &str, before: &str) {
    let arms = format!(
        "position*moves*) set -- ${{line#*moves}}; n=$#;;\nposition*) n=0;;\n\
         go*) case $n in 0|4) m=g1f3;; 1|5) m=g8f6;; 2|6) m=f3g1;; *) m=f6g8;; esac\n{before}\necho bestmove $m;;"
    );
    sandbox.engine(name, &arms);
}

/// Four games of `A` and `B` from the start position, each of two moves unless it is adjudicated.
fn play(sandbox: &Sandbox, more: &str) -> CommandOutput {
    play_as(sandbox, ["sh A.sh,name=A", "sh B.sh,name=B"], &format!("--maxmoves 2 {more}"))
}

fn play_as(sandbox: &Sandbox, engines: [&str; 2], more: &str) -> CommandOutput {
    sandbox.write("start.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n");
    let fixed = "match --depth 1 --games 4 -j 1 --openings start.epd";
    let words = fixed.split(' ').chain(["--engine", engines[0], "--engine", engines[1]]);
    sandbox.run_words(&words.chain(more.split_whitespace()).collect::<Vec<_>>())
}

/// `A` reports no score, and `B` a line with an illegal move.
fn two_bad_engines() -> Sandbox {
    let sandbox = Sandbox::new();
    engine(&sandbox, "A", ":");
    engine(&sandbox, "B", "echo \"info depth 1 score cp 9 pv $m a1a8\"");
    sandbox
}

#[test]
fn equal_warnings_are_printed_once_and_counted_at_the_end() {
    let sandbox = two_bad_engines();
    let output = play(&sandbox, "");
    assert_eq!(output.code, Some(0), "{}", output.err);
    for rule in ["A: no-score", "B: illegal-pv-move"] {
        let line = format!("warning: {rule}: ");
        assert_eq!(output.err.matches(&line).count(), 1, "{}", output.err);
        assert_eq!(output.out.matches(&format!("{rule}: ")).count(), 1, "{}", output.out);
    }
    assert_eq!(output.out.matches("8 times in 4 games; first in game 1\n").count(), 2, "{}", output.out);
    let [warnings, verdict] =
        ["Warnings about engine output:", "16 warnings (A 8, B 8)."].map(|it| output.out.find(it));
    assert!(warnings < verdict, "the verdict comes after them: {}", output.out);
    assert!(output.out.contains("16 warnings (A 8, B 8)."), "{}", output.out);
}

#[test]
fn every_report_has_the_warnings_and_the_journal_keeps_them() {
    let sandbox = two_bad_engines();
    assert_eq!(play(&sandbox, "--run m.sqlite --out new").code, Some(0));
    assert_eq!(sandbox.run("report m.sqlite --out again").code, Some(0));
    for folder in ["new", "again"] {
        let read = |file: &str| sandbox.read(&format!("{folder}/{file}"));
        let report: Value = serde_json::from_str(&read("report.json")).expect("JSON");
        let warnings = report["warnings"].as_array().expect("a list");
        assert_eq!(warnings.len(), 2, "{warnings:#?}");
        assert_eq!((&warnings[0]["engine"], &warnings[0]["rule"]), (&"A".into(), &"no-score".into()));
        assert_eq!((&warnings[0]["count"], &warnings[0]["games"]), (&8.into(), &4.into()));
        for (file, text) in [
            ("junit.xml", "<system-out>warning: A: no-score: "),
            ("results.sarif", "\"ruleId\": \"warning/no-score\""),
            ("summary.md", "Warnings about engine output"),
            ("index.html", "<h2 id=\"warnings\">"),
        ] {
            assert!(read(file).contains(text), "{file} lacks {text}:\n{}", read(file));
        }
    }
}

#[test]
fn strict_run_fails_for_any_warning_that_counts() {
    let sandbox = two_bad_engines();
    let both = ["sh A.sh,name=A", "sh B.sh,name=B"];
    let exempt = ["sh A.sh,name=A,warnings=off", "sh B.sh,name=B"];
    let table = [
        (both, "", 0),
        (both, "--strict", 1),
        (both, "--strict --ignore-warnings no-score", 1),
        (both, "--strict --ignore-warnings no-score,illegal-pv-move", 0),
        (exempt, "--strict", 1),
        (exempt, "--strict --ignore-warnings illegal-pv-move", 0),
    ];
    for (engines, options, code) in table {
        let output = play_as(&sandbox, engines, &format!("--maxmoves 2 {options}"));
        assert_eq!(output.code, Some(code), "{engines:?} {options}: {}", output.out);
    }
    let output = play_as(&sandbox, both, "--maxmoves 2 --ignore-warnings no-scores");
    assert_eq!(output.code, Some(2));
    assert!(output.err.contains("use one of illegal-pv-move, "), "{}", output.err);
}

/// Fastchess reads `multipv 10` as `multipv 1` and adjudicates such an engine as lost.
#[test]
fn tenth_line_is_not_taken_for_the_first() {
    let sandbox = Sandbox::new();
    let lines = |first: i32, tenth: i32| {
        format!(
            "echo \"info depth 1 multipv 1 score cp {first} pv $m\"\n\
             echo \"info depth 1 multipv 10 score cp {tenth} pv $m\""
        )
    };
    let resign = "--maxmoves 3 --resign movecount=2,score=600 --pgn all.pgn --force";
    let both = ["sh A.sh,name=A", "sh B.sh,name=B"];
    engine(&sandbox, "B", &lines(0, 0));
    for (first, tenth, resigns) in [(900, -900, false), (-900, 900, true)] {
        engine(&sandbox, "A", &lines(first, tenth));
        assert_eq!(play_as(&sandbox, both, resign).code, Some(0));
        // Lines are wrapped.
        let pgn = sandbox.read("all.pgn").replace('\n', " ");
        assert_eq!(pgn.contains("wins by adjudication"), resigns, "{pgn}");
    }
}

/// In fastchess two engines that both claim to win complete a two-sided count, and one changed sign ends the
/// game.
#[test]
fn two_sided_resignation_needs_scores_with_opposite_signs() {
    let sandbox = Sandbox::new();
    let both = ["sh A.sh,name=A", "sh B.sh,name=B"];
    let resign = "--maxmoves 3 --resign movecount=2,score=600,twosided=true --pgn all.pgn --force";
    let score = |text: &str| format!("{text}\necho \"info depth 1 score cp $s pv $m\"");
    let table = [
        ("s=600", "s=600", false),
        // The sign of the third score changes after two that agree.
        ("if [ $n -ge 4 ]; then s=-600; else s=600; fi", "s=600", false),
        ("s=-600", "s=600", true),
    ];
    for (ours, theirs, resigns) in table {
        engine(&sandbox, "A", &score(ours));
        engine(&sandbox, "B", &score(theirs));
        assert_eq!(play_as(&sandbox, both, resign).code, Some(0));
        // Lines are wrapped.
        let pgn = sandbox.read("all.pgn").replace('\n', " ");
        assert_eq!(pgn.contains("wins by adjudication"), resigns, "{ours} {theirs}: {pgn}");
    }
}
