//! The covariance of a rating list: errors of ratings and of their differences.
//!
//! A rating has an error only relative to a reference: its group's anchors, or the average of its players if
//! no player is anchored. Ratings of different groups cannot be compared.

use nalgebra::DMatrix;

use super::crosstable::PlayerIndex;

/// The reference of a rating.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference {
    /// The anchors of the player's group, or the group's average without anchors.
    Anchors,
    /// The average of the players in the group.
    PoolMean,
}

/// The joint covariance of all ratings, White's advantage and the draw rate.
#[derive(Debug, Clone, PartialEq)]
pub struct Uncertainty {
    /// Players in points squared, then the advantage in points, then the draw rate between equal players as a
    /// share.
    covariance: DMatrix<f64>,
    /// Each player's group; `None` for a perfect scorer.
    groups: Vec<Option<usize>>,
    /// Each player's covariance with the average of its group.
    with_mean: Vec<f64>,
    /// Each group's variance of its average.
    of_mean: Vec<f64>,
}

impl Uncertainty {
    /// `covariance` in the order of seats, then advantage and draw rate; groups count from 0 without a gap.
    pub(super) fn new(covariance: DMatrix<f64>, groups: Vec<Option<usize>>) -> Self {
        debug_assert_eq!(covariance.nrows(), groups.len() + 2, "one row a player, and two");
        let count = groups.iter().flatten().max().map_or(0, |last| last + 1);
        let mut members = vec![Vec::new(); count];
        for (seat, group) in groups.iter().enumerate() {
            // `count` is out of range: a perfect scorer is a member of no group.
            members.get_mut(group.unwrap_or(count)).into_iter().for_each(|group| group.push(seat));
        }
        let mean = |seats: &[usize], of: &dyn Fn(usize) -> f64| {
            seats.iter().map(|&seat| of(seat)).sum::<f64>() / seats.len() as f64
        };
        let with_mean: Vec<f64> = (groups.iter().enumerate())
            .map(|(seat, group)| {
                group.map_or(0.0, |group| mean(&members[group], &|other| covariance[(seat, other)]))
            })
            .collect();
        let of_mean = members.iter().map(|seats| mean(seats, &|seat| with_mean[seat])).collect();
        Self { covariance, groups, with_mean, of_mean }
    }

    /// The standard error of a player's rating, in points; 0 for a fixed anchor relative to the anchors,
    /// `None` for a perfect scorer.
    pub fn standard_error(&self, seat: PlayerIndex, reference: Reference) -> Option<f64> {
        let group = self.groups[seat.0]?;
        let own = self.covariance[(seat.0, seat.0)];
        Some(root(match reference {
            Reference::Anchors => own,
            Reference::PoolMean => own - 2.0 * self.with_mean[seat.0] + self.of_mean[group],
        }))
    }

    /// The standard error of the difference between two ratings, in points; `None` across groups.
    pub fn between(&self, a: PlayerIndex, b: PlayerIndex) -> Option<f64> {
        (self.groups[a.0]? == self.groups[b.0]?).then(|| {
            let own = self.covariance[(a.0, a.0)] + self.covariance[(b.0, b.0)];
            root(own - 2.0 * self.covariance[(a.0, b.0)])
        })
    }

    /// The standard error of White's advantage, in points; 0 if it was fixed.
    pub fn of_advantage(&self) -> f64 {
        root(self.covariance[(self.groups.len(), self.groups.len())])
    }

    /// The standard error of the draw rate between equal players, as a share; 0 if it was fixed.
    pub fn of_draw_rate(&self) -> f64 {
        let last = self.groups.len() + 1;
        root(self.covariance[(last, last)])
    }

    /// The covariance given White's advantage and the draw rate, as BayesElo shows it.
    #[must_use]
    pub fn given_advantage_and_draws(&self) -> Self {
        let mut covariance = self.covariance.clone();
        // Conditioning on one Gaussian coordinate after the other.
        for known in [self.groups.len(), self.groups.len() + 1] {
            let variance = covariance[(known, known)];
            if variance > 0.0 {
                let column = covariance.column(known).into_owned();
                covariance.ger(-1.0 / variance, &column, &column, 1.0);
            }
        }
        Self::new(covariance, self.groups.clone())
    }
}

/// Rounding may make a variance of 0 slightly negative.
fn root(variance: f64) -> f64 {
    variance.max(0.0).sqrt()
}
