//! The mean of something measured, with its 95 % interval.
//!
//! What is measured comes in groups whose members are not independent, as the games of one opening are not. So the
//! mean of a group is one observation, and Student's law says how far the mean of those may be off: the spread is
//! estimated from few of them, which the normal law would forget.

use std::collections::BTreeMap;

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::elo::{Estimate, Z95};

/// The mean of the groups' means. `None` without a value; one group alone says nothing of the spread, so that its
/// interval has no ends.
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

/// The coefficient of variation: the standard deviation as a share of the mean. `None` for fewer than two numbers, and
/// for a mean of nought.
pub fn variation(numbers: &[f64]) -> Option<f64> {
    let (mean, spread) = moments(numbers)?;
    spread.filter(|_| mean != 0.0).map(|spread| spread / mean.abs())
}

/// The mean, and the standard deviation where there are two numbers or more.
fn moments(numbers: &[f64]) -> Option<(f64, Option<f64>)> {
    let count = numbers.len() as f64;
    let mean = (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / count)?;
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    Some((mean, (numbers.len() > 1).then(|| (squares / (count - 1.0)).sqrt())))
}

/// The 97.5 % quantile of Student's t. statrs loses digits as the law nears the normal one; there, its expansion
/// around the normal quantile (Fisher and Cornish) is exact to the last few.
pub fn student_quantile(freedom: f64) -> f64 {
    const MANY: f64 = 1000.0;
    if freedom < MANY {
        let student = StudentsT::new(0.0, 1.0, freedom).expect("at least one degree of freedom");
        return student.inverse_cdf(0.975);
    }
    let (z, z2) = (Z95, Z95 * Z95);
    let first = z * (z2 + 1.0) / 4.0;
    let second = z * ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
    let third = z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
    z + (first + (second + third / freedom) / freedom) / freedom
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_is_as_sure_as_its_groups() {
        let t = student_quantile(1.0);
        let table = [
            // values by their group, the mean and the reach of its interval
            (&[(7, 0.5)][..], 0.5, f64::INFINITY),
            (&[(7, 0.5), (7, 0.7)], 0.6, f64::INFINITY),
            (&[(0, 1.0), (1, 3.0)], 2.0, t),
            // A group of three is no more than one of one.
            (&[(0, 0.5), (1, 3.0), (0, 1.0), (0, 1.5)], 2.0, t),
        ];
        for (values, mean, reach) in table {
            let told = of_groups(values.iter().copied()).expect("there are values");
            let shown = |number: f64| format!("{number:.9}");
            assert_eq!(
                [told.low, told.value, told.high].map(shown),
                [mean - reach, mean, mean + reach].map(shown),
                "{values:?}"
            );
        }
        assert_eq!(of_groups([]), None);
    }

    #[test]
    fn variation_has_no_unit() {
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
                let rounded = variation(&scaled).map(|told| (told * 1e9).round());
                assert_eq!(rounded, expected.map(|sound| (sound * 1e9).round()), "{scaled:?}");
            }
        }
    }

    #[test]
    fn both_ways_to_students_quantile_meet() {
        // 999 from tables; beside the border the two ways differ by what one degree of freedom makes.
        assert!((student_quantile(999.0) - 1.962_341_461).abs() < 1e-8);
        assert!((student_quantile(1000.0) - 1.962_339_081).abs() < 1e-8);
        assert!((student_quantile(1.0) - 12.706_204_736).abs() < 1e-8);
    }
}
