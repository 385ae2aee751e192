//! Simulated errors (parametric bootstrap): every game is replayed from the fit, and the ratings are fitted
//! again.
//!
//! Unlike analytic errors it is valid for few games; unlike errors by pairs it treats games as independent. A
//! run depends only on its seed and number, so runs can be distributed over threads.

use std::ops::Range;

use nalgebra::DMatrix;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::elo::normal_quantile;
use super::binomial;
use super::connectivity::Graph;
use super::head_to_head::HeadToHead;
use super::list::RatingList;
use super::newton::{Problem, SIDES};
use super::settings::RatingSettings;
use super::uncertainty::Uncertainty;

/// The estimates of one replay.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplayEstimates {
    /// Ratings in points, advantage in points, draw rate; `None` if the replayed results have no finite fit.
    estimates: Option<Vec<f64>>,
}

/// The errors from all replays.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulatedErrors {
    /// The covariance of the estimates.
    pub uncertainty: Uncertainty,
    /// Replays with a fit.
    pub fitted: usize,
    /// Replays without a fit: if there are many, the errors are too small.
    pub unfit: usize,
}

/// A fit that can be replayed.
#[derive(Debug, Clone, Copy)]
pub struct RatingSimulation<'a> {
    terms: &'a RatingSettings,
    list: &'a RatingList,
}

impl<'a> RatingSimulation<'a> {
    /// `list` must be the result of [`rate`](super::rate) with these settings.
    pub const fn new(terms: &'a RatingSettings, list: &'a RatingList) -> Self {
        Self { terms, list }
    }

    /// Replays the runs with these numbers.
    pub fn replay(&self, seed: u64, runs: Range<u64>) -> Vec<ReplayEstimates> {
        runs.map(|run| {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            random.set_stream(run);
            ReplayEstimates { estimates: self.refit(self.replayed(&mut random)) }
        })
        .collect()
    }

    /// The errors from the replays, in order of run number; `None` with fewer than two fits.
    pub fn errors(&self, replays: &[ReplayEstimates]) -> Option<SimulatedErrors> {
        let fitted: Vec<&Vec<f64>> = replays.iter().filter_map(|replay| replay.estimates.as_ref()).collect();
        let columns = fitted.first()?.len();
        let mut runs = DMatrix::from_fn(fitted.len(), columns, |run, column| fitted[run][column]);
        for mut column in runs.column_iter_mut() {
            let mean = column.mean();
            column.add_scalar_mut(-mean);
        }
        let covariance = runs.tr_mul(&runs) / (fitted.len() as f64 - 1.0);
        (fitted.len() > 1).then(|| SimulatedErrors {
            uncertainty: Uncertainty::new(covariance, self.list.fit.partition.group_of.clone()),
            fitted: fitted.len(),
            unfit: replays.len() - fitted.len(),
        })
    }

    /// The problem with simulated results. A Gaussian prior is an observation as well, so it is drawn
    /// again; virtual draws are not.
    fn replayed(&self, random: &mut impl Rng) -> Problem {
        let fit = &self.list.fit;
        let (mut problem, point) = (fit.problem.clone(), fit.problem.point(&fit.at));
        for meeting in &mut problem.head_to_heads {
            for (place, side) in SIDES.into_iter().enumerate() {
                let games = meeting.results[place].iter().sum();
                let [loss, draw, win] = point.evaluate(meeting, side).chances;
                // A sample of three results is two binomial ones: the draws, then the wins among the other
                // games.
                let draws = binomial::draw(random, games, draw);
                let wins = binomial::draw(random, games - draws, win / (win + loss));
                meeting.results[place] = [games - draws - wins, draws, wins];
            }
        }
        for prior in &mut problem.layout.priors {
            prior.mean = fit.at[prior.index] + prior.sd * gaussian(random);
        }
        for prior in &mut problem.layout.relations {
            prior.mean = fit.problem.layout.lead(&fit.at, prior.players) + prior.sd * gaussian(random);
        }
        if let Some(prior) = &mut problem.layout.draw_prior {
            prior.mean = self.list.draw_rate + prior.sd * gaussian(random);
        }
        problem
    }

    /// The estimates from replayed results, as in the list; `None` if they leave a distance infinite.
    fn refit(&self, mut problem: Problem) -> Option<Vec<f64>> {
        let (terms, partition) = (self.terms, &self.list.fit.partition);
        let players = partition.group_of.len();
        let graph = Graph::of_points(players, &problem.head_to_heads, terms);
        // Perfect scorers have no games in this problem, so each is a group of one.
        if graph.groups().len() != partition.groups.len() + partition.perfect.len() {
            return None;
        }
        let mut start = self.list.fit.at.clone();
        let results = problem.head_to_heads.iter().flat_map(HeadToHead::weights);
        let [decided, drawn] =
            results.fold([0.0, 0.0], |sum, [losses, draws, wins]| [sum[0] + losses + wins, sum[1] + draws]);
        if problem.layout.draws_place().index().is_some() && problem.layout.draw_prior.is_none() {
            if decided == 0.0 {
                return None;
            }
            // As in the fit: the draw rate is 0, which no finite parameter gives.
            if drawn == 0.0 {
                problem.layout = problem.layout.with_draws_fixed(terms.model.draw_parameter(0.0));
                start = start.rows(0, start.len() - 1).into_owned();
            }
        }
        let at = problem.solve(start).ok()?;
        let unit = terms.scale.per_point();
        let mut estimates = problem.layout.levels(&at, terms, &partition.groups);
        estimates.push(problem.layout.advantage(&at));
        for estimate in &mut estimates {
            *estimate /= unit;
        }
        estimates.push(terms.model.draw_rate(problem.layout.draws(&at)).rate);
        Some(estimates)
    }
}

