//! A test under way: told pair after pair, it says where it stands and whether it is over.
//!
//! Pairs come in the order of the schedule. The ratio is computed after each; the test may end only after each whole
//! batch of them, as in fishtest, where a batch is what one worker brings home.

use std::num::NonZeroU32;

use super::overshoot::{Ladders, Overshoot};
use super::pursuit::Pursuit;
use super::sprt::{Footing, InvalidSprt, Judgement, Model, Sprt};
use super::stopped::{self, Stopped};
use crate::closed_set;
use crate::stats::pentanomial::{GameResult, Pentanomial, Trinomial};

closed_set! {
    /// What a test counts as one trial.
    pub enum Trial {
        /// A pair of games from one opening with colours swapped, by its five results.
        Pair = "pair",
        /// A single game, by its three; what the games of a pair have in common is lost.
        Game = "game",
    }
}

/// A test as it is carried out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Procedure {
    sprt: Sprt,
    trial: Trial,
    batch: NonZeroU32,
    overshoot: Overshoot,
}

impl Trial {
    /// What a model is usually tested on: pairs, if it knows them.
    pub const fn usual(model: Model) -> Self {
        match model {
            Model::Normalized | Model::Logistic => Self::Pair,
            Model::BayesElo => Self::Game,
        }
    }
}

impl From<Sprt> for Procedure {
    /// The usual one: it may end after every pair, at Wald's bounds.
    fn from(sprt: Sprt) -> Self {
        let trial = Trial::usual(sprt.model());
        Self { sprt, trial, batch: NonZeroU32::MIN, overshoot: Overshoot::Ignore }
    }
}

impl Procedure {
    /// A test on these trials that may end after each whole `batch` of pairs. BayesElo knows no pairs as trials.
    pub fn new(
        sprt: Sprt,
        trial: Trial,
        batch: NonZeroU32,
        overshoot: Overshoot,
    ) -> Result<Self, InvalidSprt> {
        match (sprt.model(), trial) {
            (Model::BayesElo, Trial::Pair) => Err(InvalidSprt::PairsUnknown),
            (Model::BayesElo, Trial::Game) | (Model::Normalized | Model::Logistic, _) => {
                Ok(Self { sprt, trial, batch, overshoot })
            }
        }
    }

    /// What is tested.
    pub const fn sprt(&self) -> Sprt {
        self.sprt
    }

    /// What is counted.
    pub const fn trial(&self) -> Trial {
        self.trial
    }

    /// Pairs from one chance to end to the next.
    pub const fn batch(&self) -> NonZeroU32 {
        self.batch
    }

    /// What is done about steps over a bound.
    pub const fn overshoot(&self) -> Overshoot {
        self.overshoot
    }

    /// What the trials give the test to stand on.
    pub fn footing(&self, pairs: &Pentanomial, games: &Trinomial) -> Footing {
        match self.trial {
            Trial::Pair => Footing::of(pairs),
            Trial::Game => Footing::of(games),
        }
    }

    /// What the test says of the difference when it has stopped with these results; see [`stopped::estimate`].
    pub fn estimate(&self, pairs: &Pentanomial, games: &Trinomial, alpha: f64) -> Option<Stopped> {
        match self.trial {
            Trial::Pair => stopped::estimate(&self.sprt, pairs, alpha),
            Trial::Game => stopped::estimate(&self.sprt, games, alpha),
        }
    }
}

/// What a running test says after a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// The log-likelihood ratio.
    pub llr: f64,
    /// What it comes to; always to play on within a batch.
    pub judgement: Judgement,
}

/// A test under way.
#[derive(Debug, Clone, PartialEq)]
pub struct Running {
    procedure: Procedure,
    pairs: Pentanomial,
    games: Trinomial,
    pursuit: Pursuit,
    ladders: Ladders,
}

impl Running {
    /// Before the first pair.
    pub fn new(procedure: Procedure) -> Self {
        let pursuit = Pursuit::new(procedure.sprt);
        let (pairs, games) = (Pentanomial::EMPTY, Trinomial::EMPTY);
        Self { procedure, pairs, games, pursuit, ladders: Ladders::default() }
    }

