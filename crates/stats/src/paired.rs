//! Compares two engines on the same cases: McNemar's exact test.
//!
//! Only the cases on which they differ carry information. Comparing two separate pass rates would ignore the
//! pairing and lose most of the power.

use statrs::distribution::{Binomial, ChiSquared, ContinuousCDF, Discrete, DiscreteCDF};

use super::interval::{Interval, Rate};

/// Cases that only one of two engines passed.
///
/// ```
/// use threefold_stats::paired::Discordant;
///
/// let cases = Discordant { only_a: 1, only_b: 9 };
/// assert_eq!(cases.cases(), 10);
/// assert!(cases.exact() < 0.05, "B passes more often");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Discordant {
    /// Passed by A alone.
    pub only_a: u64,
    /// Passed by B alone.
    pub only_b: u64,
}

impl Discordant {
    /// Cases on which the two differ.
    pub const fn cases(self) -> u64 {
        self.only_a + self.only_b
    }

    /// The exact two-sided p-value of "both pass equally often"; 1 if they never differ.
    pub fn exact(self) -> f64 {
        self.tails().map_or(1.0, |tails| (2.0 * tails.up_to_fewer).min(1.0))
    }

    /// The exact one-sided p-value of "A passes no more often than B"; 1 if they never differ.
    pub fn exact_one_sided(self) -> f64 {
        let fair = Binomial::new(0.5, self.cases()).expect("a half is a probability");
        // P(X >= only_a) is P(X <= only_b) of a fair coin.
        if self.cases() == 0 { 1.0 } else { fair.cdf(self.only_b) }
    }

    /// The mid-p value, which counts half of the observed outcome's probability. Less conservative than
    /// [`Discordant::exact`].
    pub fn mid_p(self) -> f64 {
        self.tails().map_or(1.0, |tails| (2.0 * tails.up_to_fewer - tails.fewer).min(1.0))
    }

    /// The chi-square approximation with continuity correction; `None` if they never differ.
    pub fn chi_square(self) -> Option<f64> {
        let statistic = (self.only_a.abs_diff(self.only_b) as f64 - 1.0).powi(2) / self.cases() as f64;
        let distribution = ChiSquared::new(1.0).expect("one degree of freedom is a chi-square distribution");
        (self.cases() > 0).then(|| distribution.sf(statistic))
    }

    /// The 95 % interval of A's share of the cases on which they differ.
    pub fn share_of_a(self) -> Interval {
        Rate { successes: self.only_a, failures: self.only_b }.clopper_pearson(0.05)
    }

    fn tails(self) -> Option<Tails> {
        let fewer = self.only_a.min(self.only_b);
        let fair = Binomial::new(0.5, self.cases()).expect("a half is a probability");
        (self.cases() > 0).then(|| Tails { fewer: fair.pmf(fewer), up_to_fewer: fair.cdf(fewer) })
    }
}

/// Binomial probabilities at p = 1/2 of exactly, and of at most, the smaller count.
struct Tails {
    fewer: f64,
    up_to_fewer: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_sided_test_asks_whether_a_passes_more() {
        for (only_a, only_b, p) in
            [(0, 0, 1.0), (5, 0, 1.0 / 32.0), (0, 5, 1.0), (4, 1, 6.0 / 32.0), (3, 3, 42.0 / 64.0)]
        {
            let found = Discordant { only_a, only_b }.exact_one_sided();
            assert!((found - p).abs() < 1e-12, "{only_a} {only_b}: {found}");
        }
    }

    #[test]
    fn mcnemar_small_tables_by_hand() {
        let table = [
            // only A, only B, exact, mid-p
            (0, 0, 1.0, 1.0),
            (1, 0, 1.0, 0.5),
            (3, 3, 1.0, 1.0),
            (0, 5, 2.0 / 32.0, 1.0 / 32.0),
            (6, 1, 2.0 * 8.0 / 128.0, (2.0 * 8.0 - 7.0) / 128.0),
        ];
        for (only_a, only_b, exact, mid_p) in table {
            let differing = Discordant { only_a, only_b };
            assert!((differing.exact() - exact).abs() < 1e-12, "{differing:?}: {}", differing.exact());
            assert!((differing.mid_p() - mid_p).abs() < 1e-12, "{differing:?}: {}", differing.mid_p());
            let swapped = Discordant { only_a: only_b, only_b: only_a };
            assert_eq!((swapped.exact(), swapped.mid_p()), (differing.exact(), differing.mid_p()));
        }
    }
}
