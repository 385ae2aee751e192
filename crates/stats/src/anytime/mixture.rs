//! An anytime-valid confidence sequence for the mean score, from counts alone.
//!
//! Against "the mean is at most m" twenty gamblers stake fixed parts of their wealth, from 0.95 down to about
//! a thousandth. The evidence K⁺(m) is the mean of their wealths. Since the stakes are constant, the order of
//! results does not matter and counts suffice. K⁺ decreases in m, so the means that are not rejected form an
//! interval, and this interval covers the true mean at all times simultaneously with probability at least 1 -
//! α. The method applies to pairs, single games, and cases passed or failed, and also when all results are
//! equal.
//!
//! Sources: Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting" (mixture over
//! stakes); for the closed form Waudby-Smith et al., "Time-uniform central limit theory and asymptotic
//! confidence sequences".

use std::f64::consts::FRAC_1_SQRT_2;

use super::evidence::{EValue, log_mean_exp};
use crate::interval::Interval;
use crate::root_finding::{Slope, decreasing_root};
use crate::{Logistic, ResultCounts, Sample};

/// The number of gamblers.
pub const GAMBLERS: usize = 20;

/// Each gambler's stake as a part of the largest loss per trial: 0.95 · 2^(-j/2).
pub const STAKES: [f64; GAMBLERS] = {
    let mut stakes = [0.95; GAMBLERS];
    let mut j = 1;
    while j < GAMBLERS {
        stakes[j] = if j == 1 { 0.95 * FRAC_1_SQRT_2 } else { stakes[j - 2] / 2.0 };
        j += 1;
    }
    stakes
};

/// The gamblers against "the mean score is at most m", ready for any counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mixture<const K: usize> {
    /// By result: the logarithm of the factor on each gambler's wealth.
    growth: [[f64; GAMBLERS]; K],
}

impl<const K: usize> Mixture<K> {
    /// Bets against means of at most `mean`, from 0 to 1.
    pub fn against(mean: f64) -> Self {
        // At a mean of 0, a score of 0 would be 0/0.
        let ratio = |score: f64| if score == 0.0 { 0.0 } else { score / mean.max(0.0) };
        Self {
            growth: Sample::<K>::scores()
                .map(|score| STAKES.map(|stake| (stake * (ratio(score) - 1.0)).ln_1p())),
        }
    }

    /// K⁺: the e-value of these results.
    pub fn evidence(&self, results: &ResultCounts<K>) -> EValue {
        EValue::from_log(log_mean_exp(self.wealths(results).into_iter()))
    }

    /// The logarithm of each gambler's wealth.
    pub fn wealths(&self, results: &ResultCounts<K>) -> [f64; GAMBLERS] {
        let mut wealth = [0.0; GAMBLERS];
        // A result that never occurred may have an infinite factor.
        for (growth, count) in self.growth.iter().zip(results.counts).filter(|(_, count)| *count > 0) {
            wealth.iter_mut().zip(growth).for_each(|(wealth, growth)| *wealth += count as f64 * growth);
        }
        wealth
    }
}

/// The e-value against "the mean score is at most `mean`". At 1/2: evidence that the first player is
/// stronger.
pub fn above<const K: usize>(results: &ResultCounts<K>, mean: f64) -> EValue {
    Mixture::against(mean).evidence(results)
}

/// The e-value against "the mean score is at least `mean`".
pub fn below<const K: usize>(results: &ResultCounts<K>, mean: f64) -> EValue {
    above(&results.reversed(), 1.0 - mean)
}

/// Whether `mean` is in the confidence sequence. If it is the true mean, it is ever excluded with probability
/// at most `alpha`. Equivalent to [`interval`], without computing the ends.
pub fn contains<const K: usize>(results: &ResultCounts<K>, mean: f64, alpha: f64) -> bool {
    !above(results, mean).rejects(alpha / 2.0) && !below(results, mean).rejects(alpha / 2.0)
}

/// The confidence sequence of the mean score of a trial, from 0 to 1: it covers the true mean at all times
/// simultaneously with probability at least 1 - `alpha`.
pub fn interval<const K: usize>(results: &ResultCounts<K>, alpha: f64) -> Interval {
    Interval { low: lower_end(results, alpha / 2.0), high: 1.0 - lower_end(&results.reversed(), alpha / 2.0) }
}

