//! Cost of Echo's parts: nodes of a search, evaluations, and perft leaves.
//!
//! `cargo bench --bench echo`. `search` counts nodes, `evaluate` evaluations (with the pawn cache as in the
//! search, and without), `perft` leaves; the last ply of `perft` is counted without making moves.

use std::time::Duration;

use cozy_chess::Board;
use divan::counter::ItemsCount;
use divan::{Bencher, bench, black_box};
use threefold_chess::clock::{Limits, Stop};
use threefold_chess::position::GamePosition;
use threefold_echo::eval::pawn_cache::PawnCache;
use threefold_echo::eval::{evaluate, evaluate_with};
use threefold_echo::position::legal_moves;
use threefold_echo::{Echo, SearchRequest};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const ENDGAME: &str = "8/1p3k2/p1p2p2/2P1pP2/1P2K3/P7/8/8 w - - 3 45";

const NODES: u64 = 200_000;

fn main() {
    divan::main();
}

#[bench(args = [START, KIWIPETE, ENDGAME], sample_count = 10)]
fn search(bencher: Bencher, fen: &str) {
    let position = GamePosition::parse(fen, "").expect("a position");
    let limits = Limits::nodes(NODES);
    let (stop, pondering) = (Stop::default(), Stop::default());
    bencher.counter(ItemsCount::new(NODES)).with_inputs(Echo::new).bench_local_refs(|echo| {
        let now = || Duration::ZERO;
        let request = SearchRequest {
            position: &position,
            limits: &limits,
            only: &[],
            stop: &stop,
            pondering: &pondering,
            now: &now,
        };
        echo.search(&request, &mut |_| {}).expect("a legal position").nodes
    });
}

/// A position and all positions after one move.
fn family(fen: &str) -> Vec<Board> {
    let board: Board = fen.parse().expect("a position");
    let after = legal_moves(&board).into_iter().map(|mv| {
        let mut next = board.clone();
        next.play_unchecked(mv);
        next
    });
    after.collect()
}

#[bench(args = [START, KIWIPETE, ENDGAME])]
fn evaluate_without_cache(bencher: Bencher, fen: &str) {
    let boards = family(fen);
    bencher.counter(ItemsCount::new(boards.len())).bench_local(|| {
        for board in &boards {
            black_box(evaluate(black_box(board)));
        }
    });
}

#[bench(args = [START, KIWIPETE, ENDGAME])]
fn evaluate_with_cache(bencher: Bencher, fen: &str) {
    let boards = family(fen);
    let mut cache = PawnCache::new();
    bencher.counter(ItemsCount::new(boards.len())).bench_local(|| {
        for board in &boards {
            black_box(evaluate_with(black_box(board), &mut cache));
        }
    });
}

/// The start position at depth 6 and Kiwipete at depth 5, with the engine's move generator.
#[bench(args = [(START, 6, 119_060_324_u64), (KIWIPETE, 5, 193_690_690)], sample_count = 3)]
fn perft(bencher: Bencher, (fen, depth, leaves): (&str, u32, u64)) {
    let position = GamePosition::parse(fen, "").expect("a position");
    bencher.counter(ItemsCount::new(leaves)).bench(|| {
        assert_eq!(
            threefold_echo::perft(&position, depth, &Stop::default()).expect("a legal position"),
            leaves
        );
    });
}
