//! The course of a tune: the values of each iteration, from the results of those before it.
//!
//! Several iterations are played at a time, so the values of one can't depend on the results of all before
//! it. Those of iteration i depend on the results up to i - A, where A is the number of iterations ahead,
//! also if later results are known. So the course of a tune depends on its results alone, and not on how many
//! games run at a time or which end first.

use super::gains::Gains;
use super::parameter::{Parameter, Parameters};
use super::perturbation::{Perturbation, perturbations};
use super::schedule::Schedule;

/// The settings of a tune.
#[derive(Debug, Clone, PartialEq)]
pub struct TuneSettings {
    /// The parameters.
    pub parameters: Parameters,
    /// The iterations and their gains.
    pub schedule: Schedule,
    /// The seed of the flips and the roundings.
    pub seed: u64,
    /// The number of iterations that can be played at a time, from 1.
    pub ahead: u32,
}

/// The result of an iteration for the first side, to whose values the flips are added. A void pair counts for
/// nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IterationResult {
    /// The pairs of games that count.
    pub pairs: u32,
    /// The games won less the games lost, over these pairs.
    pub excess: i32,
    /// The sum of the squares of that difference, over these pairs.
    pub squares: u32,
}

impl IterationResult {
    /// The same with another pair, of which the side won this number of games more than it lost, from -2 to 2.
    #[must_use]
    pub const fn with_pair(self, excess: i32) -> Self {
        Self {
            pairs: self.pairs + 1,
            excess: self.excess + excess,
            squares: self.squares + (excess * excess) as u32,
        }
    }
}

/// A tune with the iterations that have ended.
///
/// ```
/// use threefold_stats::spsa::{IterationResult, Parameter, ParameterKind, Parameters, Schedule, Tune, TuneSettings};
///
/// let name = "Margin".to_owned();
/// let margin =
///     Parameter { name, kind: ParameterKind::Int, value: 75.0, min: 10.0, max: 150.0, c_end: 7.0, r_end: 0.002 };
/// let parameters = Parameters::new(vec![margin]).expect("sound");
/// let schedule = Schedule::usual(100, 1).expect("sound");
/// let mut tune = Tune::new(TuneSettings { parameters, schedule, seed: 1, ahead: 1 });
/// let [one, other] = tune.sides(0).expect("the first iteration");
/// // The side with the larger value wins both games, so the value grows.
/// let excess = if one[0] > other[0] { 2 } else { -2 };
/// tune.record(IterationResult::default().with_pair(excess));
/// assert!(tune.values()[0] > 75.0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Tune {
    settings: TuneSettings,
    /// The values at the start, and after each iteration.
    path: Vec<Vec<f64>>,
    results: Vec<IterationResult>,
}

impl Tune {
    /// A tune before its first iteration.
    pub fn new(settings: TuneSettings) -> Self {
        let path = vec![settings.parameters.start()];
        Self { settings, path, results: Vec::new() }
    }

    /// Its settings.
    pub const fn settings(&self) -> &TuneSettings {
        &self.settings
    }

    /// The results of the iterations that have ended, in order.
    pub fn results(&self) -> &[IterationResult] {
        &self.results
    }

    /// The values at the start, and after each iteration that has ended.
    pub fn path(&self) -> &[Vec<f64>] {
        &self.path
    }

    /// The present values.
    pub fn values(&self) -> &[f64] {
        self.path.last().expect("it begins with the start")
    }

    /// The present values as an engine gets them: whole numbers are rounded.
    pub fn rounded(&self) -> Vec<f64> {
        let parameters = self.settings.parameters.all().iter();
        parameters.zip(self.values()).map(|(parameter, &value)| parameter.rounded(value)).collect()
    }

    /// The number of iterations that have ended or can be played.
    pub fn open_until(&self) -> u64 {
        let ended = self.results.len() as u64;
        (ended + u64::from(self.settings.ahead.max(1))).min(self.settings.schedule.iterations().into())
    }

    /// Have all iterations ended?
    pub fn is_over(&self) -> bool {
        self.results.len() as u64 >= u64::from(self.settings.schedule.iterations())
    }

    /// The values of an iteration, from 0, before its perturbation; `None` if it can't be played yet.
    pub fn center(&self, iteration: u64) -> Option<&[f64]> {
        if iteration >= self.open_until() {
            return None;
        }
        let ahead = u64::from(self.settings.ahead.max(1));
        // With one iteration ahead, the values of an iteration follow from all results before it.
        let results_used = usize::try_from((iteration + 1).saturating_sub(ahead)).ok()?;
        self.path.get(results_used).map(Vec::as_slice)
    }

