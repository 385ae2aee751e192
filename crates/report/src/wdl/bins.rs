//! What became of positions with nearly the same score, for a plot with the model.

use super::WdlReport;
use threefold_stats::GameResult;

/// The number of bins of a plot, from the lowest score to the highest.
const BINS: usize = 32;
/// With fewer positions a share says next to nothing.
const LEAST: u64 = 20;

/// Positions with nearly the same score.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Bin {
    /// The number of positions.
    pub(super) positions: u64,
    sum: f64,
    results: [u64; 3],
}

impl Bin {
    /// The mean score.
    pub(super) fn score(&self) -> f64 {
        self.sum / self.positions as f64
    }

    /// The share of positions with this result for the side to move.
    pub(super) fn share(&self, result: GameResult) -> f64 {
        self.results[result.half_points()] as f64 / self.positions as f64
    }
}

impl WdlReport {
    /// The positions with an m from `low` to `high`, by their score; only bins with enough positions.
    pub(super) fn bins(&self, [low, high]: [u16; 2]) -> Vec<Bin> {
        // The reach may round to 0, and the width of a bin must not.
        let reach = self.settings.reach().max(1.0);
        let mut bins = [Bin::default(); BINS];
        for position in self.sample.positions().iter().filter(|it| (low..=high).contains(&it.m)) {
            let score = f64::from(position.score);
            let index = (score + reach) / (2.0 * reach) * BINS as f64;
            // The highest score is the upper end of the last bin.
            let bin = &mut bins[(index as usize).min(BINS - 1)];
            bin.positions += 1;
            bin.sum += score;
            bin.results[position.result.half_points()] += 1;
        }
        bins.into_iter().filter(|bin| bin.positions >= LEAST).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    #[test]
    fn bins_follow_the_model() {
        let report = fixture::report();
        let bins = report.bins([17, 78]);
        assert_eq!(bins.iter().map(|bin| bin.positions).sum::<u64>(), 3000);
        for bin in &bins {
            let win = report.fit.model.rates(bin.score(), 47.0).win;
            assert!((bin.share(GameResult::Win) - win).abs() < 0.15, "{bin:?} {win}");
        }
        assert_eq!(report.bins([17, 17]), []);
    }
}
