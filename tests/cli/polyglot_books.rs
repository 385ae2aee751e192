//! Polyglot books for the first moves of an engine.

use super::sandbox::Sandbox;

/// A book with one move of the start position, by its squares (a1 is 0, h8 is 63), and its weight.
fn book(moves: &[(u16, u16, u16)]) -> Vec<u8> {
    let entry = |(from, to, weight): &(u16, u16, u16)| {
        let start = 0x463b_9618_1691_fc9c_u64.to_be_bytes();
        [&start[..], &(from << 6 | to).to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
    };
    moves.iter().flat_map(entry).collect()
}

const E2E4: (u16, u16, u16) = (12, 28, 1);
const D2D4: (u16, u16, u16) = (11, 27, 1);

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("start.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n");
    sandbox.write("a.bin", book(&[E2E4]));
    sandbox.write("both.bin", book(&[D2D4, E2E4]));
    sandbox
}

/// The games of a match of A, which has the book, and B: the first moves of White, with their comments.
fn first_moves(sandbox: &Sandbox, spec: &str, words: &str) -> Vec<String> {
    let words = format!(
        "match --engine echo,name=A,Hash=1,{spec} --engine echo,name=B,Hash=1 --nodes 40 --openings start.epd \
         --maxmoves 3 --pgn games.pgn {words}"
    );
    let output = sandbox.run(&words);
    assert_eq!(output.code, Some(0), "{}", output.err);
    let pgn = sandbox.read("games.pgn");
    let games = pgn.split("[Event ").skip(1);
    games
        .map(|game| game.split_once("\n1. ").map_or("", |(_, moves)| moves).chars().take(9).collect())
        .collect()
}

#[test]
fn first_moves_of_an_engine_come_from_its_book() {
    let sandbox = sandbox();
    let moves = first_moves(&sandbox, "book=a.bin,bookdepth=1", "--games 4");
    let of_book = |at: usize| moves[at] == "e4 {book}";
    assert!(of_book(0) && of_book(2), "A has White: {moves:?}");
    assert!(!of_book(1) && !of_book(3), "B has no book: {moves:?}");
    // The journal has it, too, and the checksum of the book.
    let report = sandbox.run("report runs/match-1.sqlite --format pgn --out again");
    assert_eq!(report.code, Some(0), "{}", report.err);
    assert_eq!(sandbox.read("again/games.pgn").matches("e4 {book}").count(), 2);
}

#[test]
fn book_moves_do_not_depend_on_jobs() {
    let sandbox = sandbox();
    let whole = first_moves(&sandbox, "book=both.bin", "--games 24 -j 1");
    let starts = |text: &str| whole.iter().step_by(2).filter(|first| first.starts_with(text)).count();
    assert!(starts("e4 {book}") > 0 && starts("d4 {book}") > 0, "both are chosen: {whole:?}");
    assert_eq!(whole, first_moves(&sandbox, "book=both.bin", "--games 24 -j 2 --force"));
}

#[test]
fn unusable_book_is_refused_before_the_first_game() {
    let sandbox = sandbox();
    sandbox.write("short.bin", &book(&[E2E4])[..15]);
    sandbox.write("wrong.bin", book(&[(12, 36, 1)]));
    for (spec, message) in [
        ("book=none.bin", "book none.bin: "),
        ("book=short.bin", "book short.bin: 15 bytes are no whole number of entries"),
        ("book=wrong.bin", "book wrong.bin: its move e2e5 is illegal in rnbqkbnr/"),
        ("book=a.bin,bookdepth=0", "`bookdepth=0` can't be read: give a number of moves from 1"),
    ] {
        let output = sandbox.run(&format!(
            "match --engine echo,name=A,Hash=1,{spec} --engine echo,name=B,Hash=1 --nodes 40 --games 2 --openings start.epd"
        ));
        assert_eq!(output.code, Some(2), "{spec}: {}", output.err);
        assert!(output.err.contains(message), "{spec}: {}", output.err);
    }
    assert!(!sandbox.path("runs").exists());
}

#[test]
fn cutechess_book_is_used() {
    let sandbox = sandbox();
    let line = "-engine cmd=ENGINE arg=uci name=A book=a.bin bookdepth=1 -engine cmd=ENGINE arg=uci name=B -each nodes=40 \
                -openings file=start.epd format=epd -games 2 -repeat -maxmoves 2 -srand 5 -pgnout c.pgn";
    let line = line.replace("ENGINE", crate::PROGRAM);
    let words: Vec<&str> = ["cutechess-cli"].into_iter().chain(line.split_whitespace()).collect();
    let output = sandbox.run_words(&words);
    assert_eq!(output.code, Some(0), "{}{}", output.out, output.err);
    assert_eq!(sandbox.read("c.pgn").matches("e4 {book}").count(), 1, "{}", sandbox.read("c.pgn"));
}
