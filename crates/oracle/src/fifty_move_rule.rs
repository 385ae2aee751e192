//! The value of each move near the fifty-move limit.
//!
//! The rule only adds draws, so a table's draw remains a draw. A table's win counts if mate comes before the
//! counter is full, or if a capture or pawn move that preserves the win comes before: then the counter
//! restarts, and no table built here has a mate longer than 100 plies. Which side succeeds is decided by a
//! full-width search to the end of the counter.
//!
//! Repetitions can be ignored as long as no position of the history occurred twice. For each position take
//! the largest counter at which it is still won, and the winning move there: played at any counter, it leads
//! to a position with a larger such counter, so the winner never repeats a position.

use std::collections::HashMap;

use shakmaty::{Chess, Color, Position};

use super::proven_value::Wdl;
use super::referee::Referee;
use super::tables::Tables;
use super::threefold_rule::{JudgeError, JudgedMove, twice};
use threefold_chess::position::GamePosition;

/// The plies without capture or pawn move that end a game.
const FULL: u32 = 100;

/// The node limit per move.
const NODE_LIMIT: usize = 4_000;

/// Evaluates every legal move at the end of a game, in shakmaty's order, with the fifty-move rule.
pub fn judge(tables: &Tables, position: &GamePosition) -> Result<Vec<JudgedMove>, JudgeError> {
    let referee = Referee::new(position)?;
    if referee.ending().is_some() {
        return Err(JudgeError::Over);
    }
    if !twice(position)?.is_empty() {
        return Err(JudgeError::Repeated);
    }
    let here = referee.position();
    let mut judged = Vec::new();
    for mv in here.legal_moves() {
        let uci = referee.uci(mv);
        let mut after = here.clone();
        after.play_unchecked(mv);
        let table = tables.probe(&after).ok_or(JudgeError::NoTable(uci))?.one_ply_earlier();
        let winner = match table.wdl() {
            Wdl::Win => Some(here.turn()),
            Wdl::Loss => Some(here.turn().other()),
            Wdl::Draw => None,
        };
        let won = match winner {
            Some(winner) => {
                let mut race = CounterSearch { tables, winner, known: HashMap::new() };
                race.wins(&after).ok_or(JudgeError::ProvingError(uci))?
            }
            None => false,
        };
        let worth = if won { table.wdl() } else { Wdl::Draw };
        judged.push(JudgedMove { mv, uci, seen: referee.occurrences_after(mv), after, table, worth });
    }
    Ok(judged)
}

/// The search whether one side wins before the counter is full.
struct CounterSearch<'t> {
    tables: &'t Tables,
    winner: Color,
    /// Results by position and counter.
    known: HashMap<(Chess, u32), bool>,
}

impl CounterSearch<'_> {
    /// Whether the winner mates, or reaches a won position with the counter reset, in time. `None` if
    /// [`NODE_LIMIT`] is exceeded.
    fn wins(&mut self, here: &Chess) -> Option<bool> {
        let fact = self.tables.probe(here)?;
        let wanted = if here.turn() == self.winner { Wdl::Win } else { Wdl::Loss };
        let Some(plies) = fact.plies().filter(|_| fact.wdl() == wanted) else { return Some(false) };
        let left = FULL.saturating_sub(here.halfmoves());
        // A capture or a pawn move on the way only restarts the counter.
        if u32::from(plies) <= left {
            return Some(true);
        }
        if left == 0 {
            return Some(false);
        }
        // The counter is not part of the equality of `Chess`.
        let key = (here.clone(), here.halfmoves());
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        if self.known.len() >= NODE_LIMIT {
            return None;
        }
        let attacks = here.turn() == self.winner;
        let mut wins = !attacks;
        for mv in here.legal_moves() {
            let mut after = here.clone();
            after.play_unchecked(mv);
            if self.wins(&after)? == attacks {
                wins = attacks;
                break;
            }
        }
        self.known.insert(key, wins);
        Some(wins)
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;

    #[test]
    fn wins_beyond_the_fifty_move_limit_are_draws() {
        let mut tables = Tables::new(NonZeroUsize::MIN);
        tables.make(&["KPK".parse().expect("a material")], &mut |_| {}).expect("few pieces");
        let table = [
            // FEN, move, value
            ("7k/8/6K1/8/8/8/8/R7 w - - 99 90", "a1a8", Wdl::Win),
            ("7k/8/6K1/8/8/8/8/R7 w - - 99 90", "a1a7", Wdl::Draw),
            ("7k/8/6K1/8/8/8/8/R7 w - - 97 90", "a1a7", Wdl::Win),
            // The pawn move restarts the counter; the king move leaves time for it, or not.
            ("7k/8/8/8/4K3/8/3P4/8 w - - 99 90", "d2d4", Wdl::Win),
            ("7k/8/8/8/4K3/8/3P4/8 w - - 99 90", "e4e5", Wdl::Draw),
            ("7k/8/8/8/4K3/8/3P4/8 w - - 97 90", "e4e5", Wdl::Win),
            // The defender reaches the limit unless it is mated before.
            ("7k/8/5K2/8/8/8/8/R7 b - - 97 90", "h8h7", Wdl::Draw),
            ("7k/8/5K2/8/8/8/8/6R1 b - - 97 90", "h8h7", Wdl::Draw),
            ("7k/8/6K1/8/8/8/8/R7 b - - 98 90", "h8g8", Wdl::Loss),
        ];
        for (fen, mv, worth) in table {
            let position = GamePosition::parse(fen, "").expect("sound");
            let judged = judge(&tables, &position).expect("judged");
            let found = judged.iter().find(|judged| judged.uci.to_string() == mv).expect("legal");
            assert_eq!(found.worth, worth, "{fen} {mv}");
        }
        let line =
            GamePosition::parse("4k3/8/8/8/8/8/8/R3K3 w - - 90 90", "a1a2 e8e7 a2a1 e7e8").expect("sound");
        assert!(matches!(judge(&tables, &line), Err(JudgeError::Repeated)));
    }
}
