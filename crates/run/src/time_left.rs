//! The time that an engine has left after its moves, over its games.

use std::collections::BTreeMap;

use shakmaty::Color;

use super::job::{JobKey, RunSpec, Task};
use threefold_games::game::{GameRecord, MoveRecord};

/// For the first, second, … move: seconds left, summed over the games, and the number of games that had a
/// clock then.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TimeLeft(Vec<(f64, u32)>);

impl TimeLeft {
    /// Adds the moves of one game.
    pub(super) fn add<'g>(&mut self, moves: impl Iterator<Item = &'g MoveRecord>) {
        for (index, played) in moves.enumerate() {
            let (Some(_), Some(left)) = (played.used, played.left) else { continue };
            if self.0.len() <= index {
                self.0.resize(index + 1, (0.0, 0));
            }
            self.0[index].0 += left.as_secs_f64();
            self.0[index].1 += 1;
        }
    }

    /// Mean seconds left after the first, second, … move.
    pub fn means(&self) -> Vec<f64> {
        self.0.iter().map(|&(seconds, games)| seconds / f64::from(games.max(1))).collect()
    }
}

/// The time left of each engine of each match, over the games that count. The games come in the order of the
/// schedule, and those that do not count yet wait.
pub(super) struct TimeLeftOfCounted<'s> {
    spec: &'s RunSpec,
    parts: Vec<Vec<TimeLeft>>,
    waiting: BTreeMap<JobKey, GameRecord>,
}

impl<'s> TimeLeftOfCounted<'s> {
    /// Without games.
    pub(super) fn new(spec: &'s RunSpec) -> Self {
        let engines = |task: &Task| match task {
            Task::Match(games) => games.engines.len(),
            Task::Suite(_) => 0,
        };
        let parts = spec.parts.iter().map(|part| vec![TimeLeft::default(); engines(&part.task)]).collect();
        Self { spec, parts, waiting: BTreeMap::new() }
    }

    /// Adds a game, after which this number of games of its part count.
    pub(super) fn add(&mut self, key: JobKey, game: GameRecord, counted: usize) {
        // What still waits of an earlier part does not count.
        self.waiting.retain(|waiting, _| waiting.part == key.part);
        self.waiting.insert(key, game);
        let Task::Match(task) = &self.spec.parts[key.part].task else { return };
        while let Some(first) = self.waiting.first_entry().filter(|first| first.key().job < counted) {
            let (key, game) = first.remove_entry();
            let Some(scheduled) = task.schedule().game(key.job) else { continue };
            for (color, engine) in [(Color::White, scheduled.white), (Color::Black, scheduled.black)] {
                self.parts[key.part][engine].add(game.moves_of(color));
            }
        }
    }

    /// For each part, each engine.
    pub(super) fn into_parts(self) -> Vec<Vec<TimeLeft>> {
        self.parts
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Part;
    use crate::job_tests;
    use threefold_chess::position::GamePosition;
    use threefold_chess::score::Ply;
    use threefold_games::game::{GameEnd, GameOutcome};

    /// A game of two moves, after which White and Black have this number of seconds left.
    fn game(left: [u64; 2]) -> GameRecord {
        let played = ["e2e4", "e7e5"].into_iter().zip(left).map(|(mv, left)| MoveRecord {
            depth: Ply(1),
            nodes: 1,
            used: Some(Duration::ZERO),
            left: Some(Duration::from_secs(left)),
            ..MoveRecord::new(mv.parse().expect("a move"))
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
    fn time_left_is_that_of_the_games_that_count() {
        let parts = ["one", "two"].map(|name| {
            let task = job_tests::task();
            Part::without_labels(name.to_owned(), Task::Match(task))
        });
        let spec = RunSpec { parts: parts.into(), ..RunSpec::default() };
        let means = |counted: [usize; 2]| {
            let mut left = TimeLeftOfCounted::new(&spec);
            left.add(JobKey { part: 0, job: 0 }, game([10, 20]), counted[0]);
            left.add(JobKey { part: 0, job: 1 }, game([30, 60]), counted[1]);
            left.add(JobKey { part: 1, job: 0 }, game([5, 6]), 1);
            let engines = |part: &Vec<TimeLeft>| part.iter().map(TimeLeft::means).collect::<Vec<_>>();
            left.into_parts().iter().map(engines).collect::<Vec<_>>()
        };
        let second = vec![vec![5.0], vec![6.0]];
        // Colours are reversed in the second game.
        assert_eq!(means([1, 2]), [vec![vec![35.0], vec![25.0]], second.clone()]);
        assert_eq!(means([0, 2]), means([1, 2]), "the first game waits for the second");
        assert_eq!(means([0, 1]), [vec![vec![10.0], vec![20.0]], second.clone()]);
        assert_eq!(means([0, 0]), [vec![Vec::new(), Vec::new()], second]);
    }
}
