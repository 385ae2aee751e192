//! Settings of a rating list: the model, the scale, and prior knowledge.
//!
//! Every quantity may be free, fixed, or have a Gaussian prior. [`RatingSettings::new`] has the defaults of
//! the program that a model comes from.

use super::crosstable::{Crosstable, PlayerIndex};
use super::error::RatingError;

threefold_named_enum::named_enum! {
    /// The model of results.
    pub enum RatingModel {
        /// Win : draw : loss = e^(x/2) : ν : e^(-x/2), by maximum likelihood; points and draws are sufficient
        /// statistics.
        Davidson = "davidson",
        /// Ordo's: expected points equal scored points, with a logistic expected score.
        Ordo = "ordo",
        /// Ordo's -M: maximum likelihood of wins, draws and losses with a logistic expected score.
        OrdoWdl = "ordo-wdl",
        /// BayesElo's: Rao and Kupper's thresholds, by maximum likelihood, with virtual draws as a prior.
        BayesElo = "bayeselo",
    }
}

/// A rating, or a difference of ratings, in points of its list's [`RatingScale`].
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct RatingPoints(pub f64);

/// The scale: points per unit of the log odds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatingScale {
    /// The points at which the logistic expected score is 76 %; above 0.
    pub at_76: f64,
}

impl RatingScale {
    /// Logistic Elo: 400 points are odds of ten to one.
    pub const LOGISTIC: Self = Self { at_76: 200.240_940_227_674_14 };
    /// Ordo's default; one of its points is 0.9913 logistic Elo.
    pub const ORDO: Self = Self { at_76: 202.0 };

    /// The draw rate between equal players of BayesElo's model with this `drawelo`, in points.
    pub fn draw_rate_of_draw_elo(self, draw_elo: RatingPoints) -> f64 {
        RatingModel::BayesElo.draw_rate(draw_elo.0 * self.per_point()).rate
    }

    /// Natural units of the log odds per point.
    pub(super) fn per_point(self) -> f64 {
        (0.76_f64 / 0.24).ln() / self.at_76
    }
}

/// Prior knowledge of a quantity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParameterPrior {
    /// None: it is fitted.
    Fitted,
    /// Fixed at this value.
    Fixed(f64),
    /// A Gaussian prior.
    Gaussian {
        /// The mean of the prior.
        mean: f64,
        /// Its standard deviation, above 0.
        sd: f64,
    },
}

/// A player with a known rating.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatingAnchor {
    /// The player whose rating is fixed.
    pub seat: PlayerIndex,
    /// The rating in points: fixed, or with a Gaussian prior.
    pub rating: ParameterPrior,
}

impl RatingAnchor {
    /// A player with a fixed rating.
    pub const fn fixed(seat: PlayerIndex, rating: RatingPoints) -> Self {
        Self { seat, rating: ParameterPrior::Fixed(rating.0) }
    }

    /// A player with a Gaussian prior, mean and standard deviation in points.
    pub const fn gaussian(seat: PlayerIndex, mean: RatingPoints, sd: f64) -> Self {
        Self { seat, rating: ParameterPrior::Gaussian { mean: mean.0, sd } }
    }
}

/// Prior knowledge of the difference between two players, such as two versions of one engine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatingRelation {
    /// The two players; none is related to itself.
    pub players: [PlayerIndex; 2],
    /// The mean of the first player's rating minus the second's, in points.
    pub difference: RatingPoints,
    /// The standard deviation of the difference, in points, above 0.
    pub sd: f64,
}

/// What to do if results leave a distance infinite or unmeasured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GapPolicy {
    /// Return an error.
    Refuse,
    /// Rate each group separately, and place perfect scorers where their result has probability 1/2.
    Split,
}

/// The settings of a fit.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingSettings {
    /// The model of results.
    pub model: RatingModel,
    /// What a point is.
    pub scale: RatingScale,
    /// Players with known ratings; none twice.
    pub anchors: Vec<RatingAnchor>,
    /// Gaussian priors of differences between players.
    pub relations: Vec<RatingRelation>,
    /// The average rating of the players if no player is anchored.
    pub centre: RatingPoints,
    /// What the white pieces are worth, in points.
    pub advantage: ParameterPrior,
    /// The draw rate between equal players without an advantage, from 0 to below 1.
    pub draw_rate: ParameterPrior,
    /// Virtual draws per player, distributed over its opponents by games; 0 for none.
    pub prior_draws: f64,
    /// What to do if results leave a distance infinite or unmeasured.
    pub gaps: GapPolicy,
}

