//! Rows of traps, and errors that name their line.

use proptest::prelude::*;

use super::*;

fn source_file(text: &str) -> SourceFile {
    SourceFile { file: "t.csv".to_owned(), text: text.to_owned() }
}

#[test]
fn columns_may_have_any_order_and_unknown_ones_are_kept() {
    let text = "# Ours.\nbest,pull,moves,fen,class,id,source,result,dtm,avoid,note,material\n\
                \n# First.\na2b2 a2c2,120,h8g8 ,7k/8/8/8/8/8/R7/K7 b - - 0 1,dawdle,d-1,\
                tablebase,win,9,a2a3,\"a rook, up\",KRK\n";
    let traps = parse_traps(&source_file(text)).expect("sound");
    let [trap] = &traps[..] else { panic!("{traps:?}") };
    assert_eq!((trap.number, trap.id.as_str(), trap.class.as_str()), (5, "d-1", "dawdle"));
    assert_eq!((moves_text(&trap.best), moves_text(&trap.avoid)), ("a2b2 a2c2".into(), "a2a3".into()));
    assert_eq!(trap.without_history.to_string(), "fen 6k1/8/8/8/8/8/R7/K7 w - - 1 2");
    assert_eq!(
        trap.remarks(),
        "a rook, up; source: tablebase; result: win; distance to mate: 9; wrong move: a2a3; the wrong move looks better by \
         120 centipawns (3 plies, without the history); material: KRK"
    );
}

#[test]
fn row_errors_name_the_line() {
    let fen = "7k/8/8/8/8/8/R7/K7 w - - 0 1";
    let header = "id,class,fen,moves,best,avoid,result,dtm,source";
    let row = |row: &str| format!("# x\n\n{header}\n# y\n{row}\n").replace('F', fen);
    let table = [
        (
            "id,class,fen,best\n".to_owned(),
            "t.csv:1: there is no column `moves`; the header needs id, class, fen, moves, best, in any order",
        ),
        (
            "# x\nid,class,fen,moves,best,id\n".to_owned(),
            "t.csv:2: two columns are called `id`; give each column a name of its own",
        ),
        (
            row("a,b,F,,a2b2"),
            "t.csv:5: 5 fields, and the header has 9; put quotes around a field that holds a comma",
        ),
        (row("a,b,8/8,,a2b2,,,,"), "t.csv:5: `8/8` is not a FEN: "),
        (
            row("a,b,F,a2b3,a2b2,,,,"),
            "t.csv:5: move 1 of the history, `a2b3`, is illegal; give a history that can be played",
        ),
        (
            row("a,b,F,Rb2,a2b2,,,,"),
            "t.csv:5: `Rb2` is not a UCI move (such as e2e4 or e7e8q); correct `fen` or `moves`",
        ),
        (
            row("a,b,F,,a2b3,,,,"),
            "t.csv:5: `a2b3` in `best` is no legal move at the end of the history; write moves as UCI does (e2e4, e7e8q), with spaces between",
        ),
        (row("a,b,F,,,,,,"), "t.csv:5: `best` is empty; name every acceptable move"),
        (
            row("a,b,F,,a2b2,a2b2,,,"),
            "t.csv:5: `a2b2` is both best and to be avoided; drop it from one of the two",
        ),
        (
            row("a,b,F,,a2b2,,won,,"),
            "t.csv:5: `result` is `won`; use one of win, draw, loss, or leave it empty",
        ),
        (
            row("a,b,F,,a2b2,,,soon,"),
            "t.csv:5: `dtm` is `soon`; give moves to mate, negative where the side to move is mated, or leave it empty",
        ),
        (
            row("a,b,F,,a2b2,,,,me"),
            "t.csv:5: `source` is `me`; use one of tablebase, search, rules, judged, or leave it empty",
        ),
        (row("a,two words,F,,a2b2,,,,"), "t.csv:5: `class` is `two words`; give one word"),
        (row(",b,F,,a2b2,,,,"), "t.csv:5: `id` is ``; give one word"),
        (
            row("a,b,F,a2b2 h8g8 b2a2 g8h8 a2b2 h8g8 b2a2 g8h8,a2b2,,,,"),
            "t.csv:5: the game is over at this position (threefold repetition); end the history before",
        ),
    ];
    for (text, message) in table {
        let error = parse_traps(&source_file(&text)).expect_err(&text).to_string();
        assert!(error.starts_with(message), "{error}\n{message}");
    }
}

#[test]
fn counter_of_the_search_before_is_read_and_limited() {
    let text = |before: &str| {
        format!("id,class,fen,moves,best,before\na,b,7k/8/8/8/8/8/R7/K7 w - - 3 9,,a2b2,{before}\n")
    };
    for (before, counter) in [("", 0), ("0", 0), ("99", 99)] {
        let traps = parse_traps(&source_file(&text(before))).expect("sound");
        assert_eq!(traps[0].before, counter);
        assert_eq!(traps[0].with_counter_of_before().start.as_setup().halfmoves, counter);
    }
    for before in ["100", "-1", "soon"] {
        let error = parse_traps(&source_file(&text(before))).expect_err(before).to_string();
        let message = format!(
            "t.csv:2: `before` is `{before}`; give a fifty-move counter from 0 to 99 in plies, or leave it empty"
        );
        assert_eq!(error, message);
    }
}

proptest! {
    /// Any text is parsed or rejected; nothing panics.
    #[test]
    fn no_text_is_too_strange(text in "[a-h1-8kKqQrR/ w,#\"\\-\\n]{0,120}") {
        let _ = parse_traps(&source_file(&text));
        let _ = parse_traps(&source_file(&format!("id,class,fen,moves,best\n{text}")));
    }
}
