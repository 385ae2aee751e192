//! The timer of one search: a fixed time, or a manager's plan.

use std::time::Duration;

use super::{IterationStats, SearchProgress, TimeAllotment, TimeStrategy};
use threefold_chess::clock::SearchEnd;

/// The timer of one search.
pub(crate) struct Timer<'m> {
    plan: TimePlan<'m>,
    /// Whether an iteration has been completed; before that only the hard limit applies.
    has_move: bool,
}

enum TimePlan<'m> {
    /// A fixed time.
    Exact(Duration),
    Managed {
        manager: &'m mut (dyn TimeStrategy + 'static),
        allotment: TimeAllotment,
    },
}

impl<'m> Timer<'m> {
    /// The timer of a fixed time.
    pub(crate) const fn exact(time: Duration) -> Self {
        Self { plan: TimePlan::Exact(time), has_move: false }
    }

    /// The timer of a manager's plan.
    pub(crate) const fn managed(
        manager: &'m mut (dyn TimeStrategy + 'static),
        allotment: TimeAllotment,
    ) -> Self {
        Self { plan: TimePlan::Managed { manager, allotment }, has_move: false }
    }

    /// Whether a manager may end the search early.
    pub(crate) const fn is_managed(&self) -> bool {
        matches!(self.plan, TimePlan::Managed { .. })
    }

    /// The time at which the search must end.
    pub(crate) fn until(&mut self, moment: &SearchProgress) -> Duration {
        match &mut self.plan {
            TimePlan::Exact(time) => *time,
            TimePlan::Managed { manager, allotment } => {
                // Called before the first move, too: the manager takes samples of the speed.
                let until = manager.until(moment).min(allotment.hard);
                if self.has_move { until } else { allotment.hard }
            }
        }
    }

    /// The reason why a search ends after this time.
    pub(crate) fn end_after(&self, elapsed: Duration) -> SearchEnd {
        match self.plan {
            TimePlan::Managed { allotment: TimeAllotment { soft, hard }, .. }
                if soft < hard && hard <= elapsed =>
            {
                SearchEnd::HardLimit
            }
            TimePlan::Exact(_) | TimePlan::Managed { .. } => SearchEnd::Budget,
        }
    }

    /// Records that an iteration has been completed, so that there is a move to play.
    pub(crate) const fn take_move(&mut self) {
        self.has_move = true;
    }

    /// The reason why no other iteration should start, if any.
    pub(crate) fn enough(&self, moment: &SearchProgress, iteration: &IterationStats) -> Option<SearchEnd> {
        match &self.plan {
            TimePlan::Managed { manager, allotment } if manager.is_enough(moment, iteration) => {
                let used_up = allotment.soft <= moment.elapsed;
                Some(if used_up { SearchEnd::Budget } else { SearchEnd::Settled })
            }
            TimePlan::Exact(_) | TimePlan::Managed { .. } => None,
        }
    }

    /// Updates the manager after a root move.
    pub(crate) fn watch(&mut self, moment: &SearchProgress, moves: &mut dyn Iterator<Item = (usize, u64)>) {
        if let TimePlan::Managed { manager, .. } = &mut self.plan {
            manager.watch(moment, moves);
        }
    }
}
