//! The schedule of a tune: how far apart the two sides are, and how far a game moves a value.

use super::gains::{Gains, StartGains};
use super::parameter::Parameter;

/// The schedule that all parameters of a tune share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Schedule {
    iterations: u32,
    pairs_per: u32,
    alpha: f64,
    gamma: f64,
    a_ratio: f64,
}

/// What is wrong with a schedule.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum ScheduleError {
    /// There is no iteration.
    #[error("a tune has at least one iteration; give more games, or fewer pairs for each iteration")]
    NoIteration,
    /// An iteration has no pair.
    #[error("an iteration has at least one pair of games")]
    NoPair,
    /// Another number is negative, infinite or none.
    #[error("{name} is {given}; give a number from 0, such as {usual}")]
    Number {
        /// The name of the number.
        name: &'static str,
        /// The number.
        given: f64,
        /// The usual one.
        usual: f64,
    },
}

impl Schedule {
    /// The usual exponent of r: Spall, Introduction to Stochastic Search and Optimization (2003), section 7.5.
    pub const ALPHA: f64 = 0.602;
    /// The usual exponent of c.
    pub const GAMMA: f64 = 0.101;
    /// The usual ratio of A to the number of iterations.
    pub const A_RATIO: f64 = 0.1;
    /// The usual number of pairs of an iteration, as in OpenBench.
    pub const PAIRS_PER: u32 = 8;

    /// A schedule with the usual exponents.
    ///
    /// # Errors
    /// If there is no iteration, or an iteration has no pair.
    pub fn usual(iterations: u32, pairs_per: u32) -> Result<Self, ScheduleError> {
        Self::new(iterations, pairs_per, [Self::ALPHA, Self::GAMMA, Self::A_RATIO])
    }

    /// A schedule of iterations with this number of pairs each. The last numbers are α, γ and the ratio A.
    ///
    /// # Errors
    /// If there is no iteration, an iteration has no pair, or a number is negative or not finite.
    pub fn new(
        iterations: u32,
        pairs_per: u32,
        [alpha, gamma, a_ratio]: [f64; 3],
    ) -> Result<Self, ScheduleError> {
        if iterations == 0 {
            return Err(ScheduleError::NoIteration);
        }
        if pairs_per == 0 {
            return Err(ScheduleError::NoPair);
        }
        let numbers = [
            ("alpha", alpha, Self::ALPHA),
            ("gamma", gamma, Self::GAMMA),
            ("the ratio A", a_ratio, Self::A_RATIO),
        ];
        if let Some(&(name, given, usual)) =
            numbers.iter().find(|(_, number, _)| !number.is_finite() || *number < 0.0)
        {
            return Err(ScheduleError::Number { name, given, usual });
        }
        Ok(Self { iterations, pairs_per, alpha, gamma, a_ratio })
    }

    /// The number of iterations, from 1.
    pub const fn iterations(&self) -> u32 {
        self.iterations
    }

    /// The pairs of games of an iteration, from 1.
    pub const fn pairs_per(&self) -> u32 {
        self.pairs_per
    }

    /// The games of an iteration.
    pub const fn games_per(&self) -> u64 {
        2 * self.pairs_per as u64
    }

    /// The games of all iterations.
    pub const fn games(&self) -> u64 {
        self.iterations as u64 * self.games_per()
    }

    /// α, γ and the ratio A.
    pub const fn exponents(&self) -> [f64; 3] {
        [self.alpha, self.gamma, self.a_ratio]
    }

    /// A: the iterations by which the gains r are delayed.
    fn delay(&self) -> f64 {
        self.a_ratio * f64::from(self.iterations)
    }

    /// The constants of a parameter.
    pub fn start(&self, parameter: &Parameter) -> StartGains {
        let iterations = f64::from(self.iterations);
        let a_end = parameter.r_end * parameter.c_end.powi(2);
        StartGains {
            a: a_end * (self.delay() + iterations).powf(self.alpha),
            c: parameter.c_end * iterations.powf(self.gamma),
        }
    }

    /// The gains of a parameter after this number of games. The iteration is `1 + games / (2 · pairs)`.
    pub fn gains(&self, parameter: &Parameter, games: u64) -> Gains {
        let start = self.start(parameter);
        let iteration = 1.0 + games as f64 / self.games_per() as f64;
        let c = (start.c / iteration.powf(self.gamma)).max(parameter.least_distance());
        // Divided by the c that is played: the step r · c² stays on its schedule where c is at its minimum.
        Gains { c, r: start.a / (self.delay() + iteration).powf(self.alpha) / c.powi(2) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ParameterKind;
    use super::*;

    #[test]
    fn gains_of_the_last_iteration_are_the_given_ones() {
        let parameter = |kind| Parameter {
            name: "P".to_owned(),
            kind,
            value: 5.0,
            min: 0.0,
            max: 10.0,
            c_end: 0.25,
            r_end: 0.002,
        };
        let schedule = Schedule::usual(1_000, 4).expect("sound");
        assert_eq!((schedule.games_per(), schedule.games()), (8, 8_000));
        let gains = |kind, games| schedule.gains(&parameter(kind), games);
        let last = gains(ParameterKind::Float, 8 * 999);
        assert!((last.c - 0.25).abs() < 1e-12 && (last.r - 0.002).abs() < 1e-15, "{last:?}");
        let first = gains(ParameterKind::Float, 0);
        assert!(first.c > last.c, "{first:?}");
        // The sides of a whole number differ by 1 at least, and a game moves the value no further.
        let whole = gains(ParameterKind::Int, 8 * 999);
        assert!((whole.c - 0.5).abs() < 1e-12 && (whole.r - 0.0005).abs() < 1e-15, "{whole:?}");
    }

    #[test]
    fn wrong_schedules_are_refused() {
        let usual = [Schedule::ALPHA, Schedule::GAMMA, Schedule::A_RATIO];
        for (iterations, pairs_per, exponents, message) in [
            (0, 8, usual, "at least one iteration"),
            (9, 0, usual, "at least one pair"),
            (9, 8, [-0.1, 0.1, 0.1], "alpha is -0.1; give a number from 0, such as 0.602"),
            (9, 8, [0.6, f64::INFINITY, 0.1], "gamma is inf"),
            (9, 8, [0.6, 0.1, f64::NAN], "the ratio A is NaN"),
        ] {
            let error = Schedule::new(iterations, pairs_per, exponents).expect_err(message).to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
