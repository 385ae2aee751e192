//! The error of a mean of values that come in clusters, such as pairs of games from openings of one family.
//!
//! Values of one cluster may be correlated, so the sum of a cluster counts as one observation. This is the
//! cluster-robust variance of Liang and Zeger (1986) for a mean, with the factor G/(G − 1) for G clusters. If every
//! cluster has one value, it is the usual variance.

use std::collections::BTreeMap;

/// With fewer clusters the error of the error is too large.
const LEAST_CLUSTERS: usize = 20;

/// A mean with both errors.
///
/// ```
/// use threefold_stats::clusters::ClusteredMean;
///
/// // Thirty clusters of two equal values: each says as much as one value.
/// let values = (0..60).map(|index| (index / 2, f64::from(index / 2 % 2)));
/// let mean = ClusteredMean::of(values).expect("enough clusters");
/// assert_eq!((mean.mean, mean.clusters), (0.5, 30));
/// assert!((mean.ratio() - 2_f64.sqrt()).abs() < 0.02);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClusteredMean {
    /// The mean of all values.
    pub mean: f64,
    /// Its standard error if the values are independent.
    pub independent: f64,
    /// Its standard error with the clusters.
    pub clustered: f64,
    /// The correlation within clusters as a normal score: the sum of the products of two values of a cluster, by its
    /// standard deviation for independent values. 0 if no cluster has two.
    pub z: f64,
    /// The number of values.
    pub values: usize,
    /// The number of clusters.
    pub clusters: usize,
    /// The number of values of the largest cluster.
    pub largest: usize,
}

impl ClusteredMean {
    /// From each value with its cluster. `None` if there are fewer than 20 clusters, or all values are the same.
    pub fn of<K: Ord>(values: impl IntoIterator<Item = (K, f64)>) -> Option<Self> {
        let mut clusters: BTreeMap<K, Vec<f64>> = BTreeMap::new();
        for (cluster, value) in values {
            clusters.entry(cluster).or_default().push(value);
        }
        let groups = clusters.len();
        if groups < LEAST_CLUSTERS {
            return None;
        }
        let values: usize = clusters.values().map(Vec::len).sum();
        let count = values as f64;
        let mean = clusters.values().flatten().sum::<f64>() / count;
        let deviation = |value: &f64| value - mean;
        let squares: f64 = clusters.values().flatten().map(deviation).map(|it| it * it).sum();
        if squares <= 0.0 {
            return None;
        }
        let sums = clusters.values().map(|cluster| cluster.iter().map(deviation).sum::<f64>());
        let between: f64 = sums.map(|sum| sum * sum).sum();
        let factor = groups as f64 / (groups as f64 - 1.0);
        // Twice the number of pairs of values within clusters.
        let within: f64 = clusters.values().map(|cluster| (cluster.len() * (cluster.len() - 1)) as f64).sum();
        // `between - squares` is twice the sum of the products. For independent values of variance σ², each
        // pair adds 4 σ⁴ to the variance of that.
        let spread = squares / count * (2.0 * within).sqrt();
        Some(Self {
            mean,
            independent: (squares / (count * (count - 1.0))).sqrt(),
            clustered: (factor * between).sqrt() / count,
            z: if within > 0.0 { (between - squares) / spread } else { 0.0 },
            values,
            clusters: groups,
            largest: clusters.values().map(Vec::len).max().unwrap_or(0),
        })
    }

    /// The error with clusters divided by that of independent values.
    pub fn ratio(&self) -> f64 {
        self.clustered / self.independent
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;

    /// Scores of a pair, 0 to 1, from a seed.
    fn scores(seed: u64) -> impl Iterator<Item = f64> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        std::iter::repeat_with(move || f64::from(random.next_u32() % 5) / 4.0)
    }

    #[test]
    fn independent_values_have_the_usual_error() {
        // A cluster each: exactly; five in each: nearly, and without a trend over many seeds.
        let alone = ClusteredMean::of(scores(1).take(400).enumerate()).expect("enough");
        assert!((alone.ratio() - 1.0).abs() < 1e-12 && alone.z == 0.0, "{alone:?}");
        let many = 300;
        let all: Vec<ClusteredMean> = (0..many)
            .map(|seed| {
                ClusteredMean::of(scores(seed).take(1000).enumerate().map(|(at, it)| (at / 5, it)))
                    .expect("enough")
            })
            .collect();
        let ratio = all.iter().map(ClusteredMean::ratio).sum::<f64>() / f64::from(many as u32);
        assert!((ratio - 1.0).abs() < 0.01, "{ratio}");
        let square = all.iter().map(|it| it.z * it.z).sum::<f64>() / f64::from(many as u32);
        assert!((square - 1.0).abs() < 0.3, "{square}");
    }

    #[test]
    fn equal_values_of_a_cluster_count_once() {
        for size in [2, 4, 9] {
            let values = scores(7).take(500).enumerate().flat_map(|(at, it)| vec![(at, it); size]);
            let mean = ClusteredMean::of(values).expect("enough");
            let expected = (size as f64).sqrt();
            assert!((mean.ratio() / expected - 1.0).abs() < 0.01, "{size}: {}", mean.ratio());
            assert!(mean.z > 10.0);
            assert_eq!((mean.clusters, mean.values, mean.largest), (500, 500 * size, size));
        }
    }

    #[test]
    fn few_clusters_and_equal_values_have_no_error() {
        assert_eq!(ClusteredMean::of(scores(1).take(190).enumerate().map(|(at, it)| (at / 10, it))), None);
        assert_eq!(ClusteredMean::of((0..100).map(|at| (at, 0.5))), None);
        assert_eq!(ClusteredMean::of(std::iter::empty::<(u8, f64)>()), None);
    }
}
