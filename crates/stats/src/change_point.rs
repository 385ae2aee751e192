//! The change points of a series: cumulative sums of its ranks, with a permutation test.
//!
//! The statistic combines the largest cumulative sum, which is large after one change of level, and the range
//! of the cumulative sums, which is also large if a change was taken back later. Ranks are used in place of
//! values, so that outliers (a busy machine) have little influence and no distribution is assumed. The p-value
//! is the share of random orders of the same values whose statistic is as large, so it is valid for a series
//! of any length and with ties. A series with a change is divided there, and each part is tested again, until
//! no part has a significant change.
//!
//! If a series has no change, its values come in no particular order, and then the probability that any
//! change is found is at most the level: nothing is tested again unless the first test rejects.
//!
//! Sources: A. N. Pettitt, "A Non-Parametric Approach to the Change-Point Problem", Applied Statistics 28
//! (1979), 126-135, for the largest sum of ranks. B. Levin and J. Kline, "The CUSUM Test of Homogeneity",
//! Statistics in Medicine 4 (1985), 469-488, for the range. W. A. Taylor, "Change-Point Analysis: A Powerful
//! New Tool for Detecting Changes" (2000), for random orders and division. B. Phipson and G. K. Smyth,
//! "Permutation P-values Should Never Be Zero", Statistical Applications in Genetics and Molecular Biology 9
//! (2010), Article 39, for the p-value.

use std::ops::Range;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::outlier::median;

/// The fewest values: with seven, no order of them has a p-value below 5 %.
pub const FEWEST: usize = 8;

/// The number of random orders of a test. The smallest p-value is one in this number plus one.
pub const PERMUTATIONS: u32 = 9_999;

/// The seed of the random orders: a series has the same p-value each time.
const SEED: u64 = 1;

/// A change of level in a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChangePoint {
    /// The index of the first value after the change.
    pub first_after: usize,
    /// The median of the values before it, back to the change before or the beginning.
    pub before: f64,
    /// The median of the values from it on, up to the next change or the end.
    pub after: f64,
    /// The two-sided p-value of "there is no change" in the part of the series that was divided here.
    pub p: f64,
}

impl ChangePoint {
    /// All changes of a series that are significant at this level, in order; none in a series of fewer than
    /// [`FEWEST`] values. `level` is the probability of any change in a series without one, from 0 to 1.
    ///
    /// ```
    /// use threefold_stats::change_point::ChangePoint;
    /// let nps = [100.0, 101.0, 99.0, 100.5, 100.2, 99.5, 90.0, 91.0, 89.0, 90.5, 90.1, 90.3];
    /// let changes = ChangePoint::find_all(&nps, 0.05);
    /// assert_eq!(changes.len(), 1);
    /// assert_eq!((changes[0].first_after, changes[0].before), (6, 100.1));
    /// assert!((changes[0].after - 90.2).abs() < 1e-9);
    /// assert!(ChangePoint::find_all(&nps[..6], 0.05).is_empty());
    /// ```
    pub fn find_all(values: &[f64], level: f64) -> Vec<Self> {
        changes(values, level, PERMUTATIONS)
    }
}

fn changes(values: &[f64], level: f64, permutations: u32) -> Vec<ChangePoint> {
    let mut cuts: Vec<(usize, f64)> = Vec::new();
    let mut open: Vec<Range<usize>> = std::iter::once(0..values.len()).collect();
    while let Some(part) = open.pop() {
        let found = most_probable(&values[part.clone()], permutations);
        let Some((cut, p)) = found.filter(|&(_, p)| p < level) else { continue };
        let cut = part.start + cut;
        cuts.push((cut, p));
        open.extend([part.start..cut, cut..part.end]);
    }
    // The part on the right is always divided first, so the cuts were not found in order.
    cuts.sort_by_key(|&(cut, _)| cut);
    place_between_neighbours(values, &mut cuts);
    let ends = cuts.iter().map(|&(cut, _)| cut).chain([values.len()]).skip(1);
    let starts = std::iter::once(0).chain(cuts.iter().map(|&(cut, _)| cut));
    let change = |((&(first_after, p), start), end): ((&(usize, f64), usize), usize)| {
        let (before, after) = (median(&values[start..first_after])?, median(&values[first_after..end])?);
        Some(ChangePoint { first_after, before, after, p })
    };
    cuts.iter().zip(starts).zip(ends).filter_map(change).collect()
}

