//! The positions of a fit's quantities in the parameter vector.
//!
//! A head-to-head has three quantities: the difference between its players, White's advantage and the draw
//! parameter. Sums are computed in those three and then assigned to parameters: the difference is one
//! player's parameter minus the other's; fixed quantities have none. All values are in natural units of the
//! log odds.

use nalgebra::{DMatrix, DVector};

use super::crosstable::PlayerIndex;
use super::settings::{ParameterPrior, RatingSettings};

/// A quantity: a free parameter or a fixed value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ParameterSlot {
    /// The parameter with this index.
    Free(usize),
    /// Fixed at this value.
    Fixed(f64),
}

impl ParameterSlot {
    pub(super) fn index(self) -> Option<usize> {
        match self {
            Self::Free(index) => Some(index),
            Self::Fixed(_) => None,
        }
    }

    fn value(self, at: &DVector<f64>) -> f64 {
        match self {
            Self::Free(index) => at[index],
            Self::Fixed(value) => value,
        }
    }
}

/// A Gaussian prior of one parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct GaussianPrior {
    pub(super) index: usize,
    pub(super) mean: f64,
    pub(super) sd: f64,
}

/// A Gaussian prior of the difference between two players.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DifferencePrior {
    pub(super) players: [PlayerIndex; 2],
    pub(super) mean: f64,
    pub(super) sd: f64,
}

/// The parameters: free players in order of index, then the advantage, then the draw parameter.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ParameterLayout {
    players: Vec<ParameterSlot>,
    advantage: ParameterSlot,
    draws: ParameterSlot,
    count: usize,
    start: Vec<f64>,
    pub(super) priors: Vec<GaussianPrior>,
    /// The relations of players.
    pub(super) relations: Vec<DifferencePrior>,
    /// The prior of the draw rate between equal players; its index is the draw parameter's.
    pub(super) draw_prior: Option<GaussianPrior>,
}

impl ParameterLayout {
    /// In each group the anchors are fixed; without any, its first player is fixed until the fit is centred.
    /// `draw_share` is the share of draws among the results, including virtual ones.
    pub(super) fn new(
        terms: &RatingSettings,
        players: usize,
        groups: &[Vec<PlayerIndex>],
        draw_share: f64,
    ) -> Self {
        let unit = terms.scale.per_point();
        let mut sources = vec![ParameterPrior::Fixed(terms.centre.0); players];
        for group in groups {
            let held = |seat: &PlayerIndex| terms.anchors.iter().find(|anchor| anchor.seat == *seat);
            let anchors: Vec<_> = group.iter().filter_map(held).map(|anchor| anchor.rating).collect();
            let ground = if anchors.is_empty() { group.first() } else { None };
            for seat in group.iter().filter(|seat| Some(*seat) != ground) {
                sources[seat.0] = held(seat).map_or(ParameterPrior::Fitted, |anchor| anchor.rating);
            }
        }
        let mut layout = Self {
            players: Vec::with_capacity(players),
            advantage: ParameterSlot::Fixed(0.0),
            draws: ParameterSlot::Fixed(0.0),
            count: 0,
            start: Vec::new(),
            priors: Vec::new(),
            relations: (terms.relations.iter())
                .map(|relation| DifferencePrior {
                    players: relation.players,
                    mean: relation.difference.0 * unit,
                    sd: relation.sd * unit,
                })
                .collect(),
            draw_prior: None,
        };
        let level = level(terms);
        layout.players = sources.into_iter().map(|source| layout.place(source, level, unit)).collect();
        layout.advantage = layout.place(terms.advantage, 0.0, unit);
        // Last, since `with_draws_fixed` removes the last parameter.
        layout.place_draws(terms, draw_share);
        layout
    }

    fn place(&mut self, source: ParameterPrior, start: f64, unit: f64) -> ParameterSlot {
        let start = match source {
            ParameterPrior::Fixed(value) => return ParameterSlot::Fixed(value * unit),
            ParameterPrior::Fitted => start,
            ParameterPrior::Gaussian { mean, sd } => {
                self.priors.push(GaussianPrior { index: self.count, mean: mean * unit, sd: sd * unit });
                mean
            }
        };
        self.start.push(start * unit);
        self.count += 1;
        ParameterSlot::Free(self.count - 1)
    }

    fn place_draws(&mut self, terms: &RatingSettings, share: f64) {
        let parameter = |rate| terms.model.draw_parameter(rate);
        self.draws = match terms.draw_rate {
            ParameterPrior::Fixed(rate) => ParameterSlot::Fixed(parameter(rate)),
            // Without draws the maximum-likelihood rate is 0, which no finite parameter gives.
            ParameterPrior::Fitted if share == 0.0 => ParameterSlot::Fixed(parameter(0.0)),
            source => {
                if let ParameterPrior::Gaussian { mean, sd } = source {
                    self.draw_prior = Some(GaussianPrior { index: self.count, mean, sd });
                }
                // At a share of 1, and with most models at 0, the parameter is infinite, and no search can
                // start there.
                self.start.push(parameter(share.clamp(0.01, 0.99)));
                self.count += 1;
                ParameterSlot::Free(self.count - 1)
            }
        };
    }

