//! What comes out of a fit: a rating list, and what may be asked of it.

use nalgebra::DVector;

use super::super::elo::normal_cdf;
use super::crosstable::PlayerIndex;
use super::newton::Problem;
use super::separation::Partition;
use super::settings::{RatingModel, Scale, Strength};
use super::uncertainty::Uncertainty;

/// How a player came to its rating.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RatingStatus {
    /// Fitted jointly with its group, or held as the group's anchor.
    Rated,
    /// Won every game that counts: placed where that would be an even chance, with no error to be told.
    Unbeaten,
    /// Lost every game that counts: placed where that would be an even chance, with no error to be told.
    Winless,
}

/// A player's line of the list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlayerRating {
    /// The rating, comparable within its group only.
    pub rating: Strength,
    /// How it came about.
    pub standing: RatingStatus,
    /// Which group of comparable players, from 0, the largest first; always 0 where gaps are refused.
    pub group: usize,
    /// Points from games played.
    pub points: f64,
    /// Games played.
    pub games: u64,
    /// The average rating of the opponents within the group, each counted by games; none without such games.
    pub opposition: Option<Strength>,
    /// How many equally frequent opponents give the same variety: exp(-Σ f ln f), f the share of an opponent.
    pub opponents: f64,
}

/// How much the results differ from what the fit expects.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GoodnessOfFit {
    /// The sum over who had White against whom of (points - expected)² / variance.
    pub chi_square: f64,
    /// Its degrees of freedom: such encounters less fitted ratings and advantage.
    pub freedom: usize,
}

/// All players' ratings, with what the fit says besides.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingList {
    /// How results follow from strengths.
    pub model: RatingModel,
    /// What a point is.
    pub scale: Scale,
    /// In the order of seats.
    pub players: Vec<PlayerRating>,
    /// What the white pieces are worth, in points.
    pub white_advantage: Strength,
    /// The chance of a draw between equals, colours aside, from 0 to 1.
    pub draw_rate: f64,
    /// The logarithm of the likelihood of all results that were fitted, virtual draws and priors aside.
    pub log_likelihood: f64,
    /// How well the model describes the results.
    pub misfit: GoodnessOfFit,
    /// As if all games were independent.
    pub independent: Uncertainty,
    /// With the games of a pair taken together: what to show.
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
    /// How much stronger `a` is than `b`, in points; none across groups.
    pub fn difference(&self, a: PlayerIndex, b: PlayerIndex) -> Option<Strength> {
        let [a, b] = [a, b].map(|seat| &self.players[seat.0]);
        (a.group == b.group).then_some(Strength(a.rating.0 - b.rating.0))
    }

    /// The chances of White's loss, draw and win; none across groups.
    pub fn chances(&self, white: PlayerIndex, black: PlayerIndex) -> Option<[f64; 3]> {
        self.difference(white, black).map(|lead| self.chances_at(lead))
    }

    /// The chances of White's loss, draw and win where White leads by so many points, its advantage aside.
    pub fn chances_at(&self, lead: Strength) -> [f64; 3] {
        let lead = (lead.0 + self.white_advantage.0) * self.scale.per_point();
        self.model.law(self.fit.problem.layout.draws(&self.fit.at)).read(lead).chances
    }

    /// By what a small difference is to be multiplied to compare it with logistic Elo: 1 where the expected score
    /// itself is logistic, 1 - draw rate for Davidson's model, BayesElo's `scale` for its own.
    pub fn logistic_scale(&self) -> f64 {
        self.model.steepness(self.draw_rate)
    }

    /// BayesElo's `drawelo`, the threshold of a win in points; none for other models.
    pub fn draw_elo(&self) -> Option<Strength> {
        match self.model {
            RatingModel::BayesElo => {
                Some(Strength(self.model.draw_parameter(self.draw_rate) / self.scale.per_point()))
            }
            RatingModel::Davidson | RatingModel::Ordo | RatingModel::OrdoWdl => None,
        }
    }

    /// How sure the games make us that `a` is stronger than `b`, by the errors given; none without an error.
    pub fn superiority(&self, a: PlayerIndex, b: PlayerIndex, errors: &Uncertainty) -> Option<f64> {
        let difference = self.difference(a, b)?.0;
        let error = errors.between(a, b)?;
        // Two anchors differ by decree; a player compared with itself is as good as itself.
        Some(if error > 0.0 {
            normal_cdf(difference / error)
        } else {
            0.5 + 0.5 * f64::from(difference.partial_cmp(&0.0).map_or(0, |ordering| ordering as i8))
        })
    }
}
