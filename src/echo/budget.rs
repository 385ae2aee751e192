//! What a search may spend, and the one place that notices when it is spent.
//!
//! Every node passes through [`Budget::spend`]. A limit of nodes is kept to the node; clocks and flags are
//! looked at every thousand nodes or so. With `nodestime` the clock is made of nodes, so it too is kept to
//! the node and nothing depends on the machine.
//!
//! Threads that help have no limits of their own: they think until the one that answers is through, and tell
//! now and then how many nodes that took.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use cozy_chess::Move;

use super::options::Settings;
use super::request::Request;
use super::tally::Tally;
use super::timeman::{Iteration, Moment, Spent, Timer};
use crate::clock::{SearchEnd, Stop};

/// The search is over, wherever it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stopped;

/// Nodes between two looks at clock and flags.
const LOOK_EVERY: u64 = 1024;

/// What the threads of one search tell each other.
#[derive(Debug, Default)]
pub(super) struct Crew {
    /// Nodes of the threads that help.
    nodes: AtomicU64,
    /// Positions of which the tables of endings told the outcome.
    pub hits: AtomicU64,
    /// Raised once the answer is found.
    pub over: Stop,
}

/// What is left to spend.
pub(super) struct Budget<'a> {
    nodes: u64,
    crew: &'a Crew,
    helps: bool,
    next_look: u64,
    most_nodes: u64,
    timer: Option<Timer<'a>>,
    /// When time began to count, at the question or when pondering ended, and the nodes by then.
    counted_from: (Duration, u64),
    pondering: bool,
    /// Why the search ended.
    end: SearchEnd,
    /// Where the nodes lie, if anybody asks.
    tally: Option<Tally>,
    nodes_a_millisecond: u32,
    stop: &'a Stop,
    ponder: &'a Stop,
    now: &'a (dyn Fn() -> Duration + Sync),
}

impl<'a> Budget<'a> {
    /// For the thread that answers.
    pub(super) fn new(
        request: &Request<'a>,
        timer: Option<Timer<'a>>,
        settings: &Settings,
        crew: &'a Crew,
    ) -> Self {
        Self {
            nodes: 0,
            crew,
            helps: false,
            next_look: 0,
            most_nodes: request.limits.nodes.unwrap_or(u64::MAX),
            timer,
            counted_from: (Duration::ZERO, 0),
            pondering: request.pondering.is_raised(),
            end: SearchEnd::Called,
            tally: None,
            nodes_a_millisecond: settings.nodes_a_millisecond,
            stop: request.stop,
            ponder: request.pondering,
            now: request.now,
        }
    }

    /// For a thread that helps: no limit but the answer.
    pub(super) const fn helping(request: &Request<'a>, crew: &'a Crew) -> Self {
        Self {
            nodes: 0,
            crew,
            helps: true,
            next_look: 0,
            most_nodes: u64::MAX,
            timer: None,
            counted_from: (Duration::ZERO, 0),
            pondering: false,
            end: SearchEnd::Called,
            tally: None,
            nodes_a_millisecond: 0,
            stop: &crew.over,
            ponder: request.pondering,
            now: request.now,
        }
    }

