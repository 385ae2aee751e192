//! Three-piece endings with exact values at the leaves: one warm table for searches from many roots.

use std::collections::HashMap;

use cozy_chess::{Board, Color, Piece, Square, get_king_moves};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Question, around, ask, plain};
use crate::eval::{self, king_and_pawn};
use crate::mutants::SeededBug;
use crate::options::Settings;
use crate::position::{Key, key_of, legal_moves};
use crate::range::ScoreRange;
use crate::repetition::RepetitionPolicy;
use crate::search::thread_data::SearchMemory;
use crate::search::window::Window;
use crate::table::{HashBounds, HashScores};
use crate::value::Value;
use threefold_chess::score::Bound;

/// The exact result of a three-piece ending, for the side to move.
fn solved(board: &Board) -> Value {
    const WIN: i32 = 1_000;
    let strong = Color::ALL.into_iter().find(|&side| board.colors(side).len() > 1);
    let Some(strong) = strong.filter(|_| !eval::is_insufficient(board)) else { return Value::DRAW };
    let wins = if let Some(outcome) = king_and_pawn::outcome(board) {
        outcome != king_and_pawn::KpkOutcome::Drawn
    } else {
        // Queen or rook: lost for the lone king unless it captures the piece now, or is stalemated.
        let piece = board.colors(strong) & !board.pieces(Piece::King);
        let moves = legal_moves(board);
        let mated = moves.is_empty() && !board.checkers().is_empty();
        let takes = moves.iter().any(|mv| piece.has(mv.to));
        board.side_to_move() == strong || mated || !(takes || moves.is_empty())
    };
    match (wins, board.side_to_move() == strong) {
        (false, _) => Value::DRAW,
        (true, true) => Value::evaluation(WIN),
        (true, false) => Value::evaluation(-WIN),
    }
}

/// A random position of king and pawn, rook or queen against king.
pub(super) fn three_pieces(random: &mut ChaCha8Rng) -> Board {
    loop {
        let mut builder = cozy_chess::BoardBuilder::empty();
        let piece =
            *[Piece::Pawn, Piece::Pawn, Piece::Pawn, Piece::Rook, Piece::Queen].choose(random).expect("five");
        let pieces = [(Piece::King, Color::White), (Piece::King, Color::Black), (piece, Color::White)];
        for (square, piece) in Square::ALL.sample(random, 3).zip(pieces) {
            *builder.square_mut(*square) = Some(piece);
        }
        builder.side_to_move = *Color::ALL.choose(random).expect("two");
        let sound = builder
            .build()
            .ok()
            .filter(|board| !get_king_moves(board.king(Color::White)).has(board.king(Color::Black)));
        if let Some(board) = sound.filter(|board| board.generate_moves(|_| true)) {
            return board;
        }
    }
}

/// A position a few moves away, or sometimes any other.
fn near(random: &mut ChaCha8Rng, root: &Board) -> Board {
    let mut board = root.clone();
    for _ in 0..random.random_range(1..=3) {
        match legal_moves(&board).choose(random) {
            Some(&mv) => board.play_unchecked(mv),
            None => return three_pieces(random),
        }
    }
    let goes_on = board.occupied().len() == 3 && board.generate_moves(|_| true);
    if goes_on && random.random_bool(0.9) { board } else { three_pieces(random) }
}

/// Results of many searches with one warm table.
#[derive(Debug, Default)]
struct Warm {
    /// Searched positions with table entries from earlier searches.
    known: usize,
    /// Wrong results.
    answers: usize,
    /// Wrong entries.
    entries: usize,
}

/// Searches per warm table.
const QUESTIONS: usize = 400;

