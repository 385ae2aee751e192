//! What a search may spend, and the one place that notices when it is spent.
//!
//! Every node passes through [`SearchBudget::spend`]. A limit of nodes is kept to the node; clocks and flags are
//! looked at every thousand nodes or so. With `nodestime` the clock is made of nodes, so it too is kept to
//! the node and nothing depends on the machine.
//!
//! Below full strength nodes are slow, once there is a move to play: on a clock made of nodes each takes longer, a limit
//! of nodes is cut down, and on the wall's clock the search sleeps until it may go on. A limit of depth is one as it
//! is.
//!
//! Threads that help have no limits of their own: they think until the one that answers is through, and tell
//! now and then how many nodes that took.

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

/// The search is over, wherever it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SearchStopped;

/// Nodes between two looks at clock and flags.
const CHECK_INTERVAL: u64 = 1024;
/// Looks a second where the speed is held back.
const CHECKS_PER_SECOND: u64 = 200;
/// No longer than this is slept without a look at the flags.
const LONGEST_SLEEP: Duration = Duration::from_millis(5);

/// What the threads of one search tell each other.
#[derive(Debug, Default)]
pub(super) struct SharedCounters {
    /// Nodes of the threads that help.
    nodes: AtomicU64,
    /// Positions of which the tables of endings told the outcome.
    pub tablebase_hits: AtomicU64,
    /// Raised once the answer is found.
    pub over: Stop,
}

/// What is left to spend.
pub(super) struct SearchBudget<'a> {
    nodes: u64,
    shared: &'a SharedCounters,
    is_helper: bool,
    next_check: u64,
    max_nodes: u64,
    timer: Option<Timer<'a>>,
    /// When time began to count, at the question or when pondering ended, and the nodes by then.
    clock_start: (Duration, u64),
    pondering: bool,
    /// Why the search ended.
    end: SearchEnd,
    /// Where the nodes lie, if anybody asks.
    root_node_counts: Option<RootNodeCounts>,
    nodes_a_millisecond: u32,
    /// Nodes a second, where the speed is held back.
    max_speed: Option<u64>,
    /// Is it time, or nothing, that limits the search, so that a slow one takes longer?
    takes_time: bool,
    stop: &'a Stop,
    ponder: &'a Stop,
    now: &'a (dyn Fn() -> Duration + Sync),
}

