//! Estimates of the difference after a sequential test has stopped or was cancelled.
//!
//! A test stops because of its results, so the sample mean is biased towards the winner, and a fixed-sample
//! interval is too narrow. Here all outcomes are ordered from an early failure to an early pass. The estimate
//! is the difference under which the observed outcome is the median (median-unbiased); the interval is
//! defined in the same way (Siegmund). The log-likelihood ratio is approximated by a Brownian motion, so
//! small differences are estimated accurately and large ones only roughly. Source: fishtest's `sprt.py`;
//! results are in logistic Elo for every model.

use super::approximation::LlrSteps;
use super::brownian::{Brownian, StopPoint};
use super::judgement::{Bounds, Judgement};
use super::sprt::Sprt;
use crate::elo::{Estimate, Logistic};
use crate::pentanomial::ResultCounts;
use crate::root_finding::decreasing_crossing;
use crate::sample::Sample;

/// The estimate from a test's outcome.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoppedEstimate {
    /// The median-unbiased difference with an interval that respects the stopping rule, within ±1000 Elo.
    pub elo: Estimate<Logistic>,
    /// The likelihood of superiority, from 0 to 1: the probability of a worse outcome between equal players.
    pub superiority: f64,
}

/// Limit of estimates, in Elo.
const FURTHEST: f64 = 1000.0;

/// The search starts this many widths between the hypotheses away from them, and at least this many Elo.
const BEGINNING: (f64, f64) = (30.0, 1.0);

/// The estimate after these results, with the error probability `alpha` of the interval (0.05 for 95 %).
/// Valid for a test that ended at a bound and for one still between them.
///
/// `None` before the first trial, for pairs under BayesElo, and where a BayesElo test's hypotheses have equal
/// scores because all games were drawn.
pub fn estimate<const K: usize>(
    test: &Sprt,
    results: &ResultCounts<K>,
    alpha: f64,
) -> Option<StoppedEstimate> {
    let sample = Sample::regularised(results)?;
    let end = StoppedWalk::from_sample(test, &sample)?;
    Some(StoppedEstimate {
        elo: Estimate {
            low: end.difference_with(1.0 - alpha / 2.0),
            value: end.difference_with(0.5),
            high: end.difference_with(alpha / 2.0),
        },
        superiority: end.chance_of_worse(Logistic(0.0)),
    })
}

/// A test's outcome in terms of its log-likelihood ratio.
#[derive(Debug, Clone, Copy)]
struct StoppedWalk {
    steps: LlrSteps,
    bounds: Bounds,
    outcome: StopPoint,
}

impl StoppedWalk {
    /// A ratio beyond a bound is assumed to have reached it earlier, at a constant rate.
    fn from_sample<const K: usize>(test: &Sprt, sample: &Sample<K>) -> Option<Self> {
        let steps = LlrSteps::from_sample(test, sample)?;
        if steps.variance() <= 0.0 {
            return None;
        }
        let bounds = test.bounds();
        let drift = steps.drift(sample.mean());
        let reached = sample.trials() * drift;
        let outcome = match bounds.judge(reached) {
            Judgement::AcceptH0 => StopPoint { time: bounds.lower / drift, place: bounds.lower },
            Judgement::AcceptH1 => StopPoint { time: bounds.upper / drift, place: bounds.upper },
            Judgement::Continue => StopPoint { time: sample.trials(), place: reached },
        };
        Some(Self { steps, bounds, outcome })
    }

    /// The probability of a worse outcome at this difference. It decreases in the difference.
    fn chance_of_worse(&self, difference: Logistic) -> f64 {
        let motion = Brownian {
            bounds: self.bounds,
            drift: self.steps.drift(difference.score()),
            variance: self.steps.variance(),
        };
        motion.chance_of_worse(self.outcome)
    }

