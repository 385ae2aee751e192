//! Several takes against one base: how they share the games of a run.

use threefold_run::{RunRecord, TakesRule, Task};

/// How the takes share the games. Their tests are the matches of the report, in the same order.
#[derive(Debug, Clone, PartialEq)]
pub struct Takes {
    /// When the run ends, and what the level guarantees.
    pub rule: TakesRule,
    /// For each take, the number of games of all takes after each of its pairs or single games.
    pub games: Vec<Vec<u64>>,
}

impl Takes {
    /// The takes of a run, if it is one of several.
    pub(crate) fn from_run(run: &RunRecord) -> Option<Self> {
        let (rule, order) = (run.spec().takes?, run.counted_order()?);
        let steps: Vec<usize> = run
            .spec()
            .parts
            .iter()
            .map(|part| match &part.task {
                Task::Match(task) => task.rules.encounter.games(),
                Task::Suite(_) => 1,
            })
            .collect();
        let mut games = vec![Vec::new(); steps.len()];
        for (number, key) in (1..).zip(order) {
            // A pair is one step of its test, which has no value between its two games.
            if (key.job + 1).is_multiple_of(steps[key.part]) {
                games[key.part].push(number);
            }
        }
        Some(Self { rule, games })
    }
}
