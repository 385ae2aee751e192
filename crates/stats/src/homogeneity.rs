//! Tests whether groups of pairs have the same distribution of results.
//!
//! A busy core, a throttled machine or an engine that leaks memory changes the results of some groups of
//! pairs: those of one worker, or of one stretch of time. A chi-square test over groups and (won, lost,
//! level) pairs detects that. Each group also gets a residual: the normal score of its own chi-square against
//! all other groups, which identifies the group to examine. Groups in which an outcome is expected at most
//! five times would break the approximation and are left out, repeatedly, since leaving one out changes the
//! others. Source: fishtest `get_chi2`.

use std::ops::Range;

use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::elo::normal_quantile;
use super::pentanomial::Pentanomial;

/// The outcomes of a group of pairs for the first player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PairOutcomes {
    /// Pairs with more than half of the points.
    pub won: u64,
    /// Pairs with less.
    pub lost: u64,
    /// Pairs with half of them.
    pub level: u64,
}

/// Result of the chi-square test over groups of pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct Homogeneity {
    /// The chi-square statistic over the groups that take part.
    pub statistic: f64,
    /// Its degrees of freedom.
    pub degrees_of_freedom: u32,
    /// The p-value.
    pub p: f64,
    /// For each group as given, its residual as a normal score; `None` for a group with too few pairs.
    /// Infinite where the probability underflows an `f64`.
    pub residuals: Vec<Option<f64>>,
    /// The residual that the largest of equal groups exceeds with probability of about 5 %.
    pub notable: f64,
    /// The residual that the largest of equal groups exceeds with probability of about 1 %.
    pub alarming: f64,
    /// The shares of won, lost and level pairs in all groups that take part.
    pub shares: [f64; OUTCOMES],
}

const OUTCOMES: usize = 3;

/// The least expected count of each outcome in a group.
const LEAST_EXPECTED: f64 = 5.0;

impl PairOutcomes {
    /// Won, lost, level.
    pub const fn counts(self) -> [u64; OUTCOMES] {
        [self.won, self.lost, self.level]
    }

    /// Pairs in all.
    pub const fn pairs(self) -> u64 {
        self.won + self.lost + self.level
    }
}

impl From<Pentanomial> for PairOutcomes {
    fn from(pairs: Pentanomial) -> Self {
        let [ll, ld, level, wd, ww] = pairs.counts;
        Self { won: wd + ww, lost: ll + ld, level }
    }
}

impl Homogeneity {
    /// Tests the groups against each other; `None` if fewer than two have enough pairs.
    pub fn test(groups: &[PairOutcomes]) -> Option<Self> {
        let mut kept: Vec<usize> = (0..groups.len()).collect();
        let (shares, pairs) = loop {
            let (shares, pairs) = shares(kept.iter().map(|&group| groups[group]))?;
            let least = shares.iter().copied().fold(1.0, f64::min);
            let before = kept.len();
            kept.retain(|&group| groups[group].pairs() as f64 * least > LEAST_EXPECTED);
            if kept.len() == before {
                break (shares, pairs);
            }
        };
        if kept.len() < 2 {
            return None;
        }
        let columns = (OUTCOMES - 1) as u32;
        let mut residuals = vec![None; groups.len()];
        let mut statistic = 0.0;
        for &group in &kept {
            let own = chi_square(groups[group], shares);
            statistic += own;
            // Equivalent to merging all other groups into one.
            let against_others = own / (1.0 - groups[group].pairs() as f64 / pairs);
            residuals[group] = Some((-normal_quantile(tail(against_others, columns))).max(0.0));
        }
        let degrees_of_freedom = (kept.len() as u32 - 1) * columns;
        // Bonferroni: the largest residual of all groups is compared with it.
        let threshold = |alpha: f64| -normal_quantile(alpha / kept.len() as f64);
        Some(Self {
            statistic,
            degrees_of_freedom,
            p: tail(statistic, degrees_of_freedom),
            residuals,
            notable: threshold(0.05),
            alarming: threshold(0.01),
            shares,
        })
    }
}

