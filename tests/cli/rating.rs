//! `rate`: the list, warnings about files, and exit codes.

use std::io::Write;

use crate::sandbox::{GAMES, Sandbox};

/// White, Black, result, round. Each round has moves of its own, so that no game repeats another.
fn game((white, black, result, round): (&str, &str, &str, &str)) -> String {
    let number: usize = round
        .bytes()
        .filter(u8::is_ascii_digit)
        .map(|digit| usize::from(digit - b'0'))
        .fold(0, |sum, digit| 10 * sum + digit);
    let shuffles = " Nf3 Nf6 Ng1 Ng8".repeat(number);
    format!(
        "[Event \"x\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n\
         1. e4 {{+0.30/9}} e5{shuffles} {result}\n\n"
    )
}

/// A round robin of three players in pairs; each wins, draws and loses.
fn round_robin() -> String {
    let results = ["1-0", "1/2-1/2", "0-1", "1-0", "1-0", "1/2-1/2"];
    let mut text = String::new();
    for round in 1..=4 {
        for (meeting, (first, second)) in [("A", "B"), ("B", "C"), ("A", "C")].into_iter().enumerate() {
            let result = |game: usize| results[(round * 5 + meeting * 3 + game * 2) % results.len()];
            text.push_str(&game((first, second, result(0), &format!("{round}.1"))));
            text.push_str(&game((second, first, result(1), &format!("{round}.2"))));
        }
    }
    text
}

#[test]
fn rating_list_does_not_depend_on_compression_or_input() {
    let sandbox = Sandbox::new();
    let text = round_robin();
    sandbox.write("plain.pgn", &text);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).expect("memory takes all");
    sandbox.write("packed.pgn.gz", gzip.finish().expect("memory takes all"));
    // Two frames, as parallel packers write them.
    let (one, two) = text.split_at(text.find("[Event \"x\"]\n[Round \"3.1\"]").expect("it is there"));
    let frames = [one, two].map(|part| zstd::encode_all(part.as_bytes(), 1).expect("memory takes all"));
    sandbox.write("packed.pgn.zst", frames.concat());
    sandbox.write("one.pgn", one);
    sandbox.write("two.pgn", two.replace('\n', "\r\n"));
    let list = sandbox.run("rate plain.pgn --head-to-head --los");
    assert_eq!((list.code, list.err.as_str()), (Some(0), "24 games read, 24 counted\n"));
    insta::assert_snapshot!(list.out);
    for more in
        ["packed.pgn.gz", "packed.pgn.zst", "one.pgn two.pgn", "two.pgn one.pgn -j 1", "plain.pgn -j 3"]
    {
        let again = sandbox.run(&format!("rate {more} --head-to-head --los"));
        assert_eq!((again.code, &again.out), (Some(0), &list.out), "{more}: {}", again.err);
    }
}

#[test]
fn rating_csv_and_json_equal_the_table() {
    let sandbox = Sandbox::new();
    sandbox.write("games.pgn", round_robin() + &game(("A", "B", "*", "5.1")));
    let output =
        sandbox.run("rate games.pgn --anchor B=2500 --csv out/list.csv --json list.json --warnings w.txt");
    assert_eq!(output.code, Some(0), "{}", output.err);
    insta::assert_snapshot!("rate_csv", sandbox.read("out/list.csv"));
    insta::assert_snapshot!("rate_json", sandbox.read("list.json"));
    assert_eq!(sandbox.read("w.txt"), "games.pgn:193: game 25: the game is unfinished (ignored)\n");
    let printed = sandbox.run("rate games.pgn --anchor B=2500 --json -");
    assert_eq!(printed.out, sandbox.read("list.json"));
}

#[test]
fn simulated_errors_depend_on_the_seed_alone() {
    let sandbox = Sandbox::new();
    sandbox.write("games.pgn", round_robin());
    let run = |more: &str| sandbox.run(&format!("rate games.pgn --errors simulated:40 {more}")).out;
    assert!(run("").contains("40 simulations, seed 1"), "{}", run(""));
    assert_eq!(run("-j 1"), run("-j 3"));
    assert_ne!(run("--seed 2"), run(""));
}

