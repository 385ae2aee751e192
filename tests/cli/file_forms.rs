//! Files in the forms that other programs and editors write.

use crate::sandbox::Sandbox;

/// Books in archives, from the corpus of the fuzz targets.
const PGN_BOOK: &[u8] = include_bytes!("../../fuzz/corpus/pgn/book.pgn.zip");
const EPD_BOOK: &[u8] = include_bytes!("../../fuzz/corpus/epd/openings.epd.zip");

const MATCH: &str = "match --engine echo,name=A --engine echo,name=B --nodes 20 --maxmoves 1 --games 2";

/// Two games that each end with this result.
fn games(results: [&str; 2]) -> String {
    let game = |(players, result): ([&str; 2], &str)| {
        let [white, black] = players;
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 e5 {result}\n\n")
    };
    [["A", "B"], ["B", "A"]].into_iter().zip(results).map(game).collect()
}

#[test]
fn books_in_archives_are_read() {
    let sandbox = Sandbox::new();
    for (file, bytes) in [("book.pgn.zip", PGN_BOOK), ("book.zip", PGN_BOOK), ("book.epd.zip", EPD_BOOK)] {
        sandbox.write(file, bytes);
        let output = sandbox.run(&format!("{MATCH} --openings {file} --quiet"));
        assert_eq!(output.code, Some(0), "{file}: {}", output.err);
    }
    sandbox.write("suite.epd.zip", EPD_BOOK);
    let output =
        sandbox.run("suite --positions suite.epd.zip --kind determinism --engine echo --nodes 20 --json");
    assert_eq!((output.code, output.out.lines().count()), (Some(0), 2), "{}", output.err);
}

#[test]
fn archives_that_are_not_read_are_named() {
    let sandbox = Sandbox::new();
    for (name, bytes, command) in [("bzip2", &b"BZh91AY&SY"[..], "bzcat"), ("xz", b"\xfd7zXZ\0", "xzcat")] {
        sandbox.write("file", bytes);
        for line in [
            format!("{MATCH} --openings file"),
            "suite --positions file --kind best-move --engine echo --nodes 9".to_owned(),
            "rate file".to_owned(),
        ] {
            let output = sandbox.run(&line);
            assert_eq!(output.code, Some(2), "{line}: {}", output.err);
            let said = format!(
                "error: file: is packed by {name}, which is not read here; unpack it first, with `{command} FILE > NEW`"
            );
            assert!(output.err.contains(&said), "{line}: {}", output.err);
        }
    }
}

#[test]
fn lists_of_players_may_have_a_byte_order_mark() {
    let sandbox = Sandbox::new();
    let text = games(["1-0", "1-0"]);
    let other = text.replace("\"A\"", "\"C\"").replace("1. e4 e5", "1. d4 d5");
    sandbox.write("games.pgn", other + &text);
    let rate = |more: &str| sandbox.run(&format!("rate games.pgn --white 0 --draw-rate 0.5 {more}"));
    sandbox.write("synonyms", b"\xef\xbb\xbfA, C\r\n");
    let output = rate("--synonyms synonyms");
    assert!(output.out.contains("4 counted") && !output.out.contains('C'), "{}", output.out);
    sandbox.write("anchors", b"\xff\xfeA\x00,\x005\x000\x00");
    sandbox.write("names", b"\xef\xbb\xbfA\r\nB\r\n");
    let output = rate("--anchors anchors --only @names");
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(output.out.contains("2 counted"), "{}", output.out);
    sandbox.write("names", b"M\xfcller\n");
    let output = rate("--only @names");
    assert!(output.err.contains("warning: names: is not UTF-8 text: read as Latin-1"), "{}", output.err);
    assert!(output.err.contains("there is no player `Müller`"), "{}", output.err);
}

#[test]
fn errors_of_all_lines_are_shown_or_left_out() {
    let sandbox = Sandbox::new();
    let sound = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; c0 \"M\u{fc}ller\";\n";
    let latin: Vec<u8> = sound.chars().map(|letter| letter as u8).collect();
    sandbox.write("p.epd", [&latin[..], b"8/8 w - - bm e4;\n4k3/8/8/8/8/8/4P3/4K3 b - - bm Ke9;\n"].concat());
    let line = "suite --positions p.epd --kind best-move --engine echo --nodes 9 --json";
    let output = sandbox.run(line);
    assert_eq!((output.code, output.out.as_str()), (Some(2), ""));
    assert!(output.err.contains("warning: p.epd: is not UTF-8 text: read as Latin-1"), "{}", output.err);
    assert!(output.err.contains("p.epd:2: ") && output.err.contains("p.epd:3: `Ke9`"), "{}", output.err);
    let output = sandbox.run(&format!("{line} --skip-bad-lines"));
    assert_eq!(output.out.lines().count(), 1, "{}", output.err);
    assert!(output.err.contains("warning: p.epd: 2 of 3 lines are left out:\n"), "{}", output.err);
    assert!(output.err.contains("p.epd:2: ") && output.err.contains("p.epd:3: `Ke9`"), "{}", output.err);
}

#[test]
fn games_without_a_result_token_count_for_models_of_ordo() {
    let sandbox = Sandbox::new();
    sandbox.write("games.pgn", games(["1-0", "1-0"]).replace("e5 1-0", "e5"));
    for (more, counted) in [
        ("", 0),
        ("--broken-off count", 2),
        ("--model ordo --draw-rate 0.5", 2),
        ("--model ordo --draw-rate 0.5 --broken-off ignore", 0),
    ] {
        let output = sandbox.run(&format!("rate games.pgn --white 0 {more}"));
        assert!(output.err.contains(&format!("2 games read, {counted} counted")), "{more}: {}", output.err);
    }
}

#[test]
fn games_that_one_colour_won_need_an_advantage() {
    let sandbox = Sandbox::new();
    sandbox.write("games.pgn", games(["0-1", "0-1"]));
    let output = sandbox.run("rate games.pgn --draw-rate 0.5");
    assert_eq!((output.code, output.out.as_str()), (Some(2), ""));
    let said = "Black won every game, so White's advantage can't be estimated; give it, or play more games; --white 0";
    assert!(output.err.contains(said), "{}", output.err);
    let output = sandbox.run("rate games.pgn --draw-rate 0.5 --white 0");
    assert_eq!(output.code, Some(0), "{}", output.err);
}
