//! The fit by maximum likelihood.
//!
//! Fisher's scoring with damping (Levenberg and Marquardt): first a and b that do not depend on m, then the cubics
//! from there. A step that leaves a > 0 and b > 0 at an m of the data, or lowers the likelihood, is repeated with more
//! damping.

use std::collections::BTreeMap;

use nalgebra::{Cholesky, DMatrix, DVector};

use super::likelihood::Point;
use super::{TERMS, WdlError, WdlModel, WdlPosition, WdlSample};

/// The least number of games for a fit.
const LEAST_GAMES: usize = 100;
/// The least number of different m for a cubic: twice the number of its coefficients.
const LEAST_VALUES: usize = 2 * TERMS;
/// The largest number of steps; a fit takes about twenty.
const MOST_STEPS: u32 = 500;
/// The log-likelihood that a further step may gain at the end, in total.
const SMALL: f64 = 1e-9;
/// The damping of the first step, relative to the information.
const FIRST_DAMPING: f64 = 1e-3;
/// With this damping a step is far below the rounding errors of a coefficient.
const MOST_DAMPING: f64 = 1e12;

/// A fitted model.
#[derive(Debug, Clone, PartialEq)]
pub struct WdlFit {
    /// The model.
    pub model: WdlModel,
    /// The covariances of the coefficients of a, then of b, the lowest power first.
    covariance: DMatrix<f64>,
    /// The mean logarithm of the probability of a result; the objective of the script, with its sign.
    pub log_likelihood: f64,
    /// The number of games.
    pub games: usize,
    /// The number of games that are not the same as an earlier one.
    pub distinct_games: usize,
    /// The number of positions lost, drawn and won by the side to move.
    pub counts: [u64; 3],
    /// The lowest and the highest m of the data. Beyond it the polynomials mean nothing.
    pub range: [u16; 2],
}

impl WdlFit {
    /// The standard error of a(m), in units of the score, with the positions of a game as one observation.
    pub fn error_of_a(&self, m: f64) -> f64 {
        self.error(m, 0)
    }

    /// The standard error of b(m).
    pub fn error_of_b(&self, m: f64) -> f64 {
        self.error(m, TERMS)
    }

    fn error(&self, m: f64, first: usize) -> f64 {
        let powers = powers(m / self.model.target, TERMS);
        let block = self.covariance.view((first, first), (TERMS, TERMS));
        (powers.transpose() * block * &powers)[(0, 0)].max(0.0).sqrt()
    }
}

/// Fits the model.
///
/// # Errors
/// If there are too few games, or the results or the values of m do not determine a model.
pub fn fit_wdl(sample: &WdlSample, target: f64) -> Result<WdlFit, WdlError> {
    let counts @ [losses, draws, wins] = sample.counts();
    if draws == 0 {
        return Err(WdlError::NoDraws);
    }
    if losses + wins == 0 {
        return Err(WdlError::NoDecisiveGames);
    }
    let (games, distinct) = (sample.games().len(), sample.distinct_games());
    let distinct_games = distinct.len();
    if distinct_games < LEAST_GAMES {
        return Err(WdlError::TooFewGames { games: distinct_games, least: LEAST_GAMES });
    }
    let data = Data::new(sample, target);
    if data.rows.len() < LEAST_VALUES {
        return Err(WdlError::TooNarrow { found: data.rows.len() });
    }
    let (best, reached) = data.fit()?;
    let covariance =
        covariance(&distinct, target, &best, &reached.information).ok_or(WdlError::NoRelation)?;
    let coefficients = |first: usize| std::array::from_fn(|index| best[first + TERMS - 1 - index]);
    let values = || sample.positions().iter().map(|position| position.m);
    Ok(WdlFit {
        model: WdlModel { a: coefficients(0), b: coefficients(TERMS), target },
        covariance,
        log_likelihood: reached.log / sample.positions().len() as f64,
        games,
        distinct_games,
        counts,
        range: [values().min().unwrap_or(0), values().max().unwrap_or(0)],
    })
}

/// The positions of one m.
struct Row {
    t: f64,
    /// Scores with the number of losses, draws and wins.
    scores: Vec<(f64, [f64; 3])>,
}

struct Data {
    rows: Vec<Row>,
}

/// The log-likelihood with its slopes.
struct Slopes {
    log: f64,
    gradient: DVector<f64>,
    information: DMatrix<f64>,
}

impl Data {
    fn new(sample: &WdlSample, target: f64) -> Self {
        let row = |(m, scores): (u16, BTreeMap<i32, [u64; 3]>)| Row {
            t: f64::from(m) / target,
            scores: scores
                .into_iter()
                .map(|(score, counts)| (f64::from(score), counts.map(|count| count as f64)))
                .collect(),
        };
        Self { rows: sample.cells().into_iter().map(row).collect() }
    }

    fn fit(&self) -> Result<(DVector<f64>, Slopes), WdlError> {
        let size = self
            .rows
            .iter()
            .flat_map(|row| &row.scores)
            .map(|(score, _)| score.abs())
            .fold(0.0, f64::max)
            .max(1.0);
        let (constant, _) = self.maximise(DVector::from_vec(vec![size / 4.0, size / 4.0]))?;
        let mut start = DVector::zeros(2 * TERMS);
        (start[0], start[TERMS]) = (constant[0], constant[1]);
        self.maximise(start)
    }

