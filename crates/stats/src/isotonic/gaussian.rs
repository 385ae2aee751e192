//! Normal errors with a given covariance, from a seeded generator.

use nalgebra::{DMatrix, DVector, SymmetricEigen};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::super::elo::normal_quantile;

/// A generator of error vectors.
pub(super) struct GaussianErrors {
    root: DMatrix<f64>,
    random: ChaCha8Rng,
}

impl GaussianErrors {
    /// Errors with this covariance. An anchor makes the matrix singular, so its square root is computed from
    /// its eigenvalues, which rounding may make slightly negative.
    pub(super) fn new(covariance: &DMatrix<f64>, seed: u64) -> Self {
        let SymmetricEigen { eigenvectors, eigenvalues } = SymmetricEigen::new(covariance.clone());
        let lengths = eigenvalues.map(|eigenvalue| eigenvalue.max(0.0).sqrt());
        Self {
            root: eigenvectors * DMatrix::from_diagonal(&lengths),
            random: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// The next error vector.
    pub(super) fn draw(&mut self) -> DVector<f64> {
        let standard = DVector::from_fn(self.root.ncols(), |_, _| {
            // The middle of one of 2^53 equal steps: never 0 or 1.
            normal_quantile(((self.random.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64)
        });
        &self.root * standard
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaussian_errors_have_their_covariance() {
        let covariance = DMatrix::from_row_slice(3, 3, &[0.0, 0.0, 0.0, 0.0, 9.0, 3.0, 0.0, 3.0, 4.0]);
        let mut noise = GaussianErrors::new(&covariance, 1);
        let draws = 20_000;
        let mut found = DMatrix::zeros(3, 3);
        for _ in 0..draws {
            let errors = noise.draw();
            found += &errors * errors.transpose() / f64::from(draws);
        }
        assert!((found - covariance).amax() < 0.3);
    }
}
