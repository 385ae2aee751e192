//! A hash table of any size and contents never makes Echo play an illegal move.

use std::sync::LazyLock;
use std::time::Duration;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::move_conversion::Castling;
use crate::position::{key_of, legal_moves};
use crate::range::ScoreRange;
use crate::syzygy::TablebaseOutcome;
use crate::table::TtEntry;
use threefold_chess::clock::{Limits, Stop};

const STARTS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "bqnr1kr1/pppppppp/8/8/8/8/PPPPPPPP/BQNR1KR1 w GDgd - 0 1",
    "8/2p5/8/KP3r1k/1R3p2/8/4P1P1/8 w - - 0 1",
    "8/8/8/3k4/8/3K4/8/3R4 w - - 80 90",
];
const SIZES: [&str; 6] = ["1", "2", "3", "7", "64", "5"];

pub(crate) fn request<'a>(position: &'a GamePosition, limits: &'a Limits) -> SearchRequest<'a> {
    static NEVER: LazyLock<Stop> = LazyLock::new(Stop::default);
    SearchRequest { position, limits, only: &[], stop: &NEVER, pondering: &NEVER, now: &|| Duration::ZERO }
}

/// A random unfinished game of up to forty plies.
fn random_line(random: &mut ChaCha8Rng) -> GamePosition {
    let start = STARTS.choose(random).expect("not empty");
    let mut position = GamePosition::parse(start, "").expect("sound");
    let mut board = position::set_up(position.start.as_setup()).expect("legal");
    for _ in 0..random.random_range(0..40) {
        let mv = *legal_moves(&board).choose(random).expect("it isn't over");
        let mut next = board.clone();
        next.play_unchecked(mv);
        if legal_moves(&next).is_empty() || next.halfmove_clock() >= 100 {
            break;
        }
        position.moves.push(move_conversion::to_uci(&board, mv, Castling::TakesRook));
        board = next;
    }
    position
}

/// A random entry, hardly valid for any given position.
fn damaged(random: &mut ChaCha8Rng) -> TtEntry {
    let square = |random: &mut ChaCha8Rng| cozy_chess::Square::index(random.random_range(0..64));
    let promotion =
        cozy_chess::Piece::try_index(random.random_range(1..20)).filter(|_| random.random_bool(0.3));
    let value = |random: &mut ChaCha8Rng| Value::from_raw(random.random_range(-16_001..=16_001));
    let bounds = [Bound::Exact, Bound::Lower, Bound::Upper];
    TtEntry {
        best: random.random_bool(0.8).then(|| Move { from: square(random), to: square(random), promotion }),
        range: ScoreRange::bounded(value(random), *bounds.choose(random).expect("not empty")),
        evaluation: random.random_bool(0.8).then(|| value(random)),
        depth: random.random_range(0..=127),
        age: 0,
        open: 0,
    }
}

/// Replaces the entries of a position and of most positions near it.
fn damage(table: &crate::table::TranspositionTable, board: &Board, plies: u32, random: &mut ChaCha8Rng) {
    table.store(key_of(board, SeededBug::NONE), damaged(random));
    if plies == 0 {
        return;
    }
    for mv in legal_moves(board) {
        if random.random_bool(0.7) {
            let mut next = board.clone();
            next.play_unchecked(mv);
            damage(table, &next, plies - 1, random);
        }
    }
}

/// Asserts that a variation is legal.
fn assert_legal(board: &Board, moves: &[UciMove], context: &str) {
    let mut board = board.clone();
    for &written in moves {
        let mv = move_conversion::from_uci(&board, written)
            .unwrap_or_else(|| panic!("{context}: {written} in {moves:?}"));
        board.play_unchecked(mv);
    }
}

/// Endgame tables that give every three-piece position with a rook this outcome for the side to move.
struct FixedOutcome(TablebaseOutcome);

impl EndgameTables for FixedOutcome {
    fn max_pieces(&self) -> u32 {
        3
    }

