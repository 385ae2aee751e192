//! Checks of tablebase scores, as matetrack's `--syzygyPath` does.
//!
//! An engine with tables reports a win by a large score that is no mate. Its absolute value lies between two
//! bounds, and the distance to the upper one is the number of plies to the entry into the tables. A PV for
//! such a score must reach a table position and must keep the win in every table position before. The tables
//! count a cursed win as a draw, as the fifty-move rule does, unless the suite switches that rule off.

use std::path::PathBuf;
use std::sync::OnceLock;

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Position};

use threefold_chess::score::Score;
use threefold_games::mate_pv::{self, PvFault};
use threefold_oracle::referee::Referee;
use threefold_oracle::syzygy::Syzygy;
use threefold_player::{Bound, ScoredInfo};

/// Stockfish's range of scores for tablebase wins, in centipawns: matetrack's default.
pub const STOCKFISH_RANGE: [i32; 2] = [19_754, 20_000];

/// How tablebase scores are checked.
#[derive(Debug, Clone, Copy)]
pub struct TablebaseRules {
    /// The smallest and the largest absolute score of a tablebase win, in centipawns. With 0 as the largest,
    /// the ply of the entry into the tables is not checked.
    pub scores: [i32; 2],
    /// Does the fifty-move rule apply? Without it cursed wins are wins.
    pub fifty_move_rule: bool,
    /// Is a PV an issue only if it does not reach the tables, reaches them at another ply than the score
    /// says, or enters them with another result?
    pub entry_only: bool,
}

/// The tables of a suite, opened when the first case needs them.
#[derive(Debug)]
pub struct TablebaseCheck {
    folder: PathBuf,
    rules: TablebaseRules,
    tables: OnceLock<Result<Syzygy, String>>,
}

impl TablebaseCheck {
    /// A check with the tables in this folder.
    pub fn new(folder: PathBuf, rules: TablebaseRules) -> Self {
        Self { folder, rules, tables: OnceLock::new() }
    }

    /// Opens the tables. The error is for the user.
    pub fn open(&self) -> Result<OpenCheck<'_>, String> {
        let open = || Syzygy::open(&self.folder).map_err(|error| error.to_string());
        match self.tables.get_or_init(open) {
            Ok(tables) => Ok(OpenCheck { tables, rules: self.rules }),
            Err(error) => Err(error.clone()),
        }
    }
}

/// A check with open tables.
#[derive(Debug, Clone, Copy)]
pub struct OpenCheck<'t> {
    tables: &'t Syzygy,
    rules: TablebaseRules,
}

/// What is wrong with a PV, and whether the first table position of the PV shows it.
struct FaultPlace {
    fault: PvFault,
    at_entry: bool,
}

impl OpenCheck<'_> {
    /// The exact score of a report in centipawns, if it claims a tablebase win or loss.
    pub fn score(&self, claim: &ScoredInfo) -> Option<i32> {
        match (claim.bound, claim.score) {
            (Bound::Exact, Score::Cp(score)) if score.0.abs() >= self.rules.scores[0] => Some(score.0),
            (Bound::Exact | Bound::Lower | Bound::Upper, _) => None,
        }
    }

    /// What is wrong with the PV of a tablebase score; `None` if it leads to the claimed result, or if the
    /// rules of the check allow the fault.
    pub fn fault(&self, referee: Referee, score: i32, pv: &[UciMove]) -> Option<PvFault> {
        let FaultPlace { fault, at_entry } = self.first_fault(referee, score, pv)?;
        let is_of_entry = at_entry || matches!(fault, PvFault::Short | PvFault::TablebaseEntry);
        (is_of_entry || !self.rules.entry_only).then_some(fault)
    }

    fn first_fault(&self, mut referee: Referee, score: i32, pv: &[UciMove]) -> Option<FaultPlace> {
        let elsewhere = |fault| Some(FaultPlace { fault, at_entry: false });
        let loser_moves_at = usize::from(score > 0);
        let (mut plies_before, mut entered) = (0, false);
        for (ply, &mv) in pv.iter().enumerate() {
            if ply % 2 == loser_moves_at
                && let Some(claim) = self.claimable(&referee)
            {
                return elsewhere(claim);
            }
            match self.probe(referee.position(), entered) {
                None => plies_before += 1,
                Some(wdl) => {
                    let at_entry = !entered;
                    entered = true;
                    if let Some(fault) = disagreement(wdl, ply % 2 == loser_moves_at) {
                        return Some(FaultPlace { fault, at_entry });
                    }
                }
            }
            if referee.play(mv).is_err() {
                return elsewhere(PvFault::Error);
            }
        }
        // An empty PV shows nothing, even if the tables have the position of the search.
        let Some(wdl) = self.probe(referee.position(), entered).filter(|_| !pv.is_empty()) else {
            return elsewhere(PvFault::Short);
        };
        // An upper bound of 0 means that scores do not count plies.
        let largest = self.rules.scores[1];
        if largest != 0 && plies_before != largest - score.abs() {
            return elsewhere(PvFault::TablebaseEntry);
        }
        // As in matetrack, a fault of the last position is none of the entry, even if that position is the
        // first one in the tables.
        disagreement(wdl, pv.len() % 2 == loser_moves_at).and_then(elsewhere)
    }

    /// The draw that the side to move can claim under the rules of the check.
    fn claimable(&self, referee: &Referee) -> Option<PvFault> {
        if self.rules.fifty_move_rule && mate_pv::can_claim_fifty_moves(referee) {
            return Some(PvFault::FiftyMoves);
        }
        mate_pv::can_claim_repetition(referee).then_some(PvFault::Threefold)
    }

    /// The result from Syzygy's table, from -2 to 2, if it has the position. Outside of the tables only a
    /// position after a capture or pawn move is an entry.
    fn probe(&self, position: &Chess, entered: bool) -> Option<i8> {
        let fresh = entered || position.halfmoves() == 0;
        let wdl = fresh.then(|| self.tables.graded_wdl(position)).flatten()?;
        Some(if self.rules.fifty_move_rule { wdl } else { without_fifty_moves(wdl) })
    }
}

/// The result without the fifty-move rule: a cursed win is a win.
const fn without_fifty_moves(wdl: i8) -> i8 {
    2 * wdl.signum()
}

/// What is wrong with a table result on the way to the claimed one.
fn disagreement(wdl: i8, loser_moves: bool) -> Option<PvFault> {
    let claimed = if loser_moves { -2 } else { 2 };
    if wdl.abs() != 2 {
        return Some(PvFault::TablebaseDraw);
    }
    (wdl != claimed).then_some(PvFault::Wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursed_wins_are_wins_without_the_rule() {
        assert_eq!([-2, -1, 0, 1, 2].map(without_fifty_moves), [-2, -2, 0, 2, 2]);
    }
}
