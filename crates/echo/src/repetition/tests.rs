//! Comparisons of the detectors, and of upcoming repetitions with every legal move.

use cozy_chess::{Board, Move};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::Echo;
use crate::engine::tests::request;
use crate::mutants::SeededBug;
use crate::position::{Key, key_of, legal_moves};
use crate::range::ScoreRange;
use crate::search_counters::SearchCounters;
use crate::table::{HashBounds, TranspositionTable, TtEntry};
use crate::value::Value;
use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;

const STARTS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "4k3/2p5/8/3P4/8/8/8/R3K3 b Q - 0 1",
    "8/8/3k4/8/8/3K4/2Q5/5r2 w - - 0 1",
    "bnrk1rnb/pppppppp/8/8/8/8/PPPPPPPP/BNRK1RNB w FCfc - 0 1",
];

/// A random game with many repetitions: its start position and moves.
fn wandering(random: &mut ChaCha8Rng, plies: usize) -> (Board, Vec<Move>) {
    let start: Board = STARTS.choose(random).expect("not empty").parse().expect("sound");
    let (mut board, mut moves) = (start.clone(), Vec::<Move>::new());
    for _ in 0..plies {
        let before = moves.len().checked_sub(2).map(|at| moves[at]);
        let Some(mv) = step(random, &board, before) else { break };
        board.play_unchecked(mv);
        moves.push(mv);
    }
    (start, moves)
}

/// A random move; half of the time the last one of the same side taken back.
fn step(random: &mut ChaCha8Rng, board: &Board, before: Option<Move>) -> Option<Move> {
    let legal = legal_moves(board);
    let &any = legal.choose(random)?;
    let back = before.and_then(|mv| legal.iter().find(|to| (to.from, to.to) == (mv.to, mv.from)));
    Some(back.copied().filter(|_| random.random_bool(0.6)).unwrap_or(any))
}

fn push(repetitions: &mut Repetitions<'_>, board: &mut Board, mv: Move) {
    board.play_unchecked(mv);
    repetitions.push(board, key_of(board, SeededBug::NONE), mv);
}

/// The path after moves, of which the first ones belong to the game.
fn searched<'t>(
    start: &Board,
    moves: &[Move],
    game: usize,
    detector: Detector,
    table: &'t TranspositionTable,
) -> (Repetitions<'t>, Board) {
    let mut board = start.clone();
    let mut path = Path::new(SeededBug::NONE);
    path.start(&board, key_of(&board, SeededBug::NONE));
    for &mv in &moves[..game] {
        board.play_unchecked(mv);
        path.push(&board, key_of(&board, SeededBug::NONE), mv);
    }
    let mut repetitions = Repetitions::new(path, detector, table);
    moves[game..].iter().for_each(|&mv| push(&mut repetitions, &mut board, mv));
    (repetitions, board)
}

#[test]
fn upcoming_repetition_equals_a_repeating_legal_move() {
    let random = &mut ChaCha8Rng::seed_from_u64(11);
    let table = TranspositionTable::new(1, HashBounds::Single);
    let mut upcoming = 0;
    for _ in 0..600 {
        let plies = random.random_range(4..40);
        let (start, moves) = wandering(random, plies);
        let game = random.random_range(0..=moves.len());
        let (mut repetitions, board) = searched(&start, &moves, game, Detector::KeyStack, &table);
        for &policy in RepetitionPolicy::ALL {
            let repeats = |&mv: &Move| {
                push(&mut repetitions, &mut board.clone(), mv);
                let draw = policy.draw(repetitions.occurrences());
                repetitions.pop();
                draw
            };
            let oracle: Vec<PathDependence> = legal_moves(&board).iter().filter_map(repeats).collect();
            let found = repetitions.upcoming(&board, policy);
            assert_eq!(found.is_some(), !oracle.is_empty(), "{policy}: {board}");
            assert!(found.is_none_or(|anchor| oracle.contains(&anchor)), "{policy}: {board}");
            upcoming += usize::from(found.is_some());
        }
    }
    assert!(upcoming > 300, "{upcoming}");
}

