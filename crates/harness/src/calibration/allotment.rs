//! Where the next games go: to the meetings that tell most, for what they cost, of the levels that are not known well
//! enough yet.
//!
//! Errors are taken as normal, so what a meeting would tell is known before it is played: it observes one difference,
//! with a variance that depends on how even the two are, and what it does to all other errors follows.

use std::ops::SubAssign;

use nalgebra::{DMatrix, DVector};

use super::aim::Aim;
use super::survey::Survey;
use crate::work::PartResult;
use threefold_stats::elo::Z95;

/// Pairs that are given out at a time.
pub(super) const HANDFUL: usize = 4;
/// Levels that an anchor meets.
pub(super) const MET: usize = 4;
/// Two players further apart than this, in Elo, learn little from each other.
const FAR: f64 = 450.0;

/// What may be spent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Purse {
    pub(super) pairs: usize,
    /// Seconds of thinking, all players together.
    pub(super) seconds: f64,
}

/// How long all players together thought in the games of these parts, by the games' clocks, in seconds.
pub(super) fn thinking(parts: &[PartResult<'_>]) -> f64 {
    let games = parts.iter().flat_map(PartResult::games).map(|(_, game)| game);
    let used = games.flat_map(|game| &game.played).filter_map(|played| played.used);
    used.map(|used| used.as_secs_f64()).sum()
}

/// What is in the purse, given out a handful of pairs at a time until all levels are known as well as they are to be:
/// who meets whom, by their places in the survey, and in how many. What is to become small is the sum of all variances'
/// third powers, each as a share of what it may be, so that the least known levels come first.
pub(super) fn of(survey: &Survey, purse: Purse, aim: &Aim) -> Vec<([usize; 2], usize)> {
    let candidates = candidates(survey);
    let mut given = vec![0; candidates.len()];
    let mut covariance = errors(survey);
    let mut seconds = purse.seconds;
    let aims: Vec<(usize, f64)> = (survey.levels().zip(survey.known().unwrap_or_default()))
        .map(|((at, _), (elo, _))| (at, (aim.at(elo) / Z95).powi(2)))
        .collect();
    for _ in 0..purse.pairs / HANDFUL {
        let excess = |&(at, may_be): &(usize, f64)| (at, covariance[(at, at)] / may_be, may_be);
        let unsure: Vec<(usize, f64)> = aims
            .iter()
            .map(excess)
            .filter(|(_, excess, _)| *excess > 1.0)
            .map(|(at, excess, may_be)| (at, excess.powi(2) / may_be))
            .collect();
        let gains = candidates.iter().map(|candidate| candidate.gain(&covariance, &unsure));
        let Some((best, _)) = gains.enumerate().max_by(|one, other| one.1.total_cmp(&other.1)) else { break };
        seconds -= candidates[best].cost;
        if unsure.is_empty() || seconds < 0.0 {
            break;
        }
        given[best] += HANDFUL;
        candidates[best].learn(&mut covariance);
    }
    candidates.iter().map(|candidate| candidate.places).zip(given).filter(|(_, pairs)| *pairs > 0).collect()
}

/// How the errors of all players hang together, known that the levels, which are listed first, lie on a smooth curve.
/// What that tells of the levels tells of the anchors as far as their errors hang together.
fn errors(survey: &Survey) -> DMatrix<f64> {
    let mut errors = survey.covariance.clone();
    let Some(smoothed) = survey.smoothed() else { return errors };
    let smoothed = smoothed.covariance();
    let (levels, anchors) = (smoothed.nrows(), errors.nrows() - smoothed.nrows());
    let alone = errors.view((0, 0), (levels, levels)).into_owned();
    errors.view_mut((0, 0), (levels, levels)).copy_from(smoothed);
    if let Some(inverse) = alone.clone().try_inverse().filter(|_| anchors > 0) {
        let shares = inverse * errors.view((0, levels), (levels, anchors));
        let of_both = smoothed * &shares;
        let told = shares.transpose() * (alone - smoothed) * &shares;
        errors.view_mut((0, levels), (levels, anchors)).copy_from(&of_both);
        errors.view_mut((levels, 0), (anchors, levels)).copy_from(&of_both.transpose());
        errors.view_mut((levels, levels), (anchors, anchors)).sub_assign(&told);
    }
    errors
}

/// A meeting that may be played.
struct Candidate {
    places: [usize; 2],
    /// The variance with which a handful of pairs tells the difference, in Elo squared.
    variance: f64,
    /// What a handful costs, in seconds.
    cost: f64,
}

/// Meetings of levels with the next one above them and with those not too far above, and of anchors with the levels
/// nearest to them.
fn candidates(survey: &Survey) -> Vec<Candidate> {
    let levels: Vec<usize> = survey.levels().map(|(at, _)| at).collect();
    let elo = |place: usize| survey.players[place].elo;
    let mut candidates = Vec::new();
    for (at, &one) in levels.iter().enumerate() {
        let above = levels.iter().skip(at + 1).enumerate();
        let met = above.filter(|&(steps, &other)| steps == 0 || (elo(other) - elo(one)).abs() < FAR);
        candidates.extend(met.map(|(_, &other)| Candidate::of(survey, [one, other])));
    }
    for (anchor, _) in survey.anchors() {
        let mut near = levels.clone();
        near.sort_by(|&one, &other| {
            (elo(one) - elo(anchor)).abs().total_cmp(&(elo(other) - elo(anchor)).abs())
        });
        let met = near.into_iter().take(MET).filter(|&level| (elo(level) - elo(anchor)).abs() < FAR);
        candidates.extend(met.map(|level| Candidate::of(survey, [anchor, level])));
    }
    candidates
}

impl Candidate {
    fn of(survey: &Survey, places: [usize; 2]) -> Self {
        let [one, other] = places.map(|place| &survey.players[place]);
        let slope = std::f64::consts::LN_10 / 400.0;
        let expected = 1.0 / (1.0 + (slope * (other.elo - one.elo)).exp());
        let games = 2.0 * HANDFUL as f64;
        let variance = 1.0 / (games * slope * slope * expected * (1.0 - expected));
        Self { places, variance, cost: games * (one.cost + other.cost) }
    }

    /// Which difference it tells.
    fn difference(&self, players: usize) -> DVector<f64> {
        let [one, other] = self.places;
        DVector::from_fn(players, |at, _| f64::from(u8::from(at == one)) - f64::from(u8::from(at == other)))
    }

    /// By how much a handful of pairs lowers the variances of these players, together and by their weights, for each
    /// second.
    fn gain(&self, covariance: &DMatrix<f64>, of: &[(usize, f64)]) -> f64 {
        let [one, other] = self.places;
        let along = |(at, weight): &(usize, f64)| {
            weight * (covariance[(*at, one)] - covariance[(*at, other)]).powi(2)
        };
        let own = covariance[(one, one)] + covariance[(other, other)] - 2.0 * covariance[(one, other)];
        of.iter().map(along).sum::<f64>() / (self.variance + own) / self.cost
    }

    /// The errors once a handful of pairs was played.
    fn learn(&self, covariance: &mut DMatrix<f64>) {
        let difference = self.difference(covariance.nrows());
        let along = &*covariance * &difference;
        let own = difference.dot(&along);
        covariance.ger(-1.0 / (self.variance + own), &along, &along, 1.0);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::simulated::{dial, everywhere};
    use super::super::survey::{Role, Surveyed};
    use super::*;

    /// Levels with these ratings, errors and costs, whose errors are independent.
    pub(in crate::calibration) fn survey(levels: &[(u32, f64, f64, f64)]) -> Survey {
        let player = |&(level, elo, error, cost): &(u32, f64, f64, f64)| Surveyed {
            name: dial().name(level),
            role: Role::Level(level),
            elo,
            error,
            games: 100,
            points: 50.0,
            drawn: 30,
            faults: 0,
            by_the_machine: 0,
            cost,
        };
        let variances: Vec<f64> = levels.iter().map(|(_, _, error, _)| (error / 1.96).powi(2)).collect();
        Survey {
            players: levels.iter().map(player).collect(),
            covariance: DMatrix::from_diagonal(&DVector::from_vec(variances)),
            white_advantage: 0.0,
            disagreement: None,
            off_here: None,
            left_out: Vec::new(),
        }
    }

    fn pairs_of(meetings: &[([usize; 2], usize)], place: usize) -> usize {
        meetings.iter().filter(|(places, _)| places.contains(&place)).map(|(_, pairs)| pairs).sum()
    }

    #[test]
    fn games_go_where_they_tell_most() {
        let equal = (0.0, 10.0, 1.0);
        let level = |level: u32, (elo, error, cost): (f64, f64, f64)| (level, elo, error, cost);
        // One level is less sure than the others: its meetings get the games.
        let unsure = survey(&[
            level(600, equal),
            level(1000, (100.0, 10.0, 1.0)),
            level(1400, (200.0, 10.0, 1.0)),
            level(1800, (300.0, 90.0, 1.0)),
        ]);
        let purse = |pairs| Purse { pairs, seconds: f64::INFINITY };
        let meetings = of(&unsure, purse(40), &everywhere(20.0));
        assert_eq!(meetings.iter().map(|(_, pairs)| pairs).sum::<usize>(), 40);
        assert!(pairs_of(&meetings, 3) > 30, "{meetings:?}");
        assert_eq!(of(&unsure, purse(40), &everywhere(95.0)), [], "all are known");
        // Of two meetings that tell as much, the cheaper one.
        let dear = survey(&[
            level(600, (0.0, 30.0, 0.1)),
            level(1000, (0.0, 90.0, 1.0)),
            level(1400, (0.0, 30.0, 9.0)),
        ]);
        let meetings = of(&dear, purse(20), &everywhere(20.0));
        assert!(pairs_of(&meetings, 0) > pairs_of(&meetings, 2), "{meetings:?}");
        // Of two that cost as much, the more even one.
        let far = survey(&[
            level(600, (-700.0, 30.0, 1.0)),
            level(1000, (0.0, 90.0, 1.0)),
            level(1400, (50.0, 30.0, 1.0)),
        ]);
        let meetings = of(&far, purse(20), &everywhere(20.0));
        assert!(pairs_of(&meetings, 2) > pairs_of(&meetings, 0), "{meetings:?}");
        // Where less is asked for, a wide interval is enough.
        let apart = survey(&[
            level(600, (0.0, 30.0, 1.0)),
            level(1000, (200.0, 30.0, 1.0)),
            level(1400, (400.0, 90.0, 1.0)),
            level(1800, (600.0, 30.0, 1.0)),
        ]);
        let low = Aim { precision: 20.0, within: 0.0..=250.0 };
        let (all, below) = (of(&apart, purse(40), &everywhere(20.0)), of(&apart, purse(40), &low));
        assert!(pairs_of(&all, 2) > pairs_of(&all, 0), "{all:?}");
        assert!(pairs_of(&below, 0) > pairs_of(&below, 2) && pairs_of(&below, 3) == 0, "{below:?}");
        // Two seconds a game: a hundred buy six handfuls of eight games.
        let meetings = of(&far, Purse { pairs: 1_000, seconds: 100.0 }, &everywhere(20.0));
        assert_eq!(meetings.iter().map(|(_, pairs)| pairs).sum::<usize>(), 6 * HANDFUL);
    }

    #[test]
    fn a_handful_of_pairs_narrows_the_errors_as_two_observations_do() {
        let two = survey(&[(600, 0.0, 98.0, 1.0), (1000, 0.0, 98.0, 1.0)]);
        let candidate = Candidate::of(&two, [0, 1]);
        let mut covariance = two.covariance.clone();
        candidate.learn(&mut covariance);
        let difference = covariance[(0, 0)] + covariance[(1, 1)] - 2.0 * covariance[(0, 1)];
        let expected = 1.0 / (1.0 / 5_000.0 + 1.0 / candidate.variance);
        assert!((difference - expected).abs() < 1e-6, "{difference} {expected}");
        // Eight games between equals tell a difference to 347.4 Elo over the root of their number.
        assert!((candidate.variance.sqrt() - 347.435_585_522_601 / 8_f64.sqrt()).abs() < 1e-6);
    }
}
