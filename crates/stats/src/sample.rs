//! Relative frequencies of results, with their moments over the scores 0 … 1.
//!
//! Without regularisation a maximum-likelihood distribution assigns probability 0 to results that have not
//! occurred. fishtest, fastchess and OpenBench add a thousandth of a trial to every empty class, and so does
//! [`Sample::regularised`]; [`Sample::raw`] has the observed frequencies.

use std::array;

use super::pentanomial::ResultCounts;

/// Weight added to an empty class, in trials.
pub const PRIOR: f64 = 1e-3;

/// Frequencies of `K` results with the scores 0, 1/(K-1), … 1 of a trial. Never empty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample<const K: usize> {
    trials: f64,
    probabilities: [f64; K],
}

impl<const K: usize> Sample<K> {
    /// The number of games per trial.
    pub const GAMES_PER_TRIAL: f64 = ResultCounts::<K>::GAMES_PER_TRIAL as f64;

    /// The frequencies as counted; `None` without a trial.
    pub fn raw(tally: &ResultCounts<K>) -> Option<Self> {
        Self::from_weights(tally.counts.map(|count| count as f64))
    }

    /// The frequencies with a thousandth of a trial in each empty class; `None` without a trial.
    pub fn regularised(tally: &ResultCounts<K>) -> Option<Self> {
        let weights = tally.counts.map(|count| if count == 0 { PRIOR } else { count as f64 });
        if tally.trials() == 0 { None } else { Self::from_weights(weights) }
    }

    /// Normalises finite weights that are not negative and not all zero; `None` for others.
    pub fn from_weights(weights: [f64; K]) -> Option<Self> {
        let trials: f64 = weights.iter().sum();
        let sound = weights.iter().all(|&weight| weight >= 0.0) && trials > 0.0 && trials.is_finite();
        sound.then(|| Self { trials, probabilities: weights.map(|weight| weight / trials) })
    }

    /// The score of a class, from 0 to 1.
    pub fn score_of(class: usize) -> f64 {
        class as f64 / (K - 1) as f64
    }

    /// The scores of all classes.
    pub fn scores() -> [f64; K] {
        array::from_fn(Self::score_of)
    }

    /// The number of trials, including regularisation.
    pub const fn trials(&self) -> f64 {
        self.trials
    }

    /// The relative frequencies.
    pub const fn probabilities(&self) -> &[f64; K] {
        &self.probabilities
    }

    /// The mean score of a trial, from 0 to 1.
    pub fn mean(&self) -> f64 {
        self.probabilities.iter().zip(Self::scores()).map(|(p, score)| p * score).sum()
    }

    /// The variance of a trial's score.
    pub fn variance(&self) -> f64 {
        self.central_moment(2)
    }

    /// The variance of one game's score if the games of a trial were independent.
    pub fn variance_per_game(&self) -> f64 {
        self.variance() * Self::GAMES_PER_TRIAL
    }

    /// The standard error of the mean.
    pub fn standard_error(&self) -> f64 {
        (self.variance() / self.trials).sqrt()
    }

    /// The third standardised moment; NaN if all trials ended alike.
    pub fn skewness(&self) -> f64 {
        self.central_moment(3) / self.variance().powf(1.5)
    }

    /// The excess kurtosis: the fourth standardised moment minus 3; NaN if all trials ended alike.
    pub fn excess_kurtosis(&self) -> f64 {
        self.central_moment(4) / self.variance().powi(2) - 3.0
    }

    fn central_moment(&self, order: i32) -> f64 {
        let mean = self.mean();
        self.probabilities.iter().zip(Self::scores()).map(|(p, score)| p * (score - mean).powi(order)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::pentanomial::{Pentanomial, Trinomial};
    use super::*;

    #[test]
    fn moments_of_fair_coins() {
        let coin = Sample::raw(&Trinomial { counts: [5, 0, 5] }).expect("ten games");
        assert_eq!(
            (coin.mean(), coin.variance(), coin.skewness(), coin.excess_kurtosis()),
            (0.5, 0.25, 0.0, -2.0)
        );
        let pair = Sample::raw(&Pentanomial { counts: [1, 0, 2, 0, 1] }).expect("four pairs");
        assert_eq!((pair.mean(), pair.variance_per_game()), (0.5, 0.25));
    }

    #[test]
    fn regularisation_adds_a_thousandth_to_empty_classes() {
        let sample = Sample::regularised(&Trinomial { counts: [0, 1, 0] }).expect("one game");
        assert!((sample.trials() - 1.002).abs() < 1e-15);
        assert_eq!(Sample::regularised(&Trinomial::EMPTY), None);
        assert_eq!(Sample::raw(&Trinomial::EMPTY), None);
        assert_eq!(Sample::from_weights([f64::NAN, 1.0, 0.0]), None);
    }
}
