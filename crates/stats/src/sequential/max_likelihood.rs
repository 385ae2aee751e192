//! The likeliest laws under a hypothesis, and the generalised likelihood ratio of two.
//!
//! A hypothesis fixes one number of the law of a trial: its mean score, or its mean over its spread. Which of the
//! many laws with that number? The one under which the data is likeliest. Sources: Van den Bergh, "MLE of a
//! multinomial distribution with known mean" and "Comments on normalized Elo"; fishtest's `LLRcalc`.

use crate::root_finding::secular;
use crate::sample::Sample;

/// What a hypothesis fixes of the law of a trial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Hypothesis {
    /// The mean score, from 0 to 1.
    Mean(f64),
    /// How many standard deviations of a trial the mean score lies above 1/2.
    TValue(f64),
}

/// A hypothesis' likeliest law `q`, as the ratios `p / q` of the observed law to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MaxLikelihood<const K: usize> {
    pub(super) ratios: [f64; K],
}

/// Rounds of the fixed point for a given t-value. It takes 4 to 25, and hundreds where a second likeliest law has just
/// ceased to be one: the search lingers where it was.
const MAX_ROUNDS: u32 = 2000;

/// When the fixed point's mean and spread count as settled.
const SETTLED: f64 = 1e-12;

/// When they do, once rounding keeps them from coming closer.
const NEARLY_SETTLED: f64 = 1e-9;

impl<const K: usize> MaxLikelihood<K> {
    /// Among the laws that a hypothesis allows. `None` if there is none, or the search meets none.
    pub fn under(sample: &Sample<K>, hypothesis: Hypothesis) -> Option<Self> {
        match hypothesis {
            Hypothesis::Mean(mean) => Self::with_mean(sample, mean),
            Hypothesis::TValue(t) => Self::with_t_value(sample, t),
        }
    }

    /// Among the laws whose mean score is `mean`. `None` if `mean` is not strictly between 0 and 1.
    pub fn with_mean(sample: &Sample<K>, mean: f64) -> Option<Self> {
        let ratios = secular(sample.law(), &Sample::<K>::scores().map(|score| score - mean))?;
        Some(Self { ratios })
    }

    /// Among the laws whose mean score is so many standard deviations of a trial above 1/2.
    /// `None` only for t-values beyond ±0.94, which leave no room between all losses and
    /// all wins.
    ///
    /// The condition is not linear in the law; it is made so around the mean and spread of the last law found,
    /// beginning with the uniform one, until they settle. If they never do, the last law found stands: it meets the
    /// condition nearly.
    pub fn with_t_value(sample: &Sample<K>, t: f64) -> Option<Self> {
        let mut around = Moments::of(&[1.0 / K as f64; K]);
        let mut last: Option<Round> = None;
        let mut cautious: Option<Moments> = None;
        let mut latest = None;
        for _ in 0..MAX_ROUNDS {
            let Some(found) = Self::with_t_value_around(sample, t, around) else {
                let Some(step_back) = cautious.take() else { break };
                around = step_back;
                continue;
            };
            latest = Some(found);
            let round = Round { around, found: Moments::of(&found.law(sample)) };
            let stuck = last.is_some_and(|last| last.distance() <= round.distance());
            if round.distance() <= if stuck { NEARLY_SETTLED } else { SETTLED } {
                return Some(found);
            }
            (around, last, cautious) = match last {
                Some(last) => (round.next_after(&last), None, Some(round.found)),
                None => (round.found, Some(round), None),
            };
        }
        latest
    }

    /// Among the laws with that t-value to first order around a mean and spread.
    fn with_t_value_around(sample: &Sample<K>, t: f64, around: Moments) -> Option<Self> {
        let phi = Sample::<K>::scores().map(|score| {
            let deviation = (score - around.mean) / around.deviation;
            score - 0.5 - 0.5 * t * around.deviation * (1.0 + deviation * deviation)
        });
        secular(sample.law(), &phi).map(|ratios| Self { ratios })
    }

    /// The observed law over this one, class by class; all positive.
    pub const fn ratios(&self) -> &[f64; K] {
        &self.ratios
    }

    /// The law itself.
    pub fn law(&self, sample: &Sample<K>) -> [f64; K] {
        let mut law = *sample.law();
        law.iter_mut().zip(self.ratios).for_each(|(p, ratio)| *p /= ratio);
        law
    }

    /// How much likelier the sample is under `self` than under `other`: the natural logarithm of the ratio.
    pub fn against(&self, other: &Self, sample: &Sample<K>) -> f64 {
        let classes = sample.law().iter().zip(self.ratios.iter().zip(other.ratios));
        sample.trials() * classes.map(|(p, (ours, theirs))| p * (theirs / ours).ln()).sum::<f64>()
    }
}

#[derive(Debug, Clone, Copy)]
struct Moments {
    mean: f64,
    deviation: f64,
}

impl Moments {
    fn of<const K: usize>(law: &[f64; K]) -> Self {
        let scores = Sample::<K>::scores();
        let mean: f64 = law.iter().zip(scores).map(|(q, score)| q * score).sum();
        let variance: f64 =
            law.iter().zip(scores).map(|(q, score)| q * (score - mean) * (score - mean)).sum();
        Self { mean, deviation: variance.sqrt() }
    }
}

/// One round of the fixed point: from the moments linearised around to those of the law found.
#[derive(Debug, Clone, Copy)]
struct Round {
    around: Moments,
    found: Moments,
}

impl Round {
    fn step(&self) -> [f64; 2] {
        [self.found.mean - self.around.mean, self.found.deviation - self.around.deviation]
    }

    /// How far the round moved, as a part of the spread.
    fn distance(&self) -> f64 {
        let [mean, deviation] = self.step();
        mean.abs().max(deviation.abs()) / self.found.deviation
    }

    /// Where to go on: with rare results the plain iteration creeps, and steps that shrink by a steady factor are
    /// summed up at once (Aitken). Growing steps are left alone; they lead out of a bottleneck.
    fn next_after(&self, last: &Self) -> Moments {
        let (now, before) = (self.step(), last.step());
        let factor =
            (now[0] * before[0] + now[1] * before[1]) / (before[0] * before[0] + before[1] * before[1]);
        let ahead = factor / (1.0 - factor);
        let sound = factor.abs() < 1.0 && (ahead * self.distance()).abs() < 0.5;
        if !sound {
            return self.found;
        }
        Moments { mean: self.found.mean + ahead * now[0], deviation: self.found.deviation + ahead * now[1] }
    }
}
