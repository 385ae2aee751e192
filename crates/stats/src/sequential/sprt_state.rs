//! A running SPRT: updated pair by pair, it reports the ratio and the decision.
//!
//! Pairs are recorded in schedule order. The ratio is computed after each pair; the test may end only after
//! each whole batch, as in fishtest, where a batch is one worker's result. A test of single games, which are
//! part of no pair, computes the ratio after each game.

use std::num::NonZeroU32;

use super::hypotheses::{EloModel, InvalidTest, TrialUnit};
use super::judgement::{Bounds, Judgement};
use super::overshoot::{Overshoot, OvershootLadders};
use super::sprt::Sprt;
use super::warm_start::WarmStart;
use crate::pentanomial::{GameResult, Trial};
use crate::scoresheet::Scoresheet;

/// The configuration of an SPRT.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SprtConfig {
    sprt: Sprt,
    counts: TrialUnit,
    batch: NonZeroU32,
    overshoot: Overshoot,
}

impl From<Sprt> for SprtConfig {
    /// The default: may end after every pair, at Wald's bounds.
    fn from(sprt: Sprt) -> Self {
        let counts = TrialUnit::usual(sprt.model());
        Self { sprt, counts, batch: NonZeroU32::MIN, overshoot: Overshoot::Ignore }
    }
}

impl SprtConfig {
    /// A test on these trials that may end after each whole `batch` of pairs. BayesElo does not support
    /// pairs.
    pub fn new(
        sprt: Sprt,
        counts: TrialUnit,
        batch: NonZeroU32,
        overshoot: Overshoot,
    ) -> Result<Self, InvalidTest> {
        match (sprt.model(), counts) {
            (EloModel::BayesElo, TrialUnit::Pairs) => Err(InvalidTest::PairsUnknown),
            (EloModel::BayesElo, TrialUnit::Games) | (EloModel::Normalized | EloModel::Logistic, _) => {
                Ok(Self { sprt, counts, batch, overshoot })
            }
        }
    }

    /// The hypotheses and error rates.
    pub const fn sprt(&self) -> &Sprt {
        &self.sprt
    }

    /// What the test counts as one trial: a pair or a game.
    pub const fn counts(&self) -> TrialUnit {
        self.counts
    }

    /// The batch size in pairs.
    pub const fn batch(&self) -> NonZeroU32 {
        self.batch
    }

    /// The treatment of overshoot.
    pub const fn overshoot(&self) -> Overshoot {
        self.overshoot
    }
}

/// The state of a running test after a trial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// The pair that the trial completed.
    pub pair: Option<[GameResult; 2]>,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// The decision; always `Continue` within a batch.
    pub judgement: Judgement,
}

/// A running test.
#[derive(Debug, Clone, PartialEq)]
pub struct SprtState {
    config: SprtConfig,
    sheet: Scoresheet,
    llr: f64,
    pursuit: WarmStart,
    ladders: OvershootLadders,
}

impl SprtState {
    /// Its configuration.
    pub const fn config(&self) -> &SprtConfig {
        &self.config
    }

    /// Before the first pair.
    pub fn new(config: SprtConfig) -> Self {
        let pursuit = WarmStart::new(config.sprt);
        let (sheet, ladders) = (Scoresheet::default(), OvershootLadders::default());
        Self { config, sheet, llr: 0.0, pursuit, ladders }
    }

    /// Records the next pair in schedule order: the first player's results.
    pub fn record(&mut self, pair: [GameResult; 2]) -> Look {
        self.record_trial(pair.into())
    }

    /// Records the next pair or single game in schedule order. Two single games in a row are a pair of a
    /// batch; without batches the test may end after each game.
    pub fn record_trial(&mut self, trial: Trial) -> Look {
        let pair = self.sheet.record_trial(trial);
        let llr = match self.config.counts {
            TrialUnit::Pairs => self.pursuit.llr(self.sheet.pairs()),
            TrialUnit::Games => self.pursuit.llr(self.sheet.games()),
        };
        // Before the first trial of its kind, a test has no evidence.
        let llr = llr.unwrap_or_default();
        self.llr = llr;
        let batch = u64::from(self.config.batch.get());
        let is_whole = batch == 1 || (pair.is_some() && self.sheet.pairs().trials().is_multiple_of(batch));
        let judgement = if is_whole { self.judge(llr) } else { Judgement::Continue };
        Look { pair, llr, judgement }
    }

    fn judge(&mut self, llr: f64) -> Judgement {
        if self.config.overshoot == Overshoot::Correct {
            self.ladders.observe(llr);
        }
        self.bounds().judge(llr)
    }

