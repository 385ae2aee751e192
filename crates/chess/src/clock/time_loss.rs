//! A time loss: by how much the time was exceeded, and who exceeded it.
//!
//! The overrun is divided between the engine, the machine and the runner. A delay explains at most what it
//! can: the shares add up to the overrun. The engine caused the loss if it would have lost without the
//! delays, too.

use std::time::Duration;

/// The resolution of UCI's times.
pub(super) const UCI_RESOLUTION: Duration = Duration::from_millis(1);

/// A time loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flag {
    /// The overrun of the time left, without the margin.
    pub over: Duration,
    /// The margin: an overrun that does not exceed it is no loss.
    pub margin: Duration,
}

/// How long a move was delayed by others than its engine, as far as the system reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Delays {
    /// The longest time that a thread of the engine was ready to run and had no CPU.
    pub engine: Duration,
    /// How long the harness could not read the answer after it had arrived: it had no CPU, or was stopped.
    pub runner: Duration,
}

impl Delays {
    /// Both: they follow each other.
    pub fn total(self) -> Duration {
        self.engine + self.runner
    }
}

/// The parts of an overrun, by who caused them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LossShares {
    /// The rest: the engine used the time.
    pub engine: Duration,
    /// The machine had no CPU for the engine.
    pub machine: Duration,
    /// The runner read the move late.
    pub runner: Duration,
}

/// Who caused a time loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LossCause {
    /// The engine used the time.
    Engine,
    /// The machine had no CPU for the engine.
    Machine,
    /// The harness, or what delayed it, read the move late.
    Runner,
}

impl Flag {
    /// The parts of the overrun. What the runner delayed is known best, so it comes first; the engine has the
    /// rest.
    pub fn shares(self, delays: Delays) -> LossShares {
        let runner = delays.runner.min(self.over);
        let machine = delays.engine.min(self.over.saturating_sub(runner));
        LossShares { engine: self.over.saturating_sub(runner).saturating_sub(machine), machine, runner }
    }

    /// Who caused the time loss; `None` if the delays are unknown. The engine caused it if its own share
    /// loses on time; if not, the larger of the other two shares names the cause.
    pub fn cause(self, delays: Option<Delays>) -> Option<LossCause> {
        let LossShares { engine, machine, runner } = self.shares(delays?);
        Some(if engine >= self.margin + UCI_RESOLUTION {
            LossCause::Engine
        } else if runner > machine {
            LossCause::Runner
        } else {
            LossCause::Machine
        })
    }

    /// Whether the machine or the runner caused the time loss. False if the delays are unknown.
    pub fn is_excused(self, delays: Option<Delays>) -> bool {
        matches!(self.cause(delays), Some(LossCause::Machine | LossCause::Runner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn engine_caused_a_time_loss_that_it_has_without_the_delays() {
        use LossCause::{Engine, Machine, Runner};
        let table = [
            // overrun, margin, delays of the engine by the machine, and of the runner; cause, shares
            ((14, 0), (0, 0), Engine, (14, 0, 0)),
            ((14, 0), (6, 7), Engine, (1, 6, 7)),
            ((14, 0), (14, 0), Machine, (0, 14, 0)),
            ((14, 0), (7, 7), Machine, (0, 7, 7)),
            ((14, 0), (6, 8), Runner, (0, 6, 8)),
            // A delay longer than the overrun explains no more than the overrun.
            ((14, 0), (900, 0), Machine, (0, 14, 0)),
            ((14, 0), (20, 21), Runner, (0, 0, 14)),
            ((300, 0), (2, 3), Engine, (295, 2, 3)),
            // The margin forgives the rest.
            ((210, 200), (9, 0), Engine, (201, 9, 0)),
            ((210, 200), (10, 0), Machine, (200, 10, 0)),
            ((236, 200), (0, 134), Runner, (102, 0, 134)),
        ];
        for ((over, margin), (engine, runner), cause, shares) in table {
            let flag = Flag { over: millis(over), margin: millis(margin) };
            let delays = Delays { engine: millis(engine), runner: millis(runner) };
            let (engine, machine, runner) = shares;
            let shares =
                LossShares { engine: millis(engine), machine: millis(machine), runner: millis(runner) };
            assert_eq!(
                (flag.cause(Some(delays)), flag.shares(delays)),
                (Some(cause), shares),
                "{flag:?} {delays:?}"
            );
            assert_eq!(flag.is_excused(Some(delays)), cause != Engine);
            assert_eq!(shares.engine + shares.machine + shares.runner, flag.over);
        }
        let flag = Flag { over: millis(14), margin: Duration::ZERO };
        assert_eq!((flag.cause(None), flag.is_excused(None)), (None, false));
    }
}
