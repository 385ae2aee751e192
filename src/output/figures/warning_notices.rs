//! Warnings about the output of engines while a run goes on: a line for the first of each engine and rule.

use std::collections::BTreeSet;

use threefold_games::game::GameRecord;
use threefold_games::warning::{WarningPolicy, WarningRule};
use threefold_report::{fen, game_place};
use threefold_run::JobResult;

/// The warnings that were shown.
pub(crate) struct WarningNotices {
    policy: WarningPolicy,
    seen: BTreeSet<(String, WarningRule)>,
}

impl WarningNotices {
    /// None was shown.
    pub(crate) const fn new(policy: WarningPolicy) -> Self {
        Self { policy, seen: BTreeSet::new() }
    }

    /// A line for each warning that is the first of its engine and rule.
    pub(crate) fn of(&mut self, job: usize, result: &JobResult) -> Vec<String> {
        match result {
            JobResult::Game(game) => self.of_game(job, game),
            JobResult::Case(_) => Vec::new(),
        }
    }

    fn of_game(&mut self, job: usize, game: &GameRecord) -> Vec<String> {
        let counted = game.warnings.iter().filter(|warning| !self.policy.ignored.contains(&warning.rule));
        let first = counted.filter_map(|warning| {
            let engine = game.warned_engine(warning);
            self.seen.insert((engine.to_owned(), warning.rule)).then(|| {
                let (rule, place) = (warning.rule, game_place(job + 1));
                format!(
                    "warning: {engine}: {rule}: {}; {place}: {}; position fen {}",
                    rule.summary(),
                    warning.detail,
                    // Without its history, which is a line of its own length; the report has it.
                    fen(&game.warned_position(warning))
                )
            })
        });
        first.collect()
    }
}
