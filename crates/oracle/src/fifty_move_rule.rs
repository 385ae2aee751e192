//! What each move is worth when the fifty-move counter is nearly full.
//!
//! The rule only adds draws, so a table's draw stays a draw. A table's win counts if mate comes before the
//! counter is full, or if a capture or pawn move that keeps the win comes in between: then the counter starts
//! again, and of the tables made here none needs a hundred plies. Which of the two sides gets its way is
//! searched out to the end of the counter, every move of both.
//!
//! Repetitions need no care, as long as no position of the history stood twice. Take for each position the
//! fullest counter at which it is still won, and the move that wins there: played whatever the counter says,
//! that move leads to a position with a fuller such counter, so the winner never meets a position again.

use std::collections::HashMap;

use shakmaty::{Chess, Color, Position};

use super::proven_value::Wdl;
use super::referee::Referee;
use super::tables::Tables;
use super::threefold_rule::{JudgeError, JudgedMove, twice};
use threefold_chess::position::GamePosition;

/// The plies without capture or pawn move that end a game.
const FULL: u32 = 100;

/// How many positions one move's proof may look at.
const NODE_LIMIT: usize = 4_000;

/// Judges every legal move at the end of a line, in shakmaty's order, the fifty-move rule in force.
pub fn judge(tables: &Tables, line: &GamePosition) -> Result<Vec<JudgedMove>, JudgeError> {
    let referee = Referee::new(line)?;
    if referee.ending().is_some() {
        return Err(JudgeError::Over);
    }
    if !twice(line)?.is_empty() {
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

/// One side's race against the counter.
struct CounterSearch<'t> {
    tables: &'t Tables,
    winner: Color,
    /// Which positions are won at which counter.
    known: HashMap<(Chess, u32), bool>,
}

impl CounterSearch<'_> {
    /// Does the winner mate, or get a won position with the counter at nought, in time? `None`: nobody knows
    /// within [`NODE_LIMIT`].
    fn wins(&mut self, here: &Chess) -> Option<bool> {
        let fact = self.tables.probe(here)?;
        let wanted = if here.turn() == self.winner { Wdl::Win } else { Wdl::Loss };
        let Some(plies) = fact.plies().filter(|_| fact.wdl() == wanted) else { return Some(false) };
        let left = FULL.saturating_sub(here.halfmoves());
        if u32::from(plies) <= left {
            return Some(true);
        }
        if left == 0 {
            return Some(false);
        }
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
    fn wins_that_come_too_late_are_draws() {
        let mut tables = Tables::new(NonZeroUsize::MIN);
        tables.make(&["KPK".parse().expect("a material")], &mut |_| {}).expect("few men");
        let table = [
            // FEN, move, what it is worth
            // Mate on the hundredth ply counts.
            ("7k/8/6K1/8/8/8/8/R7 w - - 99 90", "a1a8", Wdl::Win),
            ("7k/8/6K1/8/8/8/8/R7 w - - 99 90", "a1a7", Wdl::Draw),
            ("7k/8/6K1/8/8/8/8/R7 w - - 97 90", "a1a7", Wdl::Win),
            // The pawn's step starts the counter again; the king's step leaves time for it, or not.
            ("7k/8/8/8/4K3/8/3P4/8 w - - 99 90", "d2d4", Wdl::Win),
            ("7k/8/8/8/4K3/8/3P4/8 w - - 99 90", "e4e5", Wdl::Draw),
            ("7k/8/8/8/4K3/8/3P4/8 w - - 97 90", "e4e5", Wdl::Win),
            // The loser lasts until move fifty unless he is mated before.
            ("7k/8/5K2/8/8/8/8/R7 b - - 97 90", "h8h7", Wdl::Draw),
            ("7k/8/5K2/8/8/8/8/6R1 b - - 97 90", "h8h7", Wdl::Draw),
            ("7k/8/6K1/8/8/8/8/R7 b - - 98 90", "h8g8", Wdl::Loss),
        ];
        for (fen, mv, worth) in table {
            let line = GamePosition::parse(fen, "").expect("sound");
            let judged = judge(&tables, &line).expect("judged");
            let found = judged.iter().find(|judged| judged.uci.to_string() == mv).expect("legal");
            assert_eq!(found.worth, worth, "{fen} {mv}");
        }
        let line =
            GamePosition::parse("4k3/8/8/8/8/8/8/R3K3 w - - 90 90", "a1a2 e8e7 a2a1 e7e8").expect("sound");
        assert!(matches!(judge(&tables, &line), Err(JudgeError::Repeated)));
    }
}