    fn outcome(&self, board: &Board) -> Option<TablebaseOutcome> {
        (!board.pieces(cozy_chess::Piece::Rook).is_empty()).then_some(self.0)
    }

    fn distance(&self, _: &Board) -> Option<i32> {
        None
    }
}

#[test]
fn tablebase_outcome_precedes_the_search() {
    // A knight can be captured, with three pieces left.
    let position = GamePosition::parse("7k/8/8/8/8/n7/8/R3K3 w - - 0 1", "").expect("sound");
    let table = [
        // outcome in the tables, whether White captures, the last score
        (None, true, None),
        (Some(TablebaseOutcome::Loss), true, Some("cp 13999")),
        (Some(TablebaseOutcome::Draw), false, None),
        (Some(TablebaseOutcome::Win), false, None),
    ];
    for threads in ["1", "2"] {
        for (reported, takes, score) in table {
            let mut echo = Echo::new();
            echo.set("Threads", threads).expect("an option");
            echo.endings =
                reported.map(|outcome| -> Box<dyn EndgameTables> { Box::new(FixedOutcome(outcome)) });
            let mut last = None;
            let found = echo.search(&request(&position, &Limits::depth(Ply(8))), &mut |report| {
                last = Some(report.clone());
            });
            let (best, last) = (found.expect("legal").best, last.expect("a report"));
            assert_eq!(best == "a1a3".parse().ok(), takes, "{reported:?}: {best:?}");
            assert!(
                score.is_none_or(|score| last.score.to_string() == score),
                "{reported:?}: {}",
                last.score
            );
            assert_eq!(last.table_hits.is_some_and(|hits| hits > 0), reported.is_some(), "{reported:?}");
        }
    }
}

#[test]
fn folders_without_tables_are_refused_with_a_remedy() {
    let mut echo = Echo::new();
    let reported = |result: Result<(), OptionError>| result.expect_err("no tables").to_string();
    let missing = reported(echo.set("SyzygyPath", "/nowhere/at/all"));
    assert!(
        missing.starts_with("`SyzygyPath` can't be `/nowhere/at/all`; use folders that can be read"),
        "{missing}"
    );
    let none = reported(echo.set("syzygypath", env!("CARGO_MANIFEST_DIR")));
    assert!(none.ends_with("use folders that hold Syzygy tables (.rtbw, .rtbz)"), "{none}");
    for nothing in ["", "<empty>"] {
        assert_eq!(echo.set("SyzygyPath", nothing), Ok(()));
        assert!(echo.endings.is_none());
    }
}

#[test]
fn hash_table_contents_never_make_a_move_legal() {
    for number in 0..60 {
        let mut random = ChaCha8Rng::seed_from_u64(number);
        let line = random_line(&mut random);
        let context = format!("{number}: {line}");
        let board = ReplayedGame::replay(&line, SeededBug::NONE).expect("legal").board;
        let mut echo = Echo::new();
        let threads = (1 + number % 2).to_string();
        let lines = (1 + number % 3).to_string();
        let size = SIZES[number as usize % SIZES.len()];
        for (name, value) in [("Hash", size), ("Threads", &threads), ("MultiPV", &lines)] {
            echo.set(name, value).expect("an option");
        }
        // The second search also finds the entries of the first.
        for _ in 0..2 {
            damage(&echo.memory.table, &board, 2, &mut random);
            let mut heard = Vec::new();
            let limits = Limits::nodes(1_500);
            let found = echo
                .search(&request(&line, &limits), &mut |report| heard.push(report.pv.clone()))
                .expect("legal");
            let answer: Vec<UciMove> = found.best.into_iter().chain(found.ponder).collect();
            assert!(!answer.is_empty(), "{context}: no move");
            assert_legal(&board, &answer, &context);
            for pv in &heard {
                assert_legal(&board, pv, &context);
            }
        }
    }
}
