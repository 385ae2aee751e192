//! What is asked of a rating list: the model, the scale, and what is known beforehand.
//!
//! Everything that may be known beforehand comes in the same three ways: not at all, exactly, or loosely, as a
//! Gaussian. [`RatingSettings::new`] gives what the program that a model comes from does by itself.

use super::crosstable::{Crosstable, PlayerIndex};
use super::error::RatingError;

threefold_named_enum::named_enum! {
    /// How results follow from strengths.
    pub enum RatingModel {
        /// Win : draw : loss = e^(x/2) : ν : e^(-x/2), by likelihood: points and draws are all that counts.
        Davidson = "davidson",
        /// Ordo's: as many points expected as were scored, the expected score being logistic.
        Ordo = "ordo",
        /// Ordo's -M: the likelihood of wins, draws and losses where the expected score is logistic.
        OrdoWdl = "ordo-wdl",
        /// BayesElo's: Rao and Kupper's thresholds, by likelihood, with virtual draws beforehand.
        BayesElo = "bayeselo",
    }
}

/// A rating, or a difference of ratings, in points of its list's [`Scale`].
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Strength(pub f64);

/// How many points are one unit of the odds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// Points by which the logistic expected score is 76 %; above nought.
    pub at_76: f64,
}

impl Scale {
    /// 400 points are odds of ten to one: logistic Elo.
    pub const LOGISTIC: Self = Self { at_76: 200.240_940_227_674_14 };
    /// What Ordo uses unless told otherwise; one of its points is 0.9913 logistic Elo.
    pub const ORDO: Self = Self { at_76: 202.0 };

    /// The draw rate between equals that BayesElo's law has with this `drawelo`, in points from 0.
    pub fn draw_rate_of_draw_elo(self, draw_elo: Strength) -> f64 {
        RatingModel::BayesElo.draw_rate(draw_elo.0 * self.per_point()).rate
    }

    /// Natural units of the log odds per point.
    pub(super) fn per_point(self) -> f64 {
        (0.76_f64 / 0.24).ln() / self.at_76
    }
}

/// How far a quantity is known beforehand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParameterPrior {
    /// The games alone tell it.
    Fitted,
    /// It is this.
    Fixed(f64),
    /// It is about this, and the games tell the rest: a Gaussian prior.
    Gaussian {
        /// The middle of the prior.
        mean: f64,
        /// Its standard deviation, above nought.
        sd: f64,
    },
}

/// A player of whose rating something is known beforehand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatingAnchor {
    /// Who.
    pub seat: PlayerIndex,
    /// The rating, in points: given or loose.
    pub rating: ParameterPrior,
}

impl RatingAnchor {
    /// A player that keeps a rating.
    pub const fn fixed(seat: PlayerIndex, rating: Strength) -> Self {
        Self { seat, rating: ParameterPrior::Fixed(rating.0) }
    }

    /// A player that has a rating with a standard deviation, in points.
    pub const fn gaussian(seat: PlayerIndex, mean: Strength, sd: f64) -> Self {
        Self { seat, rating: ParameterPrior::Gaussian { mean: mean.0, sd } }
    }
}

/// What to do where results leave a distance infinite or unmeasured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GapPolicy {
    /// Say so, and give no list.
    Refuse,
    /// Rate each group by itself, and place those who won or lost all their games where that result would be an
    /// even chance.
    Split,
}

/// All that a fit needs besides the games.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingSettings {
    /// How results follow from strengths.
    pub model: RatingModel,
    /// What a point is.
    pub scale: Scale,
    /// The players of whom something is known; none twice.
    pub anchors: Vec<RatingAnchor>,
    /// The average rating of the players where nobody is anchored.
    pub centre: Strength,
    /// What the white pieces are worth, in points.
    pub advantage: ParameterPrior,
    /// The chance of a draw between equals without an advantage, from 0 to below 1.
    pub draw_rate: ParameterPrior,
    /// Virtual draws that a player is given, spread over its opponents by games; 0 for none.
    pub prior_draws: f64,
    /// What to do where results leave a distance infinite or unmeasured.
    pub gaps: GapPolicy,
}

impl RatingSettings {
    /// Advantage and draw rate fitted, nobody anchored, gaps refused; the scale and the prior that are usual with
    /// the model.
    pub fn new(model: RatingModel) -> Self {
        let (scale, prior_draws) = match model {
            RatingModel::Davidson => (Scale::LOGISTIC, 0.0),
            RatingModel::Ordo | RatingModel::OrdoWdl => (Scale::ORDO, 0.0),
            RatingModel::BayesElo => (Scale::LOGISTIC, 2.0),
        };
        Self {
            model,
            scale,
            anchors: Vec::new(),
            centre: Strength(0.0),
            advantage: ParameterPrior::Fitted,
            draw_rate: ParameterPrior::Fitted,
            prior_draws,
            gaps: GapPolicy::Refuse,
        }
    }
}

/// The widest prior, in units of its quantity: a wider one says nothing, and would look like a distance unmeasured.
const WIDEST: f64 = 100_000.0;

impl RatingSettings {
    /// Whether the player is anchored, firmly or loosely.
    pub(super) fn anchors(&self, seat: PlayerIndex) -> bool {
        self.anchors.iter().any(|anchor| anchor.seat == seat)
    }

    /// Refuses what no fit can use.
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
        let loose = |source: ParameterPrior| matches!(source, ParameterPrior::Gaussian { .. });
        let anything_loose = self.anchors.iter().any(|anchor| loose(anchor.rating));
        if self.model == RatingModel::Ordo
            && (anything_loose || loose(self.advantage) || loose(self.draw_rate))
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
}

const SOUND: &str = "give a finite number of points, and where it is loose a spread above 0, at most 100,000";

impl ParameterPrior {
    /// Whether it is known to be at least `low` and less than `high`, or not known beforehand.
    fn is_within(self, low: f64, high: f64) -> bool {
        let sound = |value: f64| value.is_finite() && low <= value && value < high;
        match self {
            Self::Fitted => true,
            Self::Fixed(value) => sound(value),
            Self::Gaussian { mean, sd } => sound(mean) && 0.0 < sd && sd <= WIDEST,
        }
    }
}
