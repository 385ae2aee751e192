//! How long games last: the assumptions that turn a time into games and games into a time.
//!
//! Nobody knows before a match how many moves its games will have or how much of their clocks the engines will use.
//! Both are assumed, and whoever reads a forecast is told what.

use std::time::Duration;

use threefold_chess::clock::{Control, TimeControl};

/// Moves of each side in a game between engines, adjudication included.
const MOVES: u32 = 60;

/// The part of its clock that an engine uses up until then.
const SHARE_USED: f64 = 0.75;

/// What is planned with where nothing else is said.
const USUAL: &str = "8+0.08";

/// What a game takes, and why that is believed.
#[derive(Debug, Clone, PartialEq)]
pub struct GameLength {
    /// From the first move to the last.
    pub each: Duration,
    /// In words, for whoever plans with it.
    pub assumed: String,
}

impl GameLength {
    /// As it was measured.
    pub fn measured(each: Duration) -> Self {
        Self { each, assumed: "as told".to_owned() }
    }

    /// Of games at the control that fishtest and OpenBench call short, for who names no limit.
    pub fn usual() -> Self {
        let control = USUAL.parse().expect("a control as users write it");
        let length = Self::under(&control, None).expect("a clock limits a game");
        Self { assumed: format!("at {USUAL}, since no limit is given, {}", length.assumed), ..length }
    }

    /// Of games under a control, engines searching so many nodes a second. `None` where nothing says how long a
    /// search takes.
    pub fn under(control: &Control, nodes_per_second: Option<u32>) -> Option<Self> {
        let by_clock = control.time.map(|time| time_used(time).mul_f64(SHARE_USED));
        let by_move = control.movetime.map(|each| each * MOVES);
        let by_nodes = control.nodes.zip(nodes_per_second).map(|(nodes, rate)| {
            Duration::try_from_secs_f64(nodes as f64 / f64::from(rate) * f64::from(MOVES))
                .unwrap_or(Duration::MAX / 4)
        });
        // The tightest limit ends a search.
        let side = [by_clock, by_move, by_nodes].into_iter().flatten().min()?;
        let clock = if by_clock == Some(side) {
            format!(" and {} % of the clock used", SHARE_USED * 100.0)
        } else {
            String::new()
        };
        Some(Self { each: side.saturating_mul(2), assumed: format!("assuming {MOVES} moves a side{clock}") })
    }

    /// How many games fit into a time, so many at once.
    pub fn games_in(&self, time: Duration, at_once: usize) -> f64 {
        time.as_secs_f64() * at_once as f64 / self.each.as_secs_f64()
    }

    /// What so many games take, so many at once, in seconds.
    pub fn seconds_of(&self, games: f64, at_once: usize) -> f64 {
        games * self.each.as_secs_f64() / at_once as f64
    }
}

/// All that a clock grants for the moves of a game.
fn time_used(TimeControl { moves, base, increment }: TimeControl) -> Duration {
    let periods = moves.map_or(1.0, |moves| f64::from(MOVES) / f64::from(moves.get()));
    base.mul_f64(periods) + increment * MOVES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_takes_what_its_limits_grant() {
        let table = [
            // control, nodes a second, seconds a game
            ("8+0.08", None, Some(19.2)),
            ("40/60", None, Some(135.0)),
            ("inf,st=0.1", None, Some(12.0)),
            ("inf,nodes=20000", Some(1_000_000), Some(2.4)),
            ("8+0.08,nodes=20000", Some(1_000_000), Some(2.4)),
            ("inf,nodes=20000", None, None),
            ("inf,depth=8", None, None),
        ];
        for (control, rate, seconds) in table {
            let control: Control = control.parse().expect(control);
            let length = GameLength::under(&control, rate).map(|length| length.each.as_secs_f64());
            let close =
                length.zip(seconds).is_some_and(|(found, told): (f64, f64)| (found - told).abs() < 1e-6);
            assert!(
                close || (length.is_none() && seconds.is_none()),
                "{control:?}: {length:?} for {seconds:?}"
            );
        }
    }

    #[test]
    fn games_fill_the_time_on_all_cores() {
        let length = GameLength::measured(Duration::from_secs(20));
        assert!((length.games_in(Duration::from_mins(30), 2) - 180.0).abs() < 1e-9);
        assert!((length.seconds_of(180.0, 2) - 1800.0).abs() < 1e-9);
    }
}
