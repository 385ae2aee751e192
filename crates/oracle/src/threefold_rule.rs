//! The value of each move with the game's history: tables plus the threefold repetition rule.
//!
//! Let F be the positions that have occurred twice. The game with the threefold rule has the value of the
//! game in which entering F is a draw: a winner of that game can win it without repeating any position, and
//! so without a third occurrence outside F. So a table's draw remains a draw. A table's win counts if it can
//! be forced, outside F, down to a mate distance that is not above that of any position of F that the winner
//! wins: from there the shortest mate only decreases the distance and enters none of them. Otherwise the
//! result is reported as unproven.

use std::collections::HashMap;

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Move, Position};

use super::proven_value::{ProvenValue, Wdl};
use super::referee::{IllegalGame, Referee};
use super::tables::Tables;
use threefold_chess::position::GamePosition;

/// The search depth, in plies, of a win that avoids F.
const WAY_AROUND: u16 = 12;

/// The node limit per move.
const NODE_LIMIT: usize = 4_000;

/// One legal move at the end of a game, with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgedMove {
    /// The legal move that is judged.
    pub mv: Move,
    /// The move in UCI notation.
    pub uci: UciMove,
    /// The position after it.
    pub after: Chess,
    /// The earlier occurrences of that position.
    pub seen: usize,
    /// The table's value for the moving side, without history.
    pub table: ProvenValue,
    /// The value for the moving side, with history.
    pub worth: Wdl,
}

/// Why the moves of a game cannot be evaluated.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// The history is illegal.
    #[error(transparent)]
    Illegal(#[from] IllegalGame),
    /// The game has ended by rule.
    #[error("the game is over before the position is reached")]
    Over,
    /// No table has a position.
    #[error("no table has the position after `{0}`; build the table of its material")]
    NoTable(UciMove),
    /// Repetitions in a history where the fifty-move rule decides.
    #[error("a position of the history occurred twice; give a history without repetitions")]
    Repeated,
    /// No win that avoids the repeated positions was found, or the fifty-move rule may interfere.
    #[error("the win after `{0}` is unproven because of the history's repetitions or the fifty-move rule")]
    ProvingError(UciMove),
}

/// Evaluates every legal move at the end of a game, in shakmaty's order.
pub fn judge(tables: &Tables, position: &GamePosition) -> Result<Vec<JudgedMove>, JudgeError> {
    let referee = Referee::new(position)?;
    if referee.ending().is_some() {
        return Err(JudgeError::Over);
    }
    let mut around = AvoidanceSearch { tables, twice: twice(position)?, room: NODE_LIMIT };
    let here = referee.position();
    let mut judged = Vec::new();
    for mv in here.legal_moves() {
        let uci = referee.uci(mv);
        let mut after = here.clone();
        after.play_unchecked(mv);
        let there = tables.probe(&after).ok_or(JudgeError::NoTable(uci))?;
        let table = there.one_ply_earlier();
        let seen = referee.occurrences_after(mv);
        let worth = if seen >= 2 { Wdl::Draw } else { table.wdl() };
        let winner = match worth {
            Wdl::Win => Some(here.turn()),
            Wdl::Loss => Some(here.turn().other()),
            Wdl::Draw => None,
        };
        if let (Some(winner), Some(plies)) = (winner, there.plies()) {
            around.room = NODE_LIMIT;
            // The search ignores the fifty-move rule. A longer win might still be one, but is reported as
            // unproven.
            let in_time = after.halfmoves() + u32::from(plies) <= 100;
            if !in_time || !around.wins(&after, winner, WAY_AROUND, &mut Vec::new()) {
                return Err(JudgeError::ProvingError(uci));
            }
        }
        judged.push(JudgedMove { mv, uci, after, seen, table, worth });
    }
    Ok(judged)
}

