//! Known values of the positions after one move, as matetrack's `--multipvFile` has them.
//!
//! With `MultiPV` an engine scores several moves of a position. Of all but the best one the position's own
//! distance to mate says little. A table of the positions after one move says more: a mate that a line
//! reports is compared with the value of the position after the line's first move.

use std::collections::HashMap;

use shakmaty::fen::Epd;
use shakmaty::{Chess, EnPassantMode};

use super::known;
use crate::epd;
use crate::input::{SourceFile, SuiteError};
use threefold_chess::score::MateDistance;
use threefold_oracle::referee::Referee;

/// The table: by position without move counters, the distance to mate of the side to move; `None` if no mate
/// is known.
#[derive(Debug, Clone, Default)]
pub struct ChildValues(HashMap<String, Option<MateDistance>>);

impl ChildValues {
    /// Reads positions with `bm #N;`, `dm N;`, or neither. If a position occurs twice, the shorter mate
    /// counts.
    ///
    /// # Errors
    /// If a line cannot be read, or if the game is over in its position.
    pub fn from_files(source_files: &[SourceFile]) -> Result<Self, SuiteError> {
        let mut values = HashMap::new();
        for source_file in source_files {
            for record in epd::parse_epd(source_file)? {
                let mate = known(source_file, &record)?;
                let wrong = |error: threefold_oracle::referee::IllegalGame| {
                    source_file.error_at_line(record.number, error.to_string(), "give a legal position")
                };
                let referee = Referee::new(&record.position).map_err(wrong)?;
                let value = values.entry(key(referee.position())).or_insert(mate.distance);
                // No known mate counts as the longest one.
                let moves = |it: Option<MateDistance>| it.map_or(i32::MAX, |it| it.moves().abs());
                if moves(mate.distance) < moves(*value) {
                    *value = mate.distance;
                }
            }
        }
        Ok(Self(values))
    }

    /// Is there no value at all?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a position after one move, from the view of the side that made the move. The outer `None`
    /// means that the table lacks the position, the inner one that no mate is known.
    pub fn of_mover(&self, after: &Chess) -> Option<Option<MateDistance>> {
        let value = *self.0.get(&key(after))?;
        Some(value.and_then(|child| {
            let moves = child.moves();
            // If the opponent is mated in N moves, the mover needs its move before them, too: N + 1.
            MateDistance::from_moves(if child.is_win() { -moves } else { 1 - moves })
        }))
    }
}

/// A position without its counters, with an en passant square only if the capture is legal.
fn key(position: &Chess) -> String {
    Epd::from_position(position, EnPassantMode::Legal).to_string()
}
