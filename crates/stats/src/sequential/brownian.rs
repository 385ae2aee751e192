//! Brownian motion between two absorbing bounds: the distribution of where and when it stops.
//!
//! A test's log-likelihood ratio is approximately such a motion. Its distribution is known in closed form, in
//! two forms. The eigenfunction series is exact and converges quickly once the motion has had time to reach
//! both bounds. Before that, or for a strong drift, one reflection at each bound suffices. Sources:
//! fishtest's `brownian.py`; Siegmund, "Sequential Analysis", chapter 3.

use std::f64::consts::PI;

use super::judgement::Bounds;
use crate::elo::normal_cdf;

/// A Brownian motion that starts at 0 and stops at the first bound it reaches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Brownian {
    /// The absorbing bounds; 0 lies between them.
    pub bounds: Bounds,
    /// The drift per unit of time.
    pub drift: f64,
    /// The variance per unit of time; positive.
    pub variance: f64,
}

/// Where and when a motion stopped or was last observed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StopPoint {
    /// The time; positive.
    pub time: f64,
    /// The position: a bound, or a value between them.
    pub place: f64,
}

/// Time relative to the diffusion time between the bounds; the series converges slowly below.
const EARLY: f64 = 0.01;

/// Drift over the width, in units of variance; the series loses digits above.
const STRONG: f64 = 15.0;

/// Terms of the series smaller than this are dropped.
const NEGLIGIBLE: f64 = 1e-15;

/// Above this exponent a reflected tail is computed from its asymptotic expansion, which cannot overflow.
const DEEP: f64 = 5.0;

impl Brownian {
    /// The probability of a worse outcome. The order from worst to best: stopped at the lower bound, earlier
    /// is worse; not stopped, by position; stopped at the upper bound, later is worse.
    pub fn chance_of_worse(&self, outcome: StopPoint) -> f64 {
        let (crossings, pull) =
            (self.variance * outcome.time / self.width().powi(2), self.pull() * self.width());
        let chance = if crossings < EARLY || pull.abs() > STRONG {
            self.by_reflection(outcome)
        } else {
            self.by_series(outcome)
        };
        // The series is cut off and the reflection is approximate, so both may leave the range by a little.
        chance.clamp(0.0, 1.0)
    }

    fn width(&self) -> f64 {
        self.bounds.upper - self.bounds.lower
    }

    /// The drift per unit of variance.
    fn pull(&self) -> f64 {
        self.drift / self.variance
    }

    /// The probability of ever stopping at the lower bound, minus that of being at or above the position now
    /// or later.
    fn by_series(&self, StopPoint { time, place }: StopPoint) -> f64 {
        let (width, pull) = (self.width(), self.pull());
        // From here on the lower bound is at 0.
        let (start, place) = (-self.bounds.lower, place - self.bounds.lower);
        let tilt = pull * width;
        // The decay rate of the first term, and the relative rates of the others.
        let fading = PI * PI * self.variance / (2.0 * width * width);
        let common = (pull * (place - start) - (fading + self.drift * pull / 2.0) * time).exp();
        let mut sum = 0.0;
        for n in (1_u32..).map(f64::from) {
            let faded = (-(n * n - 1.0) * fading * time).exp();
            let norm = tilt * tilt + PI * PI * n * n;
            let (sin, cos) = (n * PI * place / width).sin_cos();
            sum += faded * 2.0 * (tilt * sin - PI * n * cos) / norm * (n * PI * start / width).sin();
            // Compared by its largest possible value: a term that happens to be zero must not end the series.
            if common * faded * 2.0 * (tilt.abs() + PI * n) / norm <= NEGLIGIBLE {
                break;
            }
        }
        self.chance_of_lower(start) + common * sum
    }

    /// The probability of stopping at the lower bound.
    fn chance_of_lower(&self, start: f64) -> f64 {
        const NO_PULL: f64 = 1e-8;
        let (width, pull) = (self.width(), self.pull());
        // The limit without drift: the quotient below would be 0/0.
        if (pull * width).abs() < NO_PULL {
            (width - start) / width
        } else {
            (2.0 * pull * (width - start)).exp_m1() / (2.0 * pull * width).exp_m1()
        }
    }

