//! The mean of measured values, with its 95 % interval.
//!
//! Values come in groups whose members are not independent, such as the games of one opening. The mean of a
//! group is therefore one observation, and the interval uses Student's t distribution because the variance is
//! estimated from few observations.

use std::collections::BTreeMap;

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::elo::{Estimate, Z95};

/// The mean of the group means, with its 95 % interval. `None` without a value; infinite ends with a single
/// group.
pub fn of_groups(values: impl IntoIterator<Item = (usize, f64)>) -> Option<Estimate<f64>> {
    let mut groups: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    for (group, value) in values {
        let (sum, count) = groups.entry(group).or_default();
        *sum += value;
        *count += 1.0;
    }
    let means: Vec<f64> = groups.values().map(|(sum, count)| sum / count).collect();
    let (value, spread) = moments(&means)?;
    let reach = spread.map_or(f64::INFINITY, |spread| {
        student_quantile(means.len() as f64 - 1.0) * spread / (means.len() as f64).sqrt()
    });
    Some(Estimate { low: value - reach, value, high: value + reach })
}

/// The geometric mean of the ratios A/B of pairs of amounts, A's first, with its 95 % interval: that of the mean of the
/// logarithms. Each pair is one observation, so what changes both amounts alike changes nothing. Pairs with an amount that
/// is not positive have no ratio and are left out. `None` without a pair; from 0 to infinity with a single one.
///
/// ```
/// use threefold_stats::mean;
///
/// // The speeds of two programs, measured in turn on a machine that gets slower: A is always 2 % faster.
/// let speed = mean::of_ratios([(102.0, 100.0), (81.6, 80.0), (51.0, 50.0)]).expect("three pairs");
/// assert!(1.019 < speed.low && speed.high < 1.021);
/// ```
pub fn of_ratios(pairs: impl IntoIterator<Item = (f64, f64)>) -> Option<Estimate<f64>> {
    let positive = pairs.into_iter().filter(|&(a, b)| a > 0.0 && b > 0.0);
    let Estimate { low, value, high } = of_groups(positive.map(|(a, b)| (a / b).ln()).enumerate())?;
    Some(Estimate { low: low.exp(), value: value.exp(), high: high.exp() })
}

/// The coefficient of variation: standard deviation divided by mean. `None` for fewer than two numbers and
/// for a mean of 0.
pub fn variation(numbers: &[f64]) -> Option<f64> {
    let (mean, spread) = moments(numbers)?;
    spread.filter(|_| mean != 0.0).map(|spread| spread / mean.abs())
}

/// The mean, and the standard deviation for two or more numbers.
fn moments(numbers: &[f64]) -> Option<(f64, Option<f64>)> {
    let count = numbers.len() as f64;
    let mean = (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / count)?;
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    Some((mean, (numbers.len() > 1).then(|| (squares / (count - 1.0)).sqrt())))
}

/// The 97.5 % quantile of Student's t distribution. statrs loses digits at many degrees of freedom; there the
/// Cornish-Fisher expansion around the normal quantile is used.
pub fn student_quantile(freedom: f64) -> f64 {
    const MANY: f64 = 1000.0;
    if freedom < MANY {
        let student = StudentsT::new(0.0, 1.0, freedom).expect("at least one degree of freedom");
        return student.inverse_cdf(0.975);
    }
    let (z, z2) = (Z95, Z95 * Z95);
    // The terms in 1/freedom, its square and its cube (Abramowitz and Stegun, 26.7.5).
    let first = z * (z2 + 1.0) / 4.0;
    let second = z * ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
    let third = z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
    z + (first + (second + third / freedom) / freedom) / freedom
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_interval_depends_on_the_groups() {
        let t = student_quantile(1.0);
        let table = [
            // values by their group, the mean and the half-width of its interval
            (&[(7, 0.5)][..], 0.5, f64::INFINITY),
            (&[(7, 0.5), (7, 0.7)], 0.6, f64::INFINITY),
            (&[(0, 1.0), (1, 3.0)], 2.0, t),
            // A group of three values counts as one observation.
            (&[(0, 0.5), (1, 3.0), (0, 1.0), (0, 1.5)], 2.0, t),
        ];
        for (values, mean, reach) in table {
            let reported = of_groups(values.iter().copied()).expect("there are values");
            let shown = |number: f64| format!("{number:.9}");
            assert_eq!(
                [reported.low, reported.value, reported.high].map(shown),
                [mean - reach, mean, mean + reach].map(shown),
                "{values:?}"
            );
        }
        assert_eq!(of_groups([]), None);
    }

    #[test]
    fn ratio_interval_is_that_of_the_logarithms() {
        // Ratios e^0.01, e^0.02 and e^0.03: the mean of the logarithms is 0.02, their standard deviation 0.01, and the
        // quantile of Student's t distribution with two degrees of freedom is 4.302653.
        let pairs = [1.0, 2.0, 3.0].map(|hundredths: f64| (7.0 * (hundredths / 100.0).exp(), 7.0));
        let reach = 4.302_653 * 0.01 / 3.0_f64.sqrt();
        let reported = of_ratios(pairs).expect("three pairs");
        let expected = [0.02 - reach, 0.02, 0.02 + reach].map(f64::exp);
        for (reported, expected) in [reported.low, reported.value, reported.high].into_iter().zip(expected) {
            assert!((reported - expected).abs() < 1e-7, "{reported} {expected}");
        }
        assert!(reported.low < 1.0, "three rounds do not show two per cent with this spread");
        // Exchanged, it is the reciprocal.
        let exchanged = of_ratios(pairs.map(|(a, b)| (b, a))).expect("three pairs");
        assert!((exchanged.low * reported.high - 1.0).abs() < 1e-12);
        // Unpaired, the drift would hide the difference.
        let drifting = [100.0, 80.0, 60.0, 90.0].map(|speed| (1.01 * speed, speed));
        let reported = of_ratios(drifting).expect("four pairs");
        assert!(1.0099 < reported.low && reported.high < 1.0101, "{reported:?}");
    }

    #[test]
    fn ratio_of_few_pairs_is_open() {
        let alone = of_ratios([(3.0, 2.0), (0.0, 2.0), (2.0, 0.0)]).expect("a pair");
        assert!((alone.value - 1.5).abs() < 1e-12, "{alone:?}");
        assert_eq!((alone.low, alone.high), (0.0, f64::INFINITY));
        assert_eq!(of_ratios([(0.0, 1.0)]), None);
    }

    #[test]
    fn coefficient_of_variation_is_unit_free() {
        let table: [(&[f64], Option<f64>); 5] = [
            (&[], None),
            (&[3.0], None),
            (&[0.0, 0.0], None),
            (&[3.0, 3.0, 3.0], Some(0.0)),
            (&[10.0, 30.0], Some(0.5_f64.sqrt())),
        ];
        for (numbers, expected) in table {
            for unit in [1.0, 1000.0] {
                let scaled: Vec<f64> = numbers.iter().map(|number| number * unit).collect();
                let rounded = variation(&scaled).map(|reported| (reported * 1e9).round());
                assert_eq!(rounded, expected.map(|sound| (sound * 1e9).round()), "{scaled:?}");
            }
        }
    }

    #[test]
    fn student_quantile_methods_agree() {
        // 999 from tables; at the border the two methods differ by the effect of one degree of freedom.
        assert!((student_quantile(999.0) - 1.962_341_461).abs() < 1e-8);
        assert!((student_quantile(1000.0) - 1.962_339_081).abs() < 1e-8);
        assert!((student_quantile(1.0) - 12.706_204_736).abs() < 1e-8);
    }
}
