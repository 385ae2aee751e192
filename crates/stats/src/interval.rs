//! Confidence intervals for a proportion of successes.
//!
//! Wilson's interval is for display. Clopper and Pearson's never covers less than its nominal level and is
//! for claims.

use statrs::distribution::{Beta, Continuous, ContinuousCDF};

use super::elo::normal_quantile;
use super::root_finding::{Slope, decreasing_root};

/// The ends of an interval for a probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower end, at least 0.
    pub low: f64,
    /// The upper end, at most 1.
    pub high: f64,
}

impl Interval {
    /// [0, 1]: the interval before the first trial.
    pub const UNKNOWN: Self = Self { low: 0.0, high: 1.0 };
}

/// A number of successes and failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// Trials that succeeded.
    pub successes: u64,
    /// Trials that did not.
    pub failures: u64,
}

impl Rate {
    /// The number of trials.
    pub const fn trials(self) -> u64 {
        self.successes + self.failures
    }

    /// The share of successes; `None` before the first trial.
    pub fn share(self) -> Option<f64> {
        (self.trials() > 0).then(|| self.successes as f64 / self.trials() as f64)
    }

    /// Wilson's score interval; `alpha` is the error probability (0.05 for 95 %).
    pub fn wilson(self, alpha: f64) -> Interval {
        let Some(share) = self.share() else { return Interval::UNKNOWN };
        let (n, z) = (self.trials() as f64, normal_quantile(1.0 - alpha / 2.0));
        let shrink = 1.0 + z * z / n;
        let centre = (share + z * z / (2.0 * n)) / shrink;
        let reach = z / shrink * (share * (1.0 - share) / n + (z / (2.0 * n)).powi(2)).sqrt();
        // Without successes or without failures the end is exactly 0 or 1, in spite of rounding.
        Interval {
            low: if self.successes == 0 { 0.0 } else { centre - reach },
            high: if self.failures == 0 { 1.0 } else { centre + reach },
        }
    }

    /// Clopper and Pearson's exact interval: the error probability is at most `alpha`, half of it on each
    /// side.
    pub fn clopper_pearson(self, alpha: f64) -> Interval {
        let (hits, misses) = (self.successes as f64, self.failures as f64);
        Interval {
            low: if self.successes == 0 { 0.0 } else { beta_quantile(hits, misses + 1.0, alpha / 2.0) },
            high: if self.failures == 0 { 1.0 } else { beta_upper_quantile(hits + 1.0, misses, alpha / 2.0) },
        }
    }

    /// The equal-tailed posterior interval under Jeffreys' prior, without the usual correction at 0 and 1.
    pub fn jeffreys(self, alpha: f64) -> Interval {
        let (a, b) = (self.successes as f64 + 0.5, self.failures as f64 + 0.5);
        Interval { low: beta_quantile(a, b, alpha / 2.0), high: beta_upper_quantile(a, b, alpha / 2.0) }
    }
}

/// The quantile of a beta distribution at lower tail probability `tail`. The search of statrs does not end
/// for some shapes, so this has its own.
fn beta_quantile(a: f64, b: f64, tail: f64) -> f64 {
    let beta = Beta::new(a, b).expect("counts plus a half or one are positive");
    let excess = |x: f64| Slope { value: tail - beta.cdf(x), derivative: -beta.pdf(x) };
    decreasing_root(0.0, 1.0, a / (a + b), excess)
}

/// The value that a beta variable exceeds with probability `tail`, 0 to 1.
fn beta_upper_quantile(a: f64, b: f64, tail: f64) -> f64 {
    // If X is Beta(a, b), then 1 - X is Beta(b, a).
    1.0 - beta_quantile(b, a, tail)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn clopper_pearson_follows_the_rule_of_three() {
        let exact = Rate { successes: 0, failures: 100 }.clopper_pearson(0.10);
        assert!((exact.high - (1.0 - 0.05_f64.powf(0.01))).abs() < 1e-12);
        assert!(exact.low <= 0.0);
    }

    #[test]
    fn intervals_without_trials_are_unknown() {
        let nothing = Rate { successes: 0, failures: 0 };
        assert_eq!(
            (nothing.wilson(0.05), nothing.clopper_pearson(0.05)),
            (Interval::UNKNOWN, Interval::UNKNOWN)
        );
        assert_eq!(nothing.share(), None);
    }

    /// statrs 0.19 never returns for this one.
    #[test]
    fn interval_of_a_rare_failure_terminates() {
        let interval = Rate { successes: 8_721_551, failures: 8 }.clopper_pearson(0.05);
        assert!(
            0.999_998 < interval.low && interval.low < interval.high && interval.high < 1.0,
            "{interval:?}"
        );
    }

    proptest! {
        #[test]
        fn intervals_contain_the_share_and_nest(successes in 0..1_000_000_u64, failures in 0..1_000_000_u64) {
            prop_assume!(successes + failures > 0);
            let rate = Rate { successes, failures };
            let share = rate.share().expect("there are trials");
            for interval in [Rate::wilson, Rate::clopper_pearson] {
                let (wide, narrow) = (interval(rate, 0.01), interval(rate, 0.2));
                prop_assert!(0.0 <= wide.low && wide.low <= narrow.low && narrow.low <= share);
                prop_assert!(share <= narrow.high && narrow.high <= wide.high && wide.high <= 1.0);
            }
        }
    }
}
