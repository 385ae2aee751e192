//! Measured values, one per level, with the covariance of their errors.
//!
//! Ratings are relative to an anchor, whose own error is zero and whose luck enters all other errors. The
//! weights of a fit should not depend on the choice of the anchor, so they are computed from the errors of
//! *differences*: Firth and de Menezes' quasi-variances, the least-squares solution of `q_i + q_j = var(y_i -
//! y_j)`. Independent errors are their own quasi-variances.

use std::ops::Range;

use nalgebra::DMatrix;
use thiserror::Error;

/// Values at levels, lowest level first, with the covariance of their errors.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurements {
    values: Vec<f64>,
    weights: Vec<f64>,
    covariance: DMatrix<f64>,
}

/// Why values and errors are not usable.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MeasurementError {
    /// Nothing was measured.
    #[error("there is no value; measure at least one level")]
    Nothing,
    /// The numbers of values and of errors differ.
    #[error("{values} values with {errors} errors; give one error per value")]
    Count {
        /// How many values.
        values: usize,
        /// For how many there are errors.
        errors: usize,
    },
    /// A value or its variance is not finite.
    #[error("value {} is {value} with the variance {variance}; both must be finite", .level + 1)]
    Value {
        /// Which, from 0.
        level: usize,
        /// The value that is no finite number.
        value: f64,
        /// The square of its standard error.
        variance: f64,
    },
    /// A difference between two values has no positive variance.
    #[error(
        "the difference of values {} and {} has the variance {variance}; it must be positive", .levels.0 + 1, .levels.1 + 1
    )]
    Difference {
        /// Which two, from 0.
        levels: (usize, usize),
        /// The square of the difference's standard error.
        variance: f64,
    },
}

/// A quasi-variance may be negative for unusual correlations; each is at least this share of their mean.
const LEAST_SHARE: f64 = 0.05;

impl Measurements {
    /// Values with independent standard errors, all positive.
    pub fn independent(values: &[f64], errors: &[f64]) -> Result<Self, MeasurementError> {
        if errors.len() != values.len() {
            return Err(MeasurementError::Count { values: values.len(), errors: errors.len() });
        }
        let variances: Vec<f64> = errors.iter().map(|error| error * error).collect();
        if let Some(level) = variances.iter().position(|&variance| variance <= 0.0) {
            return Err(MeasurementError::Value { level, value: values[level], variance: variances[level] });
        }
        let covariance =
            DMatrix::from_fn(
                values.len(),
                values.len(),
                |row, column| {
                    if row == column { variances[row] } else { 0.0 }
                },
            );
        Self::check(values, &covariance)?;
        let weights = variances.iter().map(|variance| 1.0 / variance).collect();
        Ok(Self { values: values.to_vec(), weights, covariance })
    }

    /// Values with the covariance of their errors. They may be relative to an anchor among them, whose row is
    /// zero.
    pub fn joint(values: &[f64], covariance: DMatrix<f64>) -> Result<Self, MeasurementError> {
        if covariance.nrows() != values.len() || covariance.ncols() != values.len() {
            let errors = covariance.nrows().min(covariance.ncols());
            return Err(MeasurementError::Count { values: values.len(), errors });
        }
        Self::check(values, &covariance)?;
        let weights = quasi_variances(&covariance)?.into_iter().map(|variance| 1.0 / variance).collect();
        Ok(Self { values: values.to_vec(), weights, covariance })
    }

    /// The number of levels, at least one.
    pub fn levels(&self) -> usize {
        self.values.len()
    }

    /// The measured values, lowest level first.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The weight of each value in a fit: positive, of any scale.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The covariance of the errors.
    pub const fn covariance(&self) -> &DMatrix<f64> {
        &self.covariance
    }

    /// Other values with this covariance.
    pub(super) fn around(&self, values: Vec<f64>) -> Self {
        Self { values, ..self.clone() }
    }

    /// The weighted means of all ranges that begin at a level, each with its standard error, shortest first.
    pub(super) fn means_from(&self, first: usize) -> Vec<(Range<usize>, f64, f64)> {
        let (mut weight, mut sum, mut spread) = (0.0, 0.0, 0.0);
        let mut means = Vec::with_capacity(self.levels() - first);
        for level in first..self.levels() {
            let own = self.weights[level];
            let shared: f64 = (first..level).map(|it| self.weights[it] * self.covariance[(it, level)]).sum();
            weight += own;
            sum += own * self.values[level];
            spread += own * (2.0 * shared + own * self.covariance[(level, level)]);
            // Rounding may make the variance of an exact mean negative.
            means.push((first..level + 1, sum / weight, spread.max(0.0).sqrt() / weight));
        }
        means
    }

