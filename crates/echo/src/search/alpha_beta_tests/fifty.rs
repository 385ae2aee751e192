//! Stored values near the limit of the fifty-move rule.

use cozy_chess::Board;

use super::{Question, ask, plain};
use crate::mutants::SeededBug;
use crate::options::Settings;
use crate::position::key_of;
use crate::range::ScoreRange;
use crate::search::node::Window;
use crate::search::thread_data::{ScoreContext, SearchMemory};
use crate::table::{HashBounds, HashFifty, HashScores, TtEntry};
use crate::value::Value;
use threefold_chess::score::Bound;

/// White has moved its rook and wins, if no rule ends the game: so the table says, from a search with the counter at 0. With
/// this counter before the move, a search from the other side's view.
fn value(fifty: HashFifty, counter: u8) -> Value {
    let root: Board = format!("8/8/8/3k4/8/8/1R6/K7 w - - {counter} 100").parse().expect("sound");
    let mv = "b2b3".parse().expect("a move");
    let mut after = root.clone();
    after.play_unchecked(mv);
    let settings = Settings { hash_fifty: fifty, ..plain(HashScores::Real, true) };
    let mut memory = SearchMemory::new(1, HashBounds::Single);
    memory.begin_search(ScoreContext::default());
    let lost = TtEntry {
        best: None,
        range: ScoreRange::bounded(Value::evaluation(-800), Bound::Upper),
        evaluation: None,
        depth: 20,
        age: 0,
        open: 0,
    };
    memory.table.store(key_of(&after, SeededBug::NONE), lost);
    let window = Window::above(Value::evaluation(-200));
    ask(&mut memory, &Question { window, ..Question::new(&settings, &root, mv, 4) })
        .expect("nothing stops it")
}

#[test]
fn a_win_from_the_table_may_come_too_late() {
    // Three plies after the move, the game is drawn.
    for (fifty, found) in [
        (HashFifty::Ignore, Value::evaluation(-800)),
        (HashFifty::Late, Value::DRAW),
        (HashFifty::Keyed, Value::DRAW),
    ] {
        assert_eq!(value(fifty, 96), found, "{fifty}");
        assert_eq!(value(fifty, 0), Value::evaluation(-800), "{fifty}");
    }
    // The key has the counter far from the limit, too.
    let [late, keyed] = [HashFifty::Late, HashFifty::Keyed].map(|fifty| value(fifty, 40));
    assert!(late == Value::evaluation(-800) && keyed != late, "{keyed:?}");
}
