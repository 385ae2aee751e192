//! What a bench counted, as a verdict has it.

use crate::dialogue::NPS;
use threefold_player::Answer;
use threefold_stats::{Estimate, mean};

/// The speed that a run printed, in nodes per second.
pub(super) fn nps(answer: &Answer) -> Option<u64> {
    answer.counts.iter().find(|(name, _)| name == NPS).map(|(_, nps)| *nps)
}

/// What a bench counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BenchReading {
    /// The node count that `bench` printed.
    pub nodes: u64,
    /// Nodes per second: the median of the runs.
    pub nps: Option<u64>,
    /// Several runs, if there were several.
    pub runs: Option<BenchRuns>,
}

/// The speeds of several runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BenchRuns {
    /// The number of runs.
    pub count: usize,
    /// The nodes per second of the slowest.
    pub slowest: u64,
    /// The nodes per second of the fastest.
    pub fastest: u64,
}

impl BenchReading {
    /// From what a verdict says was played, and its detail.
    ///
    /// ```
    /// use threefold_suites::kinds::bench::{BenchReading, BenchRuns};
    ///
    /// let reading = BenchReading::from_verdict("555806", "555806 nodes, 77 nps, 70 to 79 nps in 3 runs").expect("a count");
    /// assert_eq!(reading.nps, Some(77));
    /// assert_eq!(reading.runs, Some(BenchRuns { count: 3, slowest: 70, fastest: 79 }));
    /// ```
    pub fn from_verdict(played: &str, detail: &str) -> Option<Self> {
        let nps = detail.split(", ").find_map(|part| part.strip_suffix(" nps")?.parse().ok());
        let runs = detail.split(", ").find_map(|part| {
            let (range, count) = part.split_once(" nps in ")?;
            let (slowest, fastest) = range.split_once(" to ")?;
            let count = count.strip_suffix(" runs")?.parse().ok()?;
            Some(BenchRuns { count, slowest: slowest.parse().ok()?, fastest: fastest.parse().ok()? })
        });
        Some(Self { nodes: played.parse().ok()?, nps, runs })
    }

    /// The mean speed of the runs in nodes per second, with its 95 % interval; infinite ends for one run. `None` without a
    /// speed.
    ///
    /// The speeds of up to three runs follow from slowest, median and fastest. Of more, a verdict does not have all, and the
    /// median has no interval.
    ///
    /// ```
    /// use threefold_suites::kinds::bench::BenchReading;
    ///
    /// let speed = |detail| BenchReading::from_verdict("9", detail)?.speed();
    /// let three = speed("9 nodes, 100 nps, 99 to 101 nps in 3 runs").expect("a speed");
    /// // The quantile of Student's t distribution with two degrees of freedom is 4.303.
    /// assert!((three.value - 100.0).abs() < 1e-9 && (three.high - 100.0 - 4.303 / 3.0_f64.sqrt()).abs() < 1e-3);
    /// assert!(speed("9 nodes, 100 nps").expect("a speed").high.is_infinite());
    /// ```
    pub fn speed(&self) -> Option<Estimate<f64>> {
        let median = self.nps.filter(|&nps| nps > 0)?;
        let speeds = match self.runs {
            Some(BenchRuns { count: 2, slowest, fastest }) => vec![slowest, fastest],
            Some(BenchRuns { count: 3, slowest, fastest }) => vec![slowest, median, fastest],
            Some(_) | None => vec![median],
        };
        mean::of_groups(speeds.into_iter().map(|speed| speed as f64).enumerate())
    }

    /// The text of the speed, which [`Self::from_verdict`] reads.
    pub(super) fn speed_text(runs: &[Answer]) -> Option<String> {
        let mut speeds: Vec<u64> = runs.iter().filter_map(nps).collect();
        speeds.sort_unstable();
        // The median of two speeds is the greater one here; `speed` uses both.
        let median = speeds.get(speeds.len() / 2)?;
        Some(match &speeds[..] {
            [low, .., high] => format!("{median} nps, {low} to {high} nps in {} runs", speeds.len()),
            _ => format!("{median} nps"),
        })
    }
}
