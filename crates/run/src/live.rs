//! The jobs that the workers do now, for those who watch a run.
//!
//! Each worker writes to a place of its own, and a reader copies the places whenever it draws. So nothing is
//! queued, a slow reader misses states, and no game waits for it: a move costs a look at the clock and a lock
//! that is almost always free. A run without a reader has no places.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use shakmaty::Color;
use shakmaty::uci::UciMove;

use crate::job::JobKey;
use threefold_chess::clock::ClockSource;
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Ply, Score};
use threefold_games::game::{GameConditions, GameObserver, MoveRecord, Turn};
use threefold_player::SuspendableClock;
use threefold_suites::CaseInfo;

/// The jobs that the workers of a pool do now.
#[derive(Debug)]
pub struct LiveJobs(Box<[Mutex<Option<LiveJob>>]>);

/// A job that a worker does now.
#[derive(Debug, Clone, PartialEq)]
pub struct LiveJob {
    /// Which job.
    pub key: JobKey,
    /// When it began, by the clock of the pool's launch options.
    pub begun: Instant,
    /// The opening of a game, or the position of a case with its history.
    pub position: GamePosition,
    /// What is done.
    pub task: LiveTask,
}

/// What a job does.
#[derive(Debug, Clone, PartialEq)]
pub enum LiveTask {
    /// A game.
    Game(LiveGame),
    /// A case of a suite.
    Case {
        /// The id of the case in its suite.
        id: String,
        /// The engine that is asked.
        engine: String,
    },
}

/// A game in progress.
#[derive(Debug, Clone, PartialEq)]
pub struct LiveGame {
    /// The names of White and Black.
    pub players: [String; 2],
    /// Does wall time run the clocks of White and Black?
    pub has_wall_clock: [bool; 2],
    /// The moves after the opening.
    pub moves: Vec<LiveMove>,
    /// The time left of White and Black when the side to move was asked; `None` without a clock for the game.
    pub left: [Option<Duration>; 2],
    /// Who is asked now, and since when.
    pub thinks: Option<(Color, Instant)>,
}

/// A move of a game in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LiveMove {
    /// The move.
    pub mv: UciMove,
    /// The score that the mover reported, from its own view.
    pub score: Option<Score>,
    /// The depth that it reached.
    pub depth: Ply,
    /// The time that it used; see [`MoveRecord::used`].
    pub used: Option<Duration>,
}

impl LiveJobs {
    /// Places for this number of workers.
    pub fn new(workers: NonZeroUsize) -> Self {
        Self((0..workers.get()).map(|_| Mutex::default()).collect())
    }

    /// A copy of what each worker does now, by worker; `None` for one that does nothing.
    pub fn now(&self) -> Vec<Option<LiveJob>> {
        (0..self.0.len()).map(|worker| self.place(worker).and_then(|place| place.clone())).collect()
    }

