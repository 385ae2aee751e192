//! What the players' games were like beside their results: what they cost, how many were drawn, and how many a fault
//! ended.

use std::collections::BTreeMap;

use shakmaty::Color;

use crate::arena::game::GameEnd;
use crate::work::PartResult;
use crate::work::job::white_result;
use threefold_chess::clock::Flag;
use threefold_stats::GameResult;

/// What a game costs beside its thinking, in seconds.
const SETTING_UP: f64 = 0.02;
/// Whoever wins or loses every single one of so many games is out of reach.
const ENOUGH: u64 = 64;

/// A player's games.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Account {
    games: u64,
    won: u64,
    seconds: f64,
    /// Games that were drawn.
    pub(super) drawn: u64,
    /// Games that it lost by a flag, an illegal move, or what else an engine must not do.
    pub(super) faults: u64,
    /// Of these, flags that fell by the machine's doing.
    pub(super) by_the_machine: u64,
}

/// The games of all players, by name.
#[derive(Debug, Default)]
pub(super) struct Ledger(BTreeMap<String, Account>);

impl Ledger {
    pub(super) fn of(parts: &[PartResult<'_>]) -> Self {
        let mut ledger = Self::default();
        for (_, game) in parts.iter().flat_map(PartResult::games) {
            let white = white_result(game);
            let sides = [(Color::White, white), (Color::Black, white.reversed())];
            for ((color, result), name) in sides.into_iter().zip(&game.players) {
                let account = ledger.0.entry(name.clone()).or_default();
                let used = game.moves_of(color).filter_map(|played| played.used);
                account.seconds += used.map(|used| used.as_secs_f64()).sum::<f64>();
                account.games += 1;
                account.won += u64::from(result == GameResult::Win);
                account.drawn += u64::from(result == GameResult::Draw);
                if result == GameResult::Loss && game.end.is_fault() {
                    account.faults += 1;
                    account.by_the_machine += u64::from(is_machine_caused(&game.end));
                }
            }
        }
        ledger
    }

    /// Of a player of this name; empty where nobody has played under it.
    pub(super) fn account(&self, name: &str) -> Account {
        self.0.get(name).copied().unwrap_or_default()
    }
}

impl Account {
    /// Its own share of what a game costs, in seconds on the game's clock.
    pub(super) fn cost(&self) -> f64 {
        self.seconds / self.games.max(1) as f64 + SETTING_UP / 2.0
    }

    /// Has it won or lost every single game of enough to say that it is out of reach?
    pub(super) const fn is_out_of_reach(&self) -> bool {
        self.games >= ENOUGH && self.drawn == 0 && (self.won == 0 || self.won == self.games)
    }
}

fn is_machine_caused(end: &GameEnd) -> bool {
    matches!(*end, GameEnd::TimeForfeit { over, waited } if Flag { over }.is_machine_caused(waited))
}