    /// The values of both sides in an iteration, from 0; `None` if it can't be played yet. The flips are
    /// added to the values of the first side, and subtracted from those of the second.
    pub fn sides(&self, iteration: u64) -> Option<[Vec<f64>; 2]> {
        let center = self.center(iteration)?;
        let [mut one, mut other] = [Vec::with_capacity(center.len()), Vec::with_capacity(center.len())];
        let parameters = self.settings.parameters.all().iter().zip(center);
        for ((parameter, &value), perturbation) in parameters.zip(self.perturbations(iteration)) {
            let gains = self.gains(parameter, iteration);
            let [first, second] = parameter.played(value, gains, perturbation);
            one.push(first);
            other.push(second);
        }
        Some([one, other])
    }

    /// The flips and the roundings of an iteration.
    pub fn perturbations(&self, iteration: u64) -> Vec<Perturbation> {
        perturbations(self.settings.seed, iteration, self.settings.parameters.all().len())
    }

    /// The gains of a parameter in an iteration.
    pub fn gains(&self, parameter: &Parameter, iteration: u64) -> Gains {
        let schedule = &self.settings.schedule;
        schedule.gains(parameter, iteration * schedule.games_per())
    }

    /// Records the result of the next iteration. After the last one, nothing changes.
    pub fn record(&mut self, result: IterationResult) {
        if self.is_over() {
            return;
        }
        let iteration = self.results.len() as u64;
        let parameters = self.settings.parameters.all().iter().zip(self.values());
        let moved =
            parameters.zip(self.perturbations(iteration)).map(|((parameter, &value), perturbation)| {
                let gains = self.gains(parameter, iteration);
                parameter.moved(value, gains, perturbation.flip, f64::from(result.excess))
            });
        let values = moved.collect();
        self.path.push(values);
        self.results.push(result);
    }
}

#[cfg(test)]
mod tests {
    use super::super::ParameterKind;
    use super::*;

    fn tune(ahead: u32, iterations: u32) -> Tune {
        let parameter = |name: &str, kind, value| Parameter {
            name: name.to_owned(),
            kind,
            value,
            min: 0.0,
            max: 100.0,
            c_end: 5.0,
            r_end: 0.01,
        };
        let all = vec![parameter("A", ParameterKind::Int, 50.0), parameter("B", ParameterKind::Float, 20.0)];
        let parameters = Parameters::new(all).expect("sound");
        let schedule = Schedule::usual(iterations, 2).expect("sound");
        Tune::new(TuneSettings { parameters, schedule, seed: 5, ahead })
    }

    fn result(excess: i32) -> IterationResult {
        IterationResult::default().with_pair(excess)
    }

    #[test]
    fn values_of_an_iteration_depend_on_results_up_to_the_window() {
        let mut tune = tune(3, 10);
        assert_eq!(tune.open_until(), 3);
        let first: Vec<_> = (0..3).map(|iteration| tune.center(iteration).expect("open").to_vec()).collect();
        assert_eq!((&first[1], &first[2]), (&first[0], &first[0]));
        assert_eq!((tune.sides(3), tune.center(3)), (None, None));
        let second = tune.sides(1);
        tune.record(result(2));
        assert_eq!(tune.sides(1), second, "a later result changes no values");
        assert_eq!(tune.center(3).expect("open"), &tune.path()[1]);
        assert_ne!(tune.path()[1], tune.path()[0]);
        for _ in 1..10 {
            tune.record(result(0));
        }
        assert!(tune.is_over() && tune.open_until() == 10);
        let before = tune.clone();
        tune.record(result(2));
        assert_eq!(tune, before, "there is no eleventh iteration");
        assert!(tune.rounded()[0].fract() == 0.0);
    }

    #[test]
    fn values_move_by_the_formula() {
        let mut tune = tune(1, 10);
        let (flips, parameters) = (tune.perturbations(0), tune.settings().parameters.all().to_vec());
        tune.record(IterationResult { pairs: 2, excess: -3, squares: 5 });
        for (place, parameter) in parameters.iter().enumerate() {
            let gains = tune.gains(parameter, 0);
            let expected = parameter.value - 3.0 * gains.r * gains.c * flips[place].flip.sign();
            assert!((tune.values()[place] - expected).abs() < 1e-12, "{}", parameter.name);
        }
    }

    #[test]
    fn sums_of_pairs_are_kept() {
        let sum = [2, -1, 0].into_iter().fold(IterationResult::default(), IterationResult::with_pair);
        assert_eq!(sum, IterationResult { pairs: 3, excess: 1, squares: 5 });
    }
}