/// Places each change again, in the part from the change before it to the one after it: where a part was
/// divided, others might have hidden its place.
fn place_between_neighbours(values: &[f64], cuts: &mut [(usize, f64)]) {
    for index in 0..cuts.len() {
        let start = index.checked_sub(1).map_or(0, |before| cuts[before].0);
        let end = cuts.get(index + 1).map_or(values.len(), |&(after, _)| after);
        let part = &values[start..end];
        let scores = scores(part);
        let largest = Sums::of(&scores).largest;
        // All values of the part may be equal after its ends were moved; then the place remains.
        if largest > 0 {
            cuts[index].0 = start + place(part, &scores, largest);
        }
    }
}

/// The most probable place of one change, and the p-value; `None` if there are too few values or all are
/// equal.
fn most_probable(values: &[f64], permutations: u32) -> Option<(usize, f64)> {
    if values.len() < FEWEST {
        return None;
    }
    let mut scores = scores(values);
    let sums = Sums::of(&scores);
    if sums.largest == 0 {
        return None;
    }
    let place = place(values, &scores, sums.largest);
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let mut as_large = 0_u32;
    for _ in 0..permutations {
        // The scores are shuffled in place of the values: a permutation has the same ranks.
        shuffle(&mut scores, &mut random);
        as_large += u32::from(Sums::of(&scores).statistic() >= sums.statistic());
    }
    // The observed order counts as one of the orders, so that p is never 0 (Phipson and Smyth).
    Some((place, f64::from(as_large + 1) / f64::from(permutations + 1)))
}

/// The number of smaller values minus that of larger ones, for each value: twice its rank, less the mean.
fn scores(values: &[f64]) -> Vec<i64> {
    let score = |value: &f64| values.iter().map(|other| value.total_cmp(other) as i64).sum();
    values.iter().map(score).collect()
}

/// The cumulative sums of the scores of a series. The sum of the first t scores is Pettitt's U(t).
struct Sums {
    /// The size of the sum that is furthest from 0.
    largest: u64,
    /// The largest sum minus the smallest; the empty sum is 0.
    range: u64,
}

impl Sums {
    fn of(scores: &[i64]) -> Self {
        let (mut sum, mut low, mut high) = (0_i64, 0_i64, 0_i64);
        for score in scores {
            sum += score;
            (low, high) = (low.min(sum), high.max(sum));
        }
        Self { largest: low.unsigned_abs().max(high.unsigned_abs()), range: high.abs_diff(low) }
    }

    /// The larger of both, in a common scale: in long series without a change, the 5 % quantiles of the
    /// largest sum and of the range are as 1.358 to 1.747 (Kolmogorov's and Kuiper's distributions), nearly
    /// 7 to 9.
    fn statistic(&self) -> u64 {
        (9 * self.largest).max(7 * self.range)
    }
}

/// The first value after the change. Ranks do not say how far a value is from the next one, so of the cuts
/// whose sum is nearly the largest, the one with the least deviations from the medians on both sides is taken.
fn place(values: &[f64], scores: &[i64], largest: u64) -> usize {
    let mut sum = 0_i64;
    let sums = scores.iter().map(|score| {
        sum += score;
        sum.unsigned_abs()
    });
    // The range is one shorter than the sums and drops the last one, which is always 0.
    let cuts = sums.zip(1..values.len()).filter(|(sum, _)| 20 * sum >= 19 * largest).map(|(_, cut)| cut);
    let cost = |cut: usize| deviations(&values[..cut]) + deviations(&values[cut..]);
    cuts.min_by(|&one, &other| cost(one).total_cmp(&cost(other))).unwrap_or_default()
}

/// The sum of the absolute deviations from the median.
fn deviations(values: &[f64]) -> f64 {
    let Some(middle) = median(values) else { return 0.0 };
    values.iter().map(|value| (value - middle).abs()).sum()
}

