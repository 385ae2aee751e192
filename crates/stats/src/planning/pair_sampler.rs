//! Reproducible random pairs from known distributions.
//!
//! Every run has its own stream of the common seed (`ChaCha8`, whose output is specified), so results do not
//! depend on the distribution of runs over threads, and two tests with the same run number see the same
//! pairs.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::pair_distribution::PairDistribution;

/// A number of pairs with one distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScheduleSegment {
    /// The distribution of each pair.
    pub distribution: PairDistribution,
    /// The number of pairs, at least 1.
    pub pairs: u64,
}

/// The distributions of a run's pairs: segments in sequence, repeated cyclically.
#[derive(Debug, Clone, PartialEq)]
pub struct PairSchedule {
    legs: Vec<(CumulativeTable, u64)>,
}

impl PairSchedule {
    /// One distribution for every pair.
    pub fn constant(distribution: PairDistribution) -> Self {
        Self::repeating(&[ScheduleSegment { distribution, pairs: u64::MAX }])
    }

    /// Segments in this order, repeated cyclically.
    pub fn repeating(legs: &[ScheduleSegment]) -> Self {
        Self {
            legs: legs
                .iter()
                .map(|leg| (CumulativeTable::new(&leg.distribution), leg.pairs.max(1)))
                .collect(),
        }
    }

    /// The pairs of one run.
    pub fn run(&self, seed: u64, run: u64) -> PairDraws<'_> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(run);
        PairDraws { schedule: self, leg: 0, left: self.legs[0].1, urn: self.legs[0].0, random }
    }
}

/// Cumulative probabilities on the range of a 32-bit number: a result is the number of thresholds that the
/// number has reached.
#[derive(Debug, Clone, Copy, PartialEq)]
struct CumulativeTable {
    marks: [u64; 4],
}

impl CumulativeTable {
    fn new(distribution: &PairDistribution) -> Self {
        let mut reached = 0.0;
        let mut marks = [0; 4];
        for (mark, chance) in marks.iter_mut().zip(distribution.chances()) {
            reached += chance;
            // Marks have 64 bits, since the last one may be 2^32, which no number reaches.
            *mark = (reached * 2_f64.powi(32)).round() as u64;
        }
        Self { marks }
    }

    fn result(&self, number: u32) -> usize {
        self.marks.iter().map(|&mark| usize::from(mark <= u64::from(number))).sum()
    }
}

/// The pairs of one run by class, from 0 (both lost) to 4 (both won). It never ends.
#[derive(Debug, Clone)]
pub struct PairDraws<'c> {
    schedule: &'c PairSchedule,
    leg: usize,
    left: u64,
    urn: CumulativeTable,
    random: ChaCha8Rng,
}

impl PairDraws<'_> {
    /// The next pair.
    pub fn draw(&mut self) -> usize {
        if self.left == 0 {
            self.leg = (self.leg + 1) % self.schedule.legs.len();
            (self.urn, self.left) = self.schedule.legs[self.leg];
        }
        self.left -= 1;
        self.urn.result(self.random.next_u32())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planning::ReferencePairs;

    #[test]
    fn pair_samples_follow_their_distribution() {
        let distribution = ReferencePairs::Typical.distribution();
        let schedule = PairSchedule::constant(distribution);
        let mut counts = [0_u32; 5];
        let mut draws = schedule.run(1, 7);
        for _ in 0..100_000 {
            counts[draws.draw()] += 1;
        }
        for (count, chance) in counts.iter().zip(distribution.chances()) {
            let deviation = (1e5 * chance * (1.0 - chance)).sqrt();
            assert!((f64::from(*count) - 1e5 * chance).abs() < 4.0 * deviation, "{counts:?}");
        }
    }

    /// The first pairs of two runs: a change here changes every published figure with a seed.
    #[test]
    fn seed_and_run_determine_the_pairs() {
        let schedule = PairSchedule::constant(PairDistribution::new([1.0; 5]).expect("sound weights"));
        let first = |run| {
            let mut draws = schedule.run(1, run);
            (0..12).map(|_| draws.draw().to_string()).collect::<String>()
        };
        assert_eq!((first(0), first(1)), ("224012114143".to_owned(), "444012204441".to_owned()));
    }

    #[test]
    fn schedule_segments_repeat_cyclically() {
        let only = |class: usize| {
            let mut weights = [0.0; 5];
            weights[class] = 1.0;
            PairDistribution::new(weights).expect("sound weights")
        };
        let schedule = PairSchedule::repeating(&[
            ScheduleSegment { distribution: only(1), pairs: 2 },
            ScheduleSegment { distribution: only(4), pairs: 3 },
        ]);
        let mut draws = schedule.run(1, 0);
        let classes: Vec<usize> = (0..7).map(|_| draws.draw()).collect();
        assert_eq!(classes, [1, 1, 4, 4, 4, 1, 1]);
    }
}
