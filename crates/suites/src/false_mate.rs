//! Reports of a mate that is impossible, whatever the engine's strength.

use threefold_chess::score::{MateDistance, Score};
use threefold_player::{Bound, ScoredInfo};

use crate::FailCause;
use crate::trap::TrueResult;

/// The longest mate that engines report, in moves.
const LONGEST_MATE: i32 = 127;

/// What is proven of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProvenMate {
    /// The result for the side to move, if it is known.
    pub result: Option<TrueResult>,
    /// The nearest mate that is possible, if it is known.
    pub nearest: Option<MateDistance>,
}

/// A mate in a draw, for the wrong side, or sooner than possible, with its depth. Bounds are no claims.
pub fn false_mate(proven: ProvenMate, info: &ScoredInfo) -> Option<(FailCause, String)> {
    let (Bound::Exact, Score::Mate(mate)) = (info.bound, info.score) else { return None };
    let reported = format!("#{} at depth {}", mate.moves(), info.depth.0);
    if mate.moves() == 0 || mate.moves().abs() > LONGEST_MATE {
        return Some((FailCause::InvalidMate, reported));
    }
    match (proven.result, proven.nearest) {
        (Some(TrueResult::Draw), _) => Some((FailCause::UnexpectedMate, format!("{reported}, in a draw"))),
        (_, Some(nearest)) if nearest.is_win() != mate.is_win() => {
            Some((FailCause::WrongMate, format!("{reported}, where #{} is proven", nearest.moves())))
        }
        (_, Some(nearest)) if mate.plies() < nearest.plies() => {
            Some((FailCause::BetterMate, format!("{reported}, where #{} is proven", nearest.moves())))
        }
        _ => None,
    }
}

/// The same of another line than the first (`MultiPV`). Its move may be worse than the best one: it may miss a
/// mate, be mated, or be mated sooner. It wins no sooner, and not at all where the side to move is mated.
pub fn false_mate_of_other_line(nearest: MateDistance, info: &ScoredInfo) -> Option<(FailCause, String)> {
    match info.score {
        Score::Mate(mate) if !mate.is_win() && mate.moves() != 0 => None,
        _ => {
            let proven = ProvenMate { result: None, nearest: Some(nearest) };
            let (cause, detail) = false_mate(proven, info)?;
            Some((cause, format!("{detail}, in line {}", info.multipv)))
        }
    }
}
