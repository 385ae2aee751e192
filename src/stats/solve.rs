//! Roots that are always found.
//!
//! The equations here have one root in a known bracket. Newton's steps find it quickly, bisection whenever a step
//! would leave the bracket or shrink it too little; so a root is found for every input, in a bounded number of
//! evaluations, and is never NaN.

/// What a function does at a point.
#[derive(Debug, Clone, Copy)]
pub struct Slope {
    /// Its value.
    pub value: f64,
    /// Its derivative.
    pub derivative: f64,
}

/// Halving the bracket this often exhausts an `f64`'s digits on any scale that a root here may have.
const MAX_EVALUATIONS: u32 = 200;

/// The root between `low` and `high` of a function that is positive before it and negative after it, to the last
/// digits. The ends themselves are never evaluated: the function may have poles there.
pub fn falling_root(low: f64, high: f64, start: f64, function: impl Fn(f64) -> Slope) -> f64 {
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
            return x;
        }
        let newton = x - at.value / at.derivative;
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

/// Solves `Σ p_i φ_i / (1 + x φ_i) = 0` and returns the denominators `1 + x φ_i`, all positive.
///
/// This is the condition under which the law `p_i / (1 + x φ_i)` is, of all laws under which φ has the mean 0, the
/// one that makes the data `p` likeliest. `None` unless φ takes both signs where p is positive: no law will do then.
///
/// The sum falls from +∞ at the pole `-1 / max φ` to -∞ at `-1 / min φ`. If the class at an end is rare, the root
/// nearly touches that end's pole, and `1 + x φ` there is a difference of equal numbers. So the root is sought as a
/// distance from the pole on its side, in which that denominator is a product; multiplying the sum by the
/// distances from both poles makes it nearly straight, and Newton's steps few.
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
    // Seen from its pole the sum falls on the lower side and, with its sign turned, on the upper side too.
    // The search begins at x = 0: most data lies near its hypotheses.
    let distance = falling_root(0.0, high - low, pole.abs(), straightened);
    Some(denominators(distance))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn roots_of_steep_and_flat_functions() {
        let line = |x: f64| Slope { value: 0.3 - x, derivative: -1.0 };
        let cubic = |x: f64| Slope { value: -x.powi(3), derivative: -3.0 * x * x };
        let liar = |x: f64| Slope { value: 0.3 - x, derivative: f64::NAN };
        assert!((falling_root(0.0, 1.0, 0.9, line) - 0.3).abs() < 1e-15);
        assert!((falling_root(0.0, 1.0, 7.0, line) - 0.3).abs() < 1e-15);
        assert!(falling_root(-1.0, 2.0, 1.0, cubic).abs() < 1e-10);
        assert!((falling_root(0.0, 1.0, 0.5, liar) - 0.3).abs() < 1e-15);
    }

    #[test]
    fn a_mean_outside_the_scores_has_no_law() {
        assert_eq!(secular(&[0.5, 0.5], &[0.1, 0.2]), None);
        assert_eq!(secular(&[0.5, 0.5], &[0.0, 0.0]), None);
        assert_eq!(secular(&[0.5, 0.5], &[f64::NAN, 0.2]), None);
        assert_eq!(secular(&[0.5, 0.5], &[f64::NEG_INFINITY, 0.2]), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// The tilted law is a law, and φ has the mean 0 under it, however rare the classes at the ends.
        #[test]
        fn the_condition_holds(exponents in prop::array::uniform5(-13.0..0.0_f64), target in 0.001..0.999_f64) {
            let weights = exponents.map(|exponent| 10_f64.powf(exponent));
            let total: f64 = weights.iter().sum();
            let p = weights.map(|weight| weight / total);
            let phi = [0.0, 0.25, 0.5, 0.75, 1.0].map(|score| score - target);
            let denominators = secular(&p, &phi).expect("the target lies between the scores");
            prop_assert!(denominators.iter().all(|&denominator| denominator > 0.0), "{denominators:?}");
            let law: Vec<f64> = p.iter().zip(denominators).map(|(p, denominator)| p / denominator).collect();
            let mean: f64 = law.iter().zip(phi).map(|(q, phi)| q * phi).sum();
            prop_assert!(mean.abs() < 1e-12, "mean {mean}");
            prop_assert!((law.iter().sum::<f64>() - 1.0).abs() < 1e-10, "{law:?}");
        }
    }
}
