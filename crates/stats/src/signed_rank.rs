//! Compares two versions by positive amounts on the same cases: Wilcoxon's signed-rank test.
//!
//! The amounts are compared by their ratio, so the test is about logarithms. The p-value is exact for the ranks at hand,
//! ties included: it counts the choices of signs (Hollander, Wolfe and Chicken, *Nonparametric Statistical Methods*, 3rd
//! edition, section 3.1). The estimate of the ratio is that of Hodges and Lehmann, the median of the means of all pairs
//! of differences, and its interval comes from the same distribution (sections 3.2 and 3.3).

use super::elo::Estimate;

/// The amounts of a version B relative to those of A, case by case.
///
/// ```
/// use threefold_stats::signed_rank::Ratios;
///
/// let nodes = [(100, 150), (80, 100), (30, 31), (500, 700), (60, 90), (70, 77)];
/// let ratios = Ratios::of(nodes);
/// assert!(ratios.exact_one_sided() < 0.05, "B needs more nodes");
/// assert!((1.2..1.5).contains(&ratios.estimate().expect("some cases").value));
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ratios {
    /// The logarithms of the ratios B/A, in ascending order.
    logs: Vec<f64>,
}

impl Ratios {
    /// From pairs of amounts, A's first. Pairs with an amount of zero have no ratio and are left out.
    pub fn of(pairs: impl IntoIterator<Item = (u64, u64)>) -> Self {
        let positive = pairs.into_iter().filter(|&(a, b)| a > 0 && b > 0);
        let mut logs: Vec<f64> = positive.map(|(a, b)| (b as f64 / a as f64).ln()).collect();
        logs.sort_by(f64::total_cmp);
        Self { logs }
    }

    /// The number of pairs.
    pub fn pairs(&self) -> usize {
        self.logs.len()
    }

    /// Does any pair differ?
    pub fn differ(&self) -> bool {
        self.logs.iter().any(|log| *log != 0.0)
    }

    /// The exact one-sided p-value of "B's amounts are no larger than A's"; 1 if no pair differs. Equal pairs are left out,
    /// as Wilcoxon did.
    pub fn exact_one_sided(&self) -> f64 {
        let ranks = self.doubled_ranks();
        let all: usize = ranks.iter().map(|&(_, rank)| rank).sum();
        if all == 0 {
            return 1.0;
        }
        let positive: usize = ranks.iter().filter(|(log, _)| *log > 0.0).map(|&(_, rank)| rank).sum();
        let chances = distribution(ranks.iter().map(|&(_, rank)| rank));
        chances[positive..].iter().sum::<f64>().min(1.0)
    }

    /// The ratio B/A with its interval of 95 % or a little more; `None` without a pair. With fewer than six pairs no interval
    /// of 95 % is bounded, and it is that of all pairs.
    pub fn estimate(&self) -> Option<Estimate<f64>> {
        let pairs = self.pairs();
        let mut means: Vec<f64> = (0..pairs)
            .flat_map(|one| (one..pairs).map(move |other| (one, other)))
            .map(|(one, other)| f64::midpoint(self.logs[one], self.logs[other]))
            .collect();
        means.sort_by(f64::total_cmp);
        let last = means.len().checked_sub(1)?;
        let chances = distribution(1..=pairs);
        // The rank of the mean at either end: a smaller sum of ranks has at most the probability of the tail.
        let mut below = 0.0;
        let mut rank = 0;
        for (count, chance) in chances.iter().enumerate() {
            below += chance;
            if below > TAIL {
                rank = count;
                break;
            }
        }
        // Ranks begin at 1, indices at 0. With fewer than six pairs the rank is 0: all means are inside.
        let low = rank.saturating_sub(1).min(last / 2);
        let median = f64::midpoint(means[last / 2], means[last.div_ceil(2)]);
        Some(Estimate { low: means[low].exp(), value: median.exp(), high: means[last - low].exp() })
    }

    /// The differences that are not zero, with twice their ranks by size; equal sizes share the mean of their ranks.
    fn doubled_ranks(&self) -> Vec<(f64, usize)> {
        let mut logs: Vec<f64> = self.logs.iter().copied().filter(|log| *log != 0.0).collect();
        logs.sort_by(|one, other| one.abs().total_cmp(&other.abs()));
        let mut ranked = Vec::with_capacity(logs.len());
        let mut before = 0;
        for equal in logs.chunk_by(|one, other| (one.abs() - other.abs()).abs() < SAME) {
            ranked.extend(equal.iter().map(|&log| (log, 2 * before + equal.len() + 1)));
            before += equal.len();
        }
        ranked
    }
}

/// The share of either end of the interval.
const TAIL: f64 = 0.025;
/// Ratios of whole numbers that are equal may differ by this after their logarithm.
const SAME: f64 = 1e-12;

