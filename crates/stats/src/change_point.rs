//! The change point of a series: Pettitt's test.
//!
//! The test uses ranks only, so that outliers (a busy machine) have little influence and no distribution is
//! assumed. Source: A. N. Pettitt, "A Non-Parametric Approach to the Change-Point Problem", Applied
//! Statistics 28 (1979), 126-135.

use super::outlier::median;

/// The fewest values: with fewer, the approximate p-value is above 5 % for any values.
pub const FEWEST: usize = 11;

/// The most probable single change of level in a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChangePoint {
    /// The index of the first value after the change.
    pub first_after: usize,
    /// The median before it.
    pub before: f64,
    /// The median from it on.
    pub after: f64,
    /// The approximate two-sided p-value of "there is no change". It is conservative for short series.
    pub p: f64,
}

impl ChangePoint {
    /// The change point of a series; `None` if it has fewer than [`FEWEST`] values or all are equal.
    ///
    /// ```
    /// use threefold_stats::change_point::ChangePoint;
    /// let nps = [100.0, 101.0, 99.0, 100.5, 100.2, 99.5, 90.0, 91.0, 89.0, 90.5, 90.1, 90.3];
    /// let change = ChangePoint::find(&nps).expect("the speed changes");
    /// assert_eq!((change.first_after, change.before), (6, 100.1));
    /// assert!((change.after - 90.2).abs() < 1e-9);
    /// assert!(change.p < 0.05);
    /// ```
    pub fn find(values: &[f64]) -> Option<Self> {
        let count = values.len();
        if count < FEWEST {
            return None;
        }
        // U(t) = sum of sign(x_i - x_j) for i < t <= j.
        let statistic = |cut: usize| -> i64 {
            let (before, after) = values.split_at(cut);
            let signs =
                before.iter().flat_map(|one| after.iter().map(move |other| one.total_cmp(other) as i64));
            signs.sum()
        };
        let (cut, largest) = (1..count)
            .map(|cut| (cut, statistic(cut).unsigned_abs()))
            .max_by_key(|&(cut, size)| (size, std::cmp::Reverse(cut)))?;
        let (before, after) = values.split_at(cut);
        let (size, count) = (largest as f64, count as f64);
        let p = (2.0 * (-6.0 * size * size / (count.powi(3) + count.powi(2))).exp()).min(1.0);
        let (before, after) = (median(before)?, median(after)?);
        (largest > 0).then_some(Self { first_after: cut, before, after, p })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn step_is_found_in_spite_of_outliers() {
        let mut values = [100.0; 24];
        for (index, value) in values.iter_mut().enumerate() {
            *value += f64::from(u8::try_from(index * 7 % 5).expect("small"));
            if index >= 14 {
                *value -= 10.0;
            }
        }
        values[3] = 1.0;
        values[20] = 1000.0;
        let change = ChangePoint::find(&values).expect("enough values");
        assert_eq!(change.first_after, 14);
        assert_eq!((change.before, change.after), (102.0, 92.5));
        // Of 13 values before and 9 after, all pairs but those with the outliers fall: 13 * (9 - 1) - 10.
        let expected = 2.0 * (-6.0 * 94.0 * 94.0 / 14400.0_f64).exp();
        assert!((change.p - expected).abs() < 1e-12, "{change:?}");
    }

    #[test]
    fn statistic_and_p_value_are_those_of_the_paper() {
        // Two groups of 6, every value of the first below every one of the second: K = 36.
        let values: Vec<f64> = (1..=12).map(f64::from).collect();
        let change = ChangePoint::find(&values).expect("enough values");
        assert_eq!(change.first_after, 6);
        let expected = 2.0 * (-6.0 * 1296.0 / 1872.0_f64).exp();
        assert!((change.p - expected).abs() < 1e-12);
    }

    #[test]
    fn constant_and_short_series_have_no_change_point() {
        assert_eq!(ChangePoint::find(&[3.0; 20]), None);
        assert_eq!(ChangePoint::find(&[1.0, 1.0, 1.0, 9.0, 9.0, 9.0, 9.0]), None);
        let noise = [5.0, 1.0, 4.0, 2.0, 3.0, 5.0, 1.0, 4.0, 2.0, 3.0, 5.0, 1.0];
        assert!(ChangePoint::find(&noise).is_none_or(|change| change.p > 0.2));
    }
}
