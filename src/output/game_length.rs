//! The length of games: assumptions that convert a time into a number of games, and back.
//!
//! The number of moves and the share of the clock that engines use are not known before a match. Both are
//! assumed, and every forecast states the assumptions.

use std::time::Duration;

use threefold_chess::clock::{Control, TimeControl};

/// Moves of each side in a game between engines, adjudication included.
const MOVES: u32 = 60;

/// The share of its clock that an engine uses in a game.
const SHARE_USED: f64 = 0.75;

/// The default time control.
const USUAL: &str = "8+0.08";

/// The length of a game, and the assumptions behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct GameLength {
    /// From the first move to the last.
    pub each: Duration,
    /// The assumptions, in words.
    pub assumed: String,
}

impl GameLength {
    /// A measured length.
    pub fn measured(each: Duration) -> Self {
        Self { each, assumed: "as given".to_owned() }
    }

    /// Games at the short time control of fishtest and OpenBench, if no limit is given.
    pub fn usual() -> Self {
        let control = USUAL.parse().expect("a control as users write it");
        let length = Self::under(&control, None).expect("a clock limits a game");
        Self { assumed: format!("at {USUAL}, the default, {}", length.assumed), ..length }
    }

    /// Games under a control, with engines of a given speed. `None` if nothing limits the time of a search.
    pub fn under(control: &Control, nodes_per_second: Option<u32>) -> Option<Self> {
        let by_clock = control.time.map(|time| time_used(time).mul_f64(SHARE_USED));
        let by_move = control.movetime.map(|each| each * MOVES);
        let by_nodes = control.nodes.zip(nodes_per_second).map(|(nodes, rate)| {
            Duration::try_from_secs_f64(nodes as f64 / f64::from(rate) * f64::from(MOVES))
                // A quarter, so that the time of both sides fits.
                .unwrap_or(Duration::MAX / 4)
        });
        // The tightest limit ends a search.
        let side = [by_clock, by_move, by_nodes].into_iter().flatten().min()?;
        let clock = if by_clock == Some(side) {
            format!(" and {} % of the clock", SHARE_USED * 100.0)
        } else {
            String::new()
        };
        Some(Self {
            each: side.saturating_mul(2),
            assumed: format!("assuming {MOVES} moves per side{clock}"),
        })
    }

    /// The mean length of games between engines: each has its control and, if it was measured, the time of
    /// its first move, which is taken for an upper estimate of the others. `None` if neither says how long an
    /// engine takes.
    pub fn of_engines(engines: &[(Control, Option<Duration>)]) -> Option<Self> {
        let mut seconds = 0.0;
        let mut assumed: Vec<String> = Vec::new();
        for (control, first) in engines {
            let by_control = Self::under(control, None);
            let by_first = first.map(|first| Self {
                each: first.saturating_mul(2 * MOVES),
                assumed: format!("assuming {MOVES} moves per side, each as long as the first"),
            });
            let side = by_control.into_iter().chain(by_first).min_by_key(|length| length.each)?;
            seconds += side.each.as_secs_f64();
            if !assumed.contains(&side.assumed) {
                assumed.push(side.assumed);
            }
        }
        let each = Duration::try_from_secs_f64(seconds / engines.len() as f64).ok()?;
        Some(Self { each, assumed: assumed.join(", or ") })
    }

    /// Number of games that fit into a time.
    pub fn games_in(&self, time: Duration, at_once: usize) -> f64 {
        time.as_secs_f64() * at_once as f64 / self.each.as_secs_f64()
    }

    /// Time for a number of games, in seconds.
    pub fn seconds_of(&self, games: f64, at_once: usize) -> f64 {
        games * self.each.as_secs_f64() / at_once as f64
    }
}

/// The total time on the clock of one side.
fn time_used(TimeControl { moves, base, increment }: TimeControl) -> Duration {
    let periods = moves.map_or(1.0, |moves| f64::from(MOVES) / f64::from(moves.get()));
    base.mul_f64(periods) + increment * MOVES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_length_follows_from_its_limits() {
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
                length.zip(seconds).is_some_and(|(found, text): (f64, f64)| (found - text).abs() < 1e-6);
            assert!(
                close || (length.is_none() && seconds.is_none()),
                "{control:?}: {length:?} for {seconds:?}"
            );
        }
    }

    #[test]
    fn first_moves_shorten_the_estimate_and_replace_a_missing_clock() {
        let millis = |millis| Some(Duration::from_millis(millis));
        let table = [
            // controls with first moves, seconds a game
            (vec![("8+0.08", millis(400)), ("8+0.08", None)], Some(19.2)),
            (vec![("8+0.08", millis(10)), ("8+0.08", millis(10))], Some(1.2)),
            (vec![("inf,nodes=500", millis(10)), ("8+0.08", None)], Some(10.2)),
            (vec![("inf,nodes=500", None), ("8+0.08", None)], None),
        ];
        for (engines, seconds) in table {
            let engines: Vec<_> =
                engines.iter().map(|(control, first)| (control.parse().expect("sound"), *first)).collect();
            let length = GameLength::of_engines(&engines).map(|length| length.each.as_secs_f64());
            let close =
                length.zip(seconds).is_some_and(|(found, text): (f64, f64)| (found - text).abs() < 1e-6);
            assert!(close || (length.is_none() && seconds.is_none()), "{length:?} for {seconds:?}");
        }
    }

    #[test]
    fn number_of_games_fills_the_time_on_all_cores() {
        let length = GameLength::measured(Duration::from_secs(20));
        assert!((length.games_in(Duration::from_mins(30), 2) - 180.0).abs() < 1e-9);
        assert!((length.seconds_of(180.0, 2) - 1800.0).abs() < 1e-9);
    }
}
