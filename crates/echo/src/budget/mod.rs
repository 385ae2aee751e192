//! The limits of one search, and the one place that checks them.
//!
//! Every node calls [`SearchBudget::spend`]. A node limit is exact; clocks and stop flags are checked about
//! every thousand nodes. With `nodestime` the clock is computed from nodes, so it is exact as well and
//! independent of the machine.
//!
//! Below full strength the search speed is limited as soon as there is a move to play: with a clock made of
//! nodes each node takes longer, a node limit is reduced, and with the wall clock the search sleeps. A depth
//! limit is not changed.
//!
//! Helper threads have no limits: they search until the main thread has finished, and add their nodes to a
//! shared counter.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use cozy_chess::Move;

use super::options::Settings;
use super::request::SearchRequest;
use super::root_node_counts::RootNodeCounts;
use super::strength::FULL_SPEED;
use super::timeman::{IterationStats, SearchCost, SearchProgress, Timer};
use threefold_chess::clock::{Limits, SearchEnd, Stop};

/// The search was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SearchStopped;

/// Nodes between two checks of clock and flags: about half a millisecond. Reading a clock costs as much as
/// some nodes, so it is not done at each.
const CHECK_INTERVAL: u64 = 1024;
/// Checks per second when the speed is limited: at 500 nodes per second, 1024 nodes would be two seconds.
const CHECKS_PER_SECOND: u64 = 200;
/// The longest sleep between two checks of the flags, so that `stop` is obeyed at once.
const LONGEST_SLEEP: Duration = Duration::from_millis(5);

/// Counters shared by the threads of one search.
#[derive(Debug, Default)]
pub(super) struct SharedCounters {
    /// Nodes of helper threads.
    nodes: AtomicU64,
    /// Tablebase hits.
    pub tablebase_hits: AtomicU64,
    /// Raised when the main thread has finished.
    pub over: Stop,
}

/// The limits and counters of one thread's search.
pub(super) struct SearchBudget<'a> {
    nodes: u64,
    shared: &'a SharedCounters,
    is_helper: bool,
    /// A helper's nodes that `shared` has already.
    reported: u64,
    next_check: u64,
    max_nodes: u64,
    timer: Option<Timer<'a>>,
    /// The time and the nodes when the clock started: at `go`, or at the end of pondering.
    clock_start: (Duration, u64),
    pondering: bool,
    /// Why the search ended.
    end: SearchEnd,
    /// Nodes at the end of each completed iteration, from depth 1 on.
    iterations: Vec<u64>,
    /// Nodes below root moves and replies, if required.
    root_node_counts: Option<RootNodeCounts>,
    nodes_a_millisecond: u32,
    /// The speed limit in nodes per second, if any.
    max_speed: Option<u64>,
    /// Whether the search is limited by time or not at all, so that the speed limit makes it sleep.
    takes_time: bool,
    stop: &'a Stop,
    ponder: &'a Stop,
    now: &'a (dyn Fn() -> Duration + Sync),
}

impl<'a> SearchBudget<'a> {
    /// The budget of the main thread.
    pub(super) fn new(
        request: &SearchRequest<'a>,
        timer: Option<Timer<'a>>,
        settings: &Settings,
        shared: &'a SharedCounters,
    ) -> Self {
        let Limits { nodes, depth, mate, .. } = *request.limits;
        Self {
            nodes: 0,
            shared,
            is_helper: false,
            reported: 0,
            next_check: 0,
            max_nodes: nodes.unwrap_or(u64::MAX),
            timer,
            clock_start: (Duration::ZERO, 0),
            pondering: request.pondering.is_raised(),
            end: SearchEnd::Interrupted,
            iterations: Vec::new(),
            root_node_counts: None,
            nodes_a_millisecond: settings.nodes_a_millisecond,
            max_speed: None,
            takes_time: nodes.is_none() && depth.is_none() && mate.is_none(),
            stop: request.stop,
            ponder: request.pondering,
            now: request.now,
        }
    }

    /// The budget of a helper thread: without limits of its own.
    pub(super) const fn for_helper(request: &SearchRequest<'a>, shared: &'a SharedCounters) -> Self {
        Self {
            nodes: 0,
            shared,
            is_helper: true,
            reported: 0,
            next_check: 0,
            max_nodes: u64::MAX,
            timer: None,
            clock_start: (Duration::ZERO, 0),
            pondering: false,
            end: SearchEnd::Interrupted,
            iterations: Vec::new(),
            root_node_counts: None,
            nodes_a_millisecond: 0,
            max_speed: None,
            takes_time: false,
            // Whatever ends the search of the main thread ends the helpers, too.
            stop: &shared.over,
            ponder: request.pondering,
            now: request.now,
        }
    }

