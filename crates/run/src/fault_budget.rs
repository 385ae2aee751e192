//! The number of engine faults that a run may have before it stops.
//!
//! A crash, a time loss or an illegal move costs its engine one game, and a few of them do not invalidate a
//! long match. Many of them decide it: an engine that crashes in every game loses every sequential test,
//! whatever its strength. Hence a limit, checked in schedule order like everything that counts.
//!
//! The usual limit is a tenth of what the result has to show. A fault costs half a point on average, because
//! the lost game was worth half a point. So F faults move the score of N games by F/2 points.
//!
//! * A test has to show the difference d between the expected scores of a game under H1 and H0: N d points.
//!   F/2 ≤ N d / 10 gives F ≤ N d / 5. For [0, 5] logistic Elo, d is 0.0072, and F is one in 695 games.
//! * A match has to show more than the error of its score, which is 1.96 · ½ · √N ≈ √N points for 95 %. F/2 ≤
//!   √N / 10 gives F ≤ √N / 5.
//!
//! Both are rounded up, so one fault is always allowed.

use std::fmt;
use std::str::FromStr;

/// Faults allowed in a suite or a match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FaultLimit {
    /// This number.
    Count(u64),
    /// This share of the jobs counted so far, from 0 to 1, rounded up.
    Share(f64),
    /// What the result can bear: see [`FaultTolerance`].
    Usual,
}

/// Why a text is not a limit of faults.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a number of faults; give a whole number such as 5, or a share of the games such as 2%")]
pub struct FaultLimitError(String);

impl FaultLimit {
    /// No fault at all.
    pub const NONE: Self = Self::Count(0);

    /// The number of faults allowed among this number of jobs.
    pub fn allowed(self, tolerance: FaultTolerance, jobs: usize) -> u64 {
        // Rounding errors of decimal shares, such as 0.07 · 100, must not allow a further fault.
        let share = |share: f64| (share * jobs as f64 - 1e-9).ceil().max(0.0) as u64;
        match self {
            Self::Count(count) => count,
            Self::Share(of_all) => share(of_all),
            Self::Usual => match tolerance {
                FaultTolerance::Cases => share(0.01).max(3),
                FaultTolerance::Score => ((jobs as f64).sqrt() / 5.0).ceil() as u64,
                FaultTolerance::Difference(difference) => share(difference / 5.0).max(1),
            },
        }
    }
}

/// What the usual limit of faults depends on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FaultTolerance {
    /// Cases, each judged on its own: 1 % of them and at least three.
    Cases,
    /// Games with a score: a fifth of the square root of their number.
    Score,
    /// A sequential test: a fifth of the difference that it looks for, the expected points of a game under H1
    /// minus those under H0, for each game.
    Difference(f64),
}

impl fmt::Display for FaultLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => write!(f, "{count}"),
            Self::Share(share) => write!(f, "{}%", share * 100.0),
            Self::Usual => f.write_str("usual"),
        }
    }
}

impl FromStr for FaultLimit {
    type Err = FaultLimitError;

    fn from_str(given: &str) -> Result<Self, FaultLimitError> {
        let wrong = || FaultLimitError(given.to_owned());
        if given == "usual" {
            return Ok(Self::Usual);
        }
        match given.strip_suffix('%') {
            None => given.parse().map(Self::Count).map_err(|_| wrong()),
            Some(percent) => {
                let percent: f64 = percent.trim().parse().map_err(|_| wrong())?;
                let share = percent / 100.0;
                if (0.0..=1.0).contains(&share) { Ok(Self::Share(share)) } else { Err(wrong()) }
            }
        }
    }
}

/// Limits for the faults of a suite or a match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FaultBudget {
    /// Faults of the engine under test.
    pub tested: FaultLimit,
    /// Faults of all engines together, with the time losses that the machine caused.
    pub all: FaultLimit,
}

impl FaultBudget {
    /// For `match` and `sprt`: as many as the result can bear, of all engines together.
    pub const MATCH: Self = Self { tested: FaultLimit::Usual, all: FaultLimit::Usual };

    /// For `suite` and `regress`: none of the engine under test.
    pub const SUITE: Self = Self { tested: FaultLimit::NONE, all: FaultLimit::Usual };

    /// One limit for all engines, the tested one included.
    pub const fn uniform(limit: FaultLimit) -> Self {
        Self { tested: limit, all: limit }
    }
}

/// Which engine committed the fault that ended a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultBy {
    /// The engine under test.
    Tested,
    /// Another engine.
    Opponent,
    /// None: the machine delayed an engine by at least the time that it overstepped. The game is lost all the
    /// same.
    Machine,
}

