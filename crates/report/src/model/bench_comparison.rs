//! The node count and the speed of the bench of the engine, in this run and in the baseline.
//!
//! A slower engine passes every suite with a node limit, so the speed is shown. It decides nothing: the record of the
//! baseline is from another time at least, and what else the machine did then is not known. The interval is that of the
//! runs of one bench, one after the other.

use crate::format;
use crate::model::environment_comparison::EnvironmentComparison;
use threefold_run::regress::Baseline;
use threefold_stats::Estimate;
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

    /// `bench: 4 711 nodes, as in the baseline; speed 1.507 M ± 1.0 % against 1.512 M ± 0.8 % nodes per second, recorded on
    /// another machine; it decides nothing.`
    pub(crate) fn describe(&self, environment: &EnvironmentComparison) -> String {
        let (text, has_both) = self.text();
        let place = if has_both {
            format!(", recorded {}; it decides nothing", environment.place_of_baseline())
        } else {
            String::new()
        };
        format!("{text}{place}.")
    }

    /// `bench: 4 711 nodes, as in the baseline; speed 1.507 M ± 1.0 % against 1.512 M ± 0.8 % nodes per second.`
    pub(crate) fn in_short(&self) -> String {
        format!("{}.", self.text().0)
    }

    /// The counts and the speeds, and whether both speeds are known.
    fn text(&self) -> (String, bool) {
        let (now, was) = (self.now.speed(), self.was.as_ref().and_then(BenchReading::speed));
        let speed = match (now, was) {
            (None, _) => String::new(),
            (Some(now), None) => format!("; speed {} nodes per second", speed_text(now)),
            (Some(now), Some(was)) => {
                format!("; speed {} against {} nodes per second", speed_text(now), speed_text(was))
            }
        };
        let text = format!("{}: {}{speed}", format::visible(&self.suite), self.counts());
        (text, now.is_some() && was.is_some())
    }

    /// `4 711 nodes, as in the baseline`.
    fn counts(&self) -> String {
        let now = format::grouped(self.now.nodes);
        match &self.was {
            None => format!("{now} nodes"),
            Some(was) if was.nodes == self.now.nodes => format!("{now} nodes, as in the baseline"),
            Some(was) => format!("{now} nodes, {} in the baseline", format::grouped(was.nodes)),
        }
    }
}

/// `1.507 M ± 1.0 %`. One run has no interval.
fn speed_text(speed: Estimate<f64>) -> String {
    let Estimate { value, high, .. } = speed;
    let text = format::speed(value);
    if high.is_infinite() {
        return format!("{text} (one run, no interval)");
    }
    format!("{text} ± {}", format::percent((high - value) / value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_run::{Environment, Property};

    /// What a line says of the speeds of these runs.
    fn line(now: &str, was: Option<(u64, &str)>, baseline: Option<Environment>) -> String {
        let reading =
            |nodes: u64, detail| BenchReading::from_verdict(&nodes.to_string(), detail).expect("a count");
        let (now, was) = (reading(12_170_044, now), was.map(|(nodes, detail)| reading(nodes, detail)));
        let comparison = BenchComparison { suite: "bench".to_owned(), now, was };
        let here = Environment::default().with(Property::Cpu, Some("A".to_owned()));
        comparison.describe(&EnvironmentComparison { here, baseline }).replace('\u{202f}', ",")
    }

    #[test]
    fn speed_has_the_interval_of_its_runs() {
        let three = "1500000 nps, 1490000 to 1510000 nps in 3 runs";
        let same = Environment::default().with(Property::Cpu, Some("A".to_owned()));
        let table = [
            ("", None, "bench: 12,170,044 nodes."),
            (
                three,
                None,
                // 4.303 times the standard error 10,000 / √3.
                "bench: 12,170,044 nodes; speed 1.500 M ± 1.7 % nodes per second.",
            ),
            (
                "754000 nps",
                Some((12_170_044, three)),
                "bench: 12,170,044 nodes, as in the baseline; speed 754.0 k (one run, no interval) against 1.500 M ± 1.7 % nodes \
                 per second, recorded at another time in the same environment; it decides nothing.",
            ),
            (
                three,
                Some((4_711, "4711 nodes")),
                "bench: 12,170,044 nodes, 4,711 in the baseline; speed 1.500 M ± 1.7 % nodes per second.",
            ),
            ("0 nps", Some((12_170_044, three)), "bench: 12,170,044 nodes, as in the baseline."),
        ];
        for (now, was, expected) in table {
            assert_eq!(line(now, was, Some(same.clone())), expected);
        }
    }

    #[test]
    fn speed_of_the_baseline_says_where_it_was_measured() {
        let cpu = |cpu: &str| Environment::default().with(Property::Cpu, Some(cpu.to_owned()));
        let table = [
            (Environment::default(), "on an unknown machine"),
            (cpu("B"), "on another machine"),
            (cpu("A"), "at another time in the same environment"),
        ];
        for (baseline, expected) in table {
            let said = line("90 nps", Some((1, "80 nps")), Some(baseline));
            assert!(said.contains(&format!(" per second, recorded {expected}; it decides")), "{said}");
        }
    }
}
