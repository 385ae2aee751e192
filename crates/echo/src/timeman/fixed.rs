//! The fixed manager: a fixed part of the remaining time for every move.
//!
//! The simplest manager, for comparison.

use std::time::Duration;

use super::{ClockState, FinishedSearch, IterationStats, SearchProgress, TimeAllotment, TimeStrategy};
use threefold_chess::clock::{Decimal, TimeEstimates};

/// The divisor of the remaining time in sudden death.
const PARTS: u32 = 25;

/// The fixed manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Fixed {
    budget: Duration,
    parts: u32,
}

impl TimeStrategy for Fixed {
    fn copy(&self) -> Box<dyn TimeStrategy> {
        Box::new(*self)
    }

    fn allot(&mut self, facts: &ClockState) -> TimeAllotment {
        let &ClockState { remaining, moves_to_go, overhead, .. } = facts;
        let usable = remaining.time.saturating_sub(overhead);
        let parts = moves_to_go.map_or(PARTS, |moves| moves.max(1));
        // The last move of a period may use everything, but time added afterwards is not available to it.
        let added = if parts > 1 { remaining.increment.saturating_sub(overhead) } else { Duration::ZERO };
        let most = if parts > 1 { usable / 2 } else { usable };
        let budget = (usable / parts + added).min(most);
        *self = Self { budget, parts };
        TimeAllotment { soft: budget, hard: budget }
    }

    fn until(&mut self, _: &SearchProgress) -> Duration {
        self.budget
    }

    fn is_enough(&self, moment: &SearchProgress, _: &IterationStats) -> bool {
        self.budget <= moment.elapsed
    }

    fn end(&mut self, _: &FinishedSearch) {}

    fn estimates(&self) -> TimeEstimates {
        let moves_left = Decimal::from_millionths(i64::from(self.parts) * 1_000_000);
        TimeEstimates { moves_left: Some(moves_left), ..TimeEstimates::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeman::TreeReuse;
    use threefold_chess::clock::Remaining;

    #[test]
    fn fixed_manager_allots_its_part_of_the_clock() {
        let table = [
            // milliseconds left, increment, moves to go, budget
            (25_010, 0, None, 1_000),
            (25_010, 110, None, 1_100),
            (110, 1_000, None, 50),
            (40_010, 0, Some(40), 1_000),
            (1_010, 500, Some(1), 1_000),
            (5, 0, None, 0),
        ];
        for (time, increment, moves_to_go, budget) in table {
            let [time, increment] = [time, increment].map(Duration::from_millis);
            let facts = ClockState {
                remaining: Remaining { time, increment },
                moves_to_go,
                overhead: Duration::from_millis(10),
                ply: 0,
                inherited: TreeReuse::default(),
            };
            let budget = Duration::from_millis(budget);
            assert_eq!(
                Fixed::default().allot(&facts),
                TimeAllotment { soft: budget, hard: budget },
                "{time:?}"
            );
        }
    }
}
