//! The covariance of a fit's estimates, for independent games and clustered by pairs.
//!
//! With A the negative derivative of the estimating equations and B the covariance of their scores, the
//! covariance is A⁻¹ B (A⁻¹)ᵀ (Huber's sandwich estimator). Under a likelihood with independent games B = A,
//! and A⁻¹ remains. Under Ordo's score equations B is computed from the model: n (p - D/4 - p²) per
//! head-to-head. For pairs, B is the sum over pairs of the square of both games' scores together, which
//! accounts for a shared opening without modelling it. Priors and virtual draws contribute to B what they
//! contribute to A.

use nalgebra::{Cholesky, DMatrix, DVector};

use super::crosstable::{Crosstable, PlayerIndex};
use super::error::RatingError;
use super::newton::{Problem, SIDES};
use super::parameters::{HeadToHeadSums, ParameterLayout, ParameterSlot};
use super::separation::Partition;
use super::settings::RatingSettings;
use super::uncertainty::Uncertainty;

/// A variance, in natural units squared, that no finite fit of real results approaches.
const FLAT: f64 = 1e6;

/// Both kinds of covariance, of the parameters in natural units.
pub(super) struct Covariances {
    pub(super) independent: DMatrix<f64>,
    pub(super) clustered: DMatrix<f64>,
}

/// The covariances at the fit.
pub(super) fn covariances(
    problem: &Problem,
    table: &Crosstable,
    at: &DVector<f64>,
) -> Result<Covariances, RatingError> {
    let inverse = inverse(problem.curvature(at), problem).ok_or(RatingError::Endless)?;
    // On an unbounded ridge the steps end at the limit of the numbers, with a huge variance.
    if !inverse.diagonal().iter().all(|&variance| variance < FLAT) {
        return Err(RatingError::Endless);
    }
    let sandwich = |scatter: DMatrix<f64>| &inverse * (scatter * inverse.transpose());
    let clustered = sandwich(observed_scatter(problem, table, at));
    let independent =
        if problem.model.is_likelihood() { inverse } else { sandwich(expected_scatter(problem, at)) };
    Ok(Covariances { independent, clustered })
}

/// The inverse of A. If the equations are not derivatives of a likelihood, the draw parameter's column is
/// zero above the diagonal: the rest is symmetric and is inverted separately.
fn inverse(curvature: DMatrix<f64>, problem: &Problem) -> Option<DMatrix<f64>> {
    if problem.layout.count() == 0 {
        return Some(curvature);
    }
    let draws = problem.layout.draws_place().index();
    let Some(draws) = draws.filter(|_| !problem.model.is_likelihood()) else {
        return Cholesky::new(curvature).map(|curvature| curvature.inverse());
    };
    let (own, across) = (curvature[(draws, draws)], curvature.row(draws).columns(0, draws).into_owned());
    let ratings = match draws {
        0 => DMatrix::zeros(0, 0),
        _ => Cholesky::new(curvature.view((0, 0), (draws, draws)).into_owned())?.inverse(),
    };
    let mut inverse = DMatrix::zeros(draws + 1, draws + 1);
    // The matrix is block-triangular, with the block R and the last row (c, d). The last row of its inverse
    // is (-c R⁻¹ / d, 1 / d).
    inverse.view_mut((draws, 0), (1, draws)).copy_from(&(&across * &ratings / -own));
    inverse.view_mut((0, 0), (draws, draws)).copy_from(&ratings);
    inverse[(draws, draws)] = 1.0 / own;
    Some(inverse)
}

/// B under the model.
fn expected_scatter(problem: &Problem, at: &DVector<f64>) -> DMatrix<f64> {
    let mut total = DMatrix::zeros(problem.layout.count(), problem.layout.count());
    let point = problem.point(at);
    for meeting in &problem.head_to_heads {
        let mut sums = HeadToHeadSums::default();
        for (side, weights, reading) in point.readings(meeting) {
            sums.add_curvature(reading.scatter(weights.iter().sum()), side);
        }
        problem.layout.add_curvature(meeting.players, &sums, &mut total);
    }
    total
}

/// B from the data, with a pair as one observation.
fn observed_scatter(problem: &Problem, table: &Crosstable, at: &DVector<f64>) -> DMatrix<f64> {
    let mut total = DMatrix::zeros(problem.layout.count(), problem.layout.count());
    let point = problem.point(at);
    for meeting in &problem.head_to_heads {
        let readings = SIDES.map(|side| point.evaluate(meeting, side));
        let score = |place: usize, result: usize| {
            HeadToHeadSums::by_side(readings[place].scores[result], SIDES[place])
        };
        let mut sums = HeadToHeadSums::default();
        for place in 0..2 {
            let encounter = table.encounter_of(meeting.players[place], meeting.players[1 - place]);
            for (result, &count) in encounter.single.iter().enumerate().filter(|(_, count)| **count > 0) {
                sums.add_square(count as f64, score(place, result));
            }
            for (with_white, row) in encounter.pairs.iter().enumerate() {
                for (with_black, &count) in row.iter().enumerate().filter(|(_, count)| **count > 0) {
                    // The second game is counted from its White's side, the second player.
                    let (one, other) = (score(place, with_white), score(1 - place, 2 - with_black));
                    sums.add_square(count as f64, std::array::from_fn(|at| one[at] + other[at]));
                }
            }
            if meeting.prior_draws > 0.0 {
                sums.add_curvature(readings[place].scatter(meeting.prior_draws), SIDES[place]);
            }
        }
        problem.layout.add_curvature(meeting.players, &sums, &mut total);
    }
    for prior in &problem.layout.priors {
        total[(prior.index, prior.index)] += prior.sd.powi(-2);
    }
    for prior in &problem.layout.relations {
        let sums = HeadToHeadSums::of_difference(0.0, prior.sd.powi(-2));
        problem.layout.add_curvature(prior.players, &sums, &mut total);
    }
    if let Some(prior) = problem.layout.draw_prior {
        // The prior is on the draw rate, which is a function of the parameter: hence the slope.
        total[(prior.index, prior.index)] +=
            (problem.model.draw_rate(at[prior.index]).slope / prior.sd).powi(2);
    }
    total
}

/// Converts a covariance of parameters to one of all players, advantage and draw rate in points; groups
/// without an anchor are relative to the group's average.
pub(super) fn uncertainty(
    covariance: &DMatrix<f64>,
    layout: &ParameterLayout,
    terms: &RatingSettings,
    draw_slope: f64,
    partition: &Partition,
) -> Uncertainty {
    let indices: Vec<Option<usize>> = layout.places().map(ParameterSlot::index).collect();
    let last = indices.len() - 1;
    let unit = |row: usize| if row == last { draw_slope } else { 1.0 / terms.scale.per_point() };
    let mut points = DMatrix::from_fn(indices.len(), indices.len(), |row, column| {
        let (Some(left), Some(right)) = (indices[row], indices[column]) else { return 0.0 };
        covariance[(left, right)] * unit(row) * unit(column)
    });
    for group in &partition.groups {
        if !group.iter().any(|seat| terms.anchors(*seat)) {
            centre(&mut points, group);
        }
    }
    Uncertainty::new(points, partition.group_of.clone())
}

/// Subtracts the average of these players from each of them, rows first, then columns.
fn centre(points: &mut DMatrix<f64>, group: &[PlayerIndex]) {
    for _ in 0..2 {
        for mut column in points.column_iter_mut() {
            let mean = group.iter().map(|seat| column[seat.0]).sum::<f64>() / group.len() as f64;
            for seat in group {
                column[seat.0] -= mean;
            }
        }
        points.transpose_mut();
    }
}