#[test]
fn detectors_ignore_positions_before_a_null_move() {
    let random = &mut ChaCha8Rng::seed_from_u64(12);
    let table = TranspositionTable::new(1, HashBounds::Single);
    for detector in [Detector::KeyStack, Detector::HashSet, Detector::MoveTrace] {
        let mut seen_below = 0;
        for _ in 0..200 {
            let (start, moves) = wandering(random, 12);
            let (mut repetitions, mut board) = searched(&start, &moves, 3.min(moves.len()), detector, &table);
            let Some(passed) = board.null_move() else { continue };
            board = passed;
            repetitions.push_null(&board, key_of(&board, SeededBug::NONE));
            let null = moves.len() - 3.min(moves.len()) + 1;
            let mut line = Vec::new();
            for _ in 0..12 {
                let before = line.len().checked_sub(2).map(|at: usize| line[at]);
                let Some(mv) = step(random, &board, before) else { break };
                line.push(mv);
                push(&mut repetitions, &mut board, mv);
                let seen = repetitions.occurrences();
                assert_eq!(seen.in_game, 0, "{detector}: {board}");
                let earlier = if seen.in_tree < 2 { seen.last() } else { seen.last_but_one() };
                assert!(seen.in_tree == 0 || !earlier.is_above(null), "{detector}: {board}");
                seen_below += seen.in_tree;
            }
        }
        assert!(seen_below > 0, "{detector}");
    }
}

/// The counters of a search with this detector, after a game.
fn counters(detector: Detector, nodes: u64) -> SearchCounters {
    const POSITIONS: [(&str, &str); 4] = [
        ("8/8/4kp2/8/4P3/4K3/8/8 w - - 0 1", "e3d3 e6d6 d3e3 d6e6"),
        ("4k3/8/8/8/8/8/1Q6/4K3 w - - 0 1", "b2b7 e8f8 b7c7 f8e8 c7b7 e8f8"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6"),
        ("3r2k1/1q3ppp/8/1p6/1P1Q4/6P1/5P1P/3R2K1 w - - 12 31", "d4d7 d8f8 d7d4 f8d8"),
    ];
    let mut sum = SearchCounters::default();
    for (fen, moves) in POSITIONS {
        let mut echo = Echo::new();
        for (name, value) in [("Hash", "1"), ("Census", "true"), ("RepetitionDetector", detector.name())] {
            echo.set(name, value).expect("an option");
        }
        let position = GamePosition::parse(fen, moves).expect("sound");
        let limits = Limits::nodes(nodes / POSITIONS.len() as u64);
        echo.search(&request(&position, &limits), &mut |_| {}).expect("legal");
        let counters = echo.counters();
        sum.nodes += counters.nodes;
        sum.anchored += counters.anchored;
        sum.overlooked += counters.overlooked;
        sum.imagined += counters.imagined;
        sum.misplaced += counters.misplaced;
    }
    sum
}

#[test]
fn key_stack_and_hash_set_agree_at_a_million_nodes() {
    let SearchCounters { nodes, anchored, overlooked, imagined, misplaced, .. } =
        counters(Detector::HashSet, 1_500_000);
    assert!(nodes > 1_000_000, "{nodes}");
    assert_eq!((overlooked, imagined, misplaced), (0, 0, 0));
    assert!(anchored > 1_000, "repetitions were met: {anchored}");
}

#[test]
fn open_flag_and_move_trace_differ_from_key_stack_as_documented() {
    let flags = counters(Detector::OpenFlag, 200_000);
    assert!(flags.overlooked > 0, "a small table loses marks: {flags:?}");
    let trace = counters(Detector::MoveTrace, 200_000);
    assert!(trace.imagined > 0, "other positions pass for the same: {trace:?}");
    assert_eq!(counters(Detector::Nothing, 20_000).anchored, 0);
}

#[test]
fn counters_are_summed_over_the_threads_of_a_search() {
    let mut echo = Echo::new();
    for (name, value) in [("Threads", "4"), ("Census", "true"), ("RepetitionDetector", "OpenFlag")] {
        echo.set(name, value).expect("an option");
    }
    let position =
        GamePosition::parse("8/8/4kp2/8/4P3/4K3/8/8 w - - 0 1", "e3d3 e6d6 d3e3 d6e6").expect("sound");
    let limits = Limits::nodes(400_000);
    let searched = echo.search(&request(&position, &limits), &mut |_| {}).expect("legal").nodes;
    // Helpers search on until they see that the main thread has ended.
    assert!(echo.counters().nodes >= searched, "{} of {searched}", echo.counters().nodes);
}

/// The occurrences in the tree by a detector, after moves from a position.
fn counted(fen: &str, moves: &str, detector: Detector) -> u32 {
    let table = TranspositionTable::new(1, HashBounds::Single);
    let moves: Vec<Move> = moves.split(' ').map(|mv| mv.parse().expect("a move")).collect();
    let (repetitions, _) = searched(&fen.parse().expect("sound"), &moves, 0, detector, &table);
    let seen = repetitions.occurrences();
    seen.in_tree + seen.in_game
}

#[test]
fn move_trace_confuses_documented_positions() {
    let table = [
        // FEN, moves, occurrences, explanation
        (
            "4k3/8/8/8/8/8/8/R3KB2 w - - 0 1",
            "a1d1 e8e7 f1a6 e7e8 a6f1 e8e7 d1a1 e7e8",
            1,
            "a true repetition",
        ),
        (
            "4k3/8/8/8/8/5N2/8/3BK3 w - - 0 1",
            "d1e2 e8e7 f3d4 e7e8 e2f3 e8e7 d4e2 e7e8 e2c3 e8e7 c3d1 e7e8",
            0,
            "a knight and a bishop have changed places",
        ),
        ("8/8/3k4/8/8/3K4/8/8 w - - 9 9", "d3e3 d6e6 e3d4 e6d6 d4d3", 0, "the other side is to move"),
        (
            "r3k3/8/8/8/8/8/8/R3K3 w - - 0 1",
            "a1a8 e8e7 a8a7 e7d8 a7a1 d8e8",
            0,
            "the move at the far end was a capture",
        ),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "a1b1 e8e7 b1a1 e7e8", 0, "the right to castle is gone"),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "e8e7 e1e2 e7e8 e2e1", 0, "en passant is too late"),
    ];
    for (fen, moves, truly, why) in table {
        assert_eq!(counted(fen, moves, Detector::KeyStack), truly, "{why}");
        assert_eq!(counted(fen, moves, Detector::HashSet), truly, "{why}");
        assert_eq!(counted(fen, moves, Detector::OpenFlag), truly, "{why}");
        assert_eq!(counted(fen, moves, Detector::MoveTrace), 1, "{why}");
    }
}