/// Divides a schedule of pairs with these outcomes into as many blocks as the test allows, at most `most`.
/// Block lengths differ by at most one, and in each block every outcome is expected often enough. `None` if
/// two blocks are too many.
pub fn blocks(all: PairOutcomes, most: usize) -> Option<Vec<Range<usize>>> {
    let pairs = all.pairs() as usize;
    let least = all.counts().into_iter().min().unwrap_or_default() as f64 / pairs as f64;
    // The quotient is rounded down: the shortest block must have enough pairs, too.
    let count = (2..=most).rev().find(|count| (pairs / count) as f64 * least > LEAST_EXPECTED)?;
    Some((0..count).map(|block| block * pairs / count..(block + 1) * pairs / count).collect())
}

/// The share of each outcome in all groups, and their pairs; `None` without any.
fn shares(groups: impl Iterator<Item = PairOutcomes>) -> Option<([f64; OUTCOMES], f64)> {
    let mut sums = [0; OUTCOMES];
    for group in groups {
        for (sum, count) in sums.iter_mut().zip(group.counts()) {
            *sum += count;
        }
    }
    let pairs = sums.iter().sum::<u64>() as f64;
    (pairs > 0.0).then(|| (sums.map(|sum| sum as f64 / pairs), pairs))
}

fn chi_square(group: PairOutcomes, shares: [f64; OUTCOMES]) -> f64 {
    let pairs = group.pairs() as f64;
    let cell = |(count, share): (u64, f64)| (count as f64 - pairs * share).powi(2) / (pairs * share);
    group.counts().into_iter().zip(shares).map(cell).sum()
}

