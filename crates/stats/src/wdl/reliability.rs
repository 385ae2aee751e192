//! Whether claimed chances come true: claimed against actual scores, by the claim.
//!
//! This is a reliability diagram: claims of 30 to 35 % should be followed by scores of 30 to 35 % on average.

use crate::clusters::ClusteredMean;
use crate::elo::Z95;

/// The number of bins, each of 5 %.
const BINS: usize = 20;

/// A claim about a position, and what became of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Claim {
    /// Identifies its game.
    pub game: u64,
    /// The expected score that was claimed, from 0 to 1.
    pub claimed: f64,
    /// The score of the game for the same side.
    pub actual: f64,
}

/// Claims of nearly the same expected score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReliabilityBin {
    /// The range of the claims, from 0 to 1.
    pub range: [f64; 2],
    /// The number of claims.
    pub positions: usize,
    /// The number of games that they are of.
    pub games: usize,
    /// The mean claim.
    pub claimed: f64,
    /// The mean score.
    pub actual: f64,
    /// Half of the 95 % interval of the mean score, with a game as one observation. `None` with fewer than 20 games, or if
    /// all have the same result.
    pub half: Option<f64>,
}

impl ReliabilityBin {
    /// Is the mean claim outside of the interval of the mean score?
    pub fn is_off(&self) -> bool {
        self.half.is_some_and(|half| (self.claimed - self.actual).abs() > half)
    }
}

/// The bins that have claims, the lowest first.
pub fn reliability(claims: &[Claim]) -> Vec<ReliabilityBin> {
    let mut bins: Vec<Vec<Claim>> = vec![Vec::new(); BINS];
    for &claim in claims {
        let index = (claim.claimed.clamp(0.0, 1.0) * BINS as f64) as usize;
        // A claim of exactly 1 belongs to the last bin.
        bins[index.min(BINS - 1)].push(claim);
    }
    let bin = |(index, claims): (usize, Vec<Claim>)| {
        let mut games: Vec<u64> = claims.iter().map(|claim| claim.game).collect();
        games.sort_unstable();
        games.dedup();
        let mean = |of: fn(&Claim) -> f64| claims.iter().map(of).sum::<f64>() / claims.len() as f64;
        let clustered = ClusteredMean::of(claims.iter().map(|claim| (claim.game, claim.actual)));
        (!claims.is_empty()).then(|| ReliabilityBin {
            range: [index, index + 1].map(|end| end as f64 / BINS as f64),
            positions: claims.len(),
            games: games.len(),
            claimed: mean(|claim| claim.claimed),
            actual: mean(|claim| claim.actual),
            half: clustered.map(|mean| Z95 * mean.clustered),
        })
    };
    bins.into_iter().enumerate().filter_map(bin).collect()
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;

    /// Claims of games whose results follow them, or the half of them.
    fn claims(actual: fn(f64) -> f64) -> Vec<Claim> {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let mut uniform = move || random.next_u64() as f64 / u64::MAX as f64;
        (0..20_000)
            .map(|game| {
                let claimed = uniform();
                let won = uniform() < actual(claimed);
                Claim { game, claimed, actual: f64::from(u8::from(won)) }
            })
            .collect()
    }

    #[test]
    fn true_claims_are_within_their_intervals_and_false_ones_are_not() {
        let sound = reliability(&claims(|claimed| claimed));
        assert_eq!((sound.len(), sound.iter().map(|bin| bin.positions).sum::<usize>()), (20, 20_000));
        assert!(sound.iter().filter(|bin| bin.is_off()).count() <= 3, "{sound:?}");
        let bold = reliability(&claims(|claimed| f64::midpoint(claimed, 0.5)));
        assert!(bold.iter().filter(|bin| bin.is_off()).count() >= 14, "{bold:?}");
    }

    #[test]
    fn few_games_have_no_interval() {
        let few: Vec<Claim> = (0..100).map(|at| Claim { game: at % 10, claimed: 1.0, actual: 1.0 }).collect();
        let bins = reliability(&few);
        assert_eq!((bins.len(), bins[0].games, bins[0].half, bins[0].range), (1, 10, None, [0.95, 1.0]));
        assert_eq!(reliability(&[]), []);
    }
}
