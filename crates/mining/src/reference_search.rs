//! The reference search: alpha-beta over every move, quiescence with captures and promotions, and nothing
//! else.
//!
//! It measures the depth that a case needs. It has no transposition table, no reductions and no clock, and it
//! applies draws as an arbiter does: the third occurrence of a position, the game included, and the
//! fifty-move rule. So what it sees at a depth any sound search must see there, and it is the same on every
//! machine. Of equal moves it takes a wrong one, so a tie is never counted as solved.
//!
//! A search of a few plies without the history gives the value of a move to a player who does not look
//! further.

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, MoveList, Position};

use super::history::after;
use super::static_eval::{piece_value, positional_eval};
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Centipawns, Ply};
use threefold_oracle::Referee;
use threefold_oracle::referee::IllegalGame;

/// The value of a mate at the root, in centipawns. A mate `n` plies away is worth `MATE - n`.
const MATE: i32 = 30_000;

/// The depth of the shallow search in plies: a move, the reply, and the next move.
const SHALLOW_PLIES: u16 = 3;

/// The limit of shallow values in both directions, in centipawns. A mate has this value, too.
const VALUE_LIMIT: i32 = 1000;

/// The value of a move for its side, from -1000 to 1000 centipawns, by a search of three plies without the
/// history: no earlier position and no counter.
pub fn shallow_value(here: &Chess, mv: Move) -> Centipawns {
    let mut setup = here.to_setup(EnPassantMode::Legal);
    setup.halfmoves = 0;
    let here = setup.position(CastlingMode::Standard).unwrap_or_else(|_| here.clone());
    let mut search = ReferenceSearch { earlier: vec![here.clone()], game: 1, here };
    Centipawns(search.value_of(mv, SHALLOW_PLIES, -VALUE_LIMIT, VALUE_LIMIT).clamp(-VALUE_LIMIT, VALUE_LIMIT))
}

/// The smallest depth, up to `deepest`, at which the search prefers a right move to every other at the end of
/// a line, and still does one ply deeper. `None` if there is none.
pub fn solving_depth(
    position: &GamePosition,
    right: &[UciMove],
    deepest: Ply,
) -> Result<Option<Ply>, IllegalGame> {
    let mut sees = false;
    let mut search = ReferenceSearch::new(position)?;
    let (right, wrong) = search.split(right);
    for depth in 1..=deepest.0 + 1 {
        let saw = std::mem::replace(&mut sees, search.prefers(&right, &wrong, depth));
        if saw && sees {
            return Ok(Some(Ply(depth - 1)));
        }
    }
    Ok(None)
}

/// A search from the end of a line.
struct ReferenceSearch {
    here: Chess,
    /// The positions of the game up to `here`, and of the search line to the present node's parent.
    earlier: Vec<Chess>,
    /// The number of positions in `earlier` that belong to the game.
    game: usize,
}

impl ReferenceSearch {
    fn new(position: &GamePosition) -> Result<Self, IllegalGame> {
        let mut referee = Referee::new(&GamePosition { moves: Vec::new(), ..position.clone() })?;
        let mut earlier = vec![referee.position().clone()];
        for (index, &mv) in position.moves.iter().enumerate() {
            referee.play(mv).map_err(|cause| IllegalGame::Move { number: index + 1, mv, cause })?;
            earlier.push(referee.position().clone());
        }
        Ok(Self { here: referee.position().clone(), game: earlier.len(), earlier })
    }

    /// The legal moves, split into right ones and wrong ones.
    fn split(&self, right: &[UciMove]) -> (Vec<Move>, Vec<Move>) {
        let right: Vec<Move> = right.iter().filter_map(|mv| mv.to_move(&self.here).ok()).collect();
        ordered(self.here.legal_moves()).into_iter().partition(|mv| right.contains(mv))
    }

    /// Whether a right move is worth more than every wrong one at this depth.
    fn prefers(&mut self, right: &[Move], wrong: &[Move], depth: u16) -> bool {
        let mut best = -MATE;
        for &mv in wrong {
            best = best.max(self.value_of(mv, depth, best, MATE));
        }
        // A zero window: it only matters whether the value exceeds the best wrong one.
        right.iter().any(|&mv| self.value_of(mv, depth, best, best + 1) > best)
    }

    fn value_of(&mut self, mv: Move, depth: u16, alpha: i32, beta: i32) -> i32 {
        -self.value(&after(&self.here, mv), depth - 1, -beta, -alpha)
    }

    /// The value of a position for the side to move, within the window.
    fn value(&mut self, here: &Chess, depth: u16, mut alpha: i32, beta: i32) -> i32 {
        let moves = here.legal_moves();
        // Before the draws: a mate on the hundredth ply counts.
        if moves.is_empty() {
            return if here.is_check() { self.plies() - MATE } else { 0 };
        }
        if self.is_drawn(here) {
            return 0;
        }
        if depth == 0 {
            return quiescence(here, moves, alpha, beta);
        }
        self.earlier.push(here.clone());
        for mv in ordered(moves) {
            alpha = alpha.max(-self.value(&after(here, mv), depth - 1, -beta, -alpha));
            if alpha >= beta {
                break;
            }
        }
        self.earlier.pop();
        alpha
    }

