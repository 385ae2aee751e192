//! The betting test that goes along with an SPRT: the same bounds, in scores.
//!
//! Bounds in logistic Elo *are* scores. Normalized Elo is a score over its spread, and a bet needs a score that was
//! settled beforehand; so a test with normalized bounds begins with a pilot that shows the spread and is not bet on.
//! It ends by itself: when the squared distances of its scores from 1/2 add up to 1, which takes 16 pairs of a
//! typical book and some 400 where 98 % of the games are drawn, always a small part of a test's length in that unit.
//! Given the pilot, the guarantee is that of any betting test between the two scores it names. A bound of 0 is the
//! score 1/2 in either unit, whatever the spread.

use super::betting::{Bets, Prior};
use crate::stats::{Logistic, Model, Sample, Sprt, planning};

/// A pilot is over when its scores' squared distances from 1/2 add up to this.
const ENOUGH_SPREAD: f64 = 1.0;

/// A betting test beside an SPRT, over trials with `K` results.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Esprt<const K: usize> {
    test: Sprt,
    pilot: Pilot,
    bets: Option<Bets<K>>,
}

/// The trials that show the spread, and are not bet on.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Pilot {
    trials: u64,
    squares: f64,
}

impl<const K: usize> Esprt<K> {
    /// The companion of `test`, before the first trial.
    pub fn new(test: &Sprt) -> Self {
        let mut companion = Self { test: *test, pilot: Pilot::default(), bets: None };
        if test.model() == Model::Logistic {
            // The spread plays no part in this unit.
            companion.begin(0.0);
        }
        companion
    }

    /// Bounds so far out that no score is left for them have no bets, ever.
    fn begin(&mut self, variance_per_game: f64) {
        let scores = planning::hypotheses(&self.test, variance_per_game);
        self.bets = Bets::new(scores, self.test.risks(), Prior::usual::<K>());
    }

    /// The next trial in the order of the schedule, by its class: half-points gained, below `K`.
    pub fn record(&mut self, class: usize) {
        if let Some(bets) = &mut self.bets {
            bets.record(class);
            return;
        }
        let before = self.pilot.squares;
        self.pilot.trials += 1;
        self.pilot.squares += (Sample::<K>::score_of(class) - 0.5).powi(2);
        if before < ENOUGH_SPREAD && ENOUGH_SPREAD <= self.pilot.squares {
            self.begin(self.pilot.squares / self.pilot.trials as f64 * Sample::<K>::GAMES_PER_TRIAL);
        }
    }

    /// The bets; `None` during a pilot.
    pub const fn bets(&self) -> Option<&Bets<K>> {
        self.bets.as_ref()
    }

    /// Trials that were not bet on.
    pub const fn pilot(&self) -> u64 {
        self.pilot.trials
    }

    /// The two hypotheses as the bets have them, H0 first; `None` during a pilot.
    pub fn hypotheses(&self) -> Option<[Logistic; 2]> {
        Some(self.bets?.scores().map(Logistic::of_score))
    }
}