    /// The difference at which a worse outcome has this probability; clamped to the range.
    fn difference_with(&self, chance: f64) -> Logistic {
        let [elo0, elo1] = self.steps.scores.map(|score| Logistic::of_score(score).0);
        let (middle, width) = (f64::midpoint(elo0, elo1), elo1 - elo0);
        let excess = |elo| self.chance_of_worse(Logistic(elo)) - chance;
        let mut reach = (BEGINNING.0 * width).max(BEGINNING.1);
        loop {
            let (low, high) = ((middle - reach).max(-FURTHEST), (middle + reach).min(FURTHEST));
            // The chance falls with the difference, so a bracket without a sign change shows on which side
            // the root is.
            match (excess(low) > 0.0, excess(high) < 0.0) {
                (true, true) => return Logistic(decreasing_crossing(low, high, excess)),
                (false, _) if low <= -FURTHEST => return Logistic(low),
                (_, false) if high >= FURTHEST => return Logistic(high),
                _ => reach *= 2.0,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pentanomial::{Pentanomial, Trinomial};
    use crate::sequential::tests::any_counts;
    use crate::sequential::{EloModel, Risks};

    fn test(model: EloModel, elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(model, elo0, elo1, Risks::USUAL).expect("a sound test")
    }

    /// A pass at 2.5 standard errors is less significant than it looks, because the test stopped there.
    #[test]
    fn stopped_estimate_is_less_certain_than_a_fixed_match() {
        let test =
            Sprt::new(EloModel::Logistic, 0.0, 5.0, Risks { alpha: 0.1, beta: 0.05 }).expect("a sound test");
        let games = Trinomial { counts: [385, 2334, 449] };
        let stopped = estimate(&test, &games, 0.05).expect("there are games");
        assert!((stopped.superiority - 0.959).abs() < 1e-3, "{stopped:?}");
        let fixed = crate::elo::superiority(&games).expect("there are games");
        assert!((fixed - 0.987).abs() < 1e-3, "{fixed}");
        assert!(stopped.elo.value < crate::elo::logistic(&games).expect("there are games").value);
    }

    /// The reference values solve the Fokker-Planck equation of the log-likelihood ratio numerically
    /// (Crank-Nicolson in Python, 1,500 steps in place and time), and invert the probability of a worse
    /// outcome by bisection.
    #[test]
    fn estimate_has_the_interval_of_its_level() {
        let table = [
            // pairs, the estimate with its 95 % interval, the likelihood of superiority: passed, failed,
            // undecided
            ([90, 480, 900, 560, 120], [2.663, 10.478, 18.219], 0.9956),
            ([150, 560, 900, 500, 110], [-19.643, -10.118, -0.566], 0.0190),
            ([20, 110, 200, 118, 22], [-9.978, 4.436, 18.864], 0.7268),
        ];
        for (counts, expected, superior) in table {
            let results = Pentanomial { counts };
            let found = estimate(&test(EloModel::Logistic, 0.0, 5.0), &results, 0.05).expect("pairs");
            let elo = [found.elo.low.0, found.elo.value.0, found.elo.high.0];
            for (elo, expected) in elo.into_iter().zip(expected) {
                assert!((elo - expected).abs() < 0.05, "{counts:?}: {found:?}");
            }
            assert!((found.superiority - superior).abs() < 1e-3, "{counts:?}: {found:?}");
        }
    }

    #[test]
    fn estimate_is_none_without_information() {
        assert_eq!(estimate(&test(EloModel::Logistic, 0.0, 5.0), &Trinomial::EMPTY, 0.05), None);
        let pairs = Pentanomial { counts: [1, 2, 3, 2, 1] };
        assert_eq!(estimate(&test(EloModel::BayesElo, 0.0, 5.0), &pairs, 0.05), None);
    }

    fn sound<const K: usize>(test: &Sprt, results: &ResultCounts<K>) -> Result<(), TestCaseError> {
        let Some(StoppedEstimate { elo, superiority }) = estimate(test, results, 0.05) else {
            prop_assert!(results.trials() == 0 || test.model() == EloModel::BayesElo);
            return Ok(());
        };
        prop_assert!(elo.low <= elo.value && elo.value <= elo.high, "{elo:?}");
        prop_assert!(elo.low.0.abs() <= FURTHEST && elo.high.0.abs() <= FURTHEST, "{elo:?}");
        prop_assert!((0.0..=1.0).contains(&superiority), "{superiority}");
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn stopped_estimate_exists_for_every_end(
            pairs in any_counts::<5>(),
            games in any_counts::<3>(),
            model in prop::sample::select(EloModel::ALL),
            elo0 in -220.0..120.0,
            width in 0.001..100.0,
        ) {
            let test = test(model, elo0, elo0 + width);
            sound(&test, &pairs)?;
            sound(&test, &games)?;
        }

        #[test]
        fn estimates_are_antisymmetric_in_the_players(
            counts in prop::array::uniform5(0..3000_u64),
            model in prop::sample::select(&[EloModel::Logistic, EloModel::Normalized]),
            elo0 in -20.0..20.0,
            width in 0.5..20.0,
        ) {
            let pairs = Pentanomial { counts };
            let ours = estimate(&test(model, elo0, elo0 + width), &pairs, 0.05);
            let theirs = estimate(&test(model, -elo0 - width, -elo0), &pairs.reversed(), 0.05);
            if let (Some(ours), Some(theirs)) = (ours, theirs) {
                let mirrored = [
                    (ours.elo.value.0, theirs.elo.value.0),
                    (ours.elo.low.0, theirs.elo.high.0),
                    (ours.superiority - 0.5, theirs.superiority - 0.5),
                ];
                prop_assert!(mirrored.iter().all(|(our, their)| (our + their).abs() < 1e-5), "{mirrored:?}");
            }
        }
    }
}