    /// Takes in the next pair of the schedule: the first player's results.
    pub fn learn(&mut self, pair: [GameResult; 2]) -> Look {
        self.pairs.record(pair);
        for game in pair {
            self.games.record(game);
        }
        let llr = match self.procedure.trial {
            Trial::Pair => self.pursuit.llr(&self.pairs),
            Trial::Game => self.pursuit.llr(&self.games),
        };
        let llr = llr.expect("there is a trial, and of a kind that the model knows");
        let judgement = if self.pairs.trials().is_multiple_of(self.procedure.batch.get().into()) {
            self.judge(llr)
        } else {
            Judgement::KeepPlaying
        };
        Look { llr, judgement }
    }

    fn judge(&mut self, llr: f64) -> Judgement {
        let bounds = self.procedure.sprt.bounds();
        match self.procedure.overshoot {
            Overshoot::Ignore => bounds.judge(llr),
            Overshoot::Correct => {
                self.ladders.observe(llr);
                self.ladders.narrow(bounds).judge(llr)
            }
        }
    }

    /// The pairs so far.
    pub const fn pairs(&self) -> &Pentanomial {
        &self.pairs
    }

    /// The same, game by game.
    pub const fn games(&self) -> &Trinomial {
        &self.games
    }

    /// The extremes that the ratio has reached at its looks; none unless overshoot is corrected for.
    pub const fn ladders(&self) -> &Ladders {
        &self.ladders
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::sequential::sprt::Risks;

    fn test(model: Model) -> Procedure {
        Sprt::new(model, 0.0, 50.0, Risks::USUAL).expect("a sound test").into()
    }

    fn counting(procedure: Procedure, trial: Trial) -> Result<Procedure, InvalidSprt> {
        Procedure::new(procedure.sprt, trial, procedure.batch, procedure.overshoot)
    }

    /// How many pairs until the test is over, if each ends like this.
    fn pairs_until_over(procedure: Procedure, pair: [GameResult; 2]) -> u64 {
        let mut running = Running::new(procedure);
        while running.learn(pair).judgement == Judgement::KeepPlaying {}
        running.pairs().trials()
    }

    #[test]
    fn a_test_ends_only_after_a_whole_batch() {
        use GameResult::{Draw, Win};
        let every_pair = pairs_until_over(test(Model::Logistic), [Draw, Win]);
        assert!(every_pair > 8 && !every_pair.is_multiple_of(8), "{every_pair}");
        let batch = NonZeroU32::new(8).expect("not zero");
        let every_eighth = pairs_until_over(Procedure { batch, ..test(Model::Logistic) }, [Draw, Win]);
        assert_eq!(every_eighth, every_pair.next_multiple_of(8));
    }

    #[test]
    fn correcting_for_overshoot_ends_sooner() {
        use GameResult::{Draw, Win};
        let correcting = Procedure { overshoot: Overshoot::Correct, ..test(Model::Logistic) };
        assert!(
            pairs_until_over(correcting, [Draw, Win]) < pairs_until_over(test(Model::Logistic), [Draw, Win])
        );
    }

    #[test]
    fn bayeselo_counts_games() {
        assert_eq!(test(Model::BayesElo).trial(), Trial::Game);
        assert_eq!(test(Model::Logistic).trial(), Trial::Pair);
        let refused =
            counting(test(Model::BayesElo), Trial::Pair).expect_err("it knows no pairs").to_string();
        assert_eq!(
            refused,
            "BayesElo knows single games only; leave the trial at `game`, or test logistic Elo"
        );
    }

    #[test]
    fn games_see_less_than_pairs_where_openings_are_lopsided() {
        use GameResult::{Loss, Win};
        let pairs = [[Win, Loss], [Loss, Win], [Win, Win], [Win, Loss]];
        let last = |procedure: Procedure| {
            let mut running = Running::new(procedure);
            pairs.iter().cycle().take(20).map(|&pair| running.learn(pair).llr).last().expect("20 pairs")
        };
        let by_pairs = last(test(Model::Normalized));
        let by_games =
            last(counting(test(Model::Normalized), Trial::Game).expect("normalized Elo knows both"));
        assert!(0.0 < by_games && by_games < by_pairs, "{by_games} and {by_pairs}");
    }
}