/// The positions that have occurred at least twice in a game and can recur.
pub fn twice(position: &GamePosition) -> Result<Vec<Chess>, IllegalGame> {
    let mut referee = Referee::new(&GamePosition { moves: Vec::new(), ..position.clone() })?;
    let mut counts: HashMap<Chess, usize> = HashMap::from([(referee.position().clone(), 1)]);
    let mut twice = Vec::new();
    for (index, &mv) in position.moves.iter().enumerate() {
        referee.play(mv).map_err(|cause| IllegalGame::Move { number: index + 1, mv, cause })?;
        let here = referee.position();
        if here.halfmoves() == 0 {
            counts.clear();
            twice.clear();
        }
        let count = counts.entry(here.clone()).or_default();
        *count += 1;
        // Only at the second time, so that each position is listed once.
        if *count == 2 {
            twice.push(here.clone());
        }
    }
    Ok(twice)
}

/// The search for wins that avoid F.
struct AvoidanceSearch<'t> {
    tables: &'t Tables,
    twice: Vec<Chess>,
    /// The remaining nodes.
    room: usize,
}

impl AvoidanceSearch<'_> {
    /// Whether `winner` forces mate from here without entering F. `path` has the positions on the way here.
    fn wins(&mut self, here: &Chess, winner: Color, depth: u16, path: &mut Vec<Chess>) -> bool {
        let Some(plies) = self.won_in(here, winner) else { return false };
        if self.twice.iter().all(|twice| self.won_in(twice, winner).is_none_or(|other| plies <= other)) {
            return true;
        }
        if depth == 0 || self.room == 0 {
            return false;
        }
        self.room -= 1;
        let mut next: Vec<Chess> = here
            .legal_moves()
            .into_iter()
            .map(|mv| {
                let mut after = here.clone();
                after.play_unchecked(mv);
                after
            })
            .collect();
        path.push(here.clone());
        if here.turn() == winner {
            next.sort_by_cached_key(|after| self.won_in(after, winner).unwrap_or(u16::MAX));
        }
        let mut goes_on = |after: &Chess| {
            // A line that repeats does not count as a win, which is on the safe side.
            let barred = self.twice.contains(after) || path.contains(after);
            !barred && self.wins(after, winner, depth - 1, path)
        };
        let wins =
            if here.turn() == winner { next.iter().any(&mut goes_on) } else { next.iter().all(&mut goes_on) };
        path.pop();
        wins
    }

    /// The plies until `winner` mates, by the table.
    fn won_in(&self, position: &Chess, winner: Color) -> Option<u16> {
        let fact = self.tables.probe(position)?;
        let wins = if position.turn() == winner { Wdl::Win } else { Wdl::Loss };
        fact.plies().filter(|_| fact.wdl() == wins)
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;

    #[test]
    fn third_occurrence_is_a_draw_and_second_is_not() {
        let mut tables = Tables::new(NonZeroUsize::MIN);
        tables.make(&["KRK".parse().expect("a material")], &mut |_| {}).expect("few pieces");
        let table = [
            // moves before, the move, earlier occurrences of its position, value
            ("", "a1a2", 0, Wdl::Win),
            ("a1a2 e8e7 a2a1 e7e8", "a1a2", 1, Wdl::Win),
            ("a1a2 e8e7 a2a1 e7e8 a1a2 e8e7 a2a3 e7e8", "a3a2", 2, Wdl::Draw),
            ("a1a2 e8e7 a2a1 e7e8 a1a2 e8e7 a2a3 e7e8", "a3a1", 0, Wdl::Win),
        ];
        for (moves, mv, seen, worth) in table {
            let history = GamePosition::parse("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", moves).expect("sound");
            let judged = judge(&tables, &history).expect("judged");
            let found = judged.iter().find(|judged| judged.uci.to_string() == mv).expect("legal");
            assert_eq!((found.seen, found.worth), (seen, worth), "{moves} {mv}");
        }
        let over =
            GamePosition::parse("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a2 e8e7 a2a1 e7e8 a1a2 e8e7 a2a1 e7e8");
        assert!(matches!(judge(&tables, &over.expect("sound")), Err(JudgeError::Over)));
    }
}
