//! Root finding with guaranteed termination.
//!
//! Each equation has one root in a known bracket. Newton's method finds it quickly; bisection takes over
//! where a step would leave the bracket or shrink it too little. Every input yields a root in a bounded
//! number of evaluations, never NaN.

/// A function's value and derivative at a point.
#[derive(Debug, Clone, Copy)]
pub struct Slope {
    /// The function's value.
    pub value: f64,
    /// The function's derivative.
    pub derivative: f64,
}

/// Bisections from the bracket's width down to the smallest positive `f64` and to its last digit.
const MAX_EVALUATIONS: u32 = 1200;

/// The root in (`low`, `high`) of a decreasing function, to the last digits. The ends are never evaluated:
/// the function may have poles there.
pub fn decreasing_root(low: f64, high: f64, start: f64, function: impl Fn(f64) -> Slope) -> f64 {
    let (mut low, mut high) = (low, high);
    let mut x = if low < start && start < high { start } else { midpoint(low, high) };
    let mut last_width = high - low;
    for _ in 0..MAX_EVALUATIONS {
        let at = function(x);
        if at.value > 0.0 {
            low = x;
        } else if at.value < 0.0 {
            high = x;
        } else {
            // Zero, or NaN, which has no side on which to continue.
            return x;
        }
        let step = at.value / at.derivative;
        // An infinite derivative overflowed and does not show that the root is near.
        if at.derivative.is_finite() && step.abs() <= f64::EPSILON * x.abs() {
            return x;
        }
        // A step must be less than half as long as the last one, or bisection follows: this bounds their
        // number.
        let newton = x - step;
        let width = high - low;
        // A comparison with NaN is false, so a useless step falls through to bisection.
        let next = if low < newton && newton < high && (newton - x).abs() < 0.5 * last_width {
            newton
        } else {
            midpoint(low, high)
        };
        last_width = (next - x).abs().max(f64::MIN_POSITIVE).min(width);
        if (next - x).abs() <= 2.0 * f64::EPSILON * x.abs() || next <= low || high <= next {
            return next.clamp(low, high);
        }
        x = next;
    }
    x
}

fn midpoint(low: f64, high: f64) -> f64 {
    low + (high - low) / 2.0
}

/// The sign change of a function that is positive at `low` and not positive at `high`, without derivatives.
///
/// Inverse quadratic interpolation where three points promise a smooth function, bisection elsewhere. Source:
/// Chandrupatla, "A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function".
pub fn decreasing_crossing(low: f64, high: f64, function: impl Fn(f64) -> f64) -> f64 {
    let precision = f64::EPSILON * (high - low);
    // The newest point, the one on the other side of the sign change, and the one before.
    let (mut newest, mut across) = ((low, function(low)), (high, function(high)));
    let mut share = 0.5;
    for _ in 0..MAX_EVALUATIONS {
        let x = newest.0 + share * (across.0 - newest.0);
        let value = function(x);
        let before =
            if (value > 0.0) == (newest.1 > 0.0) { newest } else { std::mem::replace(&mut across, newest) };
        newest = (x, value);
        let best = if newest.1.abs() < across.1.abs() { newest } else { across };
        // The tolerance as a share of the bracket. From one half on, no point is that far from both ends.
        let least = (precision + 2.0 * f64::EPSILON * best.0.abs()) / (across.0 - newest.0).abs();
        if best.1 == 0.0 || least >= 0.5 {
            return best.0;
        }
        share = interpolation(newest, across, before).unwrap_or(0.5).clamp(least, 1.0 - least);
    }
    newest.0
}

/// Inverse quadratic interpolation: the relative position between the first two of three points at which the
/// parabola crosses zero; `None` where it may lie outside.
fn interpolation(a: (f64, f64), b: (f64, f64), c: (f64, f64)) -> Option<f64> {
    let (place, height) = ((a.0 - b.0) / (c.0 - b.0), (a.1 - b.1) / (c.1 - b.1));
    let smooth = height * height < place && (1.0 - height).powi(2) < 1.0 - place;
    smooth.then(|| {
        a.1 / (b.1 - a.1) * c.1 / (b.1 - c.1)
            + (c.0 - a.0) / (b.0 - a.0) * a.1 / (c.1 - a.1) * b.1 / (c.1 - b.1)
    })
}

