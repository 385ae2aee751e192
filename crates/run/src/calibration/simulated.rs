//! Test data: a strength option, a precision, and simulated games.

use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::precision::PrecisionTarget;
use super::strength_option::StrengthOption;
use crate::fault_budget::FaultCount;
use crate::{JobResult, MatchTask, Part, PartEnding, PartProgress, PartResult, RecordedResult, Task};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_games::game::{GameEnd, GameOutcome, GameRecord, MoveRecord};
use threefold_games::game_summary::{GameSummary, MoveSummary};
use threefold_games::opening::Opening;
use threefold_games::pairing::ScheduledGame;
use threefold_player::EngineSpec;

pub(super) fn option() -> StrengthOption {
    StrengthOption::new("echo,name=Echo".parse().expect("sound"), "UCI_Elo".to_owned())
}

/// A required precision for all levels, in Elo.
pub(super) const fn everywhere(precision: f64) -> PrecisionTarget {
    PrecisionTarget { precision, range: f64::NEG_INFINITY..=f64::INFINITY }
}

/// A match between two players, with random results by their true Elo.
pub(super) struct SimulatedMatch {
    part: Part,
    /// The results, game by game.
    pub(super) results: Vec<RecordedResult>,
}

impl SimulatedMatch {
    pub(super) fn play(players: [(&EngineSpec, f64); 2], pairs: usize, seed: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let task = MatchTask::new(
            players.map(|(engine, _)| engine.clone()).to_vec(),
            vec![Opening::start_position()],
            pairs,
        );
        let game = |scheduled: ScheduledGame| {
            let seats = [scheduled.white, scheduled.black];
            let [white, black] = seats.map(|seat| players[seat].1);
            let chance = 1.0 / (1.0 + 10_f64.powf((black - white) / 400.0));
            let outcome = if random.random_bool(chance) { GameOutcome::White } else { GameOutcome::Black };
            let game = GameRecord {
                played: vec![played(), played()],
                ..GameRecord::new(
                    seats.map(|seat| players[seat].0.name.clone()),
                    GamePosition::start_position(),
                    outcome,
                    GameEnd::Checkmate,
                )
            };
            // The moves stand for any moves, so no game repeats another.
            let summary = game.summary();
            let played = MoveSummary { identity: None, ..summary.played.clone() };
            JobResult::Game(GameSummary { played, ..summary })
        };
        let results = task.schedule().all_games().map(game).collect();
        let part = Part::without_labels("simulated".to_owned(), Task::Match(task));
        Self { part, results }
    }

    pub(super) fn record(&self) -> PartResult<'_> {
        let jobs = self.results.len();
        let ending = Some(PartEnding::Complete);
        PartResult {
            part: &self.part,
            suite: None,
            progress: PartProgress {
                tune: None,
                ended: jobs,
                counted: jobs,
                jobs,
                ending,
                test: None,
                faults: FaultCount::default(),
            },
            results: self.results.iter().collect(),
            time_left: &[],
            workers: vec![None; jobs],
            builds: vec![&[]; jobs],
            traffic: vec![None; jobs],
        }
    }
}

fn played() -> MoveRecord {
    MoveRecord {
        depth: Ply(1),
        nodes: 10,
        used: Some(Duration::from_secs(2)),
        ..MoveRecord::new("e2e4".parse().expect("a move"))
    }
}
