//! `rate`: the list, warnings about files, and exit codes.

use std::io::Write;

use crate::sandbox::{GAMES, Sandbox};

/// White, Black, result, round.
fn game((white, black, result, round): (&str, &str, &str, &str)) -> String {
    format!(
        "[Event \"x\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n\
         1. e4 {{+0.30/9}} e5 {result}\n\n"
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
    let list = sandbox.run("rate plain.pgn --head-to-head --superiority");
    assert_eq!((list.code, list.err.as_str()), (Some(0), "24 games read, 24 counted\n"));
    insta::assert_snapshot!(list.out);
    for more in
        ["packed.pgn.gz", "packed.pgn.zst", "one.pgn two.pgn", "two.pgn one.pgn -j 1", "plain.pgn -j 3"]
    {
        let again = sandbox.run(&format!("rate {more} --head-to-head --superiority"));
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
    assert!(output.err.contains("1 torn"), "{}", output.err);
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