    /// The current bounds: Wald's, or corrected for overshoot.
    pub fn bounds(&self) -> Bounds {
        // Without correction the ladders stay empty, which moves no bound.
        self.ladders.narrow(self.config.sprt.bounds())
    }

    /// The log-likelihood ratio after the last trial; 0 before the first.
    pub const fn llr(&self) -> f64 {
        self.llr
    }

    /// The results so far, by pair and by game.
    pub const fn sheet(&self) -> &Scoresheet {
        &self.sheet
    }

    /// The ladder heights of the ratio; empty unless overshoot is corrected.
    pub const fn ladders(&self) -> &OvershootLadders {
        &self.ladders
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequential::Risks;

    fn test(model: EloModel) -> SprtConfig {
        Sprt::new(model, 0.0, 50.0, Risks::USUAL).expect("a sound test").into()
    }

    fn counting(config: SprtConfig, counts: TrialUnit) -> Result<SprtConfig, InvalidTest> {
        SprtConfig::new(config.sprt, counts, config.batch, config.overshoot)
    }

    /// The number of pairs until the decision if every pair ends like this.
    fn pairs_until_over(config: SprtConfig, pair: [GameResult; 2]) -> u64 {
        let mut running = SprtState::new(config);
        while running.record(pair).judgement == Judgement::Continue {}
        running.sheet().pairs().trials()
    }

    #[test]
    fn sprt_ends_after_whole_batches_only() {
        use GameResult::{Draw, Win};
        let every_pair = pairs_until_over(test(EloModel::Logistic), [Draw, Win]);
        assert!(every_pair > 8 && !every_pair.is_multiple_of(8), "{every_pair}");
        let batch = NonZeroU32::new(8).expect("not zero");
        let every_eighth = pairs_until_over(SprtConfig { batch, ..test(EloModel::Logistic) }, [Draw, Win]);
        assert_eq!(every_eighth, every_pair.next_multiple_of(8));
    }

    #[test]
    fn sprt_of_single_games_may_end_after_each_game() {
        use GameResult::{Draw, Win};
        let by_games =
            counting(test(EloModel::Logistic), TrialUnit::Games).expect("logistic Elo knows games");
        let games_until_over = |config: SprtConfig, first: usize| {
            let mut running = SprtState::new(config);
            let games = [Win, Draw, Draw].into_iter().cycle().skip(first);
            let mut judgements = games.map(|game| running.record_trial(Trial::Game(game)).judgement);
            judgements.position(|judgement| judgement != Judgement::Continue).expect("it ends") + 1
        };
        let ends: Vec<usize> = (0..3).map(|first| games_until_over(by_games, first)).collect();
        assert!(ends.iter().any(|games| games % 2 == 1), "{ends:?}");
        // A batch of four pairs is one of eight games.
        let batch = NonZeroU32::new(4).expect("not zero");
        let in_batches = (0..3).map(|first| games_until_over(SprtConfig { batch, ..by_games }, first));
        assert!(in_batches.clone().all(|games| games % 8 == 0), "{:?}", in_batches.collect::<Vec<_>>());
    }

    #[test]
    fn overshoot_correction_shortens_tests() {
        use GameResult::{Draw, Win};
        let correcting = SprtConfig { overshoot: Overshoot::Correct, ..test(EloModel::Logistic) };
        assert!(
            pairs_until_over(correcting, [Draw, Win])
                < pairs_until_over(test(EloModel::Logistic), [Draw, Win])
        );
    }

    #[test]
    fn bayeselo_counts_games() {
        assert_eq!(test(EloModel::BayesElo).counts(), TrialUnit::Games);
        assert_eq!(test(EloModel::Logistic).counts(), TrialUnit::Pairs);
        let refused =
            counting(test(EloModel::BayesElo), TrialUnit::Pairs).expect_err("it knows no pairs").to_string();
        assert_eq!(refused, "BayesElo supports single games only; count games, or test logistic Elo");
    }

    #[test]
    fn games_have_less_evidence_than_pairs_with_biased_openings() {
        use GameResult::{Loss, Win};
        let pairs = [[Win, Loss], [Loss, Win], [Win, Win], [Win, Loss]];
        let last = |config: SprtConfig| {
            let mut running = SprtState::new(config);
            pairs.iter().cycle().take(20).map(|&pair| running.record(pair).llr).last().expect("20 pairs")
        };
        let by_pairs = last(test(EloModel::Normalized));
        let by_games =
            last(counting(test(EloModel::Normalized), TrialUnit::Games).expect("normalized Elo knows both"));
        assert!(0.0 < by_games && by_games < by_pairs, "{by_games} and {by_pairs}");
    }
}