    /// Nodes spent by all threads, as far as they have told.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes + self.crew.nodes.load(Relaxed)
    }

    /// Nodes spent by this thread.
    pub(super) const fn own_nodes(&self) -> u64 {
        self.nodes
    }

    /// Tables of endings told an outcome.
    pub(super) fn hit(&self) {
        self.crew.hits.fetch_add(1, Relaxed);
    }

    /// How often they did, to any thread.
    pub(super) fn hits(&self) -> u64 {
        self.crew.hits.load(Relaxed)
    }

    /// Time since the question came, by the clock that counts.
    pub(super) fn elapsed(&self) -> Duration {
        match self.nodes_a_millisecond {
            0 => (self.now)(),
            rate => Duration::from_nanos((u128::from(self.nodes()) * 1_000_000 / u128::from(rate)) as u64),
        }
    }

    /// Spends one node, unless nothing is left.
    pub(super) fn spend(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.next_look {
            self.look()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// The same, counting where the nodes lie, if anybody asks.
    pub(super) fn with_tally(self, tally: Option<Tally>) -> Self {
        Self { tally, ..self }
    }

    /// A move is made at the root, or in reply to it; none for a null move.
    pub(super) fn turn(&mut self, ply: usize, mv: Option<Move>) {
        if let Some(tally) = &mut self.tally {
            tally.turn(ply, mv, self.nodes);
        }
    }

    /// May another iteration begin?
    pub(super) fn allows_another(&mut self, iteration: &Iteration) -> bool {
        if self.look().is_err() {
            return false;
        }
        let moment = self.moment();
        let enough = self.timer.as_mut().filter(|_| !self.pondering);
        let enough = enough.and_then(|timer| timer.enough(&moment, iteration));
        self.end = enough.unwrap_or(self.end);
        enough.is_none()
    }

    /// A root move has been looked at: the moves, the best first, each with its number and its nodes.
    pub(super) fn watch(&mut self, mut moves: impl Iterator<Item = (usize, u64)>) {
        if self.is_clocked() {
            let moment = self.moment();
            self.timer.iter_mut().for_each(|timer| timer.watch(&moment, &mut moves));
        }
    }

    /// Is it a clock that limits this search, so that a move that is clear may be played at once?
    pub(super) fn is_clocked(&self) -> bool {
        !self.pondering && self.timer.as_ref().is_some_and(Timer::is_managed)
    }

    /// There is nothing more to find: that ends the search.
    pub(super) const fn clear(&mut self) {
        self.end = SearchEnd::Clear;
    }

    /// The search has ended.
    pub(super) fn spent(self) -> Spent {
        let (nodes, elapsed) = (self.nodes(), self.elapsed());
        let used = if self.pondering { Duration::ZERO } else { self.moment().elapsed };
        let mut tally = self.tally.unwrap_or_default();
        tally.close(self.nodes);
        Spent { nodes, elapsed, used, end: self.end, tally }
    }

    /// How far the search has come since time began to count.
    fn moment(&self) -> Moment {
        let (from, nodes) = self.counted_from;
        Moment { elapsed: self.elapsed().saturating_sub(from), nodes: self.nodes() - nodes }
    }

    fn look(&mut self) -> Result<(), Stopped> {
        if self.helps {
            if self.stop.is_raised() {
                return Err(Stopped);
            }
            if self.nodes > 0 {
                self.crew.nodes.fetch_add(LOOK_EVERY, Relaxed);
            }
            self.next_look = self.nodes + LOOK_EVERY;
            return Ok(());
        }
        let nodes = self.nodes();
        if nodes >= self.most_nodes || self.stop.is_raised() {
            return Err(Stopped);
        }
        if self.pondering && !self.ponder.is_raised() {
            self.pondering = false;
            self.counted_from = (self.elapsed(), nodes);
        }
        let mut left = LOOK_EVERY.min(self.most_nodes - nodes);
        if let Some(until) = self.until() {
            let end = self.counted_from.0 + until;
            let elapsed = self.elapsed();
            if elapsed >= end {
                let used = elapsed.saturating_sub(self.counted_from.0);
                self.end = self.timer.as_ref().map_or(self.end, |timer| timer.end_after(used));
                return Err(Stopped);
            }
            if self.nodes_a_millisecond > 0 {
                let last = end.as_nanos() * u128::from(self.nodes_a_millisecond) / 1_000_000;
                left = left.min(u64::try_from(last).unwrap_or(u64::MAX) - nodes);
            }
        }
        self.next_look = self.nodes + left;
        Ok(())
    }

    /// Until when the search may go on, once time counts.
    fn until(&mut self) -> Option<Duration> {
        let moment = (!self.pondering).then(|| self.moment())?;
        self.timer.as_mut().map(|timer| timer.until(&moment))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cozy_chess::Board;

    use crate::clock::{Clocks, Limits, Remaining};
    use crate::echo::timeman::{Keeper, Occasion};
    use crate::line::Line;

    /// Nodes that can be spent until the budget says stop.
    fn spent(
        limits: &Limits,
        settings: &Settings,
        now: &(dyn Fn() -> Duration + Sync),
        ponder: &Stop,
    ) -> u64 {
        let (line, stop) = (Line::start_position(), Stop::default());
        let request = Request { line: &line, limits, only: &[], stop: &stop, pondering: ponder, now };
        let crew = Crew::default();
        let mut keeper = Keeper::new(settings);
        let board = Board::startpos();
        let occasion = Occasion { line: &line, board: &board, last: [None; 2], entries: 0 };
        keeper.begin(&occasion, limits, settings);
        let mut budget = Budget::new(&request, keeper.timer(), settings, &crew);
        while budget.nodes() < 10_000_000 && budget.spend().is_ok() {
            if budget.nodes() == 5_000 {
                ponder.lower();
            }
        }
        budget.nodes()
    }

    #[test]
    fn limits_are_kept_to_the_node() {
        let clocks = |milliseconds, moves_to_go| {
            let side = Remaining { time: Duration::from_millis(milliseconds), increment: Duration::ZERO };
            Limits::clocks(Clocks { white: side, black: side, moves_to_go })
        };
        let virtual_clock = Settings { nodes_a_millisecond: 100, ..Settings::DEFAULT };
        let movetime = Limits { movetime: Some(Duration::from_millis(50)), ..Limits::default() };
        let table = [
            // limits, settings, nodes
            (Limits::nodes(0), Settings::DEFAULT, 0),
            (Limits::nodes(1), Settings::DEFAULT, 1),
            (Limits::nodes(12_345), Settings::DEFAULT, 12_345),
            (clocks(1_010, Some(1)), virtual_clock, 100_000),
            (clocks(5, Some(1)), virtual_clock, 0),
            (movetime, virtual_clock, 4_000),
            (Limits { nodes: Some(77), ..movetime }, virtual_clock, 77),
        ];
        for (limits, settings, nodes) in table {
            let never = || Duration::MAX;
            assert_eq!(spent(&limits, &settings, &never, &Stop::default()), nodes, "{limits:?}");
        }
    }

    #[test]
    fn time_counts_from_the_end_of_pondering() {
        let settings = Settings { nodes_a_millisecond: 100, ..Settings::DEFAULT };
        let movetime = Limits { movetime: Some(Duration::from_millis(50)), ..Limits::default() };
        let ponder = Stop::default();
        ponder.raise();
        let nodes = spent(&movetime, &settings, &|| Duration::ZERO, &ponder);
        // Lowered at 5 000, noticed at the next look.
        assert_eq!(nodes, 5 * LOOK_EVERY + 4_000);
    }
}