    /// Nodes of all threads, as far as reported.
    pub(super) fn nodes(&self) -> u64 {
        // A relaxed load is enough: no other memory depends on this count.
        self.nodes + self.shared.nodes.load(Relaxed)
    }

    /// Nodes of this thread.
    pub(super) const fn own_nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts a tablebase hit.
    pub(super) fn count_tablebase_hit(&self) {
        self.shared.tablebase_hits.fetch_add(1, Relaxed);
    }

    /// Tablebase hits of all threads.
    pub(super) fn tablebase_hits(&self) -> u64 {
        self.shared.tablebase_hits.load(Relaxed)
    }

    /// Time since the request, by the clock in effect.
    pub(super) fn elapsed(&self) -> Duration {
        self.speed().map_or_else(self.now, |speed| time_for(self.nodes(), speed))
    }

    /// Nodes per second of a clock computed from nodes; `None` for the wall clock.
    fn speed(&self) -> Option<u64> {
        let full = 1000 * u64::from(self.nodes_a_millisecond);
        (full > 0).then(|| self.max_speed.map_or(full, |most| most.min(full)))
    }

    /// Limits the speed from now on, since there is a move to play.
    pub(super) fn limit_speed(&mut self, speed: u64) {
        // This is called after every iteration, and the node limit must be reduced only once.
        if self.max_speed.is_some() {
            return;
        }
        self.max_speed = Some(speed);
        if self.max_nodes < u64::MAX {
            // In 128 bits, because a node limit times a speed may overflow 64.
            let slow =
                u128::from(self.max_nodes) * u128::from(speed.min(FULL_SPEED)) / u128::from(FULL_SPEED);
            self.max_nodes = (slow as u64).max(1);
        }
    }

    /// The time to sleep because of the speed limit, on the wall clock.
    fn time_to_sleep(&self) -> Option<Duration> {
        let speed = self.max_speed.filter(|_| self.nodes_a_millisecond == 0 && self.takes_time)?;
        time_for(self.nodes(), speed).checked_sub(self.elapsed()).filter(|wait| !wait.is_zero())
    }

