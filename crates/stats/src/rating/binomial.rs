//! Exact binomial samples in time independent of n.
//!
//! Sources: Hörmann, "The generation of binomial random variates" (1993), algorithm BTRS, where the mean is
//! at least 10; below that, the gaps between successes are drawn instead (Devroye 1986, X.4.3).

use rand::{Rng, RngExt};

/// The number of successes among `trials` of chance `p`, from 0 to 1.
pub(super) fn draw(random: &mut impl Rng, trials: u64, p: f64) -> u64 {
    // Hörmann's algorithm is for p of at most 1/2.
    if p > 0.5 { trials - fewer(random, trials, 1.0 - p) } else { fewer(random, trials, p) }
}

fn fewer(random: &mut impl Rng, trials: u64, p: f64) -> u64 {
    if trials as f64 * p >= 10.0 {
        by_rejection(random, trials as f64, p) as u64
    } else {
        by_gaps(random, trials, p)
    }
}

fn by_gaps(random: &mut impl Rng, trials: u64, p: f64) -> u64 {
    let per_failure = (-p).ln_1p();
    let (mut successes, mut at) = (0, 0.0);
    loop {
        // Trials up to the next success (geometric); infinite at p = 0.
        at += (open(random).ln() / per_failure).floor() + 1.0;
        if at > trials as f64 {
            return successes;
        }
        successes += 1;
    }
}

fn by_rejection(random: &mut impl Rng, n: f64, p: f64) -> f64 {
    let odds = p / (1.0 - p);
    let spread = (n * p * (1.0 - p)).sqrt();
    // Hörmann's b, a, v_r and α.
    let width = 1.15 + 2.53 * spread;
    let tail = -0.0873 + 0.0248 * width + 0.01 * p;
    let sure = 0.92 - 4.2 / width;
    let scale = (2.83 + 5.1 / width) * spread;
    let mode = ((n + 1.0) * p).floor();
    loop {
        let across = open(random) - 0.5;
        let up = open(random);
        let edge = 0.5 - across.abs();
        let k = ((2.0 * tail / edge + width) * across + n * p + 0.5).floor();
        // In this part of the box every point is accepted, so most draws need no logarithm.
        if edge >= 0.07 && up <= sure {
            return k;
        }
        if !(0.0 <= k && k <= n) {
            continue;
        }
        // Acceptance by the ratio of the probabilities of k and of the mode, with Stirling's formula for the
        // factorials.
        let height = (up * scale / (tail / (edge * edge) + width)).ln();
        let bound = (mode + 0.5) * ((mode + 1.0) / (odds * (n - mode + 1.0))).ln()
            + (n + 1.0) * ((n - mode + 1.0) / (n - k + 1.0)).ln()
            + (k + 0.5) * (odds * (n - k + 1.0) / (k + 1.0)).ln()
            + stirling(mode)
            + stirling(n - mode)
            - stirling(k)
            - stirling(n - k);
        if height <= bound {
            return k;
        }
    }
}

/// The remainder of Stirling's formula for ln k!: the tail of its series, or a table for small k.
fn stirling(k: f64) -> f64 {
    const SMALL: [f64; 10] = [
        0.081_061_466_795_327_26,
        0.041_340_695_955_409_29,
        0.027_677_925_684_998_34,
        0.020_790_672_103_765_09,
        0.016_644_691_189_821_19,
        0.013_876_128_823_070_75,
        0.011_896_709_945_891_77,
        0.010_411_265_261_972_09,
        0.009_255_462_182_712_733,
        0.008_330_563_433_362_87,
    ];
    if let Some(small) = SMALL.get(k as usize) {
        return *small;
    }
    let inverse = 1.0 / (k + 1.0);
    let square = inverse * inverse;
    (1.0 / 12.0 - (1.0 / 360.0 - square / 1260.0) * square) * inverse
}

/// A uniform number in the open interval (0, 1).
pub(super) fn open(random: &mut impl Rng) -> f64 {
    const STEPS: u64 = 1 << 52;
    (random.random_range(0..STEPS) as f64 + 0.5) / STEPS as f64
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use statrs::distribution::{Binomial, DiscreteCDF};

    use super::*;

    #[test]
    fn stirling_remainder_is_exact() {
        let mut ln_factorial = 0.0_f64;
        for k in 0..40_u32 {
            let k = f64::from(k);
            ln_factorial += k.max(1.0).ln();
            let formula = 0.5 * std::f64::consts::TAU.ln() + (k + 0.5) * (k + 1.0).ln() - (k + 1.0);
            assert!((ln_factorial - formula - stirling(k)).abs() < 1e-10, "{k}");
        }
    }

    /// The Kolmogorov-Smirnov distance; at level 0.001 it stays below 1.95 / √n, and less for a discrete
    /// distribution.
    fn distance(draws: &[u64], distribution: &Binomial) -> f64 {
        let mut sorted = draws.to_vec();
        sorted.sort_unstable();
        let below = |k: u64| sorted.partition_point(|draw| *draw <= k) as f64 / sorted.len() as f64;
        sorted.iter().map(|k| (below(*k) - distribution.cdf(*k)).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn binomial_samples_follow_the_distribution() {
        const DRAWS: usize = 20_000;
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let limit = 1.95 / (DRAWS as f64).sqrt();
        for (trials, p) in
            [(1, 0.3), (20, 0.01), (30, 0.5), (40, 0.3), (200, 0.97), (5_000, 0.4), (100_000, 0.002)]
        {
            let draws: Vec<u64> = (0..DRAWS).map(|_| draw(&mut random, trials, p)).collect();
            let [own, other] = [p, p * 1.05].map(|p| Binomial::new(p.min(1.0), trials).expect("a chance"));
            assert!(distance(&draws, &own) < limit, "{trials} {p}");
            assert!(trials < 200 || distance(&draws, &other) > limit, "{trials} {p}: the check can't fail");
        }
    }

    #[test]
    fn binomial_samples_reach_both_ends() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        for (trials, p, drawn) in [(0, 0.5, 0), (7, 0.0, 0), (7, 1.0, 7), (u64::MAX / 4, 0.0, 0)] {
            assert_eq!(draw(&mut random, trials, p), drawn);
        }
        let many = draw(&mut random, 1_000_000_000, 0.25) as f64;
        assert!((many / 1e9 - 0.25).abs() < 1e-4, "{many}");
    }
}
