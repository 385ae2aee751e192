//! The result of a fit: a rating list.

use nalgebra::DVector;

use super::super::elo::normal_cdf;
use super::crosstable::PlayerIndex;
use super::newton::Problem;
use super::separation::Partition;
use super::settings::{RatingModel, RatingPoints, RatingScale};
use super::status::RatingStatus;
use super::uncertainty::Uncertainty;

/// A player's entry.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlayerRating {
    /// The rating, comparable within its group only.
    pub rating: RatingPoints,
    /// How it was determined.
    pub status: RatingStatus,
    /// The group of comparable players, from 0, largest first; always 0 if gaps are refused.
    pub group: usize,
    /// Points from games played.
    pub points: f64,
    /// Games played.
    pub games: u64,
    /// The average rating of the opponents in the group, weighted by games; `None` without such games.
    pub opposition: Option<RatingPoints>,
    /// The effective number of opponents: exp(-Σ f ln f), f the share of an opponent.
    pub opponents: f64,
}

/// The goodness of fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GoodnessOfFit {
    /// The sum over ordered encounters of (points - expected)² / variance.
    pub chi_square: f64,
    /// Its degrees of freedom: ordered encounters minus fitted ratings and advantage.
    pub degrees_of_freedom: usize,
}

/// All players' ratings, with the other results of the fit.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingList {
    /// The model of results.
    pub model: RatingModel,
    /// What a point is.
    pub scale: RatingScale,
    /// In order of index.
    pub players: Vec<PlayerRating>,
    /// White's advantage, in points.
    pub white_advantage: RatingPoints,
    /// The draw rate between equal players without the advantage, from 0 to 1.
    pub draw_rate: f64,
    /// The log-likelihood of all fitted results, without virtual draws and priors.
    pub log_likelihood: f64,
    /// The goodness of fit.
    pub goodness_of_fit: GoodnessOfFit,
    /// Errors under independent games.
    pub independent: Uncertainty,
    /// Errors with pairs as clusters: the ones to report.
    pub clustered: Uncertainty,
    pub(super) fit: Fit,
}

/// The fit behind a list, in natural units.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fit {
    pub(super) problem: Problem,
    pub(super) partition: Partition,
    pub(super) at: DVector<f64>,
}

impl RatingList {
    /// The difference `a` - `b` in points; `None` across groups.
    pub fn difference(&self, a: PlayerIndex, b: PlayerIndex) -> Option<RatingPoints> {
        let [a, b] = [a, b].map(|index| &self.players[index.0]);
        (a.group == b.group).then_some(RatingPoints(a.rating.0 - b.rating.0))
    }

    /// The probabilities of White's loss, draw and win; `None` across groups.
    pub fn chances(&self, white: PlayerIndex, black: PlayerIndex) -> Option<[f64; 3]> {
        self.difference(white, black).map(|lead| self.chances_at(lead))
    }

    /// The probabilities of White's loss, draw and win if White leads by `lead` points, without the
    /// advantage.
    pub fn chances_at(&self, lead: RatingPoints) -> [f64; 3] {
        let lead = (lead.0 + self.white_advantage.0) * self.scale.per_point();
        self.model.game_model(self.fit.problem.layout.draws(&self.fit.at)).evaluate(lead).chances
    }

    /// The difference in logistic Elo by score that corresponds to a difference of `lead` points: the logit
    /// of the expected score, averaged over both colours.
    pub fn elo_by_score(&self, lead: RatingPoints) -> f64 {
        let [white, black] = [lead.0, -lead.0].map(|lead| self.chances_at(RatingPoints(lead)));
        let won = white[2] + white[1] / 2.0 + black[0] + black[1] / 2.0;
        let lost = white[0] + white[1] / 2.0 + black[2] + black[1] / 2.0;
        400.0 * (won / lost).log10()
    }

    /// The factor that converts a small difference to logistic Elo. It is 1 if the expected score is
    /// logistic, `1 - draw rate` for Davidson's model, and `scale` for BayesElo's.
    pub fn logistic_scale(&self) -> f64 {
        self.model.steepness(self.draw_rate)
    }

    /// BayesElo's `drawelo` in points; `None` for other models.
    pub fn draw_elo(&self) -> Option<RatingPoints> {
        match self.model {
            RatingModel::BayesElo => {
                Some(RatingPoints(self.model.draw_parameter(self.draw_rate) / self.scale.per_point()))
            }
            RatingModel::Davidson | RatingModel::Ordo | RatingModel::OrdoWdl => None,
        }
    }

    /// The likelihood of superiority of `a` over `b` with the given errors; `None` without an error.
    pub fn superiority(&self, a: PlayerIndex, b: PlayerIndex, errors: &Uncertainty) -> Option<f64> {
        let difference = self.difference(a, b)?.0;
        let error = errors.between(a, b)?;
        if error > 0.0 {
            return Some(normal_cdf(difference / error));
        }
        // The difference is exact: it is that of two anchors, or of a player and itself.
        Some(if difference > 0.0 {
            1.0
        } else if difference < 0.0 {
            0.0
        } else {
            0.5
        })
    }
}
