//! A simulation of a fleet: one coordinator, a queue, and workers that play pairs of games.
//!
//! Events are simulated one by one. A worker takes the next message of the queue, or waits for one; the
//! coordinator handles results in the order in which they arrive, and hands out new pairs as `fleet submit`
//! does.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The jobs that are handed out for each slot, and the fewest and the most, as in `fleet submit`.
const JOBS_PER_SLOT: usize = 8;
const FEWEST_JOBS: usize = 64;
const MOST_JOBS: usize = 50_000;

/// A fleet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FleetModel {
    /// Workers with one job at a time.
    pub workers: usize,
    /// The mean length of a game; lengths are uniform between half and one and a half of it.
    pub game: Duration,
    /// The time of the coordinator for each game.
    pub coordinator: Duration,
    /// The time of a message through the server.
    pub latency: Duration,
    /// How long the run goes on before its test is decided.
    pub length: Duration,
    /// The seed of the lengths.
    pub seed: u64,
}

/// What happens in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FleetFigures {
    /// Games in the journal per second.
    pub games_per_second: f64,
    /// The share of the workers' time in which they play, after each has taken its first pair.
    pub playing: f64,
    /// The share of the time in which the coordinator is busy.
    pub coordinator: f64,
    /// The fewest messages in the queue after the workers have taken their first.
    pub shortest_queue: usize,
    /// The games that are being played or waiting for the coordinator when the test is decided.
    pub unfinished: usize,
    /// The time that workers have spent on these.
    pub wasted: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A worker has a pair and begins to play.
    Begun(usize),
    /// A worker has played a pair.
    Played(usize),
    /// The results of a pair are at the coordinator.
    Arrived,
    /// The coordinator has handled a pair.
    Handled,
}

struct Simulation {
    model: FleetModel,
    rng: ChaCha8Rng,
    events: BinaryHeap<Reverse<(Duration, Event)>>,
    /// Messages in the queue, of one pair each.
    queue: usize,
    idle: VecDeque<usize>,
    /// When each worker began its pair, if it plays one.
    playing_since: Vec<Option<Duration>>,
    /// Games that are handed out and not recorded.
    under_way: usize,
    recorded: usize,
    /// Pairs that wait for the coordinator.
    waiting: usize,
    is_busy: bool,
    busy: Duration,
    played: Duration,
    shortest_queue: usize,
}

impl FleetModel {
    /// Simulates the run.
    pub fn simulate(self) -> FleetFigures {
        let mut simulation = Simulation {
            model: self,
            rng: ChaCha8Rng::seed_from_u64(self.seed),
            events: BinaryHeap::new(),
            queue: 0,
            idle: (0..self.workers).collect(),
            playing_since: vec![None; self.workers],
            under_way: 0,
            recorded: 0,
            waiting: 0,
            is_busy: false,
            busy: Duration::ZERO,
            played: Duration::ZERO,
            shortest_queue: usize::MAX,
        };
        simulation.hand_out(Duration::ZERO);
        while let Some(Reverse((now, event))) = simulation.events.pop()
            && now < self.length
        {
            simulation.handle(now, event);
        }
        simulation.figures()
    }
}

impl Simulation {
    fn after(&mut self, now: Duration, wait: Duration, event: Event) {
        self.events.push(Reverse((now + wait, event)));
    }

    fn hand_out(&mut self, now: Duration) {
        let capacity = (self.model.workers * JOBS_PER_SLOT).clamp(FEWEST_JOBS, MOST_JOBS);
        while self.under_way < capacity {
            self.under_way += 2;
            self.queue += 1;
        }
        self.give(now);
    }

    /// Gives messages to workers that wait.
    fn give(&mut self, now: Duration) {
        while self.queue > 0
            && let Some(worker) = self.idle.pop_front()
        {
            self.queue -= 1;
            self.after(now, self.model.latency, Event::Begun(worker));
        }
        // At the start the queue is as long as it gets.
        if self.recorded > 2 * self.model.workers {
            self.shortest_queue = self.shortest_queue.min(self.queue);
        }
    }

    fn handle(&mut self, now: Duration, event: Event) {
        match event {
            Event::Begun(worker) => {
                self.playing_since[worker] = Some(now);
                let length: f64 = (0..2).map(|_| self.rng.random_range(0.5..1.5)).sum();
                self.after(now, self.model.game.mul_f64(length), Event::Played(worker));
            }
            Event::Played(worker) => {
                if let Some(since) = self.playing_since[worker].take() {
                    self.played += now.saturating_sub(since);
                }
                self.after(now, self.model.latency, Event::Arrived);
                self.idle.push_back(worker);
                self.give(now);
            }
            Event::Arrived => {
                self.waiting += 1;
                self.begin_handling(now);
            }
            Event::Handled => {
                self.is_busy = false;
                self.busy += self.model.coordinator * 2;
                self.recorded += 2;
                self.under_way -= 2;
                self.hand_out(now);
                self.begin_handling(now);
            }
        }
    }

    fn begin_handling(&mut self, now: Duration) {
        if !self.is_busy && self.waiting > 0 {
            self.waiting -= 1;
            self.is_busy = true;
            self.after(now, self.model.coordinator * 2, Event::Handled);
        }
    }

    fn figures(&self) -> FleetFigures {
        let length = self.model.length;
        let begun = self.playing_since.iter().flatten();
        let wasted: Duration = begun.clone().map(|&since| length.saturating_sub(since)).sum();
        let unrecorded = 2 * (self.waiting + usize::from(self.is_busy));
        FleetFigures {
            games_per_second: self.recorded as f64 / length.as_secs_f64(),
            // Workers have also played the pairs that have not ended.
            playing: (self.played + wasted).as_secs_f64()
                / (length.as_secs_f64() * self.model.workers as f64),
            coordinator: self.busy.as_secs_f64() / length.as_secs_f64(),
            shortest_queue: if self.shortest_queue == usize::MAX { self.queue } else { self.shortest_queue },
            unfinished: 2 * begun.count() + unrecorded,
            wasted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(workers: usize) -> FleetModel {
        FleetModel {
            workers,
            game: Duration::from_secs(10),
            coordinator: Duration::from_micros(200),
            latency: Duration::from_millis(1),
            length: Duration::from_mins(10),
            seed: 1,
        }
    }

    #[test]
    fn small_fleet_plays_all_the_time() {
        let figures = model(10).simulate();
        assert!(figures.playing > 0.999, "{figures:?}");
        assert!((figures.games_per_second - 1.0).abs() < 0.05, "{figures:?}");
        assert!((figures.coordinator - figures.games_per_second * 200e-6).abs() < 1e-4, "{figures:?}");
        assert_eq!((figures.unfinished, figures.shortest_queue > 0), (20, true), "{figures:?}");
        assert_eq!(figures, model(10).simulate(), "the same seed");
    }

    #[test]
    fn slow_coordinator_limits_the_fleet() {
        let figures = FleetModel { coordinator: Duration::from_millis(500), ..model(100) }.simulate();
        assert!((figures.games_per_second - 2.0).abs() < 0.1, "{figures:?}");
        assert!(figures.playing < 0.5 && figures.coordinator > 0.95, "{figures:?}");
        assert_eq!(figures.shortest_queue, 0, "{figures:?}");
    }
}
