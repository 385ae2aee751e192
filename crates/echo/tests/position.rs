//! Compares Echo's positions with the referee's: occurrences, and trees of moves.
//!
//! The two share no rules code.

use cozy_chess::util::parse_uci_move;
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};
use threefold_chess::clock::Stop;
use threefold_chess::position::GamePosition;
use threefold_echo::eval::is_insufficient;
use threefold_echo::mutants::SeededBug;
use threefold_echo::position::{Key, key_of, set_up};
use threefold_oracle::Referee;

/// Start positions with early repetitions, castling rights and en passant.
const STARTS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "4k3/2p1p3/8/1P1P1P2/1p1p1p2/8/2P1P3/4K3 w - - 0 1",
    "8/2p5/8/KP3r1k/1R3p2/8/4P1P1/8 w - - 0 1",
    "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1",
    "4k3/1P4p1/8/8/8/8/1p4P1/4K3 w - - 0 1",
    "4k1b1/8/8/8/8/8/8/1B2K3 w - - 0 1",
];

/// A random game from a list of numbers that choose moves; every other ply tends to take a move back.
fn replay(start: &str, choices: &[u16], mut look: impl FnMut(&Referee, &cozy_chess::Board)) {
    let position = GamePosition::parse(start, "").expect("sound");
    let mut referee = Referee::new(&position).expect("legal");
    let mut board = set_up(position.start.as_setup()).expect("legal");
    let mut played: Vec<shakmaty::Move> = Vec::new();
    look(&referee, &board);
    for &choice in choices {
        let legal = referee.position().legal_moves();
        if legal.is_empty() || referee.position().halfmoves() >= 100 {
            return;
        }
        let back = played.len().checked_sub(2).and_then(|index| {
            let (from, to) = (played[index].from()?, played[index].to());
            legal.iter().find(|mv| mv.from() == Some(to) && mv.to() == from)
        });
        let mv = match back {
            Some(&back) if choice % 4 != 0 => back,
            Some(_) | None => legal[usize::from(choice / 4) % legal.len()],
        };
        let written = referee.uci(mv);
        board.play(parse_uci_move(&board, &written.to_string()).expect("a move"));
        referee.play(written).expect("legal");
        played.push(mv);
        look(&referee, &board);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn keys_agree_with_the_referee(
        start in 0..STARTS.len(),
        choices in prop::collection::vec(any::<u16>(), 0..120),
    ) {
        let mut keys: Vec<Key> = Vec::new();
        let mut complaints = Vec::new();
        replay(STARTS[start], &choices, |referee, board| {
            let key = key_of(board, SeededBug::NONE);
            keys.push(key);
            let counted = keys.iter().filter(|&&earlier| earlier == key).count();
            if counted != referee.occurrences() {
                complaints.push(format!("{board}: {counted}, not {}", referee.occurrences()));
            }
            // Set up again from a FEN with the en passant square of every double step.
            let anew = set_up(&referee.position().to_setup(EnPassantMode::Always)).expect("legal");
            if key_of(&anew, SeededBug::NONE) != key {
                complaints.push(format!("{board}: another key when set up"));
            }
            if is_insufficient(board) && !referee.position().is_insufficient_material() {
                complaints.push(format!("{board}: somebody can still mate"));
            }
        });
        prop_assert!(complaints.is_empty(), "{complaints:?}");
    }
}

#[test]
fn insufficient_material_agrees_with_the_referee() {
    let table = [
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/3NK3 w - - 0 1",
        "4k3/8/8/8/8/8/8/3BK3 b - - 0 1",
        "2b1k3/8/8/8/8/8/8/3BK3 w - - 0 1",
        "3bk3/8/8/8/8/8/8/3BK3 w - - 0 1",
        "3nk3/8/8/8/8/8/8/3NK3 w - - 0 1",
        "3nk3/8/8/8/8/8/8/3BK3 w - - 0 1",
        "4k3/8/8/8/8/8/8/2NNK3 w - - 0 1",
        "4k3/8/8/8/8/8/P7/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
    ];
    for fen in table {
        let position = GamePosition::parse(fen, "").expect("sound");
        let referee = Referee::new(&position).expect("legal");
        let board = set_up(position.start.as_setup()).expect("legal");
        assert_eq!(is_insufficient(&board), referee.position().is_insufficient_material(), "{fen}");
    }
}

#[test]
fn perft_agrees_with_the_referee() {
    let table = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5),
        // Kiwipete and similar positions: every kind of move.
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4),
        ("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", 4),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4),
        ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4),
        // Castling, en passant and promotions separately.
        ("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4),
        ("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4),
        ("4k3/2p1p3/8/1P1P1P2/1p1p1p2/8/2P1P3/4K3 w - - 0 1", 6),
        ("8/2p5/8/KP3r1k/1R3p2/8/4P1P1/8 w - - 0 1", 6),
        ("r1n1k3/1P6/8/3b4/8/6q1/5PPP/R3K2R w KQq - 0 1", 4),
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 5),
        // Chess960: king next to its rook, both on their target squares, a rook that shields a check.
        ("bqnr1kr1/pppppppp/8/8/8/8/PPPPPPPP/BQNR1KR1 w GDgd - 0 1", 5),
        ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 4),
        ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", 4),
        ("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", 5),
        ("1rkr4/1p1ppp1p/8/8/8/8/1P1PPP1P/1RKR4 w DBdb - 0 1", 5),
        ("3k4/8/8/8/8/8/8/qRK1R3 w EB - 0 1", 5),
    ];
    for (fen, depth) in table {
        let history = GamePosition::parse(fen, "").expect("sound");
        let mode = CastlingMode::detect(history.start.as_setup());
        let position: Chess = history.start.clone().into_position(mode).expect("legal");
        assert_eq!(
            threefold_echo::perft(&history, depth, &Stop::default()).expect("legal"),
            shakmaty::perft(&position, depth),
            "{fen}"
        );
    }
}
