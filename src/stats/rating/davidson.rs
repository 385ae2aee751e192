//! Davidson's model: win : draw : loss = e^(x/2) : ν : e^(-x/2), with x the difference in strength and White's
//! advantage. Source: Davidson, "On extending the Bradley-Terry model to accommodate ties" (1970).
//!
//! It is an exponential family, in which points and draws are sufficient and the log-likelihood is concave.

use nalgebra::{DMatrix, DVector};

use super::crosstable::{Crosstable, Games, Seat};

/// Natural units of x per Elo: ln 10 / 400.
pub(super) const PER_ELO: f64 = std::f64::consts::LN_10 / 400.0;

/// Where a player's strength comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// The parameter with this index.
    Free(usize),
    /// An anchor's rating, in natural units.
    Fixed(f64),
}

impl Place {
    pub(super) fn parameter(self) -> Option<usize> {
        match self {
            Self::Free(index) => Some(index),
            Self::Fixed(_) => None,
        }
    }

    fn fixed(self) -> Option<f64> {
        match self {
            Self::Free(_) => None,
            Self::Fixed(strength) => Some(strength),
        }
    }
}

/// Where each parameter stands in the vector of free ones.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layout {
    places: Vec<Place>,
    pub(super) advantage: usize,
    /// ln ν; absent without draws, when ν is 0.
    draws: Option<usize>,
    parameters: usize,
}

impl Layout {
    /// `fixed` tells the anchors' strengths, in natural units.
    pub(super) fn new(table: &Crosstable, fixed: impl Fn(Seat) -> Option<f64>) -> Self {
        let mut parameters = 0;
        let mut next = || {
            parameters += 1;
            parameters - 1
        };
        let places =
            table.seats().map(|seat| fixed(seat).map_or_else(|| Place::Free(next()), Place::Fixed)).collect();
        let advantage = next();
        let draws = table.games().any(|games| games.results[1] > 0).then(&mut next);
        Self { places, advantage, draws, parameters }
    }

    /// Everybody as strong as the anchors on average, no advantage, draws as likely as wins.
    pub(super) fn start(&self) -> DVector<f64> {
        let fixed: Vec<f64> = self.places.iter().filter_map(|place| place.fixed()).collect();
        let mean = fixed.iter().sum::<f64>() / fixed.len() as f64;
        let mut start = DVector::from_element(self.parameters, mean);
        start[self.advantage] = 0.0;
        if let Some(draws) = self.draws {
            start[draws] = 0.0;
        }
        start
    }

    pub(super) fn place(&self, seat: Seat) -> Place {
        self.places[seat.0]
    }

    pub(super) fn strength(&self, parameters: &DVector<f64>, seat: Seat) -> f64 {
        match self.place(seat) {
            Place::Free(index) => parameters[index],
            Place::Fixed(strength) => strength,
        }
    }

    pub(super) fn nu(&self, parameters: &DVector<f64>) -> f64 {
        self.draws.map_or(0.0, |index| parameters[index].exp())
    }

    /// The chances of White's loss, draw and win.
    pub(super) fn chances(&self, parameters: &DVector<f64>, white: Seat, black: Seat) -> [f64; 3] {
        let x =
            self.strength(parameters, white) - self.strength(parameters, black) + parameters[self.advantage];
        // Divided by the larger of the two powers, so that none overflows.
        let (win, loss) = ((x.min(0.0)).exp(), (-x.max(0.0)).exp());
        let draw = self.nu(parameters) * (-x.abs() / 2.0).exp();
        [loss, draw, win].map(|weight| weight / (loss + draw + win))
    }

    /// How x depends on the parameters: indices and signs.
    pub(super) fn slopes(&self, white: Seat, black: Seat) -> impl Iterator<Item = (usize, f64)> + use<> {
        let seat = |seat: Seat, sign| self.place(seat).parameter().map(|index| (index, sign));
        [seat(white, 1.0), seat(black, -1.0), Some((self.advantage, 1.0))].into_iter().flatten()
    }
}

pub(super) fn log_likelihood(table: &Crosstable, layout: &Layout, parameters: &DVector<f64>) -> f64 {
    let of = |games: Games| {
        let chances = layout.chances(parameters, games.white, games.black);
        let seen = games.results.iter().zip(chances).filter(|(count, _)| **count > 0);
        seen.map(|(&count, chance)| count as f64 * chance.ln()).sum::<f64>()
    };
    table.games().map(of).sum()
}

/// The gradient of the log-likelihood and the information, minus its second derivative.
pub(super) fn derivatives(
    table: &Crosstable,
    layout: &Layout,
    parameters: &DVector<f64>,
) -> (DVector<f64>, DMatrix<f64>) {
    let mut gradient = DVector::zeros(layout.parameters);
    let mut information = DMatrix::zeros(layout.parameters, layout.parameters);
    for Games { white, black, results } in table.games() {
        let [losses, draws, wins] = results.map(|count| count as f64);
        let games = losses + draws + wins;
        let [_, draw, win] = layout.chances(parameters, white, black);
        let score = win + draw / 2.0;
        for (row, sign) in layout.slopes(white, black) {
            gradient[row] += sign * (wins + draws / 2.0 - games * score);
            for (column, other) in layout.slopes(white, black) {
                information[(row, column)] += sign * other * games * (win + draw / 4.0 - score * score);
            }
            if let Some(nu) = layout.draws {
                let covariance = sign * games * draw * (0.5 - score);
                information[(row, nu)] += covariance;
                information[(nu, row)] += covariance;
            }
        }
        if let Some(nu) = layout.draws {
            gradient[nu] += draws - games * draw;
            information[(nu, nu)] += games * draw * (1.0 - draw);
        }
    }
    (gradient, information)
}

/// The sum over observations of the outer product of their score vectors, a pair being one observation.
pub(super) fn clustered_scores(
    table: &Crosstable,
    layout: &Layout,
    parameters: &DVector<f64>,
) -> DMatrix<f64> {
    let mut sum = DMatrix::zeros(layout.parameters, layout.parameters);
    let mut observe = |count: u64, games: &[(Seat, Seat, usize)]| {
        if count == 0 {
            return;
        }
        let mut score = DVector::zeros(layout.parameters);
        for &(white, black, half_points) in games {
            let [_, draw, win] = layout.chances(parameters, white, black);
            for (index, sign) in layout.slopes(white, black) {
                score[index] += sign * (half_points as f64 / 2.0 - win - draw / 2.0);
            }
            if let Some(nu) = layout.draws {
                score[nu] += f64::from(u8::from(half_points == 1)) - draw;
            }
        }
        sum.ger(count as f64, &score, &score, 1.0);
    };
    for (first, second, encounter) in table.encounters() {
        for (result, &count) in encounter.single.iter().enumerate() {
            observe(count, &[(first, second, result)]);
        }
        for (with_white, row) in encounter.pairs.iter().enumerate() {
            for (with_black, &count) in row.iter().enumerate() {
                observe(count, &[(first, second, with_white), (second, first, 2 - with_black)]);
            }
        }
    }
    sum
}