/// The faults among the jobs that count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FaultCount {
    /// The faults of the engine under test.
    pub tested: u64,
    /// The faults of all engines, and the time losses that the machine caused.
    pub all: u64,
}

impl FaultCount {
    /// Counts one more.
    pub fn add(&mut self, by: FaultBy) {
        self.tested += u64::from(by == FaultBy::Tested);
        self.all += 1;
    }

    /// The number of allowed faults if there are more among this number of jobs.
    pub fn exceeded(self, budget: FaultBudget, tolerance: FaultTolerance, jobs: usize) -> Option<u64> {
        let limits = [(self.tested, budget.tested), (self.all, budget.all)];
        limits.into_iter().find_map(|(count, limit)| {
            let allowed = limit.allowed(tolerance, jobs);
            (count > allowed).then_some(allowed)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fault_limits_are_numbers_or_shares() {
        let table = [
            // given, allowed among 1, 50, 100, 101 and 1000 jobs
            ("0", [0, 0, 0, 0, 0]),
            ("5", [5, 5, 5, 5, 5]),
            ("0%", [0, 0, 0, 0, 0]),
            ("1%", [1, 1, 1, 2, 10]),
            ("2.5%", [1, 2, 3, 3, 25]),
            ("100%", [1, 50, 100, 101, 1000]),
            ("usual", [3, 3, 3, 3, 10]), // of the cases of a suite
        ];
        for (given, allowed) in table {
            let limit: FaultLimit = given.parse().expect(given);
            assert_eq!(
                [1, 50, 100, 101, 1000].map(|jobs| limit.allowed(FaultTolerance::Cases, jobs)),
                allowed,
                "{given}"
            );
            assert_eq!(limit.to_string().parse(), Ok(limit), "{given}");
        }
        for given in ["", "-1", "1.5", "101%", "-1%", "%", "many", "NaN%"] {
            let error = given.parse::<FaultLimit>().expect_err(given).to_string();
            assert!(error.contains("such as 5, or a share of the games such as 2%"), "{error}");
        }
    }

    #[test]
    fn delays_by_the_machine_count_among_all_faults_only() {
        let mut faults = FaultCount::default();
        for by in [FaultBy::Machine, FaultBy::Machine, FaultBy::Machine] {
            faults.add(by);
        }
        assert_eq!(
            (faults, faults.exceeded(FaultBudget::SUITE, FaultTolerance::Cases, 10)),
            (FaultCount { tested: 0, all: 3 }, None)
        );
        faults.add(FaultBy::Machine);
        assert_eq!(faults.exceeded(FaultBudget::SUITE, FaultTolerance::Cases, 10), Some(3));
    }

    #[test]
    fn fault_budget_is_exceeded_by_either_limit() {
        let count = |tested, all| FaultCount { tested, all };
        let table = [
            (FaultBudget::MATCH, count(2, 2), 100, None),
            (FaultBudget::MATCH, count(0, 3), 100, Some(2)),
            (FaultBudget::MATCH, count(7, 7), 1000, None),
            (FaultBudget::MATCH, count(8, 8), 1000, Some(7)),
            (FaultBudget::SUITE, count(0, 2), 100, None),
            (FaultBudget::SUITE, count(1, 1), 100, Some(0)),
            (FaultBudget::uniform(FaultLimit::Count(1)), count(1, 2), 100, Some(1)),
        ];
        for (budget, faults, jobs, allowed) in table {
            assert_eq!(
                faults.exceeded(budget, FaultTolerance::Score, jobs),
                allowed,
                "{budget:?} {faults:?}"
            );
        }
    }

    #[test]
    fn usual_limit_of_faults_is_what_the_result_can_bear() {
        let five_elo = FaultTolerance::Difference(threefold_stats::Logistic(5.0).score() - 0.5);
        let table = [
            // tolerance, allowed among 1, 2, 26, 100, 1000, 5324 and 40000 jobs
            (FaultTolerance::Score, [1, 1, 2, 2, 7, 15, 40]),
            (five_elo, [1, 1, 1, 1, 2, 8, 58]),
            (FaultTolerance::Difference(0.07), [1, 1, 1, 2, 14, 75, 560]),
        ];
        for (tolerance, allowed) in table {
            let found =
                [1, 2, 26, 100, 1000, 5324, 40_000].map(|jobs| FaultLimit::Usual.allowed(tolerance, jobs));
            assert_eq!(found, allowed, "{tolerance:?}");
        }
    }
}