    fn place(&self, worker: usize) -> Option<MutexGuard<'_, Option<LiveJob>>> {
        Some(self.0.get(worker)?.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A worker's access to its place, if there are places.
#[derive(Debug, Default)]
pub(crate) struct LivePlace(Option<(Arc<LiveJobs>, usize, SuspendableClock)>);

impl LivePlace {
    /// The place of a worker.
    pub(crate) fn of_worker(jobs: Option<&Arc<LiveJobs>>, worker: usize, clock: &SuspendableClock) -> Self {
        Self(jobs.map(|jobs| (Arc::clone(jobs), worker, clock.clone())))
    }

    /// A game begins.
    pub(crate) fn begin_game(
        &self,
        key: JobKey,
        players: [&str; 2],
        opening: &GamePosition,
        terms: &GameConditions,
    ) {
        self.begin(key, opening, || {
            LiveTask::Game(LiveGame {
                players: players.map(str::to_owned),
                has_wall_clock: terms.clock_sources.map(|source| source == ClockSource::Wall),
                moves: Vec::new(),
                left: [None; 2],
                thinks: None,
            })
        });
    }

    /// A case begins.
    pub(crate) fn begin_case(&self, key: JobKey, info: &CaseInfo, engine: &str) {
        self.begin(key, &info.position, || LiveTask::Case { id: info.id.clone(), engine: engine.to_owned() });
    }

    fn begin(&self, key: JobKey, position: &GamePosition, task: impl FnOnce() -> LiveTask) {
        if let Some((jobs, worker, clock)) = &self.0
            && let Some(mut place) = jobs.place(*worker)
        {
            // `task` copies names, so it is called only if there is a reader.
            *place = Some(LiveJob { key, begun: clock.now(), position: position.clone(), task: task() });
        }
    }

    /// The job has ended.
    pub(crate) fn end(&self) {
        if let Some((jobs, worker, _)) = &self.0
            && let Some(mut place) = jobs.place(*worker)
        {
            *place = None;
        }
    }

    /// Changes the game that is played now.
    fn change(&self, change: impl FnOnce(&mut LiveGame, Instant)) {
        if let Some((jobs, worker, clock)) = &self.0 {
            // The clock is read before the lock is taken: a wait for a reader must not shift the time.
            let now = clock.now();
            if let Some(mut place) = jobs.place(*worker)
                && let Some(LiveJob { task: LiveTask::Game(game), .. }) = &mut *place
            {
                change(game, now);
            }
        }
    }
}

impl GameObserver for LivePlace {
    fn asked(&mut self, turn: Turn) {
        self.change(|game, now| (game.left, game.thinks) = (turn.left, Some((turn.mover, now))));
    }

    fn moved(&mut self, played: &MoveRecord) {
        let MoveRecord { mv, score, depth, used, left, .. } = *played;
        self.change(|game, _| {
            if let Some((mover, _)) = game.thinks.take() {
                game.left[mover.fold_wb(0, 1)] = left;
            }
            game.moves.push(LiveMove { mv, score, depth, used });
        });
    }
}

impl LiveJob {
    /// The position on the board, with all moves that led to it.
    pub fn board(&self) -> GamePosition {
        let mut position = self.position.clone();
        if let LiveTask::Game(game) = &self.task {
            position.moves.extend(game.moves.iter().map(|played| played.mv));
        }
        position
    }
}

impl LiveGame {
    /// The time left of White and Black at a moment; `None` without a clock for the game.
    pub fn left_at(&self, now: Instant) -> [Option<Duration>; 2] {
        let mut left = self.left;
        if let Some((mover, since)) = self.thinks {
            let side = mover.fold_wb(0, 1);
            if self.has_wall_clock[side] {
                left[side] = left[side].map(|left| left.saturating_sub(now.saturating_duration_since(since)));
            }
        }
        left
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    #[test]
    fn clock_of_the_side_that_thinks_runs_down() {
        let clock = SuspendableClock::default();
        let jobs = Arc::new(LiveJobs::new(NonZeroUsize::MIN));
        let mut place = LivePlace::of_worker(Some(&jobs), 0, &clock);
        let terms = GameConditions {
            clock_sources: [ClockSource::Wall, ClockSource::Virtual { nodes_per_second: NonZeroU32::MIN }],
            ..GameConditions::unlimited()
        };
        place.begin_game(JobKey { part: 0, job: 3 }, ["A", "B"], &GamePosition::start_position(), &terms);
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        let game = || {
            let Some(LiveJob { task: LiveTask::Game(game), .. }) = jobs.now().swap_remove(0) else {
                panic!("a game is played")
            };
            game
        };
        let later = |game: &LiveGame, after: u64| {
            let (_, since) = game.thinks.expect("a side thinks");
            game.left_at(since + Duration::from_secs(after))
        };
        place.asked(Turn { mover: Color::White, left: [seconds(10), seconds(20)] });
        assert_eq!(later(&game(), 3), [seconds(7), seconds(20)]);
        assert_eq!(later(&game(), 30), [seconds(0), seconds(20)], "an engine may be late");
        place.moved(&MoveRecord { left: seconds(8), ..MoveRecord::new("e2e4".parse().expect("a move")) });
        assert_eq!(
            game().left_at(clock.now()),
            [seconds(8), seconds(20)],
            "no side thinks between two moves"
        );
        place.asked(Turn { mover: Color::Black, left: [seconds(8), seconds(20)] });
        assert_eq!(later(&game(), 3), [seconds(8), seconds(20)], "a virtual clock runs by nodes");
        place.end();
        assert_eq!(jobs.now(), [None]);
    }
}