    /// The layout with a fixed draw parameter: it is last, so the other indices do not change.
    pub(super) fn with_draws_fixed(&self, value: f64) -> Self {
        let count = self.draws.index().unwrap_or(self.count);
        let start = self.start[..count].to_vec();
        Self { draws: ParameterSlot::Fixed(value), draw_prior: None, count, start, ..self.clone() }
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The free ratings.
    pub(super) fn free_players(&self) -> usize {
        self.players.iter().filter(|place| place.index().is_some()).count()
    }

    /// The initial parameters: everybody at the anchors' average, no advantage, the observed draw rate.
    pub(super) fn start(&self) -> DVector<f64> {
        DVector::from_column_slice(&self.start)
    }

    pub(super) fn strength(&self, at: &DVector<f64>, seat: PlayerIndex) -> f64 {
        self.players[seat.0].value(at)
    }

    /// The first player's strength minus the second's.
    pub(super) fn lead(&self, at: &DVector<f64>, [first, second]: [PlayerIndex; 2]) -> f64 {
        self.strength(at, first) - self.strength(at, second)
    }

    /// All strengths; groups without an anchor are centred.
    pub(super) fn levels(
        &self,
        at: &DVector<f64>,
        terms: &RatingSettings,
        groups: &[Vec<PlayerIndex>],
    ) -> Vec<f64> {
        let mut levels: Vec<f64> = self.players.iter().map(|place| place.value(at)).collect();
        let centre = terms.centre.0 * terms.scale.per_point();
        for group in groups.iter().filter(|group| !group.iter().any(|seat| terms.anchors(*seat))) {
            let mean = group.iter().map(|seat| levels[seat.0]).sum::<f64>() / group.len() as f64;
            for seat in group {
                levels[seat.0] += centre - mean;
            }
        }
        levels
    }

    pub(super) fn advantage(&self, at: &DVector<f64>) -> f64 {
        self.advantage.value(at)
    }

    pub(super) fn draws(&self, at: &DVector<f64>) -> f64 {
        self.draws.value(at)
    }

    /// The quantities of all players, the advantage and the draw parameter.
    pub(super) fn places(&self) -> impl Iterator<Item = ParameterSlot> + '_ {
        self.players.iter().copied().chain([self.advantage, self.draws])
    }

    pub(super) fn advantage_place(&self) -> ParameterSlot {
        self.advantage
    }

    pub(super) fn draws_place(&self) -> ParameterSlot {
        self.draws
    }

    /// The parameter indices of a head-to-head, each with its quantity and sign.
    fn slots(&self, [first, second]: [PlayerIndex; 2]) -> [(Option<usize>, usize, f64); 4] {
        [
            (self.players[first.0].index(), 0, 1.0),
            (self.players[second.0].index(), 0, -1.0),
            (self.advantage.index(), 1, 1.0),
            (self.draws.index(), 2, 1.0),
        ]
    }

    pub(super) fn add_slope(
        &self,
        players: [PlayerIndex; 2],
        sums: &HeadToHeadSums,
        total: &mut DVector<f64>,
    ) {
        for (index, quantity, sign) in self.slots(players) {
            if let Some(index) = index {
                total[index] += sign * sums.slope[quantity];
            }
        }
    }

    pub(super) fn add_curvature(
        &self,
        players: [PlayerIndex; 2],
        sums: &HeadToHeadSums,
        total: &mut DMatrix<f64>,
    ) {
        let slots = self.slots(players);
        for (row, left, sign) in slots {
            for (column, right, other) in slots {
                if let (Some(row), Some(column)) = (row, column) {
                    total[(row, column)] += sign * other * sums.curvature[left][right];
                }
            }
        }
    }
}

/// The average of the anchors' ratings, in points.
fn level(terms: &RatingSettings) -> f64 {
    let known = |source| match source {
        ParameterPrior::Fitted => None,
        ParameterPrior::Fixed(rating) => Some(rating),
        ParameterPrior::Gaussian { mean, .. } => Some(mean),
    };
    let known: Vec<f64> = terms.anchors.iter().filter_map(|anchor| known(anchor.rating)).collect();
    if known.is_empty() { terms.centre.0 } else { known.iter().sum::<f64>() / known.len() as f64 }
}

/// Sums over a head-to-head in its own quantities: the first player's lead, White's advantage, the draw
/// parameter.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct HeadToHeadSums {
    pub(super) slope: [f64; 3],
    pub(super) curvature: [[f64; 3]; 3],
}

impl HeadToHeadSums {
    /// Converts a score in x and draw parameter to the three quantities; `side` is 1 if the first player has
    /// White and -1 if the second has.
    pub(super) fn by_side([of_x, of_draws]: [f64; 2], side: f64) -> [f64; 3] {
        [side * of_x, of_x, of_draws]
    }

    /// Adds a matrix in x and draw parameter.
    pub(super) fn add_curvature(&mut self, curvature: [[f64; 2]; 2], side: f64) {
        let [lead, advantage, draws] = [(0, side), (0, 1.0), (1, 1.0)];
        for (row, (left, sign)) in self.curvature.iter_mut().zip([lead, advantage, draws]) {
            for (cell, (right, other)) in row.iter_mut().zip([lead, advantage, draws]) {
                *cell += sign * other * curvature[left][right];
            }
        }
    }

    /// The terms of a prior of the difference that is `off` away from its mean.
    pub(super) fn of_difference(off: f64, precision: f64) -> Self {
        let mut sums = Self { slope: [precision * off, 0.0, 0.0], ..Self::default() };
        sums.curvature[0][0] = precision;
        sums
    }

    /// Adds `times` times the outer square of a score vector.
    pub(super) fn add_square(&mut self, times: f64, score: [f64; 3]) {
        for (row, left) in self.curvature.iter_mut().zip(score) {
            row.iter_mut().zip(score).for_each(|(cell, right)| *cell += times * left * right);
        }
    }
}
