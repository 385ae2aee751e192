//! How engines used their clocks in the games of a part.

use super::played::Scheduled;
use crate::model::report::ClockUse;
use shakmaty::Color;
use threefold_chess::clock::LossCause;
use threefold_games::game::{GameEnd, GameOutcome};
use threefold_games::game_summary::ClockTimes;
use threefold_player::EngineSpec;
use threefold_run::job::MatchTask;
use threefold_run::time_left::TimeLeft;

/// Every engine's use of its clock; empty without clocks. `left` has the time left of each engine after its
/// moves.
pub(super) fn uses(task: &MatchTask, games: &[Scheduled<'_>], left: &[TimeLeft]) -> Vec<ClockUse> {
    let of_engine = |(seat, engine): (usize, &EngineSpec)| {
        let mut tally = Tally::default();
        for (scheduled, game) in games {
            for (side, (color, player)) in
                [(Color::White, scheduled.white), (Color::Black, scheduled.black)].into_iter().enumerate()
            {
                if player == seat {
                    tally.add_times(game.played.sides[side].clock);
                    if game.outcome == GameOutcome::win(!color) {
                        tally.read_end(&game.end);
                    }
                }
            }
        }
        tally.describe(&engine.name, left.get(seat).map(TimeLeft::means).unwrap_or_default())
    };
    task.engines.iter().enumerate().filter_map(of_engine).collect()
}

/// Sums over one engine's moves.
#[derive(Default)]
struct Tally {
    clock: Option<ClockTimes>,
    flags: u64,
    flags_of_the_machine: u64,
    flags_of_the_runner: u64,
}

impl Tally {
    fn add_times(&mut self, times: Option<ClockTimes>) {
        let Some(times) = times else { return };
        self.clock = Some(self.clock.map_or(times, |clock| clock.with(times)));
    }

    /// How a lost game ended.
    fn read_end(&mut self, end: &GameEnd) {
        if let Some((flag, delays)) = end.time_loss() {
            self.flags += 1;
            match flag.cause(delays) {
                Some(LossCause::Machine) => self.flags_of_the_machine += 1,
                Some(LossCause::Runner) => self.flags_of_the_runner += 1,
                Some(LossCause::Engine) | None => {}
            }
        }
    }

    fn describe(self, name: &str, left: Vec<f64>) -> Option<ClockUse> {
        let ClockTimes { moves, total, longest, least_left } = self.clock?;
        Some(ClockUse {
            name: name.to_owned(),
            moves,
            mean: total.div_f64(moves as f64),
            longest,
            least_left,
            flags: self.flags,
            flags_of_the_machine: self.flags_of_the_machine,
            flags_of_the_runner: self.flags_of_the_runner,
            left,
        })
    }
}
