//! Where ratings stand: on the anchors' scale, or on the games' own, and how far the two differ.

use nalgebra::{DMatrix, DVector};

use super::fit::Scale;
use super::survey::Role;
use crate::stats::Estimate;
use crate::stats::isotonic::{self, Measurements};

const ALPHA: f64 = 0.05;

/// Ratings with their errors, in Elo and Elo squared.
#[derive(Debug, Clone)]
pub(super) struct Standing {
    pub(super) elos: DVector<f64>,
    pub(super) covariance: DMatrix<f64>,
}

/// How far anchors disagree with each other: what is wrong with the scale that no number of games mends.
#[derive(Debug, Clone, PartialEq)]
pub struct Disagreement {
    /// The standard deviation of what their ratings by the games alone are above those from elsewhere, in Elo.
    pub spread: f64,
    /// Elo by the games for an Elo elsewhere, with its 95 % interval by chance; 1 where both scales are as long.
    pub stretch: Option<Estimate<f64>>,
}

impl Standing {
    /// On the scale of whoever kept a rating in the fit.
    pub(super) fn held(scale: &Scale) -> Self {
        Self {
            elos: DVector::from_iterator(scale.ratings.len(), scale.ratings.iter().map(|rating| rating.elo)),
            covariance: scale.covariance.clone(),
        }
    }

    /// As long as the games say, from the mean of the anchors; where there are none from that of the levels, as if they
    /// were what they are called.
    pub(super) fn free(scale: &Scale, roles: &[Role]) -> Self {
        let Self { elos, covariance } = Self::held(scale);
        let anchored = roles.iter().any(|role| role.rating().is_some());
        let counted: Vec<Option<f64>> = roles
            .iter()
            .map(|role| match *role {
                Role::Anchor(rating) => Some(rating),
                Role::Level(level) => (!anchored).then(|| f64::from(level)),
            })
            .collect();
        let number = counted.iter().flatten().count().max(1) as f64;
        let weights = counted.iter().map(|rating| if rating.is_some() { 1.0 / number } else { 0.0 });
        let weights = DVector::from_iterator(roles.len(), weights);
        let mean = counted.iter().flatten().sum::<f64>() / number;
        let shift = mean - weights.dot(&elos);
        Self { elos: elos.add_scalar(shift), covariance: relative_to(&covariance, &weights) }
    }

    /// How far the anchors disagree, on the games' own scale; `None` with fewer than two.
    pub(super) fn disagreement(&self, roles: &[Role]) -> Option<Disagreement> {
        let rated = roles.iter().enumerate();
        let (places, ratings): (Vec<usize>, Vec<f64>) =
            rated.filter_map(|(at, role)| role.rating().map(|rating| (at, rating))).unzip();
        if places.len() < 2 {
            return None;
        }
        let elos: Vec<f64> = places.iter().map(|&at| self.elos[at]).collect();
        let off: f64 = elos.iter().zip(&ratings).map(|(elo, rating)| (elo - rating).powi(2)).sum();
        let measured = Measurements::joint(&elos, among(&self.covariance, &places)).ok();
        Some(Disagreement {
            spread: (off / (places.len() - 1) as f64).sqrt(),
            stretch: measured.and_then(|measured| isotonic::slope(&ratings, &measured, ALPHA)),
        })
    }
}

/// Errors of the differences from a mean.
fn relative_to(covariance: &DMatrix<f64>, weights: &DVector<f64>) -> DMatrix<f64> {
    let with_mean = covariance * weights;
    let of_mean = weights.dot(&with_mean);
    DMatrix::from_fn(covariance.nrows(), covariance.ncols(), |a, b| {
        covariance[(a, b)] - with_mean[a] - with_mean[b] + of_mean
    })
}

/// The errors of some players.
pub(super) fn among(covariance: &DMatrix<f64>, places: &[usize]) -> DMatrix<f64> {
    DMatrix::from_fn(places.len(), places.len(), |a, b| covariance[(places[a], places[b])])
}
