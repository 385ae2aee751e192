//! How long a search may take in wall time before the harness intervenes.
//!
//! Every kind of limit has an end: an engine that never returns from a search of a hundred nodes must not
//! block a run. Output does not extend it.

use std::time::Duration;

use shakmaty::Color;

use crate::{LaunchOptions, Question, WaitLimit};
use threefold_chess::clock::{ClockSource, Limits};
use threefold_chess::position::GamePosition;

/// The slowest assumed speed, in nodes per second, for a search whose nodes the harness counts.
const SLOWEST_NPS: u64 = 50_000;

/// The meaning of exceeding the allowance by an engine that then obeys `stop`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overrun {
    /// The answer counts; the game's clock decides whether the time was exceeded.
    LateAnswer,
    /// No clock applies, so it is a fault of the engine.
    Fault,
}

/// The time allowed for a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TimeAllowance {
    /// From the last byte of `go`.
    pub(super) wait: Duration,
    /// What exceeding it means.
    pub(super) overrun: Overrun,
}

impl TimeAllowance {
    /// The player's remaining time, its margin and the grace; or the search timeout, if no wall clock limits
    /// the search.
    pub(super) fn for_question(question: &Question, margin: Duration, options: &LaunchOptions) -> Self {
        match (options.clock_source, own_time(&question.position, &question.limits)) {
            (ClockSource::Wall, Some(time)) => Self {
                wait: time.saturating_add(margin).saturating_add(options.grace),
                overrun: Overrun::LateAnswer,
            },
            (ClockSource::Wall, None) | (ClockSource::Virtual { .. }, _) => {
                Self { wait: options.search_timeout.allowed(), overrun: Overrun::Fault }
            }
        }
    }

    /// For an engine that does not get the node limit. If its search has nothing left to find it may never
    /// report enough nodes; it is stopped after the time in which it would have used them.
    pub(super) fn without_node_limit(nodes: u64, options: &LaunchOptions) -> Self {
        let spent = Duration::from_millis(nodes.saturating_mul(1000) / SLOWEST_NPS);
        Self {
            wait: options.grace.saturating_add(spent).min(options.search_timeout.allowed()),
            overrun: Overrun::LateAnswer,
        }
    }

    /// Is this more than a wall clock allows, without the grace?
    pub(super) fn is_over(self, elapsed: Duration, grace: Duration) -> bool {
        self.overrun == Overrun::LateAnswer && elapsed > self.wait.saturating_sub(grace)
    }

    /// What the allowance depends on.
    pub(super) const fn limit(self) -> WaitLimit {
        match self.overrun {
            Overrun::LateAnswer => WaitLimit::Clock,
            Overrun::Fault => WaitLimit::SearchTimeout,
        }
    }
}

/// The longest time that the limits allow the side to move.
fn own_time(position: &GamePosition, limits: &Limits) -> Option<Duration> {
    let clock = limits.clocks.map(|clocks| match position.side_to_move() {
        Color::White => clocks.white.time,
        Color::Black => clocks.black.time,
    });
    clock.into_iter().chain(limits.movetime).min()
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;
    use threefold_chess::clock::{Clocks, Remaining, Stop};

    #[test]
    fn engine_without_node_limit_gets_time_for_the_nodes() {
        let options = LaunchOptions::new(ClockSource::Wall, Stop::default());
        let table = [(0, 1000), (50_000, 2000), (1_000_000, 21_000), (u64::MAX, 30_000)];
        for (nodes, wait) in table {
            let allowance = TimeAllowance { wait: Duration::from_millis(wait), overrun: Overrun::LateAnswer };
            assert_eq!(TimeAllowance::without_node_limit(nodes, &options), allowance, "{nodes}");
        }
    }

    #[test]
    fn every_kind_of_limit_has_a_deadline() {
        let millis = Duration::from_millis;
        let side = |time| Remaining { time: millis(time), increment: millis(5) };
        let clocks = Clocks { white: side(100), black: side(900), moves_to_go: None };
        let timed = Limits::clocks(clocks);
        let movetime = Limits { movetime: Some(millis(50)), ..Limits::default() };
        let fixed = ClockSource::Virtual { nodes_per_second: NonZeroU32::MIN };
        let table = [
            // moves played from the start, limits, pace, allowance in milliseconds
            ("", timed, ClockSource::Wall, 100 + 7 + 1000, Overrun::LateAnswer),
            ("e2e4", timed, ClockSource::Wall, 900 + 7 + 1000, Overrun::LateAnswer),
            ("", movetime, ClockSource::Wall, 50 + 7 + 1000, Overrun::LateAnswer),
            ("", Limits { nodes: Some(9), ..timed }, ClockSource::Wall, 100 + 7 + 1000, Overrun::LateAnswer),
            (
                "",
                Limits { movetime: Some(millis(3)), ..timed },
                ClockSource::Wall,
                3 + 7 + 1000,
                Overrun::LateAnswer,
            ),
            ("", Limits::nodes(9), ClockSource::Wall, 30_000, Overrun::Fault),
            ("", Limits::default(), ClockSource::Wall, 30_000, Overrun::Fault),
            ("", timed, fixed, 30_000, Overrun::Fault),
        ];
        for (moves, limits, pace, wait, overrun) in table {
            let position = GamePosition {
                moves: GamePosition::parse("8/8/8/8/8/8/8/8 w - -", moves).expect("sound").moves,
                ..GamePosition::start_position()
            };
            let question = Question { position, limits, searchmoves: Vec::new() };
            let allowance =
                TimeAllowance::for_question(&question, millis(7), &LaunchOptions::new(pace, Stop::default()));
            assert_eq!(allowance, TimeAllowance { wait: millis(wait), overrun }, "{question:?}");
        }
    }
}