    /// The distance of the present node from the root, in plies.
    fn plies(&self) -> i32 {
        i32::try_from(self.earlier.len() + 1 - self.game).expect("a search is some plies deep")
    }

    fn is_drawn(&self, here: &Chess) -> bool {
        let plies = here.halfmoves() as usize;
        // Only every second earlier position has the same side to move, and none before the last capture or
        // pawn move can recur.
        let before = self.earlier.iter().rev().take(plies).skip(1).step_by(2);
        plies >= 100 || here.is_insufficient_material() || before.filter(|&there| there == here).count() >= 2
    }
}

/// Quiescence search with captures and promotions.
fn quiescence(here: &Chess, moves: MoveList, mut alpha: i32, beta: i32) -> i32 {
    if here.is_insufficient_material() {
        return 0;
    }
    alpha = alpha.max(positional_eval(here, here.turn()).0);
    for mv in ordered(moves).into_iter().filter(|mv| mv.is_capture() || mv.is_promotion()) {
        if alpha >= beta {
            break;
        }
        let next = after(here, mv);
        let replies = next.legal_moves();
        alpha = alpha.max(-quiescence(&next, replies, -beta, -alpha));
    }
    alpha
}

/// Sorts moves by material gained, most first, so that alpha-beta cuts off early. Ties keep the generator's
/// order.
fn ordered(mut moves: MoveList) -> MoveList {
    moves.sort_by_key(|mv| -(mv.capture().map_or(0, piece_value) + mv.promotion().map_or(0, piece_value)));
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_search_finds_results_at_their_depth() {
        let table = [
            // FEN, history, right moves, first seen
            // A pawn that can be captured at once: quiescence sees it at depth 1.
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "", "e4d5", Some(1)),
            // Mate in one, and in two.
            ("k7/8/1K6/8/8/8/8/6R1 w - - 0 1", "", "g1g8", Some(1)),
            ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", "", "f6g6 f6f7", Some(3)),
            // Lost except by the third occurrence, which is seen at once; without the history there is none.
            ("7k/8/8/8/8/8/5q2/R6K w - - 0 1", "a1a8 h8g7 a8a1 g7h8 a1a8 h8g7 a8a1 g7h8", "a1a8", Some(1)),
            ("7k/8/8/8/8/8/5q2/R6K w - - 0 1", "a1a8 h8g7 a8a1 g7h8", "a1a8", None),
            // The halfmove clock reaches 100, a draw, after any move but one of the pawn.
            ("7k/8/8/8/4K3/8/3P4/8 w - - 99 90", "", "d2d3 d2d4", Some(1)),
        ];
        for (fen, moves, right, seen) in table {
            let position = GamePosition::parse(fen, moves).expect("sound");
            let right: Vec<UciMove> = right.split(' ').map(|mv| mv.parse().expect("a move")).collect();
            let found = solving_depth(&position, &right, Ply(4)).expect("legal");
            assert_eq!(found.map(|depth| depth.0), seen, "{position}");
        }
    }

    #[test]
    fn forecast_ignores_history_and_searches_three_plies() {
        let table = [
            // FEN, move, what it looks worth
            // The capture leaves king and knight against king: insufficient material.
            ("4n3/8/8/3k4/8/4K3/3p4/8 w - - 0 1", "e3d2", 0),
            // The bishop is lost after two plies, the pawn after three.
            ("8/8/8/3k4/8/6b1/7P/K7 w - - 0 1", "h2g3", 100 - 10 - 30 + 20 + 5 * 9 - 5 * 9),
            ("8/8/8/8/8/4k1p1/8/4K2B b - - 0 1", "g3g2", 0),
            // Mate is worth 1000; the hundredth ply is not considered.
            ("k7/8/1K6/8/8/8/8/6R1 w - - 99 80", "g1g8", 1000),
        ];
        for (fen, mv, worth) in table {
            let position = GamePosition::parse(fen, "").expect("sound");
            let here = ReferenceSearch::new(&position).expect("legal").here;
            let mv = mv.parse::<UciMove>().expect("a move").to_move(&here).expect("legal");
            assert_eq!(shallow_value(&here, mv), Centipawns(worth), "{fen}");
        }
    }

    #[test]
    fn forecast_prefers_the_wrong_move_among_equals() {
        let position = GamePosition::parse("8/8/3k4/8/8/3K4/8/8 w - - 0 1", "").expect("sound");
        let found = solving_depth(&position, &["d3d4".parse().expect("a move")], Ply(3));
        assert_eq!(found.expect("legal"), None);
    }
}