impl RatingSettings {
    /// Advantage and draw rate fitted, no anchors, gaps refused; scale and virtual draws as usual with the
    /// model.
    pub fn new(model: RatingModel) -> Self {
        let (scale, prior_draws) = match model {
            RatingModel::Davidson => (RatingScale::LOGISTIC, 0.0),
            RatingModel::Ordo | RatingModel::OrdoWdl => (RatingScale::ORDO, 0.0),
            RatingModel::BayesElo => (RatingScale::LOGISTIC, 2.0),
        };
        Self {
            model,
            scale,
            anchors: Vec::new(),
            relations: Vec::new(),
            centre: RatingPoints(0.0),
            advantage: ParameterPrior::Fitted,
            draw_rate: ParameterPrior::Fitted,
            prior_draws,
            gaps: GapPolicy::Refuse,
        }
    }
}

/// The largest standard deviation of a prior, in units of its quantity: a wider one would look like an
/// unmeasured distance.
const WIDEST: f64 = 100_000.0;

impl RatingSettings {
    /// Whether the player is anchored, fixed or with a prior.
    pub(super) fn anchors(&self, seat: PlayerIndex) -> bool {
        self.anchors.iter().any(|anchor| anchor.seat == seat)
    }

    /// Whether the player has a relation with another one.
    pub(super) fn relates(&self, seat: PlayerIndex) -> bool {
        self.relations.iter().any(|relation| relation.players.contains(&seat))
    }

    /// Returns an error for invalid settings.
    pub(super) fn check(&self, table: &Crosstable) -> Result<(), RatingError> {
        let refuse = |what: String, remedy| Err(RatingError::Settings { what, remedy });
        let players = table.names().len();
        for (place, anchor) in self.anchors.iter().enumerate() {
            let Some(name) = table.names().get(anchor.seat.0) else {
                return refuse(format!("an anchor in seat {}", anchor.seat.0), "the table has fewer players");
            };
            if self.anchors[..place].iter().any(|other| other.seat == anchor.seat) {
                return refuse(format!("the second anchor `{name}`"), "name each anchor once");
            }
            if !anchor.rating.is_within(f64::NEG_INFINITY, f64::INFINITY)
                || anchor.rating == ParameterPrior::Fitted
            {
                return refuse(format!("the anchor `{name}`"), SOUND);
            }
        }
        self.check_relations(table)?;
        let loose = |source: ParameterPrior| matches!(source, ParameterPrior::Gaussian { .. });
        let anything_loose = self.anchors.iter().any(|anchor| loose(anchor.rating));
        if self.model == RatingModel::Ordo
            && (anything_loose
                || !self.relations.is_empty()
                || loose(self.advantage)
                || loose(self.draw_rate))
        {
            let remedy = "score equations are no likelihood that it could be weighed against; use `ordo-wdl`";
            return refuse("what is known loosely".to_owned(), remedy);
        }
        if !self.advantage.is_within(f64::NEG_INFINITY, f64::INFINITY) {
            return refuse("White's advantage".to_owned(), SOUND);
        }
        if !self.draw_rate.is_within(0.0, 1.0) {
            return refuse(
                "the draw rate".to_owned(),
                "give a share from 0 to below 1, and a spread above 0",
            );
        }
        if !(0.0..=f64::MAX).contains(&self.prior_draws) {
            return refuse("the virtual draws".to_owned(), "give a number from 0");
        }
        if !(self.centre.0.is_finite() && 0.0 < self.scale.at_76 && self.scale.at_76.is_finite()) {
            return refuse("the scale or its centre".to_owned(), "give finite numbers, the scale above 0");
        }
        if players == 0 { Err(RatingError::NoGames) } else { Ok(()) }
    }

    fn check_relations(&self, table: &Crosstable) -> Result<(), RatingError> {
        for RatingRelation { players, difference, sd } in &self.relations {
            let names = players.map(|seat| table.names().get(seat.0).map_or("?", String::as_str));
            let known = players.iter().all(|seat| seat.0 < table.names().len());
            let prior = ParameterPrior::Gaussian { mean: difference.0, sd: *sd };
            if !known || players[0] == players[1] || !prior.is_within(f64::NEG_INFINITY, f64::INFINITY) {
                return Err(RatingError::Settings {
                    what: format!("the relation of `{}` and `{}`", names[0], names[1]),
                    remedy: "give two players, a finite difference, and an error above 0, at most 100,000",
                });
            }
        }
        Ok(())
    }
}

const SOUND: &str = "give a finite number of points, and where it is loose a spread above 0, at most 100,000";

impl ParameterPrior {
    /// Whether its value is at least `low` and less than `high`, or not known.
    fn is_within(self, low: f64, high: f64) -> bool {
        let sound = |value: f64| value.is_finite() && low <= value && value < high;
        match self {
            Self::Fitted => true,
            Self::Fixed(value) => sound(value),
            Self::Gaussian { mean, sd } => sound(mean) && 0.0 < sd && sd <= WIDEST,
        }
    }
}