impl<'a> SearchBudget<'a> {
    /// For the thread that answers.
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
            next_check: 0,
            max_nodes: nodes.unwrap_or(u64::MAX),
            timer,
            clock_start: (Duration::ZERO, 0),
            pondering: request.pondering.is_raised(),
            end: SearchEnd::Interrupted,
            root_node_counts: None,
            nodes_a_millisecond: settings.nodes_a_millisecond,
            max_speed: None,
            takes_time: nodes.is_none() && depth.is_none() && mate.is_none(),
            stop: request.stop,
            ponder: request.pondering,
            now: request.now,
        }
    }

    /// For a thread that helps: no limit but the answer.
    pub(super) const fn for_helper(request: &SearchRequest<'a>, shared: &'a SharedCounters) -> Self {
        Self {
            nodes: 0,
            shared,
            is_helper: true,
            next_check: 0,
            max_nodes: u64::MAX,
            timer: None,
            clock_start: (Duration::ZERO, 0),
            pondering: false,
            end: SearchEnd::Interrupted,
            root_node_counts: None,
            nodes_a_millisecond: 0,
            max_speed: None,
            takes_time: false,
            stop: &shared.over,
            ponder: request.pondering,
            now: request.now,
        }
    }

    /// Nodes spent by all threads, as far as they have told.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes + self.shared.nodes.load(Relaxed)
    }

    /// Nodes spent by this thread.
    pub(super) const fn own_nodes(&self) -> u64 {
        self.nodes
    }

    /// Tables of endings told an outcome.
    pub(super) fn count_tablebase_hit(&self) {
        self.shared.tablebase_hits.fetch_add(1, Relaxed);
    }

    /// How often they did, to any thread.
    pub(super) fn tablebase_hits(&self) -> u64 {
        self.shared.tablebase_hits.load(Relaxed)
    }

    /// Time since the question came, by the clock that counts.
    pub(super) fn elapsed(&self) -> Duration {
        self.speed().map_or_else(self.now, |speed| time_for(self.nodes(), speed))
    }

    /// Nodes a second of a clock that is made of nodes.
    fn speed(&self) -> Option<u64> {
        let full = 1000 * u64::from(self.nodes_a_millisecond);
        (full > 0).then(|| self.max_speed.map_or(full, |most| most.min(full)))
    }

    /// There is a move to play: from now on the speed is held back to so many nodes a second.
    pub(super) fn limit_speed(&mut self, speed: u64) {
        if self.max_speed.is_some() {
            return;
        }
        self.max_speed = Some(speed);
        if self.max_nodes < u64::MAX {
            let slow =
                u128::from(self.max_nodes) * u128::from(speed.min(FULL_SPEED)) / u128::from(FULL_SPEED);
            self.max_nodes = (slow as u64).max(1);
        }
    }

    /// How long the search is still to sleep before it may go on, by the wall's clock.
    fn time_to_sleep(&self) -> Option<Duration> {
        let speed = self.max_speed.filter(|_| self.nodes_a_millisecond == 0 && self.takes_time)?;
        time_for(self.nodes(), speed).checked_sub(self.elapsed()).filter(|wait| !wait.is_zero())
    }

    /// Spends one node, unless nothing is left.
    pub(super) fn spend(&mut self) -> Result<(), SearchStopped> {
        if self.nodes >= self.next_check {
            self.check_limits()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// The same, counting where the nodes lie, if anybody asks.
    pub(super) fn with_root_node_counts(self, root_node_counts: Option<RootNodeCounts>) -> Self {
        Self { root_node_counts, ..self }
    }

    /// A move is made at the root, or in reply to it; none for a null move.
    pub(super) fn record_move(&mut self, ply: usize, mv: Option<Move>) {
        if let Some(root_node_counts) = &mut self.root_node_counts {
            root_node_counts.turn(ply, mv, self.nodes);
        }
    }

    /// May another iteration begin?
    pub(super) fn allows_another(&mut self, iteration: &IterationStats) -> bool {
        if self.check_limits().is_err() {
            return false;
        }
        let progress = self.progress();
        let enough = self.timer.as_mut().filter(|_| !self.pondering);
        let enough = enough.and_then(|timer| timer.enough(&progress, iteration));
        self.end = enough.unwrap_or(self.end);
        enough.is_none()
    }

    /// A root move has been looked at: the moves, the best first, each with its number and its nodes.
    pub(super) fn watch(&mut self, mut moves: impl Iterator<Item = (usize, u64)>) {
        if self.is_clocked() {
            let progress = self.progress();
            self.timer.iter_mut().for_each(|timer| timer.watch(&progress, &mut moves));
        }
    }

    /// Is it a clock that limits this search, so that a move that is clear may be played at once?
    pub(super) fn is_clocked(&self) -> bool {
        !self.pondering && self.timer.as_ref().is_some_and(Timer::is_managed)
    }

    /// There is nothing more to find: that ends the search.
    pub(super) const fn end_without_choice(&mut self) {
        self.end = SearchEnd::NoChoice;
    }

    /// The search has ended.
    pub(super) fn into_cost(mut self) -> SearchCost {
        let (nodes, mut elapsed, mut unseen) = (self.nodes(), self.elapsed(), Duration::ZERO);
        if self.max_speed.is_some() && self.nodes_a_millisecond > 0 {
            // No search goes on for longer than it may, however slow the nodes of its first iteration turn out to be.
            let until = self.until().map_or(Duration::MAX, |until| self.clock_start.0.saturating_add(until));
            elapsed = elapsed.min(until);
            unseen = elapsed.saturating_sub(time_for(nodes, 1000 * u64::from(self.nodes_a_millisecond)));
        }
        let used = if self.pondering { Duration::ZERO } else { elapsed.saturating_sub(self.clock_start.0) };
        let mut root_node_counts = self.root_node_counts.unwrap_or_default();
        root_node_counts.close(self.nodes);
        SearchCost { nodes, elapsed, used, unseen, end: self.end, root_node_counts }
    }

    /// How far the search has come since time began to count.
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

    /// Looks at everything that may end the search, and says how much time is left.
    fn check_limits_once(&mut self) -> Result<Duration, SearchStopped> {
        if self.is_helper {
            if self.stop.is_raised() {
                return Err(SearchStopped);
            }
            if self.nodes > 0 {
                self.shared.nodes.fetch_add(CHECK_INTERVAL, Relaxed);
            }
            self.next_check = self.nodes + CHECK_INTERVAL;
            return Ok(Duration::MAX);
        }
        let nodes = self.nodes();
        if nodes >= self.max_nodes || self.stop.is_raised() {
            return Err(SearchStopped);
        }
        if self.pondering && !self.ponder.is_raised() {
            self.pondering = false;
            self.clock_start = (self.elapsed(), nodes);
        }
        let every = self
            .max_speed
            .map_or(CHECK_INTERVAL, |speed| (speed / CHECKS_PER_SECOND).clamp(1, CHECK_INTERVAL));
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
                let last = end.as_nanos() * u128::from(speed) / 1_000_000_000;
                nodes_left = nodes_left.min(u64::try_from(last).unwrap_or(u64::MAX) - nodes);
            }
        }
        self.next_check = self.nodes + nodes_left;
        Ok(time_left)
    }

    /// Until when the search may go on, once time counts.
    fn until(&mut self) -> Option<Duration> {
        let progress = (!self.pondering).then(|| self.progress())?;
        self.timer.as_mut().map(|timer| timer.until(&progress))
    }
}

/// What so many nodes take at so many a second.
fn time_for(nodes: u64, speed: u64) -> Duration {
    Duration::from_nanos((u128::from(nodes) * 1_000_000_000 / u128::from(speed)) as u64)
}

#[cfg(test)]
mod tests;
