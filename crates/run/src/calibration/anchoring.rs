//! Anchors the ratings: the scale of the anchors, the scale of the games alone, and their disagreement.

use nalgebra::{DMatrix, DVector};

use super::fit::RatingScale;
use super::player_role::PlayerRole;
use super::strength_option::AnchorRating;
use threefold_stats::Estimate;
use threefold_stats::isotonic::{self, Measurements};

const ALPHA: f64 = 0.05;
/// The variance of an unknown offset, in Elo squared: far larger than any rating's.
const UNKNOWN_OFFSET_VARIANCE: f64 = 1e7;

/// Ratings in Elo, with their covariance in Elo squared.
#[derive(Debug, Clone)]
pub(super) struct AnchoredRatings {
    pub(super) elos: DVector<f64>,
    pub(super) covariance: DMatrix<f64>,
}

/// How far the anchors disagree: the error of the scale that more games do not reduce.
#[derive(Debug, Clone, PartialEq)]
pub struct AnchorDisagreement {
    /// The standard deviation of measured minus listed ratings, in Elo.
    pub spread: f64,
    /// The part of it that random error does not explain, in Elo: the standard deviation of a listed rating's
    /// error.
    pub beyond_chance: f64,
    /// Measured Elo per listed Elo, with its 95 % confidence interval; 1 if both scales have the same length.
    pub stretch: Option<Estimate<f64>>,
}

/// The indices of the anchors among the players, and their ratings.
fn anchors(roles: &[PlayerRole], rating: impl Fn(AnchorRating) -> f64) -> (Vec<usize>, DVector<f64>) {
    let rated = roles.iter().enumerate().filter_map(|(at, role)| match *role {
        PlayerRole::Level(_) => None,
        PlayerRole::Anchor(rated) => Some((at, rating(rated))),
    });
    let (places, ratings): (Vec<usize>, Vec<f64>) = rated.unzip();
    (places, DVector::from_vec(ratings))
}

impl AnchoredRatings {
    /// By the games alone, relative to the mean of the anchors; without anchors, relative to the mean of the
    /// levels' nominal values.
    pub(super) fn of_games(scale: &RatingScale, roles: &[PlayerRole]) -> Self {
        let elos = DVector::from_iterator(scale.ratings.len(), scale.ratings.iter().map(|rating| rating.elo));
        let anchored = roles.iter().any(|role| role.is_anchor());
        let counted: Vec<Option<f64>> = roles
            .iter()
            .map(|role| match *role {
                PlayerRole::Anchor(rated) => Some(rated.on_scale()),
                PlayerRole::Level(level) => (!anchored).then(|| f64::from(level)),
            })
            .collect();
        let number = counted.iter().flatten().count().max(1) as f64;
        let weights = counted.iter().map(|rating| if rating.is_some() { 1.0 / number } else { 0.0 });
        let weights = DVector::from_iterator(roles.len(), weights);
        let mean = counted.iter().flatten().sum::<f64>() / number;
        let shift = mean - weights.dot(&elos);
        Self { elos: elos.add_scalar(shift), covariance: relative_to(&scale.covariance, &weights) }
    }

    /// Combined with the anchors' ratings, each of which has an error with the standard deviation of their
    /// disagreement beyond chance. If they agree, all keep their ratings; otherwise only their mean is kept.
    /// The returned errors are the random ones.
    ///
    /// A normal posterior: the ratings by the games, with an unknown offset, given the anchors' ratings with
    /// a variance of `beyond_chance` squared. The part of the covariance that this variance adds is left out.
    pub(super) fn anchored(self, roles: &[PlayerRole]) -> Self {
        let (places, ratings) = anchors(roles, AnchorRating::on_scale);
        if places.is_empty() {
            return self;
        }
        let disagreement = self.disagreement(roles, AnchorRating::on_scale);
        let variance = disagreement.map_or(0.0, |disagreement| disagreement.beyond_chance.powi(2));
        let anywhere = self.covariance.add_scalar(UNKNOWN_OFFSET_VARIANCE);
        let of_anchors = anywhere.select_columns(&places);
        let observed = among(&anywhere, &places) + DMatrix::identity(places.len(), places.len()) * variance;
        let Some(inverse) = observed.try_inverse() else { return self };
        // The Kalman gain K: P is the covariance of all, and H selects the anchors, observed with variance R.
        let gains = &of_anchors * inverse;
        let off = ratings - self.elos.select_rows(&places);
        let known = &anywhere - &gains * of_anchors.transpose();
        // `known` is (1 − KH) P (1 − KH)ᵀ + K R Kᵀ (Joseph's form); the second term is due to R.
        let by_disagreement = &gains * gains.transpose() * variance;
        let by_chance = known - by_disagreement;
        // Rounding leaves the difference slightly asymmetric, hence the mean with its transpose.
        Self { elos: self.elos + gains * off, covariance: (&by_chance + by_chance.transpose()) / 2.0 }
    }

    /// The anchors' disagreement with these ratings, on the games' own scale; `None` with fewer than two.
    ///
    /// The part beyond chance is estimated by moments, weighted by precision (DerSimonian and Laird,
    /// "Meta-analysis in clinical trials", 1986), with correlated errors.
    pub(super) fn disagreement(
        &self,
        roles: &[PlayerRole],
        rating: impl Fn(AnchorRating) -> f64,
    ) -> Option<AnchorDisagreement> {
        let (places, ratings) = anchors(roles, rating);
        if places.len() < 2 {
            return None;
        }
        let others = (places.len() - 1) as f64;
        let elos = self.elos.select_rows(&places);
        let off = &elos - &ratings;
        let off = off.add_scalar(-off.mean());
        let errors = among(&self.covariance, &places);
        // With an unknown offset, the weights depend on differences alone.
        let weights = errors.add_scalar(UNKNOWN_OFFSET_VARIANCE).try_inverse();
        let beyond_chance = weights.map_or(0.0, |weights| {
            // The quadratic form of k anchors has the expectation k − 1 + τ² trace(W), where τ² is this
            // variance.
            let variance = (off.dot(&(&weights * &off)) - others) / weights.trace();
            variance.max(0.0).sqrt()
        });
        let measured = Measurements::joint(elos.as_slice(), errors).ok();
        Some(AnchorDisagreement {
            spread: (off.norm_squared() / others).sqrt(),
            beyond_chance,
            stretch: measured.and_then(|measured| isotonic::slope(ratings.as_slice(), &measured, ALPHA)),
        })
    }
}

/// The covariance of differences from a weighted mean.
fn relative_to(covariance: &DMatrix<f64>, weights: &DVector<f64>) -> DMatrix<f64> {
    let with_mean = covariance * weights;
    let of_mean = weights.dot(&with_mean);
    DMatrix::from_fn(covariance.nrows(), covariance.ncols(), |a, b| {
        covariance[(a, b)] - with_mean[a] - with_mean[b] + of_mean
    })
}

/// The covariance of some players.
pub(super) fn among(covariance: &DMatrix<f64>, places: &[usize]) -> DMatrix<f64> {
    DMatrix::from_fn(places.len(), places.len(), |a, b| covariance[(places[a], places[b])])
}
