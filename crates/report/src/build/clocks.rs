//! How engines used their clocks in the games of a part.

use std::time::Duration;

use super::super::model::ClockUse;
use super::games::Scheduled;
use shakmaty::Color;
use threefold_chess::clock::{Flag, LossCause};
use threefold_harness::arena::game::{GameEnd, GameOutcome, MoveRecord};
use threefold_harness::run::job::MatchTask;

/// Every engine's use of its clock; empty without clocks.
pub(super) fn uses(task: &MatchTask, games: &[Scheduled<'_>]) -> Vec<ClockUse> {
    let of_engine = |(seat, engine): (usize, &threefold_harness::player::EngineSpec)| {
        let mut tally = Tally::default();
        for (fixture, game) in games {
            for (color, player) in [(Color::White, fixture.white), (Color::Black, fixture.black)] {
                if player == seat {
                    tally.read(game.moves_of(color));
                    if game.outcome == GameOutcome::win(!color) {
                        tally.read_end(&game.end);
                    }
                }
            }
        }
        tally.describe(&engine.name)
    };
    task.engines.iter().enumerate().filter_map(of_engine).collect()
}

/// Sums over one engine's moves.
#[derive(Default)]
struct Tally {
    moves: u64,
    total: Duration,
    longest: Duration,
    least_left: Option<Duration>,
    flags: u64,
    flags_of_the_machine: u64,
    flags_of_the_runner: u64,
    /// For the first, second, … move: seconds left, summed, and in how many games.
    left: Vec<(f64, u32)>,
}

impl Tally {
    fn read<'g>(&mut self, moves: impl Iterator<Item = &'g MoveRecord>) {
        for (index, played) in moves.enumerate() {
            let (Some(used), Some(left)) = (played.used, played.left) else { continue };
            self.moves += 1;
            self.total += used;
            self.longest = self.longest.max(used);
            self.least_left = Some(self.least_left.map_or(left, |least| least.min(left)));
            if self.left.len() <= index {
                self.left.resize(index + 1, (0.0, 0));
            }
            self.left[index].0 += left.as_secs_f64();
            self.left[index].1 += 1;
        }
    }

    /// How a lost game ended.
    fn read_end(&mut self, end: &GameEnd) {
        if let GameEnd::TimeForfeit { over, delays } = *end {
            self.flags += 1;
            match (Flag { over }).cause(delays) {
                Some(LossCause::Machine) => self.flags_of_the_machine += 1,
                Some(LossCause::Runner) => self.flags_of_the_runner += 1,
                Some(LossCause::Engine) | None => {}
            }
        }
    }

    fn describe(self, name: &str) -> Option<ClockUse> {
        let least_left = self.least_left?;
        let mean = self.total.div_f64(self.moves as f64);
        Some(ClockUse {
            name: name.to_owned(),
            moves: self.moves,
            mean,
            longest: self.longest,
            least_left,
            flags: self.flags,
            flags_of_the_machine: self.flags_of_the_machine,
            flags_of_the_runner: self.flags_of_the_runner,
            left: self.left.into_iter().map(|(seconds, games)| seconds / f64::from(games.max(1))).collect(),
        })
    }
}