/// The probability of each sum of some of these ranks, if each is in the sum with probability 1/2.
fn distribution(ranks: impl Iterator<Item = usize> + Clone) -> Vec<f64> {
    let mut chances = vec![0.0; ranks.clone().sum::<usize>() + 1];
    chances[0] = 1.0;
    let mut most = 0;
    for rank in ranks {
        most += rank;
        // Downwards, so that each sum without the rank is read before it changes.
        for sum in (0..=most).rev() {
            let with_rank = sum.checked_sub(rank).map_or(0.0, |without| chances[without]);
            chances[sum] = f64::midpoint(chances[sum], with_rank);
        }
    }
    chances
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probability of a sum of ranks at least as large, from all choices of signs.
    fn enumerated(ratios: &Ratios) -> f64 {
        let ranks = ratios.doubled_ranks();
        let sum = |is_positive: &dyn Fn(usize) -> bool| -> usize {
            ranks
                .iter()
                .enumerate()
                .filter(|(index, _)| is_positive(*index))
                .map(|(_, &(_, rank))| rank)
                .sum()
        };
        let observed = sum(&|index| ranks[index].0 > 0.0);
        let as_large = (0..1_u32 << ranks.len())
            .filter(|signs| sum(&|index| signs >> index & 1 == 1) >= observed)
            .count();
        as_large as f64 / f64::from(1_u32 << ranks.len())
    }

    #[test]
    fn p_value_counts_the_choices_of_signs() {
        let table: [&[(u64, u64)]; 5] = [
            &[(10, 11), (10, 14), (20, 13), (7, 9)],
            // Ties of equal and of opposite direction, and pairs without a difference.
            &[(10, 20), (5, 10), (20, 10), (3, 9), (4, 4), (1, 3)],
            &[(2, 1), (3, 1), (4, 1), (5, 1), (7, 6), (8, 9)],
            &[(1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (1, 7), (1, 8), (1, 9)],
            &[(3, 3)],
        ];
        for pairs in table {
            let ratios = Ratios::of(pairs.iter().copied());
            let (found, expected) = (ratios.exact_one_sided(), enumerated(&ratios));
            assert!((found - expected).abs() < 1e-12, "{pairs:?}: {found} instead of {expected}");
        }
        assert!((Ratios::of([(1, 2), (1, 3), (1, 4)]).exact_one_sided() - 0.125).abs() < 1e-12);
        assert_eq!(Ratios::of([(0, 5), (5, 0)]), Ratios::default());
    }

    #[test]
    fn estimate_is_the_median_of_the_means_of_pairs() {
        assert_eq!(Ratios::default().estimate(), None);
        let single = Ratios::of([(10, 30)]).estimate().expect("one pair");
        assert!((single.value - 3.0).abs() < 1e-12 && (single.low - single.high).abs() < 1e-12, "{single:?}");
        // The logarithms to base 2 are -1, 0, 2: the means of pairs are -1, -0.5, 0, 0.5, 1, 2.
        let three = Ratios::of([(2, 1), (1, 1), (1, 4)]).estimate().expect("three pairs");
        assert!((three.value - 2_f64.powf(0.25)).abs() < 1e-12, "{three:?}");
        assert!((three.low - 0.5).abs() < 1e-12 && (three.high - 4.0).abs() < 1e-12, "{three:?}");
        // Of six pairs the sum of ranks is 0 with probability 1/64, so that the first and the last mean are the ends.
        let six = Ratios::of((1..=6).map(|exponent| (1, 1 << exponent))).estimate().expect("six pairs");
        assert!((six.low - 2.0).abs() < 1e-9 && (six.high - 64.0).abs() < 1e-9, "{six:?}");
    }

    #[test]
    fn interval_covers_the_ratio_and_the_test_keeps_its_level() {
        use rand_chacha::ChaCha8Rng;
        use rand_chacha::rand_core::{Rng, SeedableRng};
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut uniform = || f64::from(rng.next_u32()) / f64::from(u32::MAX);
        let (trials, mut covered, mut rejected) = (2000, 0, 0);
        for _ in 0..trials {
            // B needs 1.3 times the nodes, or up to e times more or less than that.
            let pairs: Vec<(u64, u64)> =
                (0..20).map(|_| (1_000_000, (1.3e6 * (2.0 * uniform() - 1.0).exp()) as u64)).collect();
            let interval = Ratios::of(pairs.iter().copied()).estimate().expect("pairs");
            covered += u32::from((interval.low..=interval.high).contains(&1.3));
            // Under the hypothesis that they are equal.
            let equal = pairs.iter().map(|&(a, b)| (a, (b as f64 / 1.3) as u64));
            rejected += u32::from(Ratios::of(equal).exact_one_sided() <= 0.05);
        }
        let (covered, rejected) =
            (f64::from(covered) / f64::from(trials), f64::from(rejected) / f64::from(trials));
        assert!((0.94..0.97).contains(&covered), "{covered}");
        assert!((0.03..0.06).contains(&rejected), "{rejected}");
    }
}
