//! Recognisers are exact: every position of these endings is compared with distance-to-mate tables. And the
//! search does not give large material for what they know.

use std::num::NonZeroUsize;
use std::time::Duration;

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use shakmaty::uci::UciMove;
use shakmaty::{Color, EnPassantMode, Position, Role};
use threefold_chess::clock::{Limits, Stop};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_echo::position::set_up;
use threefold_echo::recognise::{EndgameOutcome, recognise};
use threefold_echo::{Echo, SearchRequest};
use threefold_oracle::proven_value::Wdl;
use threefold_oracle::{Material, Referee, Tables};

/// The share of recognised positions; a wrongly recognised one fails the test.
fn share(name: &str) -> f64 {
    let material: Material = name.parse().expect("a material");
    let mut tables = Tables::new(NonZeroUsize::MIN);
    tables.make(&[material], &mut |_| {}).expect("few pieces");
    let table = tables.table(material).expect("made");
    let (mut known, mut all) = (0_u32, 0_u32);
    for address in 0..table.addresses() {
        let (Some(fact), Some(position)) = (table.value_at(address), table.position(address)) else {
            continue;
        };
        let turn = position.turn();
        let setup = position.to_setup(EnPassantMode::Legal);
        let board = set_up(&setup).expect("legal");
        all += 1;
        let Some(outcome) = recognise(&board) else { continue };
        known += 1;
        let truth = match (fact.wdl(), turn) {
            (Wdl::Draw, _) => EndgameOutcome::Drawn,
            (Wdl::Win, Color::White) | (Wdl::Loss, Color::Black) => {
                EndgameOutcome::Won(cozy_chess::Color::White)
            }
            (Wdl::Win, Color::Black) | (Wdl::Loss, Color::White) => {
                EndgameOutcome::Won(cozy_chess::Color::Black)
            }
        };
        // Mated positions are never passed to the recognisers.
        assert_eq!(outcome, truth, "{name}: {board}");
    }
    f64::from(known) / f64::from(all)
}

#[test]
fn recognisers_know_all_of_kpk_and_nearly_all_of_kqk_and_krk() {
    for (name, least) in [("KPK", 1.0), ("KQK", 0.9), ("KRK", 0.9)] {
        let share = share(name);
        assert!(share >= least, "{name}: {share}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "a minute in a build for tests; .ci/long runs it")]
fn recognisers_know_two_minor_pieces_where_safe() {
    for name in ["KBNK", "KBBK"] {
        let share = share(name);
        assert!(share > 0.2, "{name}: {share}");
    }
}

/// Positions with these pieces on random squares; their FENs.
fn random_positions(pieces: &[char], turn: char, count: usize) -> Vec<String> {
    let mut random = ChaCha8Rng::seed_from_u64(33);
    let mut found = Vec::new();
    while found.len() < count {
        let mut board = [None; 64];
        for &piece in pieces {
            let mut square = random.random_range(0..64);
            while board[square].is_some() {
                square = random.random_range(0..64);
            }
            board[square] = Some(piece);
        }
        let rank =
            |rank: &[Option<char>]| -> String { rank.iter().map(|piece| piece.unwrap_or('1')).collect() };
        let fen = format!("{} {turn} - - 0 1", board.chunks(8).map(rank).collect::<Vec<_>>().join("/"));
        let Ok(position) = GamePosition::parse(&fen, "") else { continue };
        if Referee::new(&position).is_ok_and(|referee| referee.ending().is_none()) {
            found.push(fen);
        }
    }
    found
}

/// The best move of a search.
fn best(fen: &str, recognises: bool, depth: u16) -> UciMove {
    let mut echo = Echo::new();
    echo.set("Recognisers", if recognises { "true" } else { "false" }).expect("an option");
    let (line, limits) = (GamePosition::parse(fen, "").expect("sound"), Limits::depth(Ply(depth)));
    let request = SearchRequest {
        position: &line,
        limits: &limits,
        only: &[],
        stop: &Stop::default(),
        pondering: &Stop::default(),
        now: &|| Duration::ZERO,
    };
    echo.search(&request, &mut |_| {}).expect("legal").best.expect("a move")
}

/// Whether a side that has only its king and one piece can capture the queen after a move, and then has lost
/// to a recognised ending.
fn gives_the_queen_for_a_known_win(fen: &str, mv: UciMove) -> bool {
    let mut referee = Referee::new(&GamePosition::parse(fen, "").expect("sound")).expect("legal");
    referee.play(mv).expect("legal");
    let after = referee.position();
    after.legal_moves().iter().any(|&reply| {
        let mut end = after.clone();
        end.play_unchecked(reply);
        let board = set_up(&end.to_setup(EnPassantMode::Legal)).expect("legal");
        reply.capture() == Some(Role::Queen)
            && recognise(&board) == Some(EndgameOutcome::Won(cozy_chess::Color::White))
    })
}

/// The queen is worth more than a known win of bishop and knight, for both sides.
#[test]
fn no_queen_is_given_for_a_known_win() {
    let mut tempting = 0;
    let examples = ["6k1/5r2/8/8/8/8/5Q2/1NB1K3 w - - 0 1".to_owned()];
    let generated =
        ['r', 'n', 'b'].map(|piece| random_positions(&['K', 'k', 'Q', 'B', 'N', piece], 'w', 2000));
    for fen in examples.iter().chain(generated.iter().flatten()) {
        let referee = Referee::new(&GamePosition::parse(fen, "").expect("sound")).expect("legal");
        let moves = referee.position().legal_moves();
        if !moves.iter().any(|&mv| gives_the_queen_for_a_known_win(fen, referee.uci(mv))) {
            continue;
        }
        tempting += 1;
        for depth in 1..=4 {
            let mv = best(fen, true, depth);
            assert!(
                !gives_the_queen_for_a_known_win(fen, mv)
                    || gives_the_queen_for_a_known_win(fen, best(fen, false, depth)),
                "{fen}: {mv} at depth {depth}"
            );
        }
    }
    assert!(tempting > 100, "{tempting}");
}

/// The lone king takes a free queen, though bishop and knight still win.
#[test]
fn a_free_queen_is_taken_before_a_known_loss() {
    let mut free = 0;
    let examples = ["7N/8/8/3k4/4Q3/8/8/B3K3 b - - 0 1".to_owned()];
    for fen in examples.iter().chain(&random_positions(&['K', 'k', 'Q', 'B', 'N'], 'b', 5000)) {
        let referee = Referee::new(&GamePosition::parse(fen, "").expect("sound")).expect("legal");
        let captures = referee.position().legal_moves();
        let Some(&capture) = captures.iter().find(|mv| mv.capture() == Some(Role::Queen)) else { continue };
        free += 1;
        for depth in [1, 3, 6] {
            assert_eq!(best(fen, true, depth), referee.uci(capture), "{fen} at depth {depth}");
        }
    }
    assert!(free > 20, "{free}");
}