/// A standard normal sample.
fn gaussian(random: &mut impl Rng) -> f64 {
    normal_quantile(binomial::open(random))
}

#[cfg(test)]
mod tests {
    use super::super::crosstable::{Crosstable, PlayerIndex};
    use super::super::fit::rate;
    use super::super::settings::{ParameterPrior, RatingAnchor, RatingModel, RatingPoints};
    use super::super::uncertainty::Reference;
    use super::*;

    fn table() -> Crosstable {
        let mut table = Crosstable::new(["A", "B", "C", "D"]);
        for (first, second, pairs) in [
            (0, 1, [[5, 9, 6], [9, 30, 12], [8, 20, 11]]),
            (0, 2, [[9, 12, 3], [8, 25, 10], [15, 14, 4]]),
            (1, 2, [[2, 4, 1], [6, 12, 9], [7, 22, 30]]),
            (3, 0, [[8, 4, 1], [6, 12, 9], [7, 22, 10]]),
        ] {
            table.encounter(PlayerIndex(first), PlayerIndex(second)).pairs = pairs;
        }
        table
    }

    #[test]
    fn analytic_errors_match_replays() {
        let table = table();
        for &model in RatingModel::ALL {
            // Virtual draws are constant in a replay, so errors of what they shrink differ from those of a
            // sample.
            let terms = RatingSettings { prior_draws: 0.0, ..RatingSettings::new(model) };
            let loose = RatingAnchor::gaussian(PlayerIndex(2), RatingPoints(10.0), 25.0);
            let anchors = [vec![], vec![RatingAnchor::fixed(PlayerIndex(0), RatingPoints(0.0))], vec![loose]];
            for anchors in
                anchors.into_iter().filter(|anchors| model != RatingModel::Ordo || anchors != &[loose])
            {
                let terms = RatingSettings { anchors, ..terms.clone() };
                let list = rate(&table, &terms).expect("connected");
                let simulation = RatingSimulation::new(&terms, &list);
                let simulated = simulation.errors(&simulation.replay(1, 0..2_000)).expect("many have a fit");
                assert_eq!((simulated.fitted, simulated.unfit), (2_000, 0));
                let (seen, reported) = (&simulated.uncertainty, &list.independent);
                // 2,000 runs determine a standard deviation to 1.6 %.
                let agree = |what: &str, seen: f64, reported: f64| {
                    assert!(
                        (seen - reported).abs() <= 0.06 * reported,
                        "{model} {:?} {what}: {seen} {reported}",
                        terms.anchors
                    );
                };
                for seat in table.seats() {
                    for reference in [Reference::Anchors, Reference::PoolMean] {
                        let [seen, reported] = [seen, reported]
                            .map(|errors| errors.standard_error(seat, reference).expect("fitted"));
                        agree(&format!("{seat:?} {reference:?}"), seen, reported);
                    }
                    let [seen, reported] = [seen, reported]
                        .map(|errors| errors.between(seat, PlayerIndex(1)).expect("one group"));
                    agree(&format!("{seat:?} to B"), seen, reported);
                }
                agree("advantage", seen.of_advantage(), reported.of_advantage());
                agree("draw rate", seen.of_draw_rate(), reported.of_draw_rate());
            }
        }
    }

    #[test]
    fn replays_depend_on_seed_and_number_only() {
        let (table, terms) = (table(), RatingSettings::new(RatingModel::Davidson));
        let list = rate(&table, &terms).expect("connected");
        let simulation = RatingSimulation::new(&terms, &list);
        let together = simulation.replay(7, 0..6);
        let apart = [simulation.replay(7, 0..2), simulation.replay(7, 2..6)].concat();
        assert_eq!(together, apart);
        assert_ne!(together[0], together[1]);
        assert_ne!(together, simulation.replay(8, 0..6));
        assert!(simulation.errors(&together[..1]).is_none());
    }

    #[test]
    fn fixed_quantities_have_no_simulated_error() {
        let mut table = Crosstable::new(["A", "B"]);
        table.encounter(PlayerIndex(0), PlayerIndex(1)).single = [3, 0, 5];
        let terms = RatingSettings {
            advantage: ParameterPrior::Fixed(10.0),
            ..RatingSettings::new(RatingModel::OrdoWdl)
        };
        let list = rate(&table, &terms).expect("both won");
        let simulation = RatingSimulation::new(&terms, &list);
        let simulated = simulation.errors(&simulation.replay(1, 0..300)).expect("most have a fit");
        assert!(simulated.unfit > 0, "A or B loses all eight in some runs");
        for errors in [&simulated.uncertainty, &list.independent] {
            assert_eq!((errors.of_advantage(), errors.of_draw_rate()), (0.0, 0.0));
            assert!(errors.between(PlayerIndex(0), PlayerIndex(1)) > Some(50.0));
        }
    }
}
