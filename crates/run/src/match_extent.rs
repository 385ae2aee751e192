//! What the scheduler needs to know of a match.

use super::distinct_pairs::PairCounting;
use super::fault_budget::FaultTolerance;
use super::job::MatchTask;
use super::scheduler::PartExtent;
use super::shard::JobShare;
use threefold_games::knockout::EncounterRule;
use threefold_games::pairing::{Schedule, TournamentFormat};
use threefold_stats::Logistic;

impl MatchTask {
    /// What the scheduler needs to know of it, without a limit of engine faults.
    pub fn extent(&self) -> PartExtent {
        let schedule = self.schedule();
        let encounter = EncounterRule::with_games(schedule.regular_games());
        PartExtent {
            jobs: schedule.games(),
            test: self.test().cloned(),
            encounter: (self.format == TournamentFormat::Knockout).then_some(encounter),
            max_faults: None,
            stop_after: None,
            is_asked_again: false,
            tolerance: self.fault_tolerance(),
            counting: PairCounting::default(),
            meeting: self.rules.encounter,
            book: self.deterministic_games(),
            budget: self.budget,
            share: JobShare::All,
        }
    }

    /// What the usual limit of its engine faults depends on.
    pub fn fault_tolerance(&self) -> FaultTolerance {
        self.test().map_or(FaultTolerance::Score, |test| {
            let [lower, upper] =
                [test.hypotheses().elo0(), test.hypotheses().elo1()].map(|elo| Logistic(elo).score());
            FaultTolerance::Difference(upper - lower)
        })
    }

    /// The games after which every opening was played, so that deterministic engines can only repeat games;
    /// `None` if wall time limits an engine, and in the order of cutechess-cli, in which the pairings share
    /// the openings.
    fn deterministic_games(&self) -> Option<usize> {
        let Schedule { openings, rules, .. } = self.schedule();
        (!self.is_on_wall_clocks() && rules.cutechess.is_none())
            .then(|| openings.saturating_mul(self.schedule().pairings() * rules.encounter.games()))
    }
}
