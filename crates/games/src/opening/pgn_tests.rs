//! Tests of books of games.

use super::*;

fn moves(text: &str, plies: Option<Ply>) -> Vec<String> {
    read_pgn(text, plies).expect("sound").iter().map(|opening| opening.history.moves_text()).collect()
}

#[test]
fn pgn_openings_are_read_and_truncated() {
    let games = "\n[Event \"x\"]\n[ECO \"C20\"]\n[Opening \"King's pawn\"]\n\n\
            1. e4 {best} e5 (1... c5 2. Nf3) 2. Nf3 $1 Nc6 1/2-1/2\n\n\
            [FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O Kd7 *\n";
    assert_eq!(moves(games, None), ["e2e4 e7e5 g1f3 b8c6", "e1g1 e8d7"]);
    assert_eq!(moves(games, Some(Ply(3))), ["e2e4 e7e5 g1f3", "e1g1 e8d7"]);
    assert_eq!(moves(games, Some(Ply(0))), ["", ""]);
    let read = read_pgn(games, None).expect("sound");
    assert_eq!(read[0].eco.as_deref(), Some("C20"));
    assert_eq!(read[0].name.as_deref(), Some("King's pawn"));
    assert_eq!(read[1].history.start.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
}

#[test]
fn pgn_moves_of_every_notation_are_read() {
    let long = "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-b5 a7-a6 *";
    assert_eq!(moves(long, None), ["e2e4 e7e5 g1f3 b8c6 f1b5 a7a6"]);
    assert_eq!(moves("1. e2e4 e7-e5 2. Ng1-f3 Nb8c6 3.♗b5", None), ["e2e4 e7e5 g1f3 b8c6 f1b5"]);
    let promotions = "[FEN \"8/P6k/8/8/8/8/p6K/8 w - - 0 1\"]\n\n1. a8Q a1Q 2. Kh3 *";
    assert_eq!(moves(promotions, None), ["a7a8q a2a1q h2h3"]);
}

#[test]
fn pgn_games_end_at_results_tags_and_new_beginnings() {
    let table: &[(&str, &[&str])] = &[
        ("1. e4 e5 *[Event \"x\"]\n\n1. d4 *", &["e2e4 e7e5", "d2d4"]),
        ("1. e4 e5 * 1. d4 d5 *", &["e2e4 e7e5", "d2d4 d7d5"]),
        ("1. e4 e5\n\n1. d4 d5\n", &["e2e4 e7e5", "d2d4 d7d5"]),
        ("1. e4\n\n1. d4\n", &["e2e4", "d2d4"]),
        ("e4 e5\n\nd4 d5\n", &["e2e4 e7e5", "d2d4 d7d5"]),
        ("1. e4 e5\n\n2. Nf3 *", &["e2e4 e7e5 g1f3"]),
        ("1. e4\n\n1... e5\n\n*\n", &["e2e4 e7e5"]),
        ("[White \"x\"]\n\n[Black \"y\"]\n\n1. e4 *", &["e2e4"]),
        ("[White \"x\"]\n\n[White \"y\"]\n\n1. e4", &["", "e2e4"]),
        ("[Event \"x\"]\n[Round 1]\n\n1. e4 *\n% x\n", &["e2e4"]),
        ("1. e4 {[Event \"x\"]\n[White \"y\"]\n\n1. d4} e5 *", &["e2e4 e7e5"]),
        ("1. e4 (1. d4\n\n1. c4 {)}) e5 *", &["e2e4 e7e5"]),
        ("[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1;\"]\n\n*", &[""]),
    ];
    for (text, expected) in table {
        assert_eq!(moves(text, None), *expected, "{text}");
    }
}

#[test]
fn pgn_move_numbers_may_begin_anywhere() {
    let fen = "[Variant \"From Position\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"]\n\n";
    for numbers in [["1...", "2.", "2..."], ["17...", "18.", "18..."], ["0.", "1.", "1."]] {
        let [first, second, third] = numbers;
        let game = format!("{fen}{first} Kd7 {second} e4 {{!}} {third} Kd6 *");
        assert_eq!(moves(&game, None), ["e8d7 e2e4 d7d6"], "{game}");
        // An empty line does not end the game, whatever the numbers begin with.
        let game = format!("{fen}{first} Kd7\n\n{second} e4 {third} Kd6 *");
        assert_eq!(moves(&game, None), ["e8d7 e2e4 d7d6"], "{game}");
    }
}

#[test]
fn pgn_opening_errors_name_the_line() {
    let table = [
        // game 2 of a book, from line 5; parts of the answer
        ("1. e4 e5 2. Ke3 *", ["line 5, opening 2: `Ke3`", "ply 3 of the game", "correct the move"]),
        ("1. e4\ne5 2. Sf3 *", ["line 6, opening 2: `Sf3`", "ply 3", "no English piece letter"]),
        ("1. e4 e5 2. hello *", ["line 5, opening 2: `hello`", "ply 3", "is no move"]),
        ("1. e4 e5 2. e3e5 *", ["line 5, opening 2: `e3e5`", "ply 3", "no legal move"]),
        ("1. e4 e5\n\n2... Nc6 *", ["line 7, opening 3: `2.`", "has the number 1", "correct the number"]),
        ("1. e4 e5 3. Nf3 *", ["line 5, opening 2: `3.`", "has the number 2", "write the missing moves"]),
        ("1. e4 e5\n2. Nf3 (2. d4 d5 9. c4) 3... Nc6 *", ["line 6, opening 2: `3.`", "number 2", "correct"]),
        ("3. Nf3 *", ["line 5, opening 2: `3.`", "has the number 1", "correct the number"]),
        ("[Variant \"Atomic\"]\n\n1. e4 *", ["line 5, opening 2: `Atomic`", "not one of chess", "Chess960"]),
        ("1. f3 e5 2. g4 Qh4# 0-1", ["line 5, opening 2", "the game is over there", "leave something"]),
        ("[FEN \"8/8\"]\n\n1. e4 *", ["line 5, opening 2: `8/8`", "FEN", "give the tag a FEN"]),
        ("[FEN 4k3/8]\n\n1. e4 *", ["line 5, opening 2: `[FEN 4k3/8]`", "no tag", "write a tag as"]),
        ("[FEN \"8/8/8/8/8/8/8/8 w - -\"]\n\n*", ["line 5, opening 2", "no legal position", "allow"]),
        ("1. e4\n{never closed", ["line 6, opening 2: `{`", "has no end", "write `}`"]),
        ("1. e4 (1. d4 d5\n\n[White \"x\"]\n*", ["line 5, opening 2: `(`", "has no end", "write `)`"]),
        ("*", ["line 5, opening 2: `a result`", "belongs to no game", "remove it"]),
    ];
    for (bad, answers) in table {
        let text = format!("[Event \"x\"]\n\n1. d4 d5 *\n\n{bad}\n\n1. c4 *\n");
        let error = read_pgn(&text, None).expect_err(bad).to_string();
        for answer in answers {
            assert!(error.contains(answer), "{bad}: {error}");
        }
    }
}

#[test]
fn errors_after_the_opening_are_ignored() {
    assert_eq!(moves("1. e4 e5 2. Ke3 *", Some(Ply(2))), ["e2e4 e7e5"]);
    assert_eq!(moves("1. e4 e5 7. Nf3 *", Some(Ply(2))), ["e2e4 e7e5"]);
}
