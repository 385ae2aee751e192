//! Random choices of a handicap: whether a search blunders, and which move within the margin is played.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Handicap;

/// The denominator of probabilities.
const CHANCES: u32 = 128;

/// The random generator of one search.
pub(crate) struct ErrorSampler(ChaCha8Rng);

impl ErrorSampler {
    /// From the seed, the position's key and the move number.
    pub(crate) fn new(seed: u32, key: u64, moves: u16) -> Self {
        // Nothing else goes into the seed, so that a game can be played again.
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&key.to_le_bytes());
        bytes[8..12].copy_from_slice(&seed.to_le_bytes());
        bytes[12..14].copy_from_slice(&moves.to_le_bytes());
        Self(ChaCha8Rng::from_seed(bytes))
    }

    /// The error margin of this search in centipawns; `None` for a search without error. Sampled once, before
    /// the search.
    pub(crate) fn error(&mut self, handicap: &Handicap) -> Option<i32> {
        let Handicap { move_error, blunder_error, blunders, error_free, .. } = *handicap;
        let mut happens = |chances: u32| self.0.random_range(0..CHANCES) < chances;
        if error_free > 0 && happens(error_free) {
            return None;
        }
        Some(if happens(blunders) { blunder_error.max(move_error) } else { move_error })
    }

    /// The index of the move to play among moves with these values, best first: uniformly random among those
    /// within the margin of the first.
    pub(crate) fn choose(&mut self, values: impl Iterator<Item = i32>, error: i32) -> usize {
        let mut values = values.peekable();
        let least = values.peek().map(|best| best - error);
        let enough = values.take_while(|value| least.is_some_and(|least| *value >= least)).count();
        self.0.random_range(0..enough.max(1))
    }
}

#[cfg(test)]
mod tests {
    use statrs::distribution::{ChiSquared, ContinuousCDF};

    use super::*;
    use crate::strength::{PAGE_ENDS, STRONGEST, WEAKEST};

    /// The p-value of a chi-square test against the expected counts.
    fn p_value(seen: &[u32], expected: &[f64]) -> f64 {
        let strayed: f64 = seen
            .iter()
            .zip(expected)
            .map(|(&seen, expected)| (f64::from(seen) - expected).powi(2) / expected)
            .sum();
        ChiSquared::new((seen.len() - 1) as f64).expect("degrees of freedom").sf(strayed)
    }

    #[test]
    fn choice_is_uniform_among_moves_within_the_margin() {
        const GAMES: u32 = 40_000;
        let values = [50, 50, 41, 20, 19, -300];
        for (error, enough) in [(0, 2), (9, 3), (30, 4), (31, 5), (400, 6)] {
            let mut seen = vec![0; enough];
            for seed in 0..GAMES {
                let choice = ErrorSampler::new(seed, 17, 1).choose(values.into_iter(), error);
                seen[choice] += 1;
            }
            let expected = vec![f64::from(GAMES) / enough as f64; enough];
            let p = p_value(&seen, &expected);
            assert!(p > 0.001, "{error}: {seen:?} p {p}");
        }
        // The same test detects a choice biased to the best move.
        let leaning = [10_600, 9_800, 9_800, 9_800];
        assert!(p_value(&leaning, &[10_000.0; 4]) < 0.001);
    }

    #[test]
    fn blunder_rate_matches_the_handicap() {
        const GAMES: u32 = 40_000;
        for rating in [WEAKEST, 1400, PAGE_ENDS] {
            let handicap = Handicap::from_rating(rating);
            let mut seen = [0, 0];
            for seed in 0..GAMES {
                let error = ErrorSampler::new(seed, 17, 1).error(&handicap).expect("none is flawless");
                assert!(error == handicap.move_error || error == handicap.blunder_error, "{error}");
                seen[usize::from(error == handicap.blunder_error)] += 1;
            }
            let chance = f64::from(handicap.blunders) / f64::from(CHANCES);
            let p = p_value(&seen, &[1.0 - chance, chance].map(|chance| chance * f64::from(GAMES)));
            assert!(p > 0.001, "{rating}: {seen:?} p {p}");
        }
        assert_eq!(Handicap::from_rating(PAGE_ENDS).move_error, 5, "nearly nothing but for blunders");
        let between = Handicap::from_rating(u32::midpoint(PAGE_ENDS, STRONGEST));
        let error_free =
            (0..GAMES).filter(|&seed| ErrorSampler::new(seed, 17, 1).error(&between).is_none()).count();
        let p = p_value(&[error_free as u32, GAMES - error_free as u32], &[f64::from(GAMES) / 2.0; 2]);
        assert!(p > 0.001, "{error_free} p {p}");
        let strongest = Handicap::from_rating(STRONGEST);
        assert!((0..GAMES).all(|seed| ErrorSampler::new(seed, 17, 1).error(&strongest).is_none()));
    }

    #[test]
    fn error_sampler_depends_on_seed_position_and_move_only() {
        let draw = |seed, key, moves| {
            let mut luck = ErrorSampler::new(seed, key, moves);
            (0..8).map(|_| luck.choose(std::iter::repeat_n(0, 200), 0)).collect::<Vec<_>>()
        };
        assert_eq!(draw(1, 2, 3), draw(1, 2, 3));
        for other in [draw(0, 2, 3), draw(1, 0, 3), draw(1, 2, 0)] {
            assert_ne!(draw(1, 2, 3), other);
        }
        assert_eq!(ErrorSampler::new(1, 2, 3).choose(std::iter::empty(), 9), 0);
    }
}
