//! A curve from ratings at several node budgets: the rating of a budget, and the budget for a rating.
//!
//! The only assumption is that more nodes never make an engine weaker (monotone regression); the curve
//! reports when the games contradict it. The axis is the number of doublings, in which strength grows nearly
//! linearly. Ratings are relative to the smallest budget. Its random error is in all other ratings, so errors
//! are treated with their covariance.

use std::ops::Range;

use super::fit::RatingScale;
use threefold_stats::Estimate;
use threefold_stats::isotonic::{self, Band, Isotonic, Measurements};

/// A node budget and its rating.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeLevel {
    /// Nodes per move.
    pub nodes: u64,
    /// The rating fitted to the games, in logistic Elo above the first level.
    pub measured: f64,
    /// The rating on the monotone curve.
    pub fitted: f64,
    /// The lower end of the simultaneous 95 % band.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// Elo as a function of nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeCurve {
    /// The budgets, smallest first.
    pub levels: Vec<NodeLevel>,
    /// Ranges of levels whose order the games do not show.
    pub indistinguishable: Vec<Range<usize>>,
    /// Do the games reject, at the 5 % level, that strength is monotone in nodes?
    pub falls: bool,
    /// The p-value of the goodness of fit of a monotone curve.
    pub misfit: f64,
    /// The average gain per doubling of nodes, in Elo, with its 95 % confidence interval.
    pub doubling: Estimate<f64>,
    smooth: isotonic::MonotoneCurve,
}

const ALPHA: f64 = 0.05;

/// The seed of the simulation behind `misfit`: the same games give the same curve.
const SIMULATION: u64 = 1;

impl NodeCurve {
    /// The curve through ratings at these budgets, the first of which is the reference. `None` unless there
    /// are at least two budgets in rising order, one per rating, and the differences have errors.
    pub fn from_ratings(nodes: &[u64], scale: &RatingScale) -> Option<Self> {
        let values: Vec<f64> = scale.ratings.iter().map(|rating| rating.elo).collect();
        let measured = Measurements::joint(&values, scale.covariance.clone()).ok()?;
        let doublings: Vec<f64> = nodes.iter().map(|&nodes| (nodes as f64).log2()).collect();
        let smooth = isotonic::MonotoneCurve::through(&doublings, &measured)?;
        let doubling = isotonic::slope(&doublings, &measured, ALPHA)?;
        let fit = Isotonic::fit(&measured);
        let band = Band::with_error(&measured, ALPHA);
        let level = |(index, fitted): (usize, f64)| NodeLevel {
            nodes: nodes[index],
            measured: values[index],
            fitted,
            low: band.low[index],
            high: band.high[index],
        };
        Some(Self {
            levels: fit.values().into_iter().enumerate().map(level).collect(),
            indistinguishable: fit.indistinguishable().collect(),
            falls: band.crosses(),
            misfit: isotonic::lack_of_fit(&measured, SIMULATION).p,
            doubling,
            smooth,
        })
    }

    /// The rating of a budget, in Elo; outside the curve, the rating at its end.
    pub fn elo(&self, nodes: f64) -> f64 {
        self.smooth.value_at(nodes.log2())
    }

    /// The nodes for a rating; `None` outside the curve.
    pub fn nodes(&self, elo: f64) -> Option<f64> {
        self.smooth.inverse(elo).map(f64::exp2)
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::DMatrix;

    use super::super::fit::PlayerRating;
    use super::*;

    fn scale(elos: &[f64], error: f64) -> RatingScale {
        let rating = |&elo: &f64| PlayerRating { player: String::new(), elo, error, points: 0.0, games: 0 };
        let variance = error * error / 2.0;
        let covariance = DMatrix::from_fn(elos.len(), elos.len(), |one, other| match (one, other) {
            (0, _) | (_, 0) => 0.0,
            _ if one == other => 2.0 * variance,
            _ => variance,
        });
        let ratings = elos.iter().map(rating).collect();
        RatingScale { ratings, white_advantage: 0.0, draw_rate: 0.3, covariance }
    }

    #[test]
    fn doublings_and_node_budgets_are_read_from_the_curve() {
        let curve =
            NodeCurve::from_ratings(&[500, 1000, 4000], &scale(&[0.0, 100.0, 300.0], 10.0)).expect("sound");
        assert!((curve.doubling.value - 100.0).abs() < 1e-9 && curve.doubling.low < 100.0);
        assert!((curve.elo(2000.0) - 200.0).abs() < 1e-9);
        assert!((curve.nodes(200.0).expect("within") - 2000.0).abs() < 1e-6);
        assert_eq!((curve.nodes(-1.0), curve.nodes(301.0)), (None, None));
        assert!(curve.indistinguishable.is_empty() && !curve.falls && curve.misfit > 0.99);
        let [first, second, _] = &curve.levels[..] else { panic!("three levels") };
        assert_eq!((first.low, first.high), (0.0, 0.0));
        assert!(second.low < 80.0 && 120.0 < second.high && (second.fitted - second.measured).abs() < 1e-12);
    }

    #[test]
    fn unordered_levels_and_decreasing_curves_are_reported() {
        let hardly =
            NodeCurve::from_ratings(&[1, 2, 4, 8], &scale(&[0.0, 110.0, 100.0, 250.0], 20.0)).expect("sound");
        assert!(
            hardly.indistinguishable.iter().cloned().eq(std::iter::once(1..3)) && !hardly.falls,
            "{hardly:?}"
        );
        let clearly =
            NodeCurve::from_ratings(&[1, 2, 4, 8], &scale(&[0.0, 210.0, 0.0, 250.0], 20.0)).expect("sound");
        assert!(clearly.falls && clearly.misfit < 0.01, "{clearly:?}");
    }

    #[test]
    fn invalid_node_budgets_have_no_curve() {
        for nodes in [&[2, 1][..], &[1, 1], &[1], &[1, 2, 3], &[0, 1]] {
            assert_eq!(NodeCurve::from_ratings(nodes, &scale(&[0.0, 100.0], 10.0)), None, "{nodes:?}");
        }
    }
}
