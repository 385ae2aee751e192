//! Outliers of repeated measurements, by the modified Z-score: the distance from the median in units of the median absolute
//! deviation.
//!
//! Mean and standard deviation would not do: a large outlier increases both, and hides itself and others. Source: B. Iglewicz
//! and D. C. Hoaglin, *How to Detect and Handle Outliers* (1993), section 3.3; the threshold is theirs, too. hyperfine warns
//! by the same score.

/// A value with a score above this, without regard to its sign, is an outlier.
pub const THRESHOLD: f64 = 3.5;

/// The median absolute deviation of a normal distribution, in standard deviations.
const MEDIAN_DEVIATION: f64 = 0.674_5;
/// The mean absolute deviation of a normal distribution, in standard deviations: the root of 2/pi.
const MEAN_DEVIATION: f64 = 0.797_885;

/// A value far from the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outlier {
    /// Its index among the values.
    pub index: usize,
    /// Its modified Z-score: positive above the median.
    pub score: f64,
}

/// The outliers of some values, in their order.
///
/// ```
/// use threefold_stats::outlier;
///
/// let seconds = [2.01, 2.00, 2.02, 3.40, 2.01, 1.99];
/// let found = outlier::find(&seconds);
/// assert_eq!(found.iter().map(|outlier| outlier.index).collect::<Vec<_>>(), [3]);
/// ```
pub fn find(values: &[f64]) -> Vec<Outlier> {
    let scores = modified_z_scores(values).into_iter().enumerate();
    let scores = scores.map(|(index, score)| Outlier { index, score });
    scores.filter(|outlier| outlier.score.abs() > THRESHOLD).collect()
}

/// The modified Z-score of each value. If more than half of the values are equal, the median absolute deviation is 0, and the
/// mean absolute deviation takes its place. If all are equal, each score is 0.
fn modified_z_scores(values: &[f64]) -> Vec<f64> {
    let Some(centre) = median(values) else { return Vec::new() };
    let deviations: Vec<f64> = values.iter().map(|value| (value - centre).abs()).collect();
    let of_median = median(&deviations).map(|deviation| deviation / MEDIAN_DEVIATION);
    let of_mean = deviations.iter().sum::<f64>() / deviations.len() as f64 / MEAN_DEVIATION;
    let unit = of_median.filter(|&unit| unit > 0.0).unwrap_or(of_mean);
    values.iter().map(|value| if unit > 0.0 { (value - centre) / unit } else { 0.0 }).collect()
}

/// The median; `None` without a value.
///
/// ```
/// assert_eq!(threefold_stats::outlier::median(&[9.0, 1.0, 2.0, 4.0]), Some(3.0));
/// ```
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let upper = *sorted.get(middle)?;
    Some(if sorted.len().is_multiple_of(2) { f64::midpoint(sorted[middle - 1], upper) } else { upper })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modified_z_score_by_hand() {
        // The median is 3, and the deviations 2, 1, 0, 1 and 97 have the median 1.
        let scores = modified_z_scores(&[1.0, 2.0, 3.0, 4.0, 100.0]);
        let expected = [-2.0, -1.0, 0.0, 1.0, 97.0].map(|distance| 0.674_5 * distance);
        for (score, expected) in scores.iter().zip(expected) {
            assert!((score - expected).abs() < 1e-12, "{scores:?}");
        }
        assert_eq!(scores.len(), 5);
    }

    #[test]
    fn outliers_are_found_on_both_sides() {
        let table: [(&[f64], &[usize]); 8] = [
            (&[], &[]),
            (&[5.0], &[]),
            (&[5.0, 900.0], &[]),
            (&[2.0, 2.0, 2.0], &[]),
            // The scores are 3.46 and 3.55.
            (&[8.0, 9.0, 10.0, 11.0, 12.0, 18.2], &[]),
            (&[8.0, 9.0, 10.0, 11.0, 12.0, 18.4], &[5]),
            // Two of them: mean and standard deviation of all values would hide both.
            (&[1.0, 10.0, 10.1, 9.9, 10.0, 10.2, 9.8, 19.0], &[0, 7]),
            // More than half are equal.
            (&[10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 11.0], &[9]),
        ];
        for (values, expected) in table {
            let found: Vec<usize> = find(values).iter().map(|outlier| outlier.index).collect();
            assert_eq!(found, expected, "{values:?}");
        }
        let [low, high] = find(&[1.0, 10.0, 10.1, 9.9, 10.0, 10.2, 9.8, 19.0])[..] else { panic!("two") };
        assert!(low.score < -THRESHOLD && high.score > THRESHOLD);
    }

    #[test]
    fn median_is_that_of_the_sorted_values() {
        for (values, expected) in
            [(&[][..], None), (&[4.0], Some(4.0)), (&[3.0, 1.0], Some(2.0)), (&[9.0, 1.0, 2.0], Some(2.0))]
        {
            assert_eq!(median(values), expected, "{values:?}");
        }
    }
}
