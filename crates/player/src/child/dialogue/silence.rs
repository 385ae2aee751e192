//! A time in which no search may end.

use std::time::Duration;

use super::run::{Break, DialogueRun};
use crate::dialogue::SearchOutput;

/// This number of new depths in half of the time shows that the search comes to its last one soon.
const QUICK: u16 = 4;
/// The most halves of the time that it waits: four times the time in all.
const MOST_HALVES: usize = 8;
/// Engines have a last depth of at most this, in plies. One that counts further has none.
const GREATEST_LAST_DEPTH: u16 = 256;

impl DialogueRun {
    /// Lets this time pass, in which no search may end. While a search completes iterations quickly, the silence goes on: an
    /// engine that sends its move after its last depth would pass on a busy machine, and fail on a quiet one.
    pub(super) fn stay_silent(&mut self, time: Duration) -> Result<(), Break> {
        for half in 1..=MOST_HALVES {
            let before = self.depth();
            if self.read_until(time / 2, Self::has_early_end)? {
                return match self.finished.last().and_then(SearchOutput::end) {
                    Some(end) => Err(self.violation(&format!("it sends `{end}` too early"))),
                    None => Ok(()),
                };
            }
            let depth = self.depth();
            let is_quick = depth.saturating_sub(before) >= QUICK && depth <= GREATEST_LAST_DEPTH;
            if half > 1 && !is_quick {
                break;
            }
        }
        Ok(())
    }

    /// Has a search ended that no step has awaited?
    fn has_early_end(&self) -> bool {
        self.finished.len() > self.awaited
    }

    /// The depth that the running search has reported, in plies; 0 without one.
    fn depth(&self) -> u16 {
        self.running.front().and_then(|(search, _)| search.deepest()).unwrap_or(0)
    }
}