#[test]
fn games_of_a_threefold_match_form_complete_pairs() {
    let sandbox = Sandbox::new();
    let output = sandbox.run(&format!("{GAMES} --order sequential --maxmoves 20 --pgn games.pgn"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    // Everything may be drawn at sixty nodes: what was read is what is asked here.
    let output = sandbox.run("rate games.pgn --errors analytic");
    assert!(output.err.contains("4 games read, 4 counted"), "{}", output.err);
    let drawn =
        [game(("A", "B", "1-0", "9.1")), game(("B", "A", "1-0", "9.2")), game(("A", "B", "0-1", "9.3"))];
    sandbox.write("more.pgn", drawn.concat());
    let output = sandbox.run("rate games.pgn more.pgn");
    assert!(output.out.contains("7 counted: 3 game pairs, 1 single games"), "{}{}", output.out, output.err);
}

#[test]
fn invalid_games_are_warnings_or_errors_with_strict() {
    let sound = round_robin();
    let broken = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 {+0.";
    let table: &[(String, &str, &str)] = &[
        // after 24 sound games of 8 lines each; the warning; the count
        (game(("A", "B", "*", "")), "game 25: the game is unfinished (ignored)", "1 ignored: 1 unfinished"),
        (
            game(("A", "B", "1-0", "")).replace("e5 1-0", "e5 0-1"),
            "game 25: the tag Result says 1-0, the moves end 0-1 (ignored)",
            "1 contradictory",
        ),
        (
            game(("A", "B", "2-0", "")),
            "game 25: Result `2-0`: chess has 1-0, 0-1 and 1/2-1/2 (ignored)",
            "1 unknown-result",
        ),
        (game(("A", "?", "1-0", "")), "game 25: Black has no name (ignored)", "1 missing-player"),
        (game(("A", "A", "1-0", "")), "game 25: `A` plays against itself (ignored)", "1 same-player"),
        (
            broken.to_owned(),
            "game 25: the moves break off; the tag Result says 1-0 (ignored)",
            "1 broken-off",
        ),
        (
            "hello\n".to_owned(),
            "after game 24: `hello` belongs to no game",
            "1 warnings outside of games: 1 stray-text",
        ),
    ];
    for (more, warning, count) in table {
        let sandbox = Sandbox::new();
        sandbox.write("games.pgn", format!("{sound}{more}"));
        let output = sandbox.run("rate games.pgn");
        assert_eq!(output.code, Some(0), "{}", output.err);
        assert!(
            output.err.contains(&format!("warning: games.pgn:193: {warning}\n")),
            "{warning}: {}",
            output.err
        );
        assert!(output.err.contains(count), "{count}: {}", output.err);
        assert!(output.out.contains("24 counted: 12 game pairs"), "{}", output.out);
        let strict = sandbox.run("rate games.pgn --strict");
        assert_eq!((strict.code, strict.out.as_str()), (Some(2), ""));
        assert!(strict.err.contains("--strict: the files have problems (1 "), "{}", strict.err);
    }
}

#[test]
fn truncated_compressed_file_is_read_up_to_its_end() {
    let sandbox = Sandbox::new();
    let text = round_robin();
    let packed = zstd::encode_all(text.as_bytes(), 1).expect("memory takes all");
    let whole = [packed.clone(), packed].concat();
    sandbox.write("torn.pgn.zst", &whole[..whole.len() - 9]);
    let output = sandbox.run("rate torn.pgn.zst");
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(output.err.contains("the rest of the file can't be read: "), "{}", output.err);
    assert!(output.err.contains("1 unreadable"), "{}", output.err);
    sandbox.write("junk.pgn.gz", b"\x1f\x8bjunk");
    let output = sandbox.run("rate junk.pgn.gz");
    assert_eq!((output.code, output.out.as_str()), (Some(2), ""));
    assert!(
        output.err.contains("the rest of the file can't be read") && output.err.contains("no game counts"),
        "{}",
        output.err
    );
}

#[test]
fn many_warnings_are_summarised() {
    let sandbox = Sandbox::new();
    sandbox.write("games.pgn", round_robin() + &game(("A", "B", "*", "")).repeat(50));
    let output = sandbox.run("rate games.pgn");
    assert_eq!(output.err.matches("warning: games.pgn:").count(), 20, "{}", output.err);
    assert!(
        output.err.contains("warning: … and 30 more; --warnings FILE writes all of them"),
        "{}",
        output.err
    );
    let output = sandbox.run("rate games.pgn --warnings all.txt");
    assert_eq!((output.code, sandbox.read("all.txt").lines().count()), (Some(0), 50));
}

#[test]
fn unrateable_games_are_exit_2() {
    let sandbox = Sandbox::new();
    let pair = |a: &str, b: &str| {
        [(a, b, "1-0"), (b, a, "1-0"), (a, b, "0-1"), (b, a, "1/2-1/2")]
            .map(|(white, black, result)| game((white, black, result, "")))
            .concat()
    };
    sandbox.write("games.pgn", round_robin());
    sandbox.write("apart.pgn", pair("A", "B") + &pair("C", "D"));
    sandbox.write("swept.pgn", round_robin() + &game(("A", "Z", "1-0", "")));
    sandbox.write("none.pgn", game(("A", "B", "*", "")));
    let table: &[(&str, &[&str])] = &[
        ("rate", &["GAMES.pgn"]),
        ("rate gone.pgn", &["gone.pgn: can't be read; check the path"]),
        ("rate none.pgn", &["1 unfinished", "no game counts"]),
        (
            "rate apart.pgn",
            &["no game connects `A`, `B` with `C`, `D`", "--groups rates each group on its own scale"],
        ),
        ("rate swept.pgn", &["`Z` lost every game", "--groups lists such players"]),
        ("rate games.pgn --anchor Bb=2500", &["there is no player `Bb`; the closest names are `B`"]),
        ("rate games.pgn --exclude X", &["there is no player `X`"]),
        ("rate games.pgn --only A", &["no game counts"]),
        ("rate games.pgn --anchor B", &["write NAME=ELO"]),
        ("rate games.pgn --prior B=2000", &["write NAME=ELO,SD"]),
        ("rate games.pgn --average 0 --anchor B=1", &["cannot be used with"]),
        ("rate games.pgn --model elo", &["davidson, ordo, ordo-wdl, bayeselo"]),
        ("rate games.pgn --errors simulated:1", &["two or more runs"]),
        ("rate games.pgn --white x", &["is not a number", "`fit`"]),
        ("rate games.pgn --draw-rate 2", &["can't be used"]),
    ];
    for (command, parts) in table {
        let output = sandbox.run(command);
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{command}: {}", output.err);
        for part in *parts {
            assert!(output.err.contains(part), "{command}: lacks `{part}`: {}", output.err);
        }
    }
    let output = sandbox.run("rate apart.pgn --groups");
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(output.out.contains("Group 2, 2 players, on its own scale:"), "{}", output.out);
    let output = sandbox.run("rate swept.pgn --groups");
    assert!(output.out.contains("lost all"), "{}", output.out);
    let output = sandbox.run("rate swept.pgn --exclude Z");
    assert!(output.code == Some(0) && output.err.contains("1 of excluded players"), "{}", output.err);
}

#[test]
fn rating_unit_is_the_elo_of_the_score() {
    let sandbox = Sandbox::new();
    // 6 points of 8 games with draws: 400 log10(3) = 190.8.
    let results = ["1-0", "0-1", "1-0", "0-1", "1-0", "1-0", "1/2-1/2", "1/2-1/2"];
    let games = results.iter().enumerate().map(|(index, result)| {
        let (white, black) = if index % 2 == 0 { ("A", "B") } else { ("B", "A") };
        game((white, black, result, &format!("{}.{}", index / 2 + 1, index % 2 + 1)))
    });
    sandbox.write("match.pgn", games.collect::<String>());
    let lead = |options: &str| {
        let output = sandbox.run(&format!("rate match.pgn --json - {options}"));
        assert_eq!(output.code, Some(0), "{}", output.err);
        let list: serde_json::Value = serde_json::from_str(&output.out).expect("JSON");
        list["players"][0]["head_to_head"][0]["lead_by_rating"].as_f64().expect("a number")
    };
    let elo = 400.0 * 3.0_f64.log10();
    for model in ["davidson", "ordo"] {
        let lead = lead(&format!("--model {model}"));
        assert!((lead - elo).abs() < 1e-3, "{model}: {lead} instead of {elo}");
    }
    assert!(lead("--unit points") > elo + 20.0);
    let text = sandbox.run("rate match.pgn").out;
    assert!(text.contains("logistic Elo by score, as `match` prints it"), "{text}");
    let text = sandbox.run("rate match.pgn --scale 202").out;
    assert!(text.contains("points of the model: a lead of 202 means odds of 76 : 24"), "{text}");
    let output = sandbox.run("rate match.pgn --scale 202 --unit elo");
    assert!(output.code == Some(2) && output.err.contains("use --unit points"), "{}", output.err);
}

#[test]
fn rating_reads_synonyms_anchors_relations_and_lists_from_files() {
    let sandbox = Sandbox::new();
    let text = round_robin();
    sandbox.write("games.pgn", &text);
    // The same games, half of A's under other names.
    let (one, two) = text.split_at(text.find("[Event \"x\"]\n[Round \"3.1\"]").expect("it is there"));
    let two = two.replace("\"A\"", "\"A, beta\"");
    sandbox.write("renamed.pgn", format!("{one}{two}") + &game(("A", "A, beta", "1-0", "9")));
    sandbox.write("synonyms.csv", "# main, others\nA, \"A, beta\", A 2\n");
    let expected = sandbox.run("rate games.pgn --json -").out;
    let output = sandbox.run("rate renamed.pgn --synonyms synonyms.csv --json list.json");
    assert!(
        output.err.contains("25 games read, 24 counted; 1 between names of one player"),
        "{}",
        output.err
    );
    let players =
        |json: &str| serde_json::from_str::<serde_json::Value>(json).expect("JSON")["players"].clone();
    assert_eq!(players(&sandbox.read("list.json")), players(&expected));

    sandbox.write("anchors.csv", "B, 2500\n\"A, beta\", 2400, 30\n");
    sandbox.write("relations.csv", "C, B, 10, 0.001\n");
    let options =
        "--synonyms synonyms.csv --anchors anchors.csv --relations relations.csv --confidence 0.9 --force";
    let output = sandbox.run(&format!("rate renamed.pgn {options} --csv list.csv --json list.json"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(
        output.out.contains("B is 2500 and A has the prior 2400 ± 30 (one standard deviation); 1 relation"),
        "{}",
        output.out
    );
    assert!(
        output.out.contains("± (90 %)") && output.out.contains("errors               90 %"),
        "{}",
        output.out
    );
    let list: serde_json::Value = serde_json::from_str(&sandbox.read("list.json")).expect("JSON");
    let rating = |name: &str| {
        let player = list["players"].as_array().expect("a list").iter().find(|player| player["name"] == name);
        player.expect("it plays").clone()
    };
    let of_c = rating("C")["rating"].as_f64().expect("a number");
    assert!((of_c - 2510.0).abs() < 0.01, "{of_c}");
    let a = rating("A");
    let ratio = a["error95"].as_f64().expect("a number") / a["error"].as_f64().expect("a number");
    assert!((ratio - 1.959_964 / 1.644_854).abs() < 1e-4, "{ratio}");
    let csv = sandbox.read("list.csv");
    let header = "confidence,error,unit,white_advantage,white_advantage_error,draw_rate,draw_rate_error\n";
    assert!(csv.contains(header) && csv.contains(",rated,0.9,"), "{csv}");

    sandbox.write("names.txt", "# two players\nA, beta\nB\n");
    let listed = sandbox.run("rate renamed.pgn --synonyms synonyms.csv --only @names.txt").out;
    assert_eq!(listed, sandbox.run("rate games.pgn --only A --only B").out);
}

#[test]
fn errors_in_rating_files_have_file_and_line() {
    let sandbox = Sandbox::new();
    sandbox.write("games.pgn", round_robin());
    let mistakes: &[(&str, &str, &str)] = &[
        ("--anchors", "B, x\n", "bad.csv:1: `B, x`: `x` is not a number; write `name, elo`"),
        ("--anchors", "\nB\n", "bad.csv:2: `B`: write `name, elo`"),
        ("--relations", "A, B, 1\n", "bad.csv:1: `A, B, 1`: write `player, player, elo, error`"),
        ("--relations", "A, B, 1, 0\n", "the error must be above 0"),
        ("--relations", "A, A, 1, 1\n", "the relation of `A` and `A` can't be used"),
        ("--relations", "A, Z, 1, 1\n", "there is no player `Z`"),
        ("--synonyms", "A, Q\nB, Q\n", "bad.csv:2: `B, Q`: `Q` already means `A`; name it once"),
        ("--synonyms", "A, Q\nQ, R\n", "bad.csv:2: `Q, R`: `Q` is itself another name of `A`"),
    ];
    for (option, text, message) in mistakes {
        sandbox.write("bad.csv", text);
        let output = sandbox.run(&format!("rate games.pgn {option} bad.csv"));
        assert!(output.code == Some(2) && output.err.contains(message), "{option} {text}: {}", output.err);
    }
    let output = sandbox.run("rate games.pgn --confidence 95");
    assert!(output.code == Some(2) && output.err.contains("give one such as 0.95"), "{}", output.err);
}

#[test]
fn page_of_a_list_is_written_once() {
    let sandbox = Sandbox::new();
    sandbox.write("games.pgn", round_robin());
    let output = sandbox.run("rate games.pgn --html out/list.html");
    assert_eq!(output.code, Some(0), "{}", output.err);
    let page = sandbox.read("out/list.html");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("24 games, 3 players"), "{page}");
    assert_eq!(output.out, sandbox.run("rate games.pgn").out, "the list is printed, too");
    let again = sandbox.run("rate games.pgn --html out/list.html");
    assert_eq!(again.code, Some(2), "{}", again.err);
    assert_eq!(sandbox.run("rate games.pgn --html out/list.html --force").code, Some(0));
}