    /// Counts one node, or returns that the search must stop.
    pub(super) fn spend(&mut self) -> Result<(), SearchStopped> {
        if self.nodes >= self.next_check {
            self.check_limits()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Counts nodes below root moves and replies, if there are counters.
    pub(super) fn with_root_node_counts(self, root_node_counts: Option<RootNodeCounts>) -> Self {
        Self { root_node_counts, ..self }
    }

    /// Records a move at the root (ply 0) or in reply to it (ply 1); `None` for a null move.
    pub(super) fn record_move(&mut self, ply: usize, mv: Option<Move>) {
        if let Some(root_node_counts) = &mut self.root_node_counts {
            root_node_counts.turn(ply, mv, self.nodes);
        }
    }

    /// Records the end of an iteration.
    pub(super) fn end_iteration(&mut self) {
        self.iterations.push(self.nodes());
    }

    /// Whether another iteration may begin.
    pub(super) fn allows_another(&mut self, iteration: &IterationStats) -> bool {
        if self.check_limits().is_err() {
            return false;
        }
        let progress = self.progress();
        // While pondering, the clock of the engine does not run.
        let is_running = !self.pondering;
        let enough = self.timer.as_mut().and_then(|timer| {
            // While pondering, too: after `ponderhit` a long iteration must not go on to the hard limit.
            timer.take_move();
            timer.enough(&progress, iteration).filter(|_| is_running)
        });
        self.end = enough.unwrap_or(self.end);
        enough.is_none()
    }

    /// Reports to the time manager after a root move: the moves, best first, each with its number and its
    /// nodes.
    pub(super) fn watch(&mut self, mut moves: impl Iterator<Item = (usize, u64)>) {
        if self.is_clocked() {
            let progress = self.progress();
            self.timer.iter_mut().for_each(|timer| timer.watch(&progress, &mut moves));
        }
    }

    /// Whether a clock limits this search, so that a forced move may be played at once.
    pub(super) fn is_clocked(&self) -> bool {
        !self.pondering && self.timer.as_ref().is_some_and(Timer::is_managed)
    }

    /// Records that the search ended because there was no choice.
    pub(super) const fn end_without_choice(&mut self) {
        self.end = SearchEnd::NoChoice;
    }

    /// Ends the search and returns its cost.
    pub(super) fn into_cost(mut self) -> SearchCost {
        let (nodes, mut elapsed, mut unseen) = (self.nodes(), self.elapsed(), Duration::ZERO);
        if self.max_speed.is_some() && self.nodes_a_millisecond > 0 {
            // No search exceeds its time, however slow the nodes of its first iteration are.
            let until = self.until().map_or(Duration::MAX, |until| self.clock_start.0.saturating_add(until));
            elapsed = elapsed.min(until);
            unseen = elapsed.saturating_sub(time_for(nodes, 1000 * u64::from(self.nodes_a_millisecond)));
        }
        let used = if self.pondering { Duration::ZERO } else { elapsed.saturating_sub(self.clock_start.0) };
        let mut root_node_counts = self.root_node_counts.take().unwrap_or_default();
        root_node_counts.close(self.nodes);
        let Self { end, iterations, .. } = self;
        SearchCost { nodes, elapsed, used, unseen, end, iterations, root_node_counts }
    }

    /// The progress since the clock started.
    fn progress(&self) -> SearchProgress {
        let (from, nodes) = self.clock_start;
        SearchProgress { elapsed: self.elapsed().saturating_sub(from), nodes: self.nodes() - nodes }
    }

    fn check_limits(&mut self) -> Result<(), SearchStopped> {
        loop {
            let left = self.check_limits_once()?;
            let Some(wait) = self.time_to_sleep() else { return Ok(()) };
            thread::sleep(wait.min(left).min(LONGEST_SLEEP));
        }
    }

    /// Checks all limits, and returns the time left.
    fn check_limits_once(&mut self) -> Result<Duration, SearchStopped> {
        if self.is_helper {
            if self.stop.is_raised() {
                return Err(SearchStopped);
            }
            // Only now and then: one shared write for each node would make the threads wait for each other.
            self.shared.nodes.fetch_add(self.nodes - self.reported, Relaxed);
            self.reported = self.nodes;
            self.next_check = self.nodes + CHECK_INTERVAL;
            return Ok(Duration::MAX);
        }
        let nodes = self.nodes();
        if nodes >= self.max_nodes || self.stop.is_raised() {
            return Err(SearchStopped);
        }
        // `ponderhit` has lowered the flag, so the clock starts now.
        if self.pondering && !self.ponder.is_raised() {
            self.pondering = false;
            self.clock_start = (self.elapsed(), nodes);
        }
        let every = self
            .max_speed
            .map_or(CHECK_INTERVAL, |speed| (speed / CHECKS_PER_SECOND).clamp(1, CHECK_INTERVAL));
        // The next check is never later than the last node allowed, so a node limit is exact.
        let mut nodes_left = every.min(self.max_nodes - nodes);
        let mut time_left = Duration::MAX;
        if let Some(until) = self.until() {
            let end = self.clock_start.0 + until;
            let elapsed = self.elapsed();
            if elapsed >= end {
                let used = elapsed.saturating_sub(self.clock_start.0);
                self.end = self.timer.as_ref().map_or(self.end, |timer| timer.end_after(used));
                return Err(SearchStopped);
            }
            time_left = end.saturating_sub(elapsed);
            if let Some(speed) = self.speed() {
                // The last node before the end of a clock made of nodes. It is not below `nodes`, since
                // `elapsed` is before the end.
                let last = end.as_nanos() * u128::from(speed) / 1_000_000_000;
                nodes_left = nodes_left.min(u64::try_from(last).unwrap_or(u64::MAX) - nodes);
            }
        }
        self.next_check = self.nodes + nodes_left;
        Ok(time_left)
    }

    /// The time at which the search must end, once the clock runs.
    fn until(&mut self) -> Option<Duration> {
        let progress = (!self.pondering).then(|| self.progress())?;
        self.timer.as_mut().map(|timer| timer.until(&progress))
    }
}

/// The time of a number of nodes at a speed in nodes per second.
fn time_for(nodes: u64, speed: u64) -> Duration {
    Duration::from_nanos((u128::from(nodes) * 1_000_000_000 / u128::from(speed)) as u64)
}

#[cfg(test)]
mod tests;
