//! The positions along a principal variation.
//!
//! Consecutive variations of a search mostly begin with the same moves. So the positions of the last one are
//! kept, and only moves that differ are played.

use shakmaty::Chess;
use shakmaty::uci::UciMove;

use threefold_oracle::referee::{Referee, RuleEnd};

/// The legal part of the variation that was checked last.
#[derive(Debug, Default)]
pub(super) struct PvPath(Vec<PvStep>);

#[derive(Debug)]
struct PvStep {
    mv: UciMove,
    /// The position after the move.
    position: Chess,
    end: Option<RuleEnd>,
}

/// What is wrong with a variation as a sequence of moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PathFault {
    /// The move with this index is illegal.
    Illegal(usize),
    /// The game is over before the move with this index.
    Over(RuleEnd, usize),
}

impl PvPath {
    /// Forgets the last variation. Must be called when the position of the search changes.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Follows a variation from the position of the search.
    pub(super) fn follow(&mut self, referee: &Referee, pv: &[UciMove]) -> Result<(), PathFault> {
        let known = self.0.iter().zip(pv).take_while(|(step, mv)| step.mv == **mv).count();
        self.0.truncate(known);
        for (index, &mv) in pv.iter().enumerate().skip(known) {
            let last = self.0.last();
            if let Some(end) = last.and_then(|step| step.end) {
                return Err(PathFault::Over(end, index));
            }
            let before = last.map_or_else(|| referee.position(), |step| &step.position);
            // An illegal move is not kept, so that it is found again in the next variation that has it.
            let legal = mv.to_move(before).map_err(|_| PathFault::Illegal(index))?;
            let mut position = before.clone();
            shakmaty::Position::play_unchecked(&mut position, legal);
            let end = referee.ending_in_line(self.0.iter().map(|step| &step.position), &position);
            self.0.push(PvStep { mv, position, end });
        }
        Ok(())
    }

    /// Does the last variation end in checkmate?
    pub(super) fn mates(&self) -> bool {
        self.0.last().is_some_and(|step| step.end == Some(RuleEnd::Checkmate))
    }
}