/// Searches many positions with one warm table, a number from each root.
fn warm(scores: HashScores, policy: RepetitionPolicy, coming: bool, from_each: usize) -> Warm {
    let random = &mut ChaCha8Rng::seed_from_u64(7);
    let settings = Settings { repetition_policy: policy, cycle_detection: coming, ..plain(scores, true) };
    let mut memory = SearchMemory::new(4, HashBounds::Single);
    let mut wrong = Warm::default();
    let mut requested = Vec::new();
    let mut root = three_pieces(random);
    for number in 0..QUESTIONS {
        if number % from_each == 0 {
            root = near(random, &root);
        }
        let mv = *legal_moves(&root).choose(random).expect("there is one");
        let value = Value::evaluation(*[-1_000, -1, 0, 999].choose(random).expect("four"));
        let window = *[Window::open(), Window::above(value)].choose(random).expect("two");
        let pawn = !root.pieces(Piece::Pawn).is_empty();
        let depth = random.random_range(1..=if pawn { 9 } else { 4 });
        let question = Question {
            settings: &settings,
            root: &root,
            mv,
            depth,
            window,
            nodes: u64::MAX,
            oracle: Some(solved),
        };
        let mut after = root.clone();
        after.play_unchecked(mv);
        let before = memory.table.probe(key_of(&after, SeededBug::NONE));
        wrong.known += usize::from(before.is_some_and(|entry| entry.range != ScoreRange::UNKNOWN));
        let found = ask(&mut memory, &question).expect("nothing stops it");
        let shown = ScoreRange::from_search(found, window.alpha, window.beta);
        wrong.answers += usize::from(!allows(shown, &after));
        requested.push(after);
    }
    let mut near = HashMap::new();
    for board in requested {
        around(&board, 3, &mut near);
    }
    let lies = |(key, (board, _)): &(&Key, &(Board, i32))| {
        memory.table.probe(**key).is_some_and(|entry| !allows(entry.range, board))
    };
    wrong.entries = near.iter().filter(lies).count();
    if from_each == 1 {
        wrong.answers +=
            near.values().map(|(root, _)| ask_what_is_known(&mut memory, &settings, root)).sum::<usize>();
    }
    wrong
}

/// Searches after each move of a root exactly at the table's bounds. Returns the number of wrong results.
fn ask_what_is_known(memory: &mut SearchMemory, settings: &Settings, root: &Board) -> usize {
    let mut wrong = |mv: cozy_chess::Move| {
        let mut after = root.clone();
        after.play_unchecked(mv);
        let Some(entry) = memory.table.probe(key_of(&after, SeededBug::NONE)) else { return false };
        let Some((value, bound)) = entry.range.read_from_table(1, settings.scoring()).bound() else {
            return false;
        };
        let alpha = if bound == Bound::Upper { value } else { value.next_below() };
        let window = Window::above(alpha);
        let depth = i32::from(entry.depth);
        let question = Question { settings, root, mv, depth, window, nodes: u64::MAX, oracle: Some(solved) };
        let found = ask(memory, &question).expect("nothing stops it");
        !allows(ScoreRange::from_search(found, window.alpha, window.beta), &after)
    };
    legal_moves(root).into_iter().filter(|&mv| wrong(mv)).count()
}

/// Whether the exact value is in this range. Mates count as wins.
fn allows(range: ScoreRange, board: &Board) -> bool {
    let class = |value: Value| value.raw().signum();
    class(range.low) <= class(solved(board)) && class(solved(board)) <= class(range.high)
}

#[test]
fn warm_table_serves_all_roots_with_solved_leaves_except_with_real_scores() {
    // If the root matters, values of other roots are not used; those of the same root are.
    let grounds = [(RepetitionPolicy::HistoryIgnored, 1), (RepetitionPolicy::Threefold, 20)];
    for coming in [false, true] {
        for (policy, from_each) in grounds {
            for scores in [HashScores::Untainted, HashScores::Shadow, HashScores::BaseTwin] {
                let Warm { known, answers, entries } = warm(scores, policy, coming, from_each);
                assert_eq!((answers, entries), (0, 0), "{scores} {policy} {coming}");
                eprintln!("{scores} {policy} {coming}: {known} known");
                assert!(known > 20, "{scores} {policy} {coming}: {known} known");
            }
        }
        let real = warm(HashScores::Real, RepetitionPolicy::HistoryIgnored, coming, 1);
        eprintln!("real scores: {real:?}");
        assert!(real.answers > 0 && real.entries > 0, "{real:?}");
    }
}
