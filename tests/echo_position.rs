//! Echo's idea of a position against the referee's: the same occurrences, the same trees of moves.
//!
//! The two share no rules code, so what they agree on is not one mistake made twice.

use cozy_chess::util::parse_uci_move;
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};
use threefold::echo::bench;
use threefold::echo::eval::is_insufficient;
use threefold::echo::mutants::Seed;
use threefold::echo::position::{Key, key_of, set_up};
use threefold::line::Line;
use threefold::truth::Referee;

/// Starts from which shuffling repeats positions soon, with castling rights and en passant at stake.
const STARTS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "4k3/2p1p3/8/1P1P1P2/1p1p1p2/8/2P1P3/4K3 w - - 0 1",
    "8/2p5/8/KP3r1k/1R3p2/8/4P1P1/8 w - - 0 1",
    "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1",
    "4k3/1P4p1/8/8/8/8/1p4P1/4K3 w - - 0 1",
    "4k1b1/8/8/8/8/8/8/1B2K3 w - - 0 1",
];

/// A random game: from a list of numbers, each choosing a move; every other ply likes to take a move back.
fn replay(start: &str, choices: &[u16], mut look: impl FnMut(&Referee, &cozy_chess::Board)) {
    let line = Line::parse(start, "").expect("sound");
    let mut referee = Referee::new(&line).expect("legal");
    let mut board = set_up(line.start.as_setup()).expect("legal");
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
        let written = referee.wire(mv);
        board.play(parse_uci_move(&board, &written.to_string()).expect("a move"));
        referee.play(written).expect("legal");
        played.push(mv);
        look(&referee, &board);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_same_positions_have_the_same_key(
        start in 0..STARTS.len(),
        choices in prop::collection::vec(any::<u16>(), 0..120),
    ) {
        let mut keys: Vec<Key> = Vec::new();
        let mut complaints = Vec::new();
        replay(STARTS[start], &choices, |referee, board| {
            let key = key_of(board, Seed::NONE);
            keys.push(key);
            let counted = keys.iter().filter(|&&earlier| earlier == key).count();
            if counted != referee.occurrences() {
                complaints.push(format!("{board}: {counted}, not {}", referee.occurrences()));
            }
            // Set up anew from a FEN that names the square behind every double step.
            let anew = set_up(&referee.position().to_setup(EnPassantMode::Always)).expect("legal");
            if key_of(&anew, Seed::NONE) != key {
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
fn insufficient_material_is_what_the_referee_says() {
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
        let line = Line::parse(fen, "").expect("sound");
        let referee = Referee::new(&line).expect("legal");
        let board = set_up(line.start.as_setup()).expect("legal");
        assert_eq!(is_insufficient(&board), referee.position().is_insufficient_material(), "{fen}");
    }
}

#[test]
fn the_trees_of_moves_are_the_referees() {
    let table = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4),
        ("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 3),
        ("4k3/2p1p3/8/1P1P1P2/1p1p1p2/8/2P1P3/4K3 w - - 0 1", 4),
        ("8/2p5/8/KP3r1k/1R3p2/8/4P1P1/8 w - - 0 1", 4),
        ("r1n1k3/1P6/8/3b4/8/6q1/5PPP/R3K2R w KQq - 0 1", 3),
        ("bqnr1kr1/pppppppp/8/8/8/8/PPPPPPPP/BQNR1KR1 w GDgd - 0 1", 3),
    ];
    for (fen, depth) in table {
        let line = Line::parse(fen, "").expect("sound");
        let mode = CastlingMode::detect(line.start.as_setup());
        let position: Chess = line.start.clone().into_position(mode).expect("legal");
        assert_eq!(bench::perft(&line, depth).expect("legal"), shakmaty::perft(&position, depth), "{fen}");
    }
}
