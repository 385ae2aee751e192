//! Lc0's manager before the smooth one: an even share by expected moves left, more for the first move out of
//! book; unused time is added to the next move.
//!
//! It ignores tree reuse, for which the smooth manager was made.

use std::time::Duration;

use super::early_stop::is_settled;
use super::moves_left::LEGACY;
use super::{
    ClockState, FinishedSearch, IterationStats, SearchProgress, TimeAllotment, TimeStrategy, duration, millis,
};
use threefold_chess::clock::{Decimal, TimeEstimates};

/// Additional shares of the first move.
const FIRST_MOVE: f64 = 1.8;
/// Additional shares of the first move per ply of the book, up to [`BOOK`] plies.
const BOOK_PLY: f64 = 0.25;
const BOOK: u32 = 12;

/// The legacy manager. Times are milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Legacy {
    has_moved: bool,
    /// Unused time of earlier moves.
    spared: f64,
    budget: f64,
    moves_left: f64,
}

impl TimeStrategy for Legacy {
    fn copy(&self) -> Box<dyn TimeStrategy> {
        Box::new(*self)
    }

    fn allot(&mut self, facts: &ClockState) -> TimeAllotment {
        let (time, overhead) = (millis(facts.remaining.time), millis(facts.overhead));
        self.moves_left = LEGACY.left(facts.ply, facts.moves_to_go);
        // The increment of the last move comes too late to be used.
        let rest = (time + millis(facts.remaining.increment) * (self.moves_left - 1.0) - overhead).max(0.0);
        let mut budget = rest / self.moves_left;
        if !self.has_moved {
            budget *= 1.0 + FIRST_MOVE + BOOK_PLY * f64::from(facts.ply.min(BOOK));
        }
        let usable = (time - overhead).max(0.0);
        self.budget = (budget + self.spared).clamp(0.0, usable);
        self.spared = 0.0;
        TimeAllotment { soft: duration(self.budget), hard: duration(usable) }
    }

    fn until(&mut self, _: &SearchProgress) -> Duration {
        duration(self.budget)
    }

    fn is_enough(&self, moment: &SearchProgress, iteration: &IterationStats) -> bool {
        let elapsed = millis(moment.elapsed);
        let speed = if elapsed > 0.0 { moment.nodes as f64 / elapsed } else { 0.0 };
        self.budget <= elapsed || elapsed > 0.0 && is_settled(iteration, speed * (self.budget - elapsed))
    }

    fn end(&mut self, outcome: &FinishedSearch) {
        // Negative after an overrun, so the next move gets less.
        self.spared = self.budget - millis(outcome.used);
        self.has_moved = true;
    }

    fn estimates(&self) -> TimeEstimates {
        TimeEstimates { moves_left: Some(Decimal::rounded(self.moves_left, 3)), ..TimeEstimates::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeman::TreeReuse;
    use threefold_chess::clock::Remaining;

    fn facts(time: u64, moves_to_go: u32, ply: u32) -> ClockState {
        let remaining = Remaining { time: Duration::from_millis(time), increment: Duration::ZERO };
        let overhead = Duration::from_millis(100);
        ClockState {
            remaining,
            moves_to_go: Some(moves_to_go),
            overhead,
            ply,
            inherited: TreeReuse::default(),
        }
    }

    #[test]
    fn legacy_manager_favours_the_first_move_and_carries_spare_time() {
        let mut legacy = Legacy::default();
        let mut budget = |facts, used| {
            let TimeAllotment { soft, hard } = legacy.allot(&facts);
            assert!(soft <= hard);
            legacy.end(&FinishedSearch { used: Duration::from_millis(used), nodes: 0, regained: None });
            soft.as_millis()
        };
        // 10 s for ten moves; out of a book of eight half-moves: 2.8 + 8 · 0.25 shares.
        assert_eq!(budget(facts(10_100, 10, 8), 4_000), 4_800);
        assert_eq!(budget(facts(6_100, 10, 10), 1_000), 600 + 800);
        // Time used beyond the budget is missing now.
        assert_eq!(budget(facts(5_100, 10, 12), 1_000), 500 + 400);
        assert_eq!(budget(facts(4_100, 10, 14), 0), 400 - 100);
        assert_eq!(budget(facts(50, 10, 16), 0), 0);
    }

    #[test]
    fn legacy_manager_stops_early_if_no_other_move_can_be_searched() {
        let mut legacy = Legacy::default();
        assert_eq!(legacy.allot(&facts(10_100, 10, 8)).soft, Duration::from_millis(4_800));
        // A next iteration of 3 300 nodes, 4 389 with the safety factor.
        let calm = IterationStats {
            depth: 8,
            nodes: [3_000.0, 1_000.0],
            best: 1_000.0,
            least: Some(100.0),
            ..IterationStats::default()
        };
        let table = [
            // milliseconds, nodes; 4 000 ms are left after 800
            (800, 877, true),
            (800, 878, false),
            (4_799, 1_000_000_000, false),
            (4_800, 1_000_000_000, true),
            (0, 0, false),
        ];
        for (elapsed, nodes, enough) in table {
            let moment = SearchProgress { elapsed: Duration::from_millis(elapsed), nodes };
            assert_eq!(legacy.is_enough(&moment, &calm), enough, "{nodes} nodes in {elapsed} ms");
        }
    }
}
