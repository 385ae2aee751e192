//! When a game was played.

use std::time::{Instant, SystemTime};

use threefold_chess::clock::ClockSource;
use threefold_games::calendar;
use threefold_games::game::{GameConditions, GameTimes};
use threefold_player::SuspendableClock;

/// The start of a game.
pub(super) struct GameTimer {
    begun: SystemTime,
    started: Instant,
}

impl GameTimer {
    /// Starts with a game; `None` unless wall time limits a player.
    #[expect(
        clippy::disallowed_methods,
        reason = "the PGN says when the game was played; nothing depends on it"
    )]
    pub(super) fn start(terms: &GameConditions, clock: &SuspendableClock) -> Option<Self> {
        let mut sides = terms.clock_sources.iter().zip(&terms.controls);
        let is_timed = sides.any(|(pace, control)| *pace == ClockSource::Wall && control.is_timed());
        // The duration is measured by the clock of the harness, which does not advance during a suspension.
        is_timed.then(|| Self { begun: SystemTime::now(), started: clock.now() })
    }

    /// The times of the game, which has just ended.
    pub(super) fn times(&self, clock: &SuspendableClock) -> GameTimes {
        let duration = clock.now().saturating_duration_since(self.started);
        GameTimes { begun: calendar::milliseconds(self.begun), duration }
    }
}