/// A random order, each with the same probability (Fisher and Yates).
fn shuffle(values: &mut [i64], random: &mut ChaCha8Rng) {
    for last in (1..values.len()).rev() {
        values.swap(last, random.random_range(0..=last));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn step_is_found_in_spite_of_outliers() {
        let mut values = [100.0; 24];
        for (index, value) in values.iter_mut().enumerate() {
            *value += f64::from(u8::try_from(index * 7 % 5).expect("small"));
            if index >= 14 {
                *value -= 10.0;
            }
        }
        values[3] = 1.0;
        values[20] = 1000.0;
        let [change] = ChangePoint::find_all(&values, 0.05)[..] else { panic!("one change") };
        assert_eq!(change.first_after, 14);
        assert_eq!((change.before, change.after), (102.0, 92.5));
        assert!(change.p < 0.05, "{change:?}");
    }

    #[test]
    fn sums_are_those_of_the_papers() {
        // Every value of the first six is below every one of the second six.
        let values: Vec<f64> = (1..=12).map(f64::from).collect();
        let Sums { largest, range } = Sums::of(&scores(&values));
        assert_eq!((largest, range), (36, 36));
        // A change that is taken back has a range of twice the largest sum.
        let Sums { largest, range } = Sums::of(&scores(&[1.0, 1.0, 2.0, 2.0, 1.0, 1.0]));
        assert_eq!((largest, range), (4, 8));
        // Pettitt's definition, with ties: the sum of sign(x_i - x_j) over i < t <= j.
        let values: [f64; 6] = [3.0, 1.0, 3.0, 2.0, 2.0, 5.0];
        let by_definition = |cut: usize| -> i64 {
            let (before, after) = values.split_at(cut);
            let signs =
                before.iter().flat_map(|one| after.iter().map(move |other| one.total_cmp(other) as i64));
            signs.sum()
        };
        let scores = scores(&values);
        let sums: Vec<i64> = (1..6).map(|cut| scores[..cut].iter().sum()).collect();
        assert_eq!(sums, (1..6).map(by_definition).collect::<Vec<_>>());
    }

    #[test]
    fn p_value_is_that_of_all_orders() {
        // Eight values in two halves: 2 * 4! * 4! of 8! orders are as extreme, 2.86 %.
        let values: Vec<f64> = (1..=8).map(f64::from).collect();
        let (cut, p) = most_probable(&values, PERMUTATIONS).expect("enough values");
        let all = 1152.0 / 40320.0_f64;
        let error = (all * (1.0 - all) / f64::from(PERMUTATIONS)).sqrt();
        assert_eq!(cut, 4);
        assert!((p - all).abs() < 4.0 * error, "{p} is not {all}");
    }

    #[test]
    fn first_value_after_a_change_may_be_the_lowest_after_it() {
        // By ranks, the change may as well be one value later.
        let mut values: Vec<f64> = [1.0, 2.0, 3.0, 2.5].iter().cycle().take(11).copied().collect();
        values.push(10.0);
        values.extend([12.0, 11.0, 13.0].iter().cycle().take(14));
        let changes = ChangePoint::find_all(&values, 0.05);
        assert_eq!(changes.iter().map(|change| change.first_after).collect::<Vec<_>>(), [11]);
    }

    #[test]
    fn several_changes_are_found_each_with_its_levels() {
        // Faster, then slower again: one change would hide the other.
        let values: Vec<f64> = (0..45_u32)
            .map(|index| f64::from(index * 7 % 5) + if (15..30).contains(&index) { 120.0 } else { 100.0 })
            .collect();
        let changes = ChangePoint::find_all(&values, 0.05);
        let found: Vec<(usize, f64, f64)> =
            changes.iter().map(|change| (change.first_after, change.before, change.after)).collect();
        assert_eq!(found, [(15, 102.0, 122.0), (30, 122.0, 102.0)]);
    }

    #[test]
    fn constant_and_short_series_have_no_change_point() {
        assert_eq!(ChangePoint::find_all(&[3.0; 20], 0.05), []);
        assert_eq!(ChangePoint::find_all(&[1.0, 1.0, 1.0, 9.0, 9.0, 9.0, 9.0], 0.05), []);
        assert_eq!(ChangePoint::find_all(&[], 0.05), []);
    }

    #[test]
    fn series_without_a_change_show_one_at_most_at_the_level() {
        /// Random orders of each test; the level does not depend on their number.
        const ORDERS: u32 = 199;
        const SERIES: u32 = 1000;
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let false_alarms = |draw: &mut dyn FnMut() -> f64, length: usize| {
            let has_change = |_: &u32| {
                let values: Vec<f64> = std::iter::repeat_with(&mut *draw).take(length).collect();
                !changes(&values, 0.05, ORDERS).is_empty()
            };
            (0..SERIES).filter(has_change).count()
        };
        let noise = false_alarms(&mut || random.random::<f64>(), 20);
        let ties = false_alarms(&mut || f64::from(random.random_range(0..3_u8)), 12);
        // Speeds with rare large outliers: a busy machine.
        let heavy = false_alarms(&mut || 1.0 / random.random::<f64>().max(1e-9), 40);
        // 50 are expected at most; four standard errors are 28.
        for (name, alarms) in [("noise", noise), ("ties", ties), ("heavy tails", heavy)] {
            assert!(alarms <= 78, "{name}: {alarms} false alarms in {SERIES}");
        }
        assert!(noise >= 22, "{noise}: the test is no more cautious than it must be");
    }
}