/// The ends of [`interval`] in logistic Elo; [`f64::INFINITY`] where there is no bound.
pub fn elo<const K: usize>(results: &ResultCounts<K>, alpha: f64) -> [Logistic; 2] {
    let Interval { low, high } = interval(results, alpha);
    [low, high].map(Logistic::of_score)
}

/// The lower end: all smaller means are rejected at `alpha`. 0 as long as there are no points.
fn lower_end<const K: usize>(results: &ResultCounts<K>, alpha: f64) -> f64 {
    let Some(sample) = Sample::raw(results) else { return 0.0 };
    let mean = sample.mean();
    if mean == 0.0 {
        return 0.0;
    }
    let enough = -alpha.ln();
    // About 1.8 times as wide as a fixed-sample interval.
    let start = mean - 3.6 * sample.standard_error();
    // At the sample mean no wealth exceeds 1 (Jensen), so the root is below it.
    decreasing_root(0.0, mean, start, |m| {
        let Slope { value, derivative } = log_evidence(results, m);
        Slope { value: value - enough, derivative }
    })
}

/// ln K⁺ and its derivative in m.
fn log_evidence<const K: usize>(results: &ResultCounts<K>, mean: f64) -> Slope {
    let (mut wealth, mut slopes) = ([0.0; GAMBLERS], [0.0; GAMBLERS]);
    for (score, count) in
        Sample::<K>::scores().into_iter().zip(results.counts).filter(|(_, count)| *count > 0)
    {
        let (ratio, count) = (score / mean, count as f64);
        for ((wealth, slope), stake) in wealth.iter_mut().zip(&mut slopes).zip(STAKES) {
            let gain = stake * (ratio - 1.0);
            *wealth += count * gain.ln_1p();
            *slope -= count * stake * ratio / (mean * (1.0 + gain));
        }
    }
    let value = log_mean_exp(wealth.into_iter());
    // The derivative of ln K⁺ is the mean of the slopes, each weighted with its wealth relative to K⁺.
    let weighted = wealth.iter().zip(slopes).map(|(wealth, slope)| (wealth - value).exp() * slope);
    Slope { value, derivative: weighted.sum::<f64>() / GAMBLERS as f64 }
}

/// An asymptotic confidence sequence for the mean score in closed form, for planning. It is narrowest after
/// about `best_at` trials. `None` before the first trial.
pub fn asymptotic<const K: usize>(results: &ResultCounts<K>, alpha: f64, best_at: f64) -> Option<Interval> {
    let sample = Sample::raw(results)?;
    let trials = sample.trials();
    let q = -2.0 * alpha.ln();
    let r = (q + q.ln_1p()) / best_at;
    let spread = trials * r + 1.0;
    let reach =
        (2.0 * sample.variance() * spread / (trials * trials * r) * (spread.sqrt() / alpha).ln()).sqrt();
    Some(Interval { low: sample.mean() - reach, high: sample.mean() + reach })
}

/// Checks one mean score trial by trial: is it still in the confidence sequence? Costs a few additions per
/// trial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Watch<const K: usize> {
    growth: [[[f64; GAMBLERS]; K]; 2],
    wealth: [[f64; GAMBLERS]; 2],
}

impl<const K: usize> Watch<K> {
    /// Before the first trial.
    pub fn new(mean: f64) -> Self {
        let above = Mixture::against(mean).growth;
        let mut below = Mixture::against(1.0 - mean).growth;
        // These bets are on 1 minus the score, whose classes have the reverse order.
        below.reverse();
        Self { growth: [above, below], wealth: [[0.0; GAMBLERS]; 2] }
    }

    /// Records the next trial by its class: half-points gained, below `K`.
    pub fn record(&mut self, class: usize) {
        for (wealth, growth) in self.wealth.iter_mut().zip(&self.growth) {
            wealth.iter_mut().zip(growth[class]).for_each(|(wealth, growth)| *wealth += growth);
        }
    }