    fn check(values: &[f64], covariance: &DMatrix<f64>) -> Result<(), MeasurementError> {
        if values.is_empty() {
            return Err(MeasurementError::Nothing);
        }
        for (level, &value) in values.iter().enumerate() {
            let variance = covariance[(level, level)];
            let tied = covariance.row(level).iter().all(|entry| entry.is_finite());
            if !(value.is_finite() && tied && variance >= 0.0) {
                return Err(MeasurementError::Value { level, value, variance });
            }
        }
        Ok(())
    }
}

/// Variances, one per level, whose sums are closest to those of the differences.
fn quasi_variances(covariance: &DMatrix<f64>) -> Result<Vec<f64>, MeasurementError> {
    let levels = covariance.nrows();
    let of_difference =
        |i: usize, j: usize| covariance[(i, i)] + covariance[(j, j)] - 2.0 * covariance[(i, j)];
    for i in 0..levels {
        for j in i + 1..levels {
            let variance = of_difference(i, j);
            if variance <= 0.0 {
                return Err(MeasurementError::Difference { levels: (i, j), variance });
            }
        }
    }
    if levels < 3 {
        // One value needs no weight; for two, the error of their difference does not determine shares.
        return Ok(vec![1.0; levels]);
    }
    let sums: Vec<f64> =
        (0..levels).map(|i| (0..levels).filter(|&j| j != i).map(|j| of_difference(i, j)).sum()).collect();
    // The normal equations are sums[i] = (n - 2) q_i + Σ q. Their sum gives Σ q, which is `total`.
    let total = sums.iter().sum::<f64>() / (2.0 * (levels - 1) as f64);
    let least = LEAST_SHARE * total / levels as f64;
    Ok(sums.into_iter().map(|sum| ((sum - total) / (levels - 2) as f64).max(least)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quasi_variance_weights_do_not_depend_on_the_anchor() {
        let own = [4.0, 9.0, 1.0, 2.0];
        for anchor in 0..own.len() {
            let relative = DMatrix::from_fn(4, 4, |i, j| {
                if i == anchor || j == anchor { 0.0 } else { own[anchor] + if i == j { own[i] } else { 0.0 } }
            });
            let measured = Measurements::joint(&[0.0, 1.0, 2.0, 3.0], relative).expect("sound");
            for (weight, variance) in measured.weights().iter().zip(own) {
                assert!((weight * variance - 1.0).abs() < 1e-12, "{anchor}: {weight} for {variance}");
            }
            let (_, mean, error) = &measured.means_from(anchor)[0];
            assert_eq!((*mean, *error), (anchor as f64, 0.0));
        }
    }

    #[test]
    fn means_have_the_joint_error_of_their_parts() {
        let both = DMatrix::from_row_slice(2, 2, &[4.0, 1.0, 1.0, 4.0]);
        let measured = Measurements::joint(&[1.0, 3.0], both).expect("sound");
        let (stretch, mean, error) = measured.means_from(0).pop().expect("two stretches");
        assert_eq!((stretch, mean), (0..2, 2.0));
        assert!((error - 2.5_f64.sqrt()).abs() < 1e-15, "{error}");
    }

    #[test]
    fn invalid_measurements_are_refused() {
        let table = [
            (Measurements::independent(&[], &[]), "there is no value"),
            (Measurements::independent(&[1.0], &[1.0, 2.0]), "1 values with 2 errors"),
            (
                Measurements::independent(&[1.0, 2.0], &[1.0, 0.0]),
                "value 2 is 2 with the variance 0; both must be",
            ),
            (Measurements::independent(&[f64::NAN], &[1.0]), "value 1 is NaN"),
            (Measurements::independent(&[1.0], &[f64::INFINITY]), "with the variance inf"),
            (
                Measurements::joint(&[1.0, 2.0], DMatrix::zeros(2, 2)),
                "the difference of values 1 and 2 has the variance 0",
            ),
            (Measurements::joint(&[1.0], DMatrix::zeros(2, 2)), "1 values with 2 errors"),
        ];
        for (refused, message) in table {
            let error = refused.expect_err(message).to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
