//! The classic manager: an even share of the clock, more while the best move is unstable.

use std::time::Duration;

use super::{
    ClockState, FinishedSearch, IterationStats, OVERHEAD_MOVES, SearchProgress, TimeAllotment, TimeStrategy,
    future_overhead,
};
use threefold_chess::clock::{Decimal, TimeEstimates};

/// Planned number of moves in sudden death.
const HORIZON: u32 = 20;
/// The number of later moves whose overhead is kept in sudden death, even if no time is left to search: a won
/// game lasts until mate. With 19, a game at 8 ms of lag was lost on time after 71 moves of each side, one
/// move before mate.
const RESERVED_MOVES: u32 = 30;
/// The largest planned number of moves of a period.
const LONGEST_PERIOD: u32 = 50;
/// The largest number of shares for one move.
const MOST_SHARES: u32 = 4;
/// The largest part of the clock for one move, as a divisor. With small increments the clock converges to the
/// point where this part equals the increment; the rest protects against time losses by late wake-ups.
const LARGEST_PART: u32 = 5;

/// The percentage of nodes in the best move with no doubt left. At 55 percent, the usual share, the factor is
/// neutral.
const UNDIVIDED: u32 = 155;

/// The classic manager. It has no memory between moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Classic {
    allotment: TimeAllotment,
    /// The planned number of moves.
    moves: u32,
}

impl TimeStrategy for Classic {
    fn copy(&self) -> Box<dyn TimeStrategy> {
        Box::new(*self)
    }

    fn allot(&mut self, facts: &ClockState) -> TimeAllotment {
        *self = Self { allotment: allot(facts), moves: moves(facts) };
        self.allotment
    }

    fn until(&mut self, _: &SearchProgress) -> Duration {
        self.allotment.hard
    }

    fn is_enough(&self, moment: &SearchProgress, iteration: &IterationStats) -> bool {
        is_enough(moment.elapsed, self.allotment, iteration)
    }

    fn end(&mut self, _: &FinishedSearch) {}

    fn estimates(&self) -> TimeEstimates {
        let moves_left = Decimal::from_millionths(i64::from(self.moves) * 1_000_000);
        TimeEstimates { moves_left: Some(moves_left), ..TimeEstimates::default() }
    }

    fn reserved_moves(&self) -> u32 {
        0
    }
}

/// The planned number of moves.
fn moves(facts: &ClockState) -> u32 {
    facts.moves_to_go.map_or(HORIZON, |moves| moves.clamp(1, LONGEST_PERIOD))
}

/// The time of one move.
///
/// The hard limit leaves the overhead on the clock, and, except for the last move of a period, time for later
/// moves.
fn allot(facts: &ClockState) -> TimeAllotment {
    let &ClockState { remaining, overhead, .. } = facts;
    let usable = remaining.time.saturating_sub(overhead);
    let moves = moves(facts);
    // The increment of the last planned move comes too late to be used.
    let gained = remaining.increment.saturating_sub(overhead) * (moves - 1);
    let way = overhead.saturating_sub(remaining.increment);
    let lost = match facts.moves_to_go {
        Some(_) => way * (moves - 1),
        None => future_overhead(facts, OVERHEAD_MOVES).max(way * RESERVED_MOVES),
    };
    let share = (usable + gained).saturating_sub(lost) / moves;
    // The last move of a period may use all; any other leaves a reserve for a busy machine.
    let most = if moves == 1 { usable } else { usable / LARGEST_PART };
    TimeAllotment { soft: share.min(most), hard: (share * MOST_SHARES).min(most) }
}

/// Whether the search may end now.
///
/// An iteration takes about as long as all before it, so a new one starts only while much of the soft limit
/// is left: less for a stable best move with a large node share, more after a falling score.
fn is_enough(elapsed: Duration, allotment: TimeAllotment, iteration: &IterationStats) -> bool {
    let percent = match iteration.settled {
        0 => 90,
        1 => 80,
        2..=3 => 70,
        4..=6 => 62,
        7.. => 55,
    };
    let worry = u32::try_from(iteration.fallen.clamp(0, 80)).expect("clamped");
    let doubt = UNDIVIDED.saturating_sub(iteration.share);
    elapsed >= (allotment.soft * ((percent + worry) * doubt) / 10_000).min(allotment.hard)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeman::TreeReuse;
    use threefold_chess::clock::Remaining;

    fn facts(time: u64, increment: u64, moves_to_go: Option<u32>) -> ClockState {
        let (time, increment) = (Duration::from_millis(time), Duration::from_millis(increment));
        let overhead = Duration::from_millis(10);
        let remaining = Remaining { time, increment };
        ClockState { remaining, moves_to_go, overhead, ply: 0, inherited: TreeReuse::default() }
    }

    #[test]
    fn classic_manager_shares_evenly_and_leaves_the_overhead() {
        let table = [
            // milliseconds left, increment, moves to go, soft, hard
            (0, 0, None, 0, 0),
            (8, 0, Some(1), 0, 0),
            (1_010, 0, Some(1), 1_000, 1_000),
            (60_010, 0, Some(40), 1_490, 5_961),
            (8_010, 80, None, 466, 1_600),
            (110, 1_000, None, 20, 20),
            (60_010, 0, None, 2_975, 11_902),
            (1_010, 0, None, 25, 102),
            (210, 0, None, 0, 0),
            (410, 0, None, 5, 20),
        ];
        for (time, increment, moves_to_go, soft, hard) in table {
            let TimeAllotment { soft: got_soft, hard: got_hard } =
                allot(&facts(time, increment, moves_to_go));
            assert_eq!((got_soft.as_millis(), got_hard.as_millis()), (soft, hard), "{time}+{increment}");
        }
    }

    #[test]
    fn classic_manager_never_loses_on_time() {
        for (time, increment, period) in
            [(1_000, 0, None), (100, 20, None), (2_000, 0, Some(40)), (500, 5, None)]
        {
            let mut clock = Duration::from_millis(time);
            for played in 0..400_u32 {
                let moves_to_go = period.map(|moves| moves - played % moves);
                let left = facts(u64::try_from(clock.as_millis()).expect("small"), increment, moves_to_go);
                let TimeAllotment { soft, hard } = allot(&left);
                assert!(soft <= hard && hard + left.overhead <= clock.max(left.overhead));
                // The worst case: every move uses its hard limit.
                clock -= hard;
                clock += Duration::from_millis(increment);
                if moves_to_go == Some(1) {
                    clock += Duration::from_millis(time);
                }
            }
        }
    }

    #[test]
    fn classic_manager_stops_earlier_for_a_stable_move() {
        let allotment = TimeAllotment { soft: Duration::from_millis(100), hard: Duration::from_millis(400) };
        let table = [
            // stable iterations, score drop in centipawns, node share of the best move, sufficient
            // milliseconds
            (0, 0, 55, 90),
            (3, 0, 55, 70),
            (9, 0, 55, 55),
            (9, 0, 95, 33),
            (0, 0, 5, 135),
            (0, 50, 55, 140),
            (0, 5_000, 55, 170),
        ];
        for (settled, fallen, share, enough) in table {
            let iteration = IterationStats { share, settled, fallen, ..IterationStats::default() };
            assert!(is_enough(Duration::from_millis(enough), allotment, &iteration), "{iteration:?}");
            assert!(!is_enough(Duration::from_millis(enough - 1), allotment, &iteration), "{iteration:?}");
        }
    }
}