    /// The coefficients at which the likelihood is highest; half of them are those of a.
    fn maximise(&self, mut at: DVector<f64>) -> Result<(DVector<f64>, Slopes), WdlError> {
        let mut here = self.slopes(&at).ok_or(WdlError::NoRelation)?;
        let mut damping = FIRST_DAMPING;
        for _ in 0..MOST_STEPS {
            let full = here.step(0.0).ok_or(WdlError::NoRelation)?;
            // Twice the gain of the full step in the quadratic approximation.
            if here.gradient.dot(&full) < SMALL {
                return Ok((at, here));
            }
            let next = &at + here.step(damping).ok_or(WdlError::NoRelation)?;
            match self.slopes(&next) {
                Some(there) if there.log >= here.log => {
                    (at, here) = (next, there);
                    damping /= 10.0;
                }
                _ if damping > MOST_DAMPING => return Err(WdlError::NoRelation),
                _ => damping *= 10.0,
            }
        }
        Err(WdlError::NoRelation)
    }

    /// `None` where a or b is not positive.
    fn slopes(&self, at: &DVector<f64>) -> Option<Slopes> {
        let terms = at.len() / 2;
        let mut sum = Slopes {
            log: 0.0,
            gradient: DVector::zeros(at.len()),
            information: DMatrix::zeros(at.len(), at.len()),
        };
        for row in &self.rows {
            let powers = powers(row.t, terms);
            let [a, b] = [0, terms].map(|first| powers.dot(&at.rows(first, terms)));
            if a <= 0.0 || b <= 0.0 || !a.is_finite() || !b.is_finite() {
                return None;
            }
            let (mut slope, mut information) = ([0.0; 2], [0.0; 3]);
            for &(score, counts) in &row.scores {
                let found = Point::new(score, a, b).terms(counts);
                sum.log += found.log;
                slope.iter_mut().zip(found.slope).for_each(|(sum, term)| *sum += term);
                information.iter_mut().zip(found.information).for_each(|(sum, term)| *sum += term);
            }
            let outer = &powers * powers.transpose();
            for side in 0..2 {
                let mut part = sum.gradient.rows_mut(side * terms, terms);
                part += slope[side] * &powers;
                for other in 0..2 {
                    let mut block = sum.information.view_mut((side * terms, other * terms), (terms, terms));
                    block += information[side + other] * &outer;
                }
            }
        }
        sum.log.is_finite().then_some(sum)
    }
}

impl Slopes {
    /// The step to the maximum of the quadratic approximation, shortened by the damping. The information is scaled to a
    /// diagonal of ones: the powers of m differ by orders of magnitude.
    fn step(&self, damping: f64) -> Option<DVector<f64>> {
        let scale = scale(&self.information)?;
        let mut scaled = scaled(&self.information, &scale);
        scaled.fill_diagonal(1.0 + damping);
        Some(Cholesky::new(scaled)?.solve(&self.gradient.component_mul(&scale)).component_mul(&scale))
    }
}

/// 1 and the powers of a number.
fn powers(t: f64, terms: usize) -> DVector<f64> {
    DVector::from_iterator(terms, std::iter::successors(Some(1.0), |power| Some(power * t)).take(terms))
}

/// The factors that make the diagonal 1; `None` if an element of it is not positive.
fn scale(matrix: &DMatrix<f64>) -> Option<DVector<f64>> {
    let diagonal = matrix.diagonal();
    diagonal.iter().all(|value| *value > 0.0).then(|| diagonal.map(|value| 1.0 / value.sqrt()))
}

fn scaled(matrix: &DMatrix<f64>, scale: &DVector<f64>) -> DMatrix<f64> {
    matrix.component_mul(&(scale * scale.transpose()))
}

/// The covariances of the coefficients, with each distinct game as one observation: the inverse information on both sides of the
/// sum of the squared slopes of the games (the sandwich of Huber and White). `None` if the information has no inverse.
fn covariance(
    games: &BTreeMap<&[WdlPosition], usize>,
    target: f64,
    best: &DVector<f64>,
    information: &DMatrix<f64>,
) -> Option<DMatrix<f64>> {
    let mut squares = DMatrix::zeros(best.len(), best.len());
    for (game, &times) in games {
        let mut slope = DVector::zeros(best.len());
        for position in *game {
            let powers = powers(f64::from(position.m) / target, TERMS);
            let [a, b] = [0, TERMS].map(|first| powers.dot(&best.rows(first, TERMS)));
            let found = Point::new(f64::from(position.score), a, b).slope(position.result);
            for (side, found) in found.into_iter().enumerate() {
                let mut part = slope.rows_mut(side * TERMS, TERMS);
                part += found * &powers;
            }
        }
        // Repetitions are not independent: their slopes are added up before they are squared.
        let weight = (times as f64).powi(2);
        squares.ger(weight, &slope, &slope, 1.0);
    }
    let games = games.len() as f64;
    let scale = scale(information)?;
    let inverse = scaled(&Cholesky::new(scaled(information, &scale))?.inverse(), &scale);
    // The factor G / (G - 1) is that of clustered variances.
    Some(&inverse * squares * &inverse * (games / (games - 1.0)))
}

#[cfg(test)]
#[path = "fit_tests.rs"]
mod tests;