    /// Whether the confidence sequence at `alpha` still contains the mean.
    pub fn contains(&self, alpha: f64) -> bool {
        let enough = -(alpha / 2.0).ln();
        // The mean of the wealths is at most the largest one: the exponentials are needed only near a
        // decision.
        self.wealth.iter().all(|wealth| {
            wealth.iter().all(|&wealth| wealth < enough) || log_mean_exp(wealth.iter().copied()) < enough
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Pentanomial;

    /// Counts on every scale, many of them zero.
    fn counts() -> impl Strategy<Value = [u64; 5]> {
        prop::array::uniform5(prop_oneof![Just(0), 0..5_u64, 0..1000_u64, 0..=1_000_000_000_u64])
    }

    #[test]
    fn mixture_interval_is_unknown_without_trials() {
        let nothing = Pentanomial::EMPTY;
        assert_eq!(interval(&nothing, 0.05), Interval::UNKNOWN);
        assert_eq!(asymptotic(&nothing, 0.05, 500.0), None);
        assert_eq!((above(&nothing, 0.5), contains(&nothing, 0.5, 0.05)), (EValue::ONE, true));
        assert_eq!(elo(&nothing, 0.05), [Logistic(f64::NEG_INFINITY), Logistic(f64::INFINITY)]);
    }

    #[test]
    fn perfect_score_has_one_finite_bound() {
        let perfect = Pentanomial { counts: [0, 0, 0, 0, 7] };
        let Interval { low, high } = interval(&perfect, 0.05);
        assert!((low - 0.393).abs() < 5e-4 && high.to_bits() == 1_f64.to_bits(), "{low} {high}");
        assert!(contains(&perfect, 1.0, 0.05) && !contains(&perfect, 0.0, 0.05));
    }

    /// The end is close to the mean on a scale set by the many losses.
    #[test]
    fn mixture_interval_exists_for_few_points_in_many_trials() {
        let results = Pentanomial { counts: [117_612_572, 1, 1, 798, 331] };
        let low = |alpha| interval(&results, alpha).low;
        let elasticity = (low(0.0005) / low(0.001)).ln() / 0.5_f64.ln();
        assert!((1.0 / elasticity - 1131.0).abs() < 0.1, "{} {} {elasticity}", low(0.0005), low(0.001));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn mixture_interval_contains_the_mean_and_is_symmetric(counts in counts(), alpha in 0.001..0.5_f64) {
            let results = Pentanomial { counts };
            let Interval { low, high } = interval(&results, alpha);
            prop_assert!(0.0 <= low && low <= high && high <= 1.0, "{low} {high}");
            let mirrored = interval(&results.reversed(), alpha);
            prop_assert!((low + mirrored.high - 1.0).abs() < 1e-12 && (high + mirrored.low - 1.0).abs() < 1e-12);
            if let Some(sample) = Sample::raw(&results) {
                prop_assert!(low <= sample.mean() + 1e-12 && sample.mean() - 1e-12 <= high);
                let wider = interval(&results, alpha / 2.0);
                prop_assert!(wider.low <= low && high <= wider.high);
                let (evidence, enough) = (above(&results, low).log(), -(alpha / 2.0).ln());
                prop_assert!(low < f64::MIN_POSITIVE || (evidence - enough).abs() < 1e-4, "{evidence} {enough}");
            }
        }

        #[test]
        fn contains_agrees_with_the_interval(counts in counts(), mean in 0.0..=1.0_f64, alpha in 0.001..0.5_f64) {
            let results = Pentanomial { counts };
            let Interval { low, high } = interval(&results, alpha);
            prop_assume!((mean - low).abs() > 1e-9 && (mean - high).abs() > 1e-9);
            prop_assert_eq!(contains(&results, mean, alpha), low <= mean && mean <= high, "{} {}", low, high);
        }

        #[test]
        fn mixture_evidence_increases_with_wins(counts in counts(), class in 0..4_usize, mean in 0.01..0.99_f64) {
            let results = Pentanomial { counts };
            let (mut more, mut better) = (results, results);
            more.counts[4] += 1;
            prop_assert!(above(&more, mean) >= above(&results, mean));
            if counts[class] > 0 {
                better.counts[class] -= 1;
                better.counts[class + 1] += 1;
                prop_assert!(above(&better, mean) >= above(&results, mean));
            }
        }

        #[test]
        fn results_are_never_nan(counts in counts(), mean in 0.0..=1.0_f64) {
            let results = Pentanomial { counts };
            prop_assert!(!above(&results, mean).log().is_nan() && !below(&results, mean).log().is_nan());
            prop_assert!(above(&results, 0.5).log().is_finite() && below(&results, 0.5).log().is_finite());
        }

        #[test]
        fn watch_equals_the_interval_of_the_counts(classes in prop::collection::vec(0..5_usize, 1..200), mean in 0.02..0.98_f64) {
            let (mut watch, mut results) = (Watch::<5>::new(mean), Pentanomial::EMPTY);
            for class in classes {
                watch.record(class);
                results.counts[class] += 1;
                prop_assert_eq!(watch.contains(0.05), contains(&results, mean, 0.05), "{:?}", results);
            }
        }
    }
}
