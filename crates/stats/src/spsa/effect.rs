//! What a tune shows of each parameter: how far it moved, and whether it matters.
//!
//! *Noise*: were a parameter without effect, each iteration would move it by r · c · flip times a difference
//! of results with mean 0, so the drift has the standard deviation √Σ (r · c)² · v · pairs, where v is the
//! variance of a pair.
//!
//! *Slope and curvature*: the difference of both sides in an iteration, in Elo, is the slope of the strength
//! times the difference of their values, if the strength is a parabola of the value: its slope at their
//! middle. So a least-squares line through these slopes over the middles is fitted, weighted by pairs. The
//! flips of the parameters are independent, so each parameter is fitted alone and the others are noise.
//!
//! A parameter without effect is a random walk, and such a line through a random walk falls by chance: its values seem to
//! return to their mean. That is the situation of Dickey and Fuller's test of a unit root, whose critical value for a walk
//! with an unknown mean is used here (W. A. Fuller, Introduction to Statistical Time Series, 1976, table 8.5.2).

use super::tune::Tune;
use crate::elo::{Estimate, Logistic, NORMALIZED_SCALE, Z95};

/// The Elo for each game of a pair that is won and not lost, near equal strength: 400 / ln 10.
const ELO_OF_EXCESS: f64 = NORMALIZED_SCALE / 2.0;

/// A parameter after a tune.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParameterEffect {
    /// The value at the end less that at the start.
    pub drift: f64,
    /// The standard deviation of the drift of a parameter without effect; 0 without results.
    pub noise: f64,
    /// The slope of the strength at the mean of the played values, in Elo for each `c_end`; `None` with too few
    /// results.
    pub slope: Option<Estimate<Logistic>>,
    /// The Elo lost at a distance of `c_end` from the best value; `None` unless the values return to a best one more
    /// than those of a parameter without effect would.
    pub curvature: Option<Estimate<Logistic>>,
    /// Does the strength depend on it so much that the games show it, with an error probability of 5 %? `None` with too
    /// few results.
    pub is_measurable: Option<bool>,
}

/// The quantile of the normal distribution for a two-sided test at 2.5 %: the tests of slope and curvature share 5 %.
const SLOPE_CRITICAL: f64 = 2.241_4;

/// Dickey and Fuller's critical value at 2.5 %, for many results and an unknown mean.
const CURVATURE_CRITICAL: f64 = -3.12;

impl ParameterEffect {
    /// The effects of all parameters, in their order.
    pub fn of_tune(tune: &Tune) -> Vec<Self> {
        let variance = variance(tune);
        let mut sums = vec![Sums::default(); tune.values().len()];
        for (iteration, result) in (0..).zip(tune.results()) {
            let Some([one, other]) = tune.sides(iteration) else { break };
            for (place, sum) in sums.iter_mut().enumerate() {
                let parameter = &tune.settings().parameters.all()[place];
                let gains = tune.gains(parameter, iteration);
                let pairs = f64::from(result.pairs);
                sum.steps += (gains.r * gains.c).powi(2) * pairs;
                // In units of `c_end`.
                let [one, other] =
                    [one[place], other[place]].map(|value| (value - parameter.value) / parameter.c_end);
                sum.add(one - other, f64::midpoint(one, other), pairs, f64::from(result.excess));
            }
        }
        let start = &tune.path()[0];
        let both = sums.iter().zip(tune.values().iter().zip(start));
        both.map(|(sum, (value, start))| sum.effect(value - start, variance)).collect()
    }

    /// The drift in units of its noise; `None` without results.
    pub fn drift_in_noise(&self) -> Option<f64> {
        (self.noise > 0.0).then(|| self.drift / self.noise)
    }
}

/// The variance of the games won less the games lost of a pair; 0 without results.
fn variance(tune: &Tune) -> f64 {
    let (pairs, squares) = tune.results().iter().fold((0.0, 0.0), |(pairs, squares), result| {
        (pairs + f64::from(result.pairs), squares + f64::from(result.squares))
    });
    if pairs > 0.0 { squares / pairs } else { 0.0 }
}

/// Sums over the iterations of one parameter, with the distance d of both sides, their middle m, the number of
/// pairs n and the sum y of the results.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    /// Σ n (r c)²
    steps: f64,
    /// Σ n d² mᵏ for k = 0, 1, 2.
    squares: [f64; 3],
    /// Σ y d mᵏ for k = 0, 1.
    products: [f64; 2],
}

impl Sums {
    fn add(&mut self, distance: f64, middle: f64, pairs: f64, excess: f64) {
        let weight = pairs * distance * distance;
        for (sum, power) in self.squares.iter_mut().zip([1.0, middle, middle * middle]) {
            *sum += weight * power;
        }
        for (sum, power) in self.products.iter_mut().zip([1.0, middle]) {
            *sum += excess * distance * power;
        }
    }