/// The upper tail probability of the chi-square distribution.
fn tail(statistic: f64, degrees_of_freedom: u32) -> f64 {
    ChiSquared::new(f64::from(degrees_of_freedom))
        .expect("two groups leave a degree of freedom")
        .sf(statistic)
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;
    use crate::interval::Rate;
    use crate::{EloModel, Judgement, Risks, Sprt};

    /// Probabilities of LL to WW for equal engines with a usual book.
    const USUAL: [f64; 5] = [0.03, 0.22, 0.50, 0.22, 0.03];

    /// Pairs of a match, drawn from given probabilities of their classes.
    struct Pairs {
        distribution: [f64; 5],
        random: ChaCha8Rng,
    }

    impl Pairs {
        fn new(distribution: [f64; 5], seed: u64) -> Self {
            Self { distribution, random: ChaCha8Rng::seed_from_u64(seed) }
        }

        fn draw(&mut self) -> usize {
            let mut rest = (self.random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
            self.distribution
                .iter()
                .position(|share| {
                    rest -= share;
                    rest < 0.0
                })
                .unwrap_or(4)
        }

        fn group(&mut self, pairs: u32) -> PairOutcomes {
            outcomes((0..pairs).map(|_| self.draw()))
        }
    }

    fn outcomes(classes: impl IntoIterator<Item = usize>) -> PairOutcomes {
        let mut pairs = Pentanomial::default();
        classes.into_iter().for_each(|class| pairs.counts[class] += 1);
        pairs.into()
    }

    fn flagged(groups: &[PairOutcomes]) -> bool {
        let tested = Homogeneity::test(groups).expect("pairs enough");
        tested.residuals.iter().flatten().any(|&residual| residual > tested.notable)
    }

    /// Whether this number of false alarms is consistent with a rate of about 5 %.
    fn is_credible(flagged: u64, runs: u64) -> bool {
        Rate { successes: flagged, failures: runs - flagged }.clopper_pearson(0.002).low <= 0.05
    }

    #[test]
    fn homogeneity_rarely_flags_equal_groups_and_finds_a_bad_one() {
        let runs = 2000;
        let mut pairs = Pairs::new(USUAL, 1);
        let false_alarms = (0..runs).filter(|_| flagged(&[(); 4].map(|()| pairs.group(100)))).count() as u64;
        assert!(is_credible(false_alarms, runs), "{false_alarms} of {runs}");

        // A worker whose core is shared: the first engine loses more there.
        let mut bad = Pairs::new([0.13, 0.40, 0.35, 0.10, 0.02], 2);
        let mut found = 0;
        for _ in 0..runs {
            let groups = [pairs.group(100), pairs.group(100), bad.group(100), pairs.group(100)];
            let tested = Homogeneity::test(&groups).expect("pairs enough");
            let worst = (0..4)
                .max_by(|&a, &b| tested.residuals[a].partial_cmp(&tested.residuals[b]).expect("numbers"));
            found += u64::from(worst == Some(2) && tested.residuals[2] > Some(tested.alarming));
        }
        assert!(found > runs * 9 / 10, "found {found} times of {runs}");
        assert!(!is_credible(found, runs), "the check of false alarms must be able to fail");
    }

    /// A test stops because of its last pairs; that must not be reported as a bad stretch.
    #[test]
    fn homogeneity_rarely_flags_time_blocks_of_stopped_tests() {
        let test = Sprt::new(EloModel::Logistic, -15.0, 15.0, Risks::USUAL).expect("sound");
        let runs = 1500;
        let (mut tested, mut false_alarms) = (0, 0);
        let mut distribution = Pairs::new(USUAL, 3);
        for _ in 0..runs {
            let (mut classes, mut counts) = (Vec::new(), Pentanomial::default());
            loop {
                classes.push(distribution.draw());
                counts.counts[classes[classes.len() - 1]] += 1;
                let judged = test.llr(&counts).map(|llr| test.bounds().judge(llr));
                if judged.is_some_and(|judged| judged != Judgement::Continue) {
                    break;
                }
            }
            if let Some(blocks) = blocks(counts.into(), 10) {
                tested += 1;
                let groups: Vec<_> =
                    blocks.into_iter().map(|block| outcomes(classes[block].iter().copied())).collect();
                false_alarms += u64::from(flagged(&groups));
            }
        }
        assert!(tested > runs * 3 / 4 && is_credible(false_alarms, tested), "{false_alarms} of {tested}");
    }

    #[test]
    fn block_number_depends_on_the_rarest_outcome() {
        let of = |won, lost, level| blocks(PairOutcomes { won, lost, level }, 10);
        assert_eq!(of(0, 0, 0), None);
        assert_eq!(of(10, 60, 130), None);
        assert_eq!(of(11, 60, 129), Some(vec![0..100, 100..200]));
        assert_eq!(of(16, 50, 34), Some(vec![0..33, 33..66, 66..100]));
        assert_eq!(of(1000, 1000, 1000).map(|blocks| blocks.len()), Some(10));
    }

    #[test]
    fn homogeneity_omits_groups_with_small_expectations() {
        let row = |won, lost, level| PairOutcomes { won, lost, level };
        assert_eq!(Homogeneity::test(&[]), None);
        assert_eq!(Homogeneity::test(&[row(0, 0, 0), row(0, 0, 0)]), None);
        assert_eq!(Homogeneity::test(&[row(90, 90, 90), row(3, 3, 3)]), None);
        let tested =
            Homogeneity::test(&[row(30, 30, 30), row(3, 3, 3), row(20, 20, 20)]).expect("two groups");
        assert_eq!((tested.degrees_of_freedom, tested.residuals), (2, vec![Some(0.0), None, Some(0.0)]));
        let apart =
            Homogeneity::test(&[row(100_000, 10, 10), row(10, 100_000, 10), row(7, 7, 90)]).expect("groups");
        assert!(apart.residuals[0].is_some_and(f64::is_infinite) && apart.p <= 0.0, "{apart:?}");
    }
}
