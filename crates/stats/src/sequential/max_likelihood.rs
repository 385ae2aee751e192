//! Maximum-likelihood distributions under a hypothesis, and the generalised likelihood ratio of two.
//!
//! A hypothesis fixes one parameter of a trial's distribution: its mean score, or its mean divided by its
//! standard deviation. The other parameters are those that maximise the likelihood of the data. Sources: Van
//! den Bergh, "MLE of a multinomial distribution with known mean" and "Comments on normalized Elo";
//! fishtest's `LLRcalc`.

use crate::root_finding::secular;
use crate::sample::Sample;

/// The parameter of a trial's distribution that a hypothesis fixes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Hypothesis {
    /// The mean score, from 0 to 1.
    Mean(f64),
    /// The number of standard deviations of a trial by which the mean score exceeds 1/2.
    TValue(f64),
}

/// A hypothesis' maximum-likelihood distribution `q`, stored as the ratios `p / q` of the observed
/// frequencies to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MaxLikelihood<const K: usize> {
    pub(super) ratios: [f64; K],
}

/// Iterations of the fixed point for a given t-value. It usually takes 4 to 25, and hundreds near a second
/// local maximum that has just vanished.
const MAX_ROUNDS: u32 = 2000;

/// Convergence limit of the fixed point's mean and standard deviation.
const SETTLED: f64 = 1e-12;

/// Convergence limit where rounding prevents a smaller one.
const NEARLY_SETTLED: f64 = 1e-9;

impl<const K: usize> MaxLikelihood<K> {
    /// The maximum under a hypothesis. `None` if no distribution satisfies it, or if the search finds none.
    pub fn under(sample: &Sample<K>, hypothesis: Hypothesis) -> Option<Self> {
        match hypothesis {
            Hypothesis::Mean(mean) => Self::with_mean(sample, mean),
            Hypothesis::TValue(t) => Self::with_t_value(sample, t),
        }
    }

    /// The maximum with the mean score `mean`. `None` unless `mean` is strictly between 0 and 1.
    pub fn with_mean(sample: &Sample<K>, mean: f64) -> Option<Self> {
        let ratios = secular(sample.probabilities(), &Sample::<K>::scores().map(|score| score - mean))?;
        Some(Self { ratios })
    }

    /// The maximum whose mean score is `t` standard deviations of a trial above 1/2. `None` only for t-values
    /// beyond ±0.94, which no distribution has.
    ///
    /// The condition is not linear in the distribution. It is linearised around the mean and standard
    /// deviation of the last iterate, starting from the uniform distribution, until they converge. If they do
    /// not, the last iterate is returned; it satisfies the condition approximately.
    pub fn with_t_value(sample: &Sample<K>, t: f64) -> Option<Self> {
        let mut around = Moments::from_probabilities(&[1.0 / K as f64; K]);
        let mut last: Option<Round> = None;
        let mut cautious: Option<Moments> = None;
        let mut latest = None;
        for _ in 0..MAX_ROUNDS {
            let Some(found) = Self::with_t_value_around(sample, t, around) else {
                // Around extrapolated moments there may be no distribution; then the plain step is taken
                // after all.
                let Some(step_back) = cautious.take() else { break };
                around = step_back;
                continue;
            };
            latest = Some(found);
            let round = Round { around, found: Moments::from_probabilities(&found.probabilities(sample)) };
            // Distances that no longer shrink have reached the rounding errors, if they are small.
            let stuck = last.is_some_and(|last| last.distance() <= round.distance());
            if round.distance() <= if stuck { NEARLY_SETTLED } else { SETTLED } {
                return Some(found);
            }
            // Plain and extrapolated steps alternate: an extrapolation needs two plain steps in a row.
            (around, last, cautious) = match last {
                Some(last) => (round.next_after(&last), None, Some(round.found)),
                None => (round.found, Some(round), None),
            };
        }
        latest
    }

    /// The maximum with that t-value, to first order around a mean and standard deviation.
    fn with_t_value_around(sample: &Sample<K>, t: f64, around: Moments) -> Option<Self> {
        // The standard deviation √v, to first order around its last value s, is (s + v / s) / 2.
        let phi = Sample::<K>::scores().map(|score| {
            let deviation = (score - around.mean) / around.deviation;
            score - 0.5 - 0.5 * t * around.deviation * (1.0 + deviation * deviation)
        });
        secular(sample.probabilities(), &phi).map(|ratios| Self { ratios })
    }

    /// The observed frequencies divided by this distribution, by class; all positive.
    pub const fn ratios(&self) -> &[f64; K] {
        &self.ratios
    }

    /// The probability of each result, from the worst; they add up to 1.
    pub fn probabilities(&self, sample: &Sample<K>) -> [f64; K] {
        let mut probabilities = *sample.probabilities();
        probabilities.iter_mut().zip(self.ratios).for_each(|(p, ratio)| *p /= ratio);
        probabilities
    }

    /// The natural logarithm of the likelihood ratio of `self` to `other`.
    pub fn against(&self, other: &Self, sample: &Sample<K>) -> f64 {
        // The ratios are p / q, so the quotient of two distributions is that of their ratios inverted.
        let classes = sample.probabilities().iter().zip(self.ratios.iter().zip(other.ratios));
        sample.trials() * classes.map(|(p, (ours, theirs))| p * (theirs / ours).ln()).sum::<f64>()
    }
}

#[derive(Debug, Clone, Copy)]
struct Moments {
    mean: f64,
    deviation: f64,
}

impl Moments {
    fn from_probabilities<const K: usize>(probabilities: &[f64; K]) -> Self {
        let scores = Sample::<K>::scores();
        let mean: f64 = probabilities.iter().zip(scores).map(|(q, score)| q * score).sum();
        let variance: f64 =
            probabilities.iter().zip(scores).map(|(q, score)| q * (score - mean) * (score - mean)).sum();
        Self { mean, deviation: variance.sqrt() }
    }
}

/// One iteration of the fixed point: the moments used for linearisation and those found.
#[derive(Debug, Clone, Copy)]
struct Round {
    around: Moments,
    found: Moments,
}

impl Round {
    fn step(&self) -> [f64; 2] {
        [self.found.mean - self.around.mean, self.found.deviation - self.around.deviation]
    }

    /// The change of the moments, relative to the standard deviation.
    fn distance(&self) -> f64 {
        let [mean, deviation] = self.step();
        mean.abs().max(deviation.abs()) / self.found.deviation
    }

    /// The next moments. With rare results the plain iteration is slow; geometric steps are extrapolated
    /// (Aitken). Growing steps are left unchanged.
    fn next_after(&self, last: &Self) -> Moments {
        let (now, before) = (self.step(), last.step());
        let factor =
            (now[0] * before[0] + now[1] * before[1]) / (before[0] * before[0] + before[1] * before[1]);
        // The sum of all further steps of a geometric series, in units of the present one.
        let ahead = factor / (1.0 - factor);
        let sound = factor.abs() < 1.0 && (ahead * self.distance()).abs() < 0.5;
        if !sound {
            return self.found;
        }
        Moments { mean: self.found.mean + ahead * now[0], deviation: self.found.deviation + ahead * now[1] }
    }
}