    fn effect(&self, drift: f64, variance: f64) -> ParameterEffect {
        let noise = (self.steps * variance).sqrt();
        let [weight, first, second] = self.squares;
        if weight <= 0.0 || variance <= 0.0 {
            return ParameterEffect { drift, noise, slope: None, curvature: None, is_measurable: None };
        }
        let slope = [self.products[0] / weight, (variance / weight).sqrt()];
        let has_slope = (slope[0] / slope[1]).abs() > SLOPE_CRITICAL;
        // At the mean of the middles slope and curvature are uncorrelated.
        let mean = first / weight;
        let spread = second - mean * first;
        // The middles of a parameter that did not move show no curvature.
        let change = (spread > weight * 1e-9)
            .then(|| [(self.products[1] - mean * self.products[0]) / spread, (variance / spread).sqrt()]);
        let change = change.filter(|[change, error]| change / error < CURVATURE_CRITICAL);
        ParameterEffect {
            drift,
            noise,
            slope: Some(estimate(slope)),
            // Of a parabola -h x² the slope changes by -2 h, so h is half of the change.
            curvature: change.map(|[change, error]| estimate([-change / 2.0, error / 2.0])),
            is_measurable: Some(has_slope || change.is_some()),
        }
    }
}

/// A value and its standard error, in games won for each pair, as Elo.
fn estimate(measured: [f64; 2]) -> Estimate<Logistic> {
    let [value, error] = measured.map(|number| number * ELO_OF_EXCESS);
    let half = error * Z95;
    Estimate { low: Logistic(value - half), value: Logistic(value), high: Logistic(value + half) }
}

#[cfg(test)]
mod tests {
    use super::super::{IterationResult, Parameter, ParameterKind, Parameters, Schedule, TuneSettings};
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    /// A tune of two parameters. The strength is -h (x - 60)² Elo in the first, and does not depend on the second.
    fn tune(h: f64, seed: u64) -> Tune {
        let parameter = |name: &str| Parameter {
            name: name.to_owned(),
            kind: ParameterKind::Float,
            value: 40.0,
            min: 0.0,
            max: 100.0,
            c_end: 5.0,
            r_end: 0.02,
        };
        let parameters = Parameters::new(vec![parameter("used"), parameter("unused")]).expect("sound");
        let schedule = Schedule::usual(4_000, 4).expect("sound");
        let mut tune = Tune::new(TuneSettings { parameters, schedule, seed, ahead: 2 });
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        for iteration in 0..4_000 {
            let [one, other] = tune.sides(iteration).expect("open");
            let strength = |value: f64| -h * (value - 60.0).powi(2);
            let score = Logistic(strength(one[0]) - strength(other[0])).score();
            let mut result = IterationResult::default();
            for _ in 0..4 {
                // Two games, each won or lost.
                let mut game =
                    || if f64::from(random.next_u32()) < score * f64::from(u32::MAX) { 1 } else { -1 };
                result = result.with_pair(game() + game());
            }
            tune.record(result);
        }
        tune
    }

    #[test]
    fn effect_of_a_parabola_is_measured() {
        // 0.08 Elo for each unit squared are 2 Elo at a distance of 5.
        let (mut curvatures, mut within, mut unused) = (0.0, 0, 0);
        for seed in 0..20 {
            let tune = tune(0.08, seed);
            let [first, second] = ParameterEffect::of_tune(&tune)[..] else { panic!("two") };
            assert!((tune.values()[0] - 60.0).abs() < 8.0, "{:?}", tune.values());
            assert_eq!(first.is_measurable, Some(true), "{first:?}");
            let curvature = first.curvature.expect("many results");
            curvatures += curvature.value.0 / 20.0;
            within += usize::from((curvature.low.0..=curvature.high.0).contains(&2.0));
            unused += usize::from(second.is_measurable == Some(false));
            assert!(second.drift_in_noise().expect("results").abs() < 4.0, "{second:?}");
        }
        assert!((curvatures - 2.0).abs() < 0.5, "{curvatures}");
        assert!(within >= 17, "of 20 intervals with 95 % {within} have the true value");
        assert!(unused >= 17, "of 20 parameters without effect {unused} show none");
    }

    #[test]
    fn parameters_without_effect_rarely_show_one() {
        let all = (0..100).flat_map(|seed| ParameterEffect::of_tune(&tune(0.0, seed)));
        let shown = all.filter(|effect| effect.is_measurable == Some(true)).count();
        // 5 % of 200 are 10, with a standard deviation of 3.1.
        assert!(shown <= 20, "{shown} of 200");
        assert!(shown > 0, "a test that never errs tests nothing");
    }

    #[test]
    fn tune_without_results_shows_nothing() {
        let settings = tune(0.0, 1).settings().clone();
        for effect in ParameterEffect::of_tune(&Tune::new(settings)) {
            let none =
                ParameterEffect { drift: 0.0, noise: 0.0, slope: None, curvature: None, is_measurable: None };
            assert_eq!((effect, effect.drift_in_noise()), (none, None));
        }
    }
}
