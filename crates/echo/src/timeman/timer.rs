//! How long one search may take: exactly so long, or as a manager plans it.

use std::time::Duration;

use super::{IterationStats, SearchProgress, TimeAllotment, TimeStrategy};
use threefold_chess::clock::SearchEnd;

/// The timer of one search.
pub(crate) struct Timer<'m> {
    plan: TimePlan<'m>,
    /// Is there a move to play, of an iteration that came to its end? Before that only the hard limit holds.
    has_move: bool,
}

enum TimePlan<'m> {
    /// So long, and not a moment less.
    Exact(Duration),
    Managed {
        manager: &'m mut (dyn TimeStrategy + 'static),
        allotment: TimeAllotment,
    },
}

impl<'m> Timer<'m> {
    /// For a search of so long.
    pub(crate) const fn exact(time: Duration) -> Self {
        Self { plan: TimePlan::Exact(time), has_move: false }
    }

    /// For a search that a manager plans.
    pub(crate) const fn managed(
        manager: &'m mut (dyn TimeStrategy + 'static),
        allotment: TimeAllotment,
    ) -> Self {
        Self { plan: TimePlan::Managed { manager, allotment }, has_move: false }
    }

    /// Is it for a manager to end the search early?
    pub(crate) const fn is_managed(&self) -> bool {
        matches!(self.plan, TimePlan::Managed { .. })
    }

    /// Until when the search may go on.
    pub(crate) fn until(&mut self, moment: &SearchProgress) -> Duration {
        match &mut self.plan {
            TimePlan::Exact(time) => *time,
            TimePlan::Managed { manager, allotment } => {
                let until = manager.until(moment).min(allotment.hard);
                if self.has_move { until } else { allotment.hard }
            }
        }
    }

    /// Why a search ends that has gone on for so long.
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

    /// Why another iteration is not worth its time, if it isn't.
    pub(crate) fn enough(
        &mut self,
        moment: &SearchProgress,
        iteration: &IterationStats,
    ) -> Option<SearchEnd> {
        self.has_move = true;
        match &self.plan {
            TimePlan::Managed { manager, allotment } if manager.is_enough(moment, iteration) => {
                let used_up = allotment.soft <= moment.elapsed;
                Some(if used_up { SearchEnd::Budget } else { SearchEnd::Settled })
            }
            TimePlan::Exact(_) | TimePlan::Managed { .. } => None,
        }
    }

    /// A root move has been looked at.
    pub(crate) fn watch(&mut self, moment: &SearchProgress, moves: &mut dyn Iterator<Item = (usize, u64)>) {
        if let TimePlan::Managed { manager, .. } = &mut self.plan {
            manager.watch(moment, moves);
        }
    }
}
