//! The node count and the speed of the bench of the engine, in this run and in the baseline.
//!
//! A slower engine passes every suite with a node limit, so the speed has a line of its own. It decides
//! nothing: it depends on the machine, and on what else the machine does.

use crate::format;
use threefold_run::regress::Baseline;
use threefold_suites::CaseRecord;
use threefold_suites::kinds::bench::{self, BenchReading};

/// The bench of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchComparison {
    /// The name of the suite.
    pub suite: String,
    /// In this run.
    pub now: BenchReading,
    /// In the baseline.
    pub was: Option<BenchReading>,
}

impl BenchComparison {
    /// The benches among these cases.
    pub(crate) fn from_cases<'c>(
        cases: impl Iterator<Item = &'c CaseRecord>,
        baseline: Option<&Baseline>,
    ) -> Vec<Self> {
        let benches = cases.filter(|case| case.id == bench::ID && case.class == bench::ID);
        let compared = benches.filter_map(|case| {
            let known = |baseline: &Baseline| {
                let mut known = baseline.cases.iter();
                let (_, case) = known.find(|(name, _)| name.suite == case.suite && name.id == case.id)?;
                BenchReading::from_verdict(&case.played, &case.detail)
            };
            Some(Self {
                suite: case.suite.clone(),
                now: BenchReading::from_verdict(&case.verdict.played, &case.verdict.detail)?,
                was: baseline.and_then(known),
            })
        });
        compared.collect()
    }

    /// `bench: 4711 nodes, 754 000 nps (701 000 to 790 000); baseline: 4711 nodes, 1 507 000 nps. …`
    pub(crate) fn describe(&self) -> String {
        let was = self.was.as_ref().map(|was| format!("; baseline: {}", bench_text(was))).unwrap_or_default();
        let speed = |bench: &BenchReading| bench.nps.filter(|&nps| nps > 0);
        let both = speed(&self.now).zip(self.was.as_ref().and_then(speed));
        let share = both.map(|(now, was)| {
            let percent = now as f64 / was as f64 * 100.0;
            format!(" Speed {percent:.0} % of the baseline's, which may have been measured on another machine; it decides nothing.")
        });
        format!(
            "{}: {}{was}.{}",
            format::visible(&self.suite),
            bench_text(&self.now),
            share.unwrap_or_default()
        )
    }
}

/// The count, the speed, and the slowest and the fastest run.
fn bench_text(bench: &BenchReading) -> String {
    let nodes = format::grouped(bench.nodes);
    let speed = bench.nps.map(|nps| format!(", {} nps", format::grouped(nps))).unwrap_or_default();
    let range =
        bench.range.map(|(low, high)| format!(" ({} to {})", format::grouped(low), format::grouped(high)));
    format!("{nodes} nodes{speed}{}", range.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bench_is_shown_beside_the_one_of_the_baseline() {
        let reading = |nodes, nps, range| BenchReading { nodes, nps, range };
        let now = reading(12_170_044, Some(754_000), Some((701_000, 790_000)));
        let table = [
            (None, "bench: 12,170,044 nodes, 754,000 nps (701,000 to 790,000)."),
            (
                Some(reading(12_170_044, Some(1_508_000), None)),
                "bench: 12,170,044 nodes, 754,000 nps (701,000 to 790,000); baseline: 12,170,044 nodes, 1,508,000 nps. Speed \
                 50 % of the baseline's, which may have been measured on another machine; it decides nothing.",
            ),
            (
                Some(reading(4_711, None, None)),
                "bench: 12,170,044 nodes, 754,000 nps (701,000 to 790,000); baseline: 4,711 nodes.",
            ),
        ];
        for (was, expected) in table {
            let comparison = BenchComparison { suite: "bench".to_owned(), now, was };
            assert_eq!(comparison.describe().replace('\u{202f}', ","), expected);
        }
    }
}
