//! Checks of tablebase scores, as matetrack's `--syzygyPath` does.
//!
//! An engine with tables reports a win by a large score that is no mate. Its absolute value lies between two
//! bounds, and the distance to the upper one is the number of plies to the entry into the tables. A PV for such a
//! score must reach a table position and must keep the win in every table position before. The tables count a
//! cursed win as a draw, as the fifty-move rule does.

use std::path::PathBuf;
use std::sync::OnceLock;

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Position};

use super::pv::{self, PvFault};
use crate::player::{Bound, ScoredInfo};
use threefold_chess::score::Score;
use threefold_oracle::referee::Referee;
use threefold_oracle::syzygy::Syzygy;

/// Stockfish's range of scores for tablebase wins, in centipawns: matetrack's default.
pub const STOCKFISH_RANGE: [i32; 2] = [19_754, 20_000];

/// The tables of a suite, opened when the first case needs them.
#[derive(Debug)]
pub struct TablebaseCheck {
    folder: PathBuf,
    /// The smallest and the largest absolute score of a tablebase win, in centipawns.
    range: [i32; 2],
    tables: OnceLock<Result<Syzygy, String>>,
}

impl TablebaseCheck {
    /// A check with the tables in this folder.
    pub fn new(folder: PathBuf, range: [i32; 2]) -> Self {
        Self { folder, range, tables: OnceLock::new() }
    }

    /// Opens the tables. The error is for the user.
    pub fn open(&self) -> Result<OpenCheck<'_>, String> {
        let open = || Syzygy::open(&self.folder).map_err(|error| error.to_string());
        match self.tables.get_or_init(open) {
            Ok(tables) => Ok(OpenCheck { tables, range: self.range }),
            Err(error) => Err(error.clone()),
        }
    }
}

/// A check with open tables.
#[derive(Debug, Clone, Copy)]
pub struct OpenCheck<'t> {
    tables: &'t Syzygy,
    range: [i32; 2],
}

impl OpenCheck<'_> {
    /// The exact score of a report in centipawns, if it claims a tablebase win or loss.
    pub fn score(&self, claim: &ScoredInfo) -> Option<i32> {
        match (claim.bound, claim.score) {
            (Bound::Exact, Score::Cp(score)) if score.0.abs() >= self.range[0] => Some(score.0),
            (Bound::Exact | Bound::Lower | Bound::Upper, _) => None,
        }
    }

    /// What is wrong with the PV of a tablebase score; `None` if it leads to the claimed result.
    pub fn fault(&self, mut referee: Referee, score: i32, pv: &[UciMove]) -> Option<PvFault> {
        let loser_moves_at = usize::from(score > 0);
        let (mut plies_before, mut entered) = (0, false);
        for (ply, &mv) in pv.iter().enumerate() {
            if ply % 2 == loser_moves_at
                && let Some(claim) = pv::claimable(&referee)
            {
                return Some(claim);
            }
            match self.probe(referee.position(), entered) {
                None => plies_before += 1,
                Some(wdl) => {
                    entered = true;
                    if let Some(fault) = disagreement(wdl, ply % 2 == loser_moves_at) {
                        return Some(fault);
                    }
                }
            }
            if referee.play(mv).is_err() {
                return Some(PvFault::Error);
            }
        }
        let Some(wdl) = self.probe(referee.position(), entered).filter(|_| !pv.is_empty()) else {
            return Some(PvFault::Short);
        };
        // An upper bound of 0 means that scores do not count plies.
        if self.range[1] != 0 && plies_before != self.range[1] - score.abs() {
            return Some(PvFault::TablebaseEntry);
        }
        disagreement(wdl, pv.len() % 2 == loser_moves_at)
    }

    /// The result from Syzygy's table, from -2 to 2, if it has the position. Outside of the tables only a
    /// position after a capture or pawn move is an entry.
    fn probe(&self, position: &Chess, entered: bool) -> Option<i8> {
        let fresh = entered || position.halfmoves() == 0;
        fresh.then(|| self.tables.graded_wdl(position)).flatten()
    }
}

/// What is wrong with a table result on the way to the claimed one.
fn disagreement(wdl: i8, loser_moves: bool) -> Option<PvFault> {
    let claimed = if loser_moves { -2 } else { 2 };
    if wdl.abs() != 2 {
        return Some(PvFault::TablebaseDraw);
    }
    (wdl != claimed).then_some(PvFault::Wrong)
}
