//! Where ratings stand: on the anchors' scale, or on the games' own, and how far the two differ.

use nalgebra::{DMatrix, DVector};

use super::dial::Rated;
use super::fit::Scale;
use super::survey::Role;
use threefold_stats::Estimate;
use threefold_stats::isotonic::{self, Measurements};

const ALPHA: f64 = 0.05;
/// The variance of a height that nothing is known of, in Elo squared: far beyond any rating's.
const ANYWHERE: f64 = 1e7;

/// Ratings with their errors by chance, in Elo and Elo squared.
#[derive(Debug, Clone)]
pub(super) struct Standing {
    pub(super) elos: DVector<f64>,
    pub(super) covariance: DMatrix<f64>,
}

/// How far anchors disagree with each other: what is wrong with the scale that no number of games mends.
#[derive(Debug, Clone, PartialEq)]
pub struct Disagreement {
    /// The standard deviation of what the games alone have them above their ratings, in Elo.
    pub spread: f64,
    /// What of it chance doesn't explain, in Elo: so far off is a rating, by one standard deviation.
    pub beyond_chance: f64,
    /// Elo by the games for an Elo elsewhere, with its 95 % interval by chance; 1 where both scales are as long.
    pub stretch: Option<Estimate<f64>>,
}

/// The anchors' places among the players, and what each is rated.
fn anchors(roles: &[Role], rating: impl Fn(Rated) -> f64) -> (Vec<usize>, DVector<f64>) {
    let rated = roles.iter().enumerate().filter_map(|(at, role)| match *role {
        Role::Level(_) => None,
        Role::Anchor(rated) => Some((at, rating(rated))),
    });
    let (places, ratings): (Vec<usize>, Vec<f64>) = rated.unzip();
    (places, DVector::from_vec(ratings))
}

impl Standing {
    /// As the games alone say, from the mean of the anchors; where there are none from that of the levels, as if they
    /// were what they are called.
    pub(super) fn of_games(scale: &Scale, roles: &[Role]) -> Self {
        let elos = DVector::from_iterator(scale.ratings.len(), scale.ratings.iter().map(|rating| rating.elo));
        let anchored = roles.iter().any(|role| role.is_anchor());
        let counted: Vec<Option<f64>> = roles
            .iter()
            .map(|role| match *role {
                Role::Anchor(rated) => Some(rated.stands_at()),
                Role::Level(level) => (!anchored).then(|| f64::from(level)),
            })
            .collect();
        let number = counted.iter().flatten().count().max(1) as f64;
        let weights = counted.iter().map(|rating| if rating.is_some() { 1.0 / number } else { 0.0 });
        let weights = DVector::from_iterator(roles.len(), weights);
        let mean = counted.iter().flatten().sum::<f64>() / number;
        let shift = mean - weights.dot(&elos);
        Self { elos: elos.add_scalar(shift), covariance: relative_to(&scale.covariance, &weights) }
    }

    /// With anchors that are about what they are rated, as far off as they disagree beyond chance: where they agree all
    /// keep their ratings, where they don't their mean does. The errors are those by chance.
    ///
    /// A normal posterior: the ratings by the games, of which the common height is unknown, given that each anchor is what
    /// it is rated with a variance of `beyond_chance` squared. Of its errors those are left out that this variance makes.
    pub(super) fn anchored(self, roles: &[Role]) -> Self {
        let (places, ratings) = anchors(roles, Rated::stands_at);
        if places.is_empty() {
            return self;
        }
        let disagreement = self.disagreement(roles, Rated::stands_at);
        let variance = disagreement.map_or(0.0, |disagreement| disagreement.beyond_chance.powi(2));
        let anywhere = self.covariance.add_scalar(ANYWHERE);
        let of_anchors = anywhere.select_columns(&places);
        let observed = among(&anywhere, &places) + DMatrix::identity(places.len(), places.len()) * variance;
        let Some(inverse) = observed.try_inverse() else { return self };
        let gains = &of_anchors * inverse;
        let off = ratings - self.elos.select_rows(&places);
        let known = &anywhere - &gains * of_anchors.transpose();
        let by_disagreement = &gains * gains.transpose() * variance;
        let by_chance = known - by_disagreement;
        Self { elos: self.elos + gains * off, covariance: (&by_chance + by_chance.transpose()) / 2.0 }
    }

    /// How far the anchors disagree with these ratings, on the games' own scale; `None` with fewer than two.
    ///
    /// What chance doesn't explain is by moments, weighted by what each is known: DerSimonian and Laird,
    /// "Meta-analysis in clinical trials" (1986), with errors that hang together.
    pub(super) fn disagreement(&self, roles: &[Role], rating: impl Fn(Rated) -> f64) -> Option<Disagreement> {
        let (places, ratings) = anchors(roles, rating);
        if places.len() < 2 {
            return None;
        }
        let others = (places.len() - 1) as f64;
        let elos = self.elos.select_rows(&places);
        let off = &elos - &ratings;
        let off = off.add_scalar(-off.mean());
        let errors = among(&self.covariance, &places);
        // With a height that nothing is known of, the weights look at differences alone.
        let weights = errors.add_scalar(ANYWHERE).try_inverse();
        let beyond_chance = weights.map_or(0.0, |weights| {
            let variance = (off.dot(&(&weights * &off)) - others) / weights.trace();
            variance.max(0.0).sqrt()
        });
        let measured = Measurements::joint(elos.as_slice(), errors).ok();
        Some(Disagreement {
            spread: (off.norm_squared() / others).sqrt(),
            beyond_chance,
            stretch: measured.and_then(|measured| isotonic::slope(ratings.as_slice(), &measured, ALPHA)),
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
