//! Whether the speed of a worker has changed since its first games.
//!
//! A worker's clocks are scaled once, by the speed of its machine before its first game. If other programs or
//! heat change that speed, its games have another time control than the others. So for each engine the nodes
//! per second of a worker's latest games are compared with those of its first ones, by the means of their
//! logarithms (Welch's test).

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use shakmaty::Color;

use threefold_games::game::GameRecord;

/// The games of each of the two samples.
const SAMPLE: usize = 20;
/// The smallest change that counts, as a factor: from 100 to 70, or from 70 to 100.
const LEAST_CHANGE: f64 = 0.7;
/// The smallest number of standard errors that counts: a probability of about 1 in 100,000 for a normal
/// distribution.
const LEAST_ERRORS: f64 = 4.5;
/// An engine's thinking time in a game with less is not measured.
const LEAST_TIME: Duration = Duration::from_millis(200);

/// The speeds of an engine on a worker: logarithms of nodes per second, one for each game.
#[derive(Debug, Default)]
struct Speeds {
    first: Vec<f64>,
    latest: VecDeque<f64>,
}

/// The speeds of all engines on all workers.
#[derive(Debug, Default)]
pub(super) struct SpeedRecords {
    speeds: BTreeMap<(usize, String), Speeds>,
}

impl SpeedRecords {
    /// Adds a game of a worker; returns how its speed has changed, if it has.
    pub(super) fn record(&mut self, worker: usize, game: &GameRecord) -> Option<String> {
        let mut change = None;
        for (player, color) in game.players.iter().zip([Color::White, Color::Black]) {
            if let Some(speed) = speed_of(game, color) {
                let speeds = self.speeds.entry((worker, player.clone())).or_default();
                let found = speeds.add(speed.ln());
                change = change.or_else(|| found.map(|[first, latest]| describe(player, first, latest)));
            }
        }
        change
    }
}

fn describe(player: &str, first: f64, latest: f64) -> String {
    format!(
        "`{player}` has {latest:.0} nodes per second in the latest {SAMPLE} games and had {first:.0} in the first {SAMPLE}; \
         start the worker again when no other program uses its processors"
    )
}

impl Speeds {
    /// Adds a game; returns the first and the latest speed, in nodes per second, if they differ.
    fn add(&mut self, speed: f64) -> Option<[f64; 2]> {
        if self.first.len() < SAMPLE {
            self.first.push(speed);
            return None;
        }
        self.latest.push_back(speed);
        if self.latest.len() > SAMPLE {
            self.latest.pop_front();
        }
        if self.latest.len() < SAMPLE {
            return None;
        }
        let (first, latest) =
            (Moments::from_sample(self.first.iter()), Moments::from_sample(self.latest.iter()));
        let change = latest.mean - first.mean;
        let error = (first.variance_of_mean + latest.variance_of_mean).sqrt();
        // The change must be large and not due to chance. In logarithms, 100 to 70 and 70 to 100 are equally
        // far.
        let is_changed = change.abs() >= -LEAST_CHANGE.ln() && change.abs() >= LEAST_ERRORS * error;
        is_changed.then(|| [first.mean.exp(), latest.mean.exp()])
    }
}

/// Mean and variance of the mean of a sample.
struct Moments {
    mean: f64,
    variance_of_mean: f64,
}

impl Moments {
    fn from_sample<'s>(sample: impl ExactSizeIterator<Item = &'s f64> + Clone) -> Self {
        let size = sample.len() as f64;
        let mean = sample.clone().sum::<f64>() / size;
        let squares = sample.map(|value| (value - mean).powi(2)).sum::<f64>();
        // The sample variance, with `size - 1` degrees of freedom, divided by `size`.
        Self { mean, variance_of_mean: squares / (size - 1.0) / size }
    }
}

/// The nodes per second of a player in a game. `None` unless a wall clock limits it, and it reports its
/// nodes.
fn speed_of(game: &GameRecord, color: Color) -> Option<f64> {
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for played in game.moves_of(color).filter(|played| played.timing.is_some()) {
        nodes += played.nodes;
        time += played.used.unwrap_or_default();
    }
    (nodes > 0 && time >= LEAST_TIME).then(|| nodes as f64 / time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use threefold_chess::position::GamePosition;
    use threefold_chess::score::Ply;
    use threefold_games::game::{GameEnd, GameOutcome, MoveRecord, MoveTiming};

    /// A game of ten moves in which White and Black have these speeds; `None` for a player that reports no
    /// nodes.
    fn game(speeds: [Option<u64>; 2], is_timed: bool) -> GameRecord {
        let used = Duration::from_millis(100);
        let timing = MoveTiming { sent: used, first_output: None, delays: None, cpu: None };
        let played = (0..10).map(|index| MoveRecord {
            depth: Ply(1),
            nodes: speeds[index % 2].map_or(0, |speed| speed / 10),
            used: Some(used),
            timing: is_timed.then_some(timing),
            ..MoveRecord::new("e2e4".parse().expect("a move"))
        });
        GameRecord {
            played: played.collect(),
            ..GameRecord::new(
                ["A", "B"],
                GamePosition::start_position(),
                GameOutcome::Draw,
                GameEnd::Stalemate,
            )
        }
    }

    #[test]
    fn speeds_are_those_of_timed_moves() {
        let timed = game([Some(50_000), None], true);
        assert!((speed_of(&timed, Color::White).expect("nodes") - 50_000.0).abs() < 1e-6);
        assert_eq!(speed_of(&timed, Color::Black), None);
        assert_eq!(speed_of(&game([Some(50_000), None], false), Color::White), None);
    }

    #[test]
    fn worker_that_slows_down_is_noticed_once_it_is_slow() {
        let mut records = SpeedRecords::default();
        let mut found = |worker, speed: u64| {
            // Games differ by up to 20 %.
            (0..100).find_map(|index| {
                records.record(worker, &game([Some(speed + speed * (index % 5) / 20), None], true))
            })
        };
        assert_eq!(found(1, 100_000), None);
        assert_eq!(found(2, 100_000), None);
        assert_eq!(found(1, 80_000), None, "a fifth is not enough");
        let why = found(1, 50_000).expect("half the speed");
        assert!(why.starts_with("`A` has ") && why.contains("had 109"), "{why}");
        assert_eq!(found(2, 100_000), None);
        assert!(found(2, 200_000).is_some(), "faster is different, too");
    }

    proptest! {
        #[test]
        fn steady_speeds_are_no_change(speeds in prop::collection::vec(70_000.0..100_000.0_f64, 40..200)) {
            let mut record = Speeds::default();
            for speed in speeds {
                prop_assert!(record.add(speed.ln()).is_none());
            }
        }
    }
}
