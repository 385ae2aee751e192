//! `wdl`: the model, its files, and what it refuses.

use std::fmt::Write as _;

use crate::sandbox::{GAMES, Sandbox};

/// A game in which White's queen gives way to nothing: both sides move knights, with these scores for White before
/// each of its moves.
fn game(number: i32, result: &str, scores: &[i32]) -> String {
    let shuffle = [["Nf3", "Nf6"], ["Ng1", "Ng8"]];
    let mut moves = String::new();
    for (index, score) in scores.iter().enumerate() {
        let [white, black] = shuffle[index % 2];
        let pawns = |score: i32| f64::from(score) / 100.0;
        let _ = write!(
            moves,
            "{}. {white} {{{:+.2}/9 0.1s}} {black} {{{:+.2}/9 0.1s}} ",
            index + 1,
            pawns(*score),
            pawns(-score)
        );
    }
    format!(
        "[Event \"x\"]\n[Round \"{number}\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"{result}\"]\n\n{moves}{result}\n\n"
    )
}

/// Games whose results follow the scores, with exceptions.
fn games(number: i32) -> String {
    let one = |number: i32| {
        // From -300 to 300 in an order without a pattern.
        let level = (number * 37 % 61) * 10 - 300;
        let noise = (number * 53 % 41) * 8 - 160;
        let result = match level + noise {
            value if value > 110 => "1-0",
            value if value < -110 => "0-1",
            _ => "1/2-1/2",
        };
        let scores: Vec<i32> = (0..12).map(|move_number| level + (move_number * 7 % 5) * 4 - 8).collect();
        game(number, result, &scores)
    };
    (1..=number).map(one).collect()
}

#[test]
fn wdl_model_by_move_is_printed_and_written() {
    let sandbox = Sandbox::empty();
    sandbox.write("games.pgn", games(400));
    let run = sandbox.run("wdl games.pgn --by move --json wdl.json --html wdl.html");
    assert_eq!(run.code, Some(0), "{}", run.err);
    insta::assert_snapshot!("wdl_text", run.out);
    let json: serde_json::Value = serde_json::from_str(&sandbox.read("wdl.json")).expect("JSON");
    assert_eq!((&json["by"], &json["range"]), (&"move".into(), &serde_json::json!([1, 12])));
    assert!(sandbox.read("wdl.html").contains("constexpr double as[] = {"));
    let printed = sandbox.run("wdl games.pgn --by move --json -");
    assert_eq!(printed.out, sandbox.read("wdl.json"));
    // One half of the games through standard input, on one thread; both engines, named.
    let again = sandbox.run("wdl games.pgn --by move -j 1 --engine A --engine B");
    assert_eq!(again.out, run.out);
    let kept = sandbox.run("wdl games.pgn --by move --html wdl.html");
    assert_eq!((kept.code, kept.err.contains("--force")), (Some(2), true), "{}", kept.err);
}

#[test]
fn wdl_scores_are_scaled_by_an_old_model() {
    let sandbox = Sandbox::empty();
    sandbox.write("games.pgn", games(400));
    let pawn = |options: &str| -> f64 {
        let run = sandbox.run(&format!("wdl games.pgn --by move --json - {options}"));
        let json: serde_json::Value =
            serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
        json["normalize_to_pawn_value"].as_f64().expect("a number")
    };
    sandbox.write("old.json", r#"{"by": "move", "target": 32, "range": [1, 99], "as": [0, 0, 0, 200]}"#);
    let plain = pawn("");
    for options in ["--pawn-value 200", "--old-model old.json"] {
        let scaled = pawn(options);
        assert!((scaled / plain - 2.0).abs() < 0.01, "{options}: {plain} {scaled}");
    }
    sandbox.write("bad.json", r#"{"by": "move", "target": 32, "range": [1, 99], "as": [0, 0, -200, 200]}"#);
    for (options, answer) in [
        ("--old-model bad.json", "a of this model is not positive"),
        ("--old-model games.pgn", "as `threefold wdl --json` writes it"),
        ("--old-model none.json", "none.json"),
    ] {
        let run = sandbox.run(&format!("wdl games.pgn --by move {options}"));
        assert_eq!((run.code, run.err.contains(answer)), (Some(2), true), "{options}: {}", run.err);
    }
}

#[test]
fn wdl_refuses_games_that_determine_no_model() {
    let sandbox = Sandbox::empty();
    let all = games(400);
    let only = |result: &str| -> String {
        let is_such = |text: &&str| text.contains(&format!("[Result \"{result}\"]"));
        all.split_inclusive("\n\n")
            .collect::<Vec<_>>()
            .chunks(2)
            .map(<[&str]>::concat)
            .filter(|text| is_such(&text.as_str()))
            .collect()
    };
    let decisive = only("1-0") + &only("0-1");
    let table: &[(&str, String, &str)] = &[
        // name, games, part of the answer
        (
            "few",
            games(40),
            "40 distinct games with scores are too few for the eight coefficients; give at least 100",
        ),
        ("decisive", decisive, "no position is of a drawn game"),
        ("drawn", only("1/2-1/2").repeat(2), "no position is of a decisive game"),
        (
            "silent",
            all.replace("/9 0.1s", ""),
            "no comment on a move begins with a score, as in `{+0.31/12 0.5s}`; the first comment is `",
        ),
        ("bare", all.replace("{+", "{ok ").replace("{-", "{ok "), "no comment on a move begins with a score"),
        ("empty", String::new(), "no game counts"),
    ];
    for (name, text, answer) in table {
        sandbox.write("games.pgn", text);
        let run = sandbox.run("wdl games.pgn --by move");
        assert_eq!((run.code, run.err.contains(answer)), (Some(2), true), "{name}: {}", run.err);
    }
    sandbox.write("games.pgn", &all);
    for (options, answer) in [
        ("--material 20..78", "only 1 different values of the move number or the material"),
        ("--engine C", "there is no player `C`; the closest names are `A`, `B`"),
        ("--material 20..40", "none of 9600 positions with a score counts"),
        ("--moves 9", "`9` is no range"),
    ] {
        let run = sandbox.run(&format!("wdl games.pgn {options}"));
        assert_eq!((run.code, run.err.contains(answer)), (Some(2), true), "{options}: {}", run.err);
    }
}

#[test]
fn wdl_reads_a_journal_as_the_games_of_its_match() {
    let sandbox = Sandbox::new();
    let run = sandbox.run(&format!("{GAMES} --pgn games.pgn"));
    assert_eq!(run.code, Some(0), "{}", run.err);
    // Four games are too few for a model, and two of them are the others again. Both files have the same positions.
    let [journal, pgn] =
        ["runs/match-1.sqlite", "games.pgn"].map(|file| sandbox.run(&format!("wdl {file} --by move")));
    assert_eq!((journal.code, &journal.err), (Some(2), &pgn.err));
    assert!(pgn.err.contains("2 distinct games with scores are too few"), "{}", pgn.err);
}
