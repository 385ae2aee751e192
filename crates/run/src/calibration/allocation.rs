//! Allocates the next games: to the pairings with the largest gain in precision per second, among the levels
//! that are not yet precise enough.
//!
//! Errors are approximated as normal, so the gain of a pairing is known before it is played. It observes one
//! rating difference, with a variance that depends on how even the players are, and the posterior covariance
//! follows from that.

use std::ops::SubAssign;

use nalgebra::{DMatrix, DVector};

use super::precision::PrecisionTarget;
use super::ratings::RatingSurvey;
use crate::PartResult;
use threefold_stats::elo::Z95;

/// Pairs allocated at a time.
pub(super) const PAIRS_PER_STEP: usize = 4;
/// The number of levels that each anchor meets.
pub(super) const LEVELS_PER_ANCHOR: usize = 4;
/// Players whose ratings differ by more than this, in Elo, give little information about each other.
const LARGEST_DIFFERENCE: f64 = 450.0;

/// The remaining budget.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct GameBudget {
    pub(super) pairs: usize,
    /// Seconds of thinking time, summed over all players.
    pub(super) seconds: f64,
}

/// The thinking time of all players in these parts, by the games' clocks, in seconds.
pub(super) fn thinking(parts: &[PartResult<'_>]) -> f64 {
    let games = parts.iter().flat_map(PartResult::games).map(|(_, game)| game);
    games.flat_map(|game| &game.played.sides).map(|times| times.used.as_secs_f64()).sum()
}

/// Allocates the budget in steps until every level is precise enough: pairs of places in the ratings, and
/// pairs of games for each. It minimises the sum of the third powers of all variances, each relative to the
/// required one, so that the least precise levels come first.
pub(super) fn allocate(
    survey: &RatingSurvey,
    budget: GameBudget,
    precision: &PrecisionTarget,
) -> Vec<([usize; 2], usize)> {
    let candidates = candidates(survey);
    let mut given = vec![0; candidates.len()];
    let mut covariance = errors(survey);
    let mut seconds = budget.seconds;
    let aims: Vec<(usize, f64)> = (survey.levels().zip(survey.known().unwrap_or_default()))
        .map(|((at, _), (elo, _))| (at, (precision.half_width(elo) / Z95).powi(2)))
        .collect();
    for _ in 0..budget.pairs / PAIRS_PER_STEP {
        let excess = |&(at, may_be): &(usize, f64)| (at, covariance[(at, at)] / may_be, may_be);
        let unsure: Vec<(usize, f64)> = aims
            .iter()
            .map(excess)
            .filter(|(_, excess, _)| *excess > 1.0)
            // The derivative of the sum of third powers by this variance, without the constant factor.
            .map(|(at, excess, may_be)| (at, excess.powi(2) / may_be))
            .collect();
        let gains = candidates.iter().map(|candidate| candidate.gain(&covariance, &unsure));
        let Some((best, _)) = gains.enumerate().max_by(|one, other| one.1.total_cmp(&other.1)) else { break };
        seconds -= candidates[best].cost;
        if unsure.is_empty() || seconds < 0.0 {
            break;
        }
        given[best] += PAIRS_PER_STEP;
        candidates[best].update_covariance(&mut covariance);
    }
    candidates.iter().map(|candidate| candidate.places).zip(given).filter(|(_, pairs)| *pairs > 0).collect()
}

/// The covariance of all players' errors, given that the levels (listed first) are on a smooth curve. The
/// smoothing improves the anchors' errors as far as they are correlated with those of the levels.
fn errors(survey: &RatingSurvey) -> DMatrix<f64> {
    let mut errors = survey.covariance.clone();
    let Some(smoothed) = survey.smoothed() else { return errors };
    let smoothed = smoothed.covariance();
    let (levels, anchors) = (smoothed.nrows(), errors.nrows() - smoothed.nrows());
    let alone = errors.view((0, 0), (levels, levels)).into_owned();
    errors.view_mut((0, 0), (levels, levels)).copy_from(smoothed);
    // The anchors' errors are a linear regression on those of the levels plus an independent rest. Smoothing
    // changes the first part only.
    if let Some(inverse) = alone.clone().try_inverse().filter(|_| anchors > 0) {
        let shares = inverse * errors.view((0, levels), (levels, anchors));
        let of_both = smoothed * &shares;
        let reduction = shares.transpose() * (alone - smoothed) * &shares;
        errors.view_mut((0, levels), (levels, anchors)).copy_from(&of_both);
        errors.view_mut((levels, 0), (anchors, levels)).copy_from(&of_both.transpose());
        errors.view_mut((levels, levels), (anchors, anchors)).sub_assign(&reduction);
    }
    errors
}

/// A pairing that may be played.
struct PairingCandidate {
    places: [usize; 2],
    /// The variance of the rating difference after one step of pairs, in Elo squared.
    variance: f64,
    /// The cost of one step of pairs, in seconds.
    cost: f64,
}

/// Each level with the next higher one and with those not too far above, and each anchor with the nearest
/// levels.
fn candidates(survey: &RatingSurvey) -> Vec<PairingCandidate> {
    let levels: Vec<usize> = survey.levels().map(|(at, _)| at).collect();
    let elo = |place: usize| survey.players[place].elo;
    let mut candidates = Vec::new();
    for (at, &one) in levels.iter().enumerate() {
        let above = levels.iter().skip(at + 1).enumerate();
        let met =
            // The next level at any distance, so that games connect all levels.
            above.filter(|&(steps, &other)| steps == 0 || (elo(other) - elo(one)).abs() < LARGEST_DIFFERENCE);
        candidates.extend(met.map(|(_, &other)| PairingCandidate::new(survey, [one, other])));
    }
    for (anchor, _) in survey.anchors() {
        let mut near = levels.clone();
        near.sort_by(|&one, &other| {
            (elo(one) - elo(anchor)).abs().total_cmp(&(elo(other) - elo(anchor)).abs())
        });
        let met = near
            .into_iter()
            .take(LEVELS_PER_ANCHOR)
            .filter(|&level| (elo(level) - elo(anchor)).abs() < LARGEST_DIFFERENCE);
        candidates.extend(met.map(|level| PairingCandidate::new(survey, [anchor, level])));
    }
    candidates
}

impl PairingCandidate {
    fn new(survey: &RatingSurvey, places: [usize; 2]) -> Self {
        let [one, other] = places.map(|place| &survey.players[place]);
        let slope = std::f64::consts::LN_10 / 400.0;
        let expected = 1.0 / (1.0 + (slope * (other.elo - one.elo)).exp());
        let games = 2.0 * PAIRS_PER_STEP as f64;
        // The inverse of the Fisher information about the difference, in a logistic model without draws.
        let variance = 1.0 / (games * slope * slope * expected * (1.0 - expected));
        Self { places, variance, cost: games * (one.cost + other.cost) }
    }

    /// The rating difference that it observes.
    fn difference(&self, players: usize) -> DVector<f64> {
        let [one, other] = self.places;
        DVector::from_fn(players, |at, _| f64::from(u8::from(at == one)) - f64::from(u8::from(at == other)))
    }

    /// The decrease of these players' weighted variances by one step of pairs, per second.
    fn gain(&self, covariance: &DMatrix<f64>, of: &[(usize, f64)]) -> f64 {
        let [one, other] = self.places;
        let along = |(at, weight): &(usize, f64)| {
            weight * (covariance[(*at, one)] - covariance[(*at, other)]).powi(2)
        };
        // By Sherman and Morrison, an observation lowers a variance by the squared covariance with what is
        // observed, divided by the variance of the observation.
        let own = covariance[(one, one)] + covariance[(other, other)] - 2.0 * covariance[(one, other)];
        of.iter().map(along).sum::<f64>() / (self.variance + own) / self.cost
    }

    /// Updates the covariance as if one step of pairs had been played.
    fn update_covariance(&self, covariance: &mut DMatrix<f64>) {
        let difference = self.difference(covariance.nrows());
        let along = &*covariance * &difference;
        let own = difference.dot(&along);
        covariance.ger(-1.0 / (self.variance + own), &along, &along, 1.0);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::player_role::PlayerRole;
    use super::super::ratings::RatedPlayer;
    use super::super::simulated::{everywhere, option};
    use super::*;

    /// Levels with these ratings, errors and costs, and independent errors.
    pub(in crate::calibration) fn survey(levels: &[(u32, f64, f64, f64)]) -> RatingSurvey {
        let player = |&(level, elo, error, cost): &(u32, f64, f64, f64)| RatedPlayer {
            name: option().name(level),
            role: PlayerRole::Level(level),
            elo,
            error,
            games: 100,
            points: 50.0,
            drawn: 30,
            faults: 0,
            machine_time_losses: 0,
            cost,
        };
        let variances: Vec<f64> = levels.iter().map(|(_, _, error, _)| (error / 1.96).powi(2)).collect();
        RatingSurvey {
            players: levels.iter().map(player).collect(),
            covariance: DMatrix::from_diagonal(&DVector::from_vec(variances)),
            white_advantage: 0.0,
            disagreement: None,
            disagreement_here: None,
            left_out: Vec::new(),
        }
    }

    fn pairs_of(pairings: &[([usize; 2], usize)], place: usize) -> usize {
        pairings.iter().filter(|(places, _)| places.contains(&place)).map(|(_, pairs)| pairs).sum()
    }

    #[test]
    fn games_go_to_the_levels_with_the_most_information() {
        let equal = (0.0, 10.0, 1.0);
        let level = |level: u32, (elo, error, cost): (f64, f64, f64)| (level, elo, error, cost);
        // One level is less precise than the others: its pairings get the games.
        let unsure = survey(&[
            level(600, equal),
            level(1000, (100.0, 10.0, 1.0)),
            level(1400, (200.0, 10.0, 1.0)),
            level(1800, (300.0, 90.0, 1.0)),
        ]);
        let budget = |pairs| GameBudget { pairs, seconds: f64::INFINITY };
        let pairings = allocate(&unsure, budget(40), &everywhere(20.0));
        assert_eq!(pairings.iter().map(|(_, pairs)| pairs).sum::<usize>(), 40);
        assert!(pairs_of(&pairings, 3) > 30, "{pairings:?}");
        assert_eq!(allocate(&unsure, budget(40), &everywhere(95.0)), [], "all are known");
        // Of two equally informative pairings, the cheaper one.
        let distant = survey(&[
            level(600, (0.0, 30.0, 0.1)),
            level(1000, (0.0, 90.0, 1.0)),
            level(1400, (0.0, 30.0, 9.0)),
        ]);
        let pairings = allocate(&distant, budget(20), &everywhere(20.0));
        assert!(pairs_of(&pairings, 0) > pairs_of(&pairings, 2), "{pairings:?}");
        // Of two equally expensive pairings, the more even one.
        let far = survey(&[
            level(600, (-700.0, 30.0, 1.0)),
            level(1000, (0.0, 90.0, 1.0)),
            level(1400, (50.0, 30.0, 1.0)),
        ]);
        let pairings = allocate(&far, budget(20), &everywhere(20.0));
        assert!(pairs_of(&pairings, 2) > pairs_of(&pairings, 0), "{pairings:?}");
        // Outside the required range a wide interval is enough.
        let apart = survey(&[
            level(600, (0.0, 30.0, 1.0)),
            level(1000, (200.0, 30.0, 1.0)),
            level(1400, (400.0, 90.0, 1.0)),
            level(1800, (600.0, 30.0, 1.0)),
        ]);
        let low = PrecisionTarget { precision: 20.0, range: 0.0..=250.0 };
        let (all, below) =
            (allocate(&apart, budget(40), &everywhere(20.0)), allocate(&apart, budget(40), &low));
        assert!(pairs_of(&all, 2) > pairs_of(&all, 0), "{all:?}");
        assert!(pairs_of(&below, 0) > pairs_of(&below, 2) && pairs_of(&below, 3) == 0, "{below:?}");
        // Two seconds per game: 100 seconds buy six steps of eight games.
        let pairings = allocate(&far, GameBudget { pairs: 1_000, seconds: 100.0 }, &everywhere(20.0));
        assert_eq!(pairings.iter().map(|(_, pairs)| pairs).sum::<usize>(), 6 * PAIRS_PER_STEP);
    }

    #[test]
    fn few_pairs_reduce_errors_like_two_observations() {
        let two = survey(&[(600, 0.0, 98.0, 1.0), (1000, 0.0, 98.0, 1.0)]);
        let candidate = PairingCandidate::new(&two, [0, 1]);
        let mut covariance = two.covariance.clone();
        candidate.update_covariance(&mut covariance);
        let difference = covariance[(0, 0)] + covariance[(1, 1)] - 2.0 * covariance[(0, 1)];
        let expected = 1.0 / (1.0 / 5_000.0 + 1.0 / candidate.variance);
        assert!((difference - expected).abs() < 1e-6, "{difference} {expected}");
        // Eight games between equal players determine a difference with an error of 347.4 Elo / √8.
        assert!((candidate.variance.sqrt() - 347.435_585_522_601 / 8_f64.sqrt()).abs() < 1e-6);
    }
}