#[test]
fn open_flag_misses_documented_repetitions() {
    let start: Board = STARTS[0].parse().expect("sound");
    let twice: Vec<Move> =
        "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8".split(' ').map(|mv| mv.parse().expect("a move")).collect();
    // A mark of the line hides one of the game.
    let table = TranspositionTable::new(1, HashBounds::Single);
    let occurrences = |detector| {
        let (repetitions, _) = searched(&start, &twice, 0, detector, &table);
        let seen = repetitions.occurrences();
        (seen.in_tree, seen.in_game)
    };
    assert_eq!(occurrences(Detector::KeyStack), (1, 1));
    assert_eq!(occurrences(Detector::OpenFlag), (1, 0));
    // Marks ignore null moves.
    let passing = |detector| {
        let (mut repetitions, mut board) = searched(&start, &twice[..1], 0, detector, &table);
        for mv in [None, Some(twice[2]), None] {
            if let Some(mv) = mv {
                push(&mut repetitions, &mut board, mv);
            } else {
                board = board.null_move().expect("neither side is in check");
                repetitions.push_null(&board, key_of(&board, SeededBug::NONE));
            }
        }
        repetitions.occurrences().is_new()
    };
    assert!(passing(Detector::KeyStack) && !passing(Detector::OpenFlag));
    // A mark is lost with its entry, when four more valuable entries share its bucket.
    let (repetitions, board) = searched(&start, &twice[..4], 0, Detector::OpenFlag, &table);
    assert!(!repetitions.occurrences().is_new());
    drop(repetitions);
    let (mut repetitions, _) = searched(&start, &twice[..3], 0, Detector::OpenFlag, &table);
    let key = key_of(&board, SeededBug::NONE);
    let deep = TtEntry {
        best: None,
        range: ScoreRange::exactly(Value::DRAW),
        evaluation: None,
        depth: 90,
        age: 0,
        open: 0,
    };
    (1..=4).for_each(|other| table.store(Key(key.0 ^ other), deep));
    repetitions.push(&board, key, twice[3]);
    assert!(repetitions.occurrences().is_new());
}
