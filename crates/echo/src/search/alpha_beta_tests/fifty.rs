//! Stored values near the limit of the fifty-move rule.

use cozy_chess::Board;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::{Question, SMALL, ask, plain, result_and_nodes};
use crate::mutants::SeededBug;
use crate::options::Settings;
use crate::position::{key_of, legal_moves};
use crate::range::ScoreRange;
use crate::search::thread_data::{ScoreContext, SearchMemory};
use crate::search::window::Window;
use crate::table::{HashBounds, HashFifty, HashScores, TtEntry};
use crate::value::Value;
use threefold_chess::score::Bound;

/// White has moved its rook and wins, if no rule ends the game: so the table says, from a search with the
/// counter at 0. With this counter before the move, a search from the other side's view.
fn value(fifty: HashFifty, counter: u8) -> Value {
    value_with(fifty, counter, Value::evaluation(-800))
}

/// The value of that search if the table says that Black's value is this at most.
fn value_with(fifty: HashFifty, counter: u8, at_most: Value) -> Value {
    let root: Board = format!("8/8/8/3k4/8/8/1R6/K7 w - - {counter} 100").parse().expect("sound");
    let mv = "b2b3".parse().expect("a move");
    let mut after = root.clone();
    after.play_unchecked(mv);
    let settings = Settings { hash_fifty: fifty, ..plain(HashScores::Real, true) };
    let mut memory = SearchMemory::new(1, HashBounds::Single);
    memory.begin_search(ScoreContext::default());
    let lost = TtEntry {
        best: None,
        range: ScoreRange::bounded(at_most, Bound::Upper),
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
        (HashFifty::Bounds, Value::DRAW),
    ] {
        assert_eq!(value(fifty, 96), found, "{fifty}");
        assert_eq!(value(fifty, 0), Value::evaluation(-800), "{fifty}");
    }
    // The key has the counter far from the limit, too.
    let [late, keyed] = [HashFifty::Late, HashFifty::Keyed].map(|fifty| value(fifty, 40));
    assert!(late == Value::evaluation(-800) && keyed != late, "{keyed:?}");
}

#[test]
fn a_mate_from_the_table_is_trusted_up_to_the_hundredth_ply() {
    // Black is mated after this number of plies; before its move the counter is one more than before White's.
    for (plies, counter) in [(14, 85), (20, 79), (40, 59)] {
        let mated = Value::mated_at(plies);
        let found = |fifty, counter| value_with(fifty, counter, mated);
        for fifty in [HashFifty::Late, HashFifty::Keyed] {
            let key_is_the_same = fifty == HashFifty::Late;
            assert_eq!(
                found(fifty, counter) == Value::mated_at(plies + 1),
                key_is_the_same,
                "{fifty} {plies}"
            );
            assert!(!found(fifty, counter + 1).is_mate(), "{fifty}: mate in {plies} plies at {counter} + 1");
        }
        assert_eq!(found(HashFifty::Ignore, counter + 1), Value::mated_at(plies + 1), "{plies}");
    }
}

/// The number of wrong values of searches with a warm table, and the share of the nodes that it saves, from
/// positions with any counter. Apart from the counter, twins make the values exact.
pub(super) fn wrong_values(warm: &Settings, bare: &Settings) -> (usize, f64) {
    let random = &mut ChaCha8Rng::seed_from_u64(9);
    let bounds = warm.hash_bounds;
    let mut memory = SearchMemory::new(4, bounds);
    let (mut wrong, mut nodes) = (0, [0; 2]);
    for _ in 0..500 {
        let counter = *[0, 85, 88, 91, 92, 97].choose(random).expect("six");
        let fen = *SMALL[..5].choose(random).expect("five");
        let root: Board = fen.replace(" 0 1", &format!(" {counter} 100")).parse().expect("sound");
        let mv = *legal_moves(&root).choose(random).expect("there is one");
        let depth = *if fen.contains('R') { [2, 3, 4] } else { [2, 8, 9] }.choose(random).expect("three");
        let answer = |settings, memory: &mut SearchMemory| {
            let question = Question::new(settings, &root, mv, depth);
            result_and_nodes(memory, &question, &[]).expect("nothing stops it")
        };
        let (truth, all) = answer(bare, &mut SearchMemory::new(1, bounds));
        let (found, some) = answer(warm, &mut memory);
        wrong += usize::from(found.value != truth.value);
        (nodes[0], nodes[1]) = (nodes[0] + all, nodes[1] + some);
    }
    (wrong, 1.0 - nodes[1] as f64 / nodes[0] as f64)
}

#[test]
fn values_hold_for_the_counters_of_their_entries_with_bounds_alone() {
    for bounds in [HashBounds::Single, HashBounds::Dual, HashBounds::Integrated] {
        let all = [HashFifty::Ignore, HashFifty::Late, HashFifty::Keyed, HashFifty::Bounds];
        let all = all.map(|fifty| {
            let with = |cuts| {
                let scores = plain(HashScores::BaseTwin, cuts);
                Settings { hash_fifty: fifty, hash_bounds: bounds, ..scores }
            };
            wrong_values(&with(true), &with(false))
        });
        let [ignore, late, keyed, exact] = all;
        assert!(ignore.0 > late.0 && late.0 > 0 && keyed.0 > 0, "{bounds}: {all:?}");
        assert!(exact.0 == 0 && exact.1 > 0.5, "{bounds}: {all:?}");
    }
}
