//! Statistics of the players' games: their cost, draws, and faults.

use std::collections::BTreeMap;

use crate::PartResult;
use crate::job::white_result;
use threefold_games::game::GameEnd;
use threefold_stats::GameResult;

/// The cost of a game in addition to thinking time, in seconds.
const SETUP_SECONDS: f64 = 0.02;
/// A player that wins (or loses) every one of this number of games is out of reach.
const ENOUGH_GAMES: u64 = 64;

/// Statistics of one player's games.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct PlayerStats {
    games: u64,
    won: u64,
    seconds: f64,
    /// Drawn games.
    pub(super) drawn: u64,
    /// Games lost by a fault: a time loss, an illegal move, a crash.
    pub(super) faults: u64,
    /// Time losses among these that a busy machine caused.
    pub(super) machine_time_losses: u64,
}

/// Statistics of all players, by name.
#[derive(Debug, Default)]
pub(super) struct GameStats(BTreeMap<String, PlayerStats>);

impl GameStats {
    pub(super) fn from_parts(parts: &[PartResult<'_>]) -> Self {
        let mut stats = Self::default();
        for (_, game) in parts.iter().flat_map(PartResult::games) {
            let white = white_result(game);
            let results = [white, white.reversed()];
            for ((result, name), times) in results.into_iter().zip(&game.players).zip(&game.played.sides) {
                let account = stats.0.entry(name.clone()).or_default();
                account.seconds += times.used.as_secs_f64();
                account.games += 1;
                account.won += u64::from(result == GameResult::Win);
                account.drawn += u64::from(result == GameResult::Draw);
                if result == GameResult::Loss && game.end.is_fault() {
                    account.faults += 1;
                    account.machine_time_losses += u64::from(is_machine_time_loss(&game.end));
                }
            }
        }
        stats
    }

    /// The statistics of a player; all zero if it has not played.
    pub(super) fn account(&self, name: &str) -> PlayerStats {
        self.0.get(name).copied().unwrap_or_default()
    }
}

impl PlayerStats {
    /// The player's own share of a game's cost, in seconds on the game's clock.
    pub(super) fn cost(&self) -> f64 {
        // Each of the two players has half of the set-up of a game.
        self.seconds / self.games.max(1) as f64 + SETUP_SECONDS / 2.0
    }

    /// Has it won every game, or lost every game, of enough games to be out of reach?
    pub(super) const fn is_out_of_reach(&self) -> bool {
        self.games >= ENOUGH_GAMES && self.drawn == 0 && (self.won == 0 || self.won == self.games)
    }
}

fn is_machine_time_loss(end: &GameEnd) -> bool {
    end.is_excused()
}