/// Solves `Σ p_i φ_i / (1 + x φ_i) = 0` and returns the denominators `1 + x φ_i`, all positive.
///
/// The distribution `p_i / (1 + x φ_i)` maximises the likelihood of the data `p` among all under which φ has
/// mean 0. `None` unless φ takes both signs where p is positive; otherwise no distribution qualifies.
///
/// The sum falls from +∞ at the pole `-1 / max φ` to -∞ at `-1 / min φ`. If the class at an end is rare, the
/// root is close to that end's pole, and `1 + x φ` there suffers from cancellation. So the root is computed
/// as a distance from the nearer pole, in which that denominator is a product. Multiplying the sum by the
/// distances from both poles makes it nearly linear, so Newton's method needs few steps.
pub fn secular<const K: usize>(p: &[f64; K], phi: &[f64; K]) -> Option<[f64; K]> {
    let greatest = phi.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = phi.iter().copied().fold(f64::INFINITY, f64::min);
    if !(least < 0.0 && 0.0 < greatest && (greatest - least).is_finite()) {
        return None;
    }
    let (low, high) = (-1.0 / greatest, -1.0 / least);
    let at_zero: f64 = p.iter().zip(phi).map(|(p, phi)| p * phi).sum();
    // Root above zero: count down from the upper pole. Otherwise count up from the lower one.
    let (pole, end, side) = if at_zero > 0.0 { (high, least, -1.0) } else { (low, greatest, 1.0) };
    let at_pole = phi.map(|phi| 1.0 - phi / end);
    let denominators = |distance: f64| {
        let mut all = at_pole;
        for (denominator, phi) in all.iter_mut().zip(phi) {
            *denominator += side * distance * phi;
        }
        all
    };
    let straightened = |distance: f64| {
        let (mut sum, mut steepness) = (0.0, 0.0);
        for ((p, phi), denominator) in p.iter().zip(phi).zip(denominators(distance)) {
            let ratio = phi / denominator;
            sum += p * ratio;
            steepness += p * ratio * ratio;
        }
        let other = (high - low) - distance;
        // d/d distance of [distance · other · side · sum]; the sum's own derivative in x is -steepness.
        Slope {
            value: side * sum * distance * other,
            derivative: side * sum * (other - distance) - steepness * distance * other,
        }
    };
    // As a function of the distance the sum decreases on the lower side and, with reversed sign, on the upper
    // side. The search begins at x = 0, since most data is close to its hypotheses.
    let distance = decreasing_root(0.0, high - low, pole.abs(), straightened);
    Some(denominators(distance))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn root_is_found_for_steep_and_flat_functions() {
        let line = |x: f64| Slope { value: 0.3 - x, derivative: -1.0 };
        let cubic = |x: f64| Slope { value: -x.powi(3), derivative: -3.0 * x * x };
        let liar = |x: f64| Slope { value: 0.3 - x, derivative: f64::NAN };
        assert!((decreasing_root(0.0, 1.0, 0.9, line) - 0.3).abs() < 1e-15);
        assert!((decreasing_root(0.0, 1.0, 7.0, line) - 0.3).abs() < 1e-15);
        assert!(decreasing_root(-1.0, 2.0, 1.0, cubic).abs() < 1e-10);
        assert!((decreasing_root(0.0, 1.0, 0.5, liar) - 0.3).abs() < 1e-15);
    }

    #[test]
    fn root_near_an_end_is_found_precisely() {
        for root in [1e-63, 1e-200, 1e-300] {
            let calls = std::cell::Cell::new(0);
            let found = decreasing_root(0.0, 1.0, 0.5, |x| {
                calls.set(calls.get() + 1);
                Slope { value: 7.0 * (root / x).ln(), derivative: -7.0 / x }
            });
            // One digit of the root is hundreds of digits of its logarithm.
            assert!((found / root).ln().abs() < 1e-12, "{found} for {root}");
            // Bisection until Newton's method converges, which doubles the digits.
            assert!(f64::from(calls.get()) < -root.log2() + 8.0, "{root}: {} calls", calls.get());
        }
    }

    #[test]
    fn crossing_is_found_for_smooth_and_discontinuous_functions() {
        let table: [(&dyn Fn(f64) -> f64, f64); 5] = [
            (&|x: f64| 0.3 - x, 0.3),
            (&|x: f64| -x.powi(3), 0.0),
            (&|x: f64| (-5.0 * x).exp() - 0.5, 2_f64.ln() / 5.0),
            (&|x: f64| if x < 0.7 { 1e-12 } else { -1.0 }, 0.7),
            (&|x: f64| 1.0 - (x / 0.9).powi(41), 0.9),
        ];
        for (n, (function, root)) in table.into_iter().enumerate() {
            let calls = std::cell::Cell::new(0);
            let counted = |x| {
                calls.set(calls.get() + 1);
                function(x)
            };
            let found = decreasing_crossing(-1.0, 2.0, counted);
            assert!((found - root).abs() < 1e-14 || n == 1 && found.abs() < 1e-5, "{n}: {found}");
            assert!(calls.get() < 110, "{n}: {} calls", calls.get());
        }
        assert!((0.0..=1.0).contains(&decreasing_crossing(0.0, 1.0, |_| f64::NAN)));
    }

    #[test]
    fn secular_has_no_solution_outside_the_scores() {
        assert_eq!(secular(&[0.5, 0.5], &[0.1, 0.2]), None);
        assert_eq!(secular(&[0.5, 0.5], &[0.0, 0.0]), None);
        assert_eq!(secular(&[0.5, 0.5], &[f64::NAN, 0.2]), None);
        assert_eq!(secular(&[0.5, 0.5], &[f64::NEG_INFINITY, 0.2]), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// The tilted distribution is a distribution, and φ has the mean 0 under it, however rare the classes
        /// at the ends.
        #[test]
        fn secular_solution_satisfies_the_condition(exponents in prop::array::uniform5(-13.0..0.0_f64), target in 0.001..0.999_f64) {
            let weights = exponents.map(|exponent| 10_f64.powf(exponent));
            let total: f64 = weights.iter().sum();
            let p = weights.map(|weight| weight / total);
            let phi = [0.0, 0.25, 0.5, 0.75, 1.0].map(|score| score - target);
            let denominators = secular(&p, &phi).expect("the target lies between the scores");
            prop_assert!(denominators.iter().all(|&denominator| denominator > 0.0), "{denominators:?}");
            let distribution: Vec<f64> = p.iter().zip(denominators).map(|(p, denominator)| p / denominator).collect();
            let mean: f64 = distribution.iter().zip(phi).map(|(q, phi)| q * phi).sum();
            prop_assert!(mean.abs() < 1e-12, "mean {mean}");
            prop_assert!((distribution.iter().sum::<f64>() - 1.0).abs() < 1e-10, "{distribution:?}");
        }
    }
}