    fn by_reflection(&self, StopPoint { time, place }: StopPoint) -> f64 {
        let Bounds { lower, upper } = self.bounds;
        let (travelled, deviation) = (self.drift * time, (self.variance * time).sqrt());
        let direct = normal_cdf((place - travelled) / deviation);
        let below = self.reflected(lower, (2.0 * lower - place + travelled) / deviation);
        let above = self.reflected(upper, (place - 2.0 * upper - travelled) / deviation);
        direct + below - above
    }

    /// The tail at `z` of the motion reflected at a bound, with its weight.
    fn reflected(&self, bound: f64, z: f64) -> f64 {
        let exponent = self.pull() * bound;
        if exponent < DEEP {
            return (2.0 * exponent).exp() * normal_cdf(z);
        }
        // Here z is below -4: the weight may overflow and the tail underflow; only their product is accurate.
        -(2.0 * exponent - z * z / 2.0).exp() / (2.0 * PI).sqrt() * (1.0 / z - 1.0 / z.powi(3))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BOUNDS: Bounds = Bounds { lower: -2.0, upper: 3.0 };

    fn motion(drift: f64) -> Brownian {
        Brownian { bounds: BOUNDS, drift, variance: 0.01 }
    }

    #[test]
    fn brownian_motion_ends_at_a_bound() {
        // After a long time every motion has stopped: worse than any position between is only the lower
        // bound.
        for (drift, lower) in [(0.0, 0.6), (0.005, 0.129_470), (-0.005, 0.956_668)] {
            for place in [-1.0, 0.5, 2.0] {
                let chance = motion(drift).chance_of_worse(StopPoint { time: 1e5, place });
                assert!((chance - lower).abs() < 1e-5, "drift {drift}: {chance}");
            }
        }
    }

    /// In the middle between the bounds the first term of the series is zero; the series must not end there.
    #[test]
    fn brownian_series_continues_after_a_zero_term() {
        let motion = Brownian { bounds: Bounds { lower: -1.0, upper: 1.5 }, drift: 0.0, variance: 1.0 };
        let at = |place| motion.chance_of_worse(StopPoint { time: 0.3, place });
        let (middle, other) = (at(0.25), f64::midpoint(at(0.25 - 1e-6), at(0.25 + 1e-6)));
        assert!((middle - other).abs() < 1e-9, "{middle} other {other}");
    }

    #[test]
    fn brownian_series_and_reflection_agree() {
        for drift in [-0.01, 0.0, 0.01] {
            for place in [BOUNDS.lower, -1.0, 0.0, 1.0, BOUNDS.upper] {
                let outcome = StopPoint { time: 30.0, place };
                let (series, reflected) =
                    (motion(drift).by_series(outcome), motion(drift).by_reflection(outcome));
                assert!((series - reflected).abs() < 1e-6, "{drift} {place}: {series} and {reflected}");
            }
        }
    }

    proptest! {
        /// The order of outcomes: along the lower bound with time, then by position, then back along the
        /// upper bound.
        #[test]
        fn brownian_order_of_outcomes_is_monotone(
            drift in -0.05..0.05_f64,
            time in 1.0..2000.0_f64,
            between in prop::array::uniform2(0.0..1.0_f64),
            later in 1.0..3.0_f64,
        ) {
            let motion = motion(drift);
            let worse = |time, place| motion.chance_of_worse(StopPoint { time, place });
            let mut places = between.map(|part| BOUNDS.lower + part * motion.width());
            places.sort_by(f64::total_cmp);
            let ordered = [
                worse(time, BOUNDS.lower),
                worse(time * later, BOUNDS.lower),
                worse(time * later, places[0]),
                worse(time * later, places[1]),
                worse(time * later, BOUNDS.upper),
                worse(time, BOUNDS.upper),
            ];
            // One reflection at each bound has an error of at most 1e-3.
            prop_assert!(ordered.is_sorted_by(|a, b| *a <= *b + 1e-3), "{ordered:?}");
        }

        #[test]
        fn brownian_chance_of_worse_decreases_with_drift(
            drift in -0.05..0.05_f64, more in 0.0..0.02_f64, time in 1.0..2000.0_f64, part in 0.0..=1.0_f64,
        ) {
            let outcome = StopPoint { time, place: BOUNDS.lower + part * 5.0 };
            let (weak, strong) = (motion(drift).chance_of_worse(outcome), motion(drift + more).chance_of_worse(outcome));
            prop_assert!(strong <= weak + 1e-3, "{strong} above {weak}");
        }
    }
}
