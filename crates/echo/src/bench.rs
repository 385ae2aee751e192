//! `bench`: the node count of fixed searches, to compare builds.

use std::time::Duration;

use super::engine::Echo;
use super::request::SearchRequest;
use threefold_chess::clock::{Limits, Stop};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;

/// The positions of the bench, by FEN and moves: openings, middlegames, endgames, mates, and histories about to repeat.
pub const POSITIONS: &[(&str, &str)] = &[
    (START, ""),
    (START, "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 g7g6 c1e3 f8g7 f2f3 e8g8 d1d2 b8c6"),
    (START, "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c4d5 e6d5 c1g5 f8e7 e2e3 e8g8 f1d3 b8d7 d1c2 f8e8"),
    (START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1"),
    (START, "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d3 d7d6 e1g1 e8g8 f1e1 a7a5 h2h3 h7h6"),
    ("r4rk1/pp2bppp/2n1b3/q3p3/8/2N1BN2/PPP1QPPP/R4RK1 w - - 4 14", ""),
    ("2r3k1/5ppp/p2bp3/1p1q4/3P4/1P2PN2/P2Q1PPP/2R3K1 w - - 0 24", "c1c8 d6f8 c8c1 f8d6 c1c8 d6f8"),
    ("8/5pk1/4p1p1/3pP2p/1p1P1P1P/1P4P1/5K2/8 w - - 0 40", ""),
    ("8/8/3k4/8/3PK3/8/8/8 w - - 0 1", ""),
    ("8/8/4k3/8/8/2N5/3BK3/8 w - - 0 1", ""),
    ("4k3/8/8/8/8/8/1Q6/4K3 w - - 0 1", "b2b7 e8f8 b7c7 f8e8 c7b7 e8f8"),
    ("3r2k1/1q3ppp/8/1p6/1P1Q4/6P1/5P1P/3R2K1 w - - 12 31", "d4d7 d8f8 d7d4 f8d8"),
    ("1r4k1/3n1pp1/p1q1p2p/2p1P3/2P2P2/1Q2B1P1/P6P/3R2K1 b - - 0 27", ""),
    ("8/1p3k2/p1p2p2/2P1pP2/1P2K3/P7/8/8 w - - 3 45", ""),
];

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const DEPTH: Ply = Ply(11);

/// The total nodes of fixed-depth searches of these positions. It changes exactly when the search changes.
pub fn run() -> u64 {
    let mut echo = Echo::new();
    let limits = Limits::depth(DEPTH);
    POSITIONS
        .iter()
        .map(|(fen, moves)| {
            let position = GamePosition::parse(fen, moves).expect("the bench's own positions are sound");
            echo.new_game();
            let request = SearchRequest {
                position: &position,
                limits: &limits,
                only: &[],
                stop: &Stop::default(),
                pondering: &Stop::default(),
                now: &|| Duration::ZERO,
            };
            echo.search(&request, &mut |_| {}).expect("the bench's own positions are legal").nodes
        })
        .sum()
}
