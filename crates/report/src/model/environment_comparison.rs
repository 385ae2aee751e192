//! The environment of a run and that of its baseline.
//!
//! It decides nothing: results under node limits do not depend on it. It explains other speeds and other results on
//! wall clocks.

use crate::format;
use threefold_run::{Environment, Property, PropertyDifference};

/// The environments of a run and of the baseline that it is compared with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EnvironmentComparison {
    /// That of the run.
    pub here: Environment,
    /// That of the baseline, empty if it is not recorded; `None` without a baseline.
    pub baseline: Option<Environment>,
}

/// What is not known.
const UNKNOWN: &str = "not known";

impl EnvironmentComparison {
    /// `Environment differs from the baseline's: CPU A, there B; governor powersave, there performance.`; `None` if no
    /// difference is known.
    pub fn describe(&self) -> Option<String> {
        let differences = self.here.differences(self.baseline.as_ref()?);
        let clause = |PropertyDifference { property, here, there }: &PropertyDifference<'_>| {
            format!("{} {here}, there {there}", property.summary())
        };
        let clauses: Vec<String> = differences.iter().map(clause).collect();
        (!clauses.is_empty())
            .then(|| format!("Environment differs from the baseline's: {}.", clauses.join("; ")))
    }

    /// Where and when a speed of the baseline was measured, as a clause.
    pub(crate) fn place_of_baseline(&self) -> String {
        let there = self.baseline.as_ref();
        let known = [Some(&self.here), there].map(|side| side.and_then(|side| side.get(Property::Cpu)));
        let differences = there.map(|there| self.here.differences(there)).unwrap_or_default();
        let names: Vec<String> = differences.iter().map(|it| it.property.summary().to_owned()).collect();
        // First, because `differences` has only properties that both sides have.
        if known.contains(&None) {
            "on an unknown machine".to_owned()
        } else if known[0] != known[1] {
            "on another machine".to_owned()
        } else if names.is_empty() {
            "at another time in the same environment".to_owned()
        } else {
            format!("at another time with another {}", format::listed(&names))
        }
    }

    /// The heads of the columns of [`Self::rows`].
    pub(crate) const fn columns(&self) -> &'static [&'static str] {
        if self.baseline.is_some() {
            &["environment", "this run", "baseline"]
        } else {
            &["environment", "this run"]
        }
    }

    /// A row for each property that either side knows.
    pub(crate) fn rows(&self) -> Vec<Vec<String>> {
        let value = |side: &Environment, property| side.get(property).unwrap_or(UNKNOWN).to_owned();
        let sides = || std::iter::once(&self.here).chain(&self.baseline);
        let known =
            Property::ALL.iter().filter(|&&property| sides().any(|side| side.get(property).is_some()));
        let row = |&property: &Property| {
            let values = sides().map(|side| value(side, property));
            std::iter::once(property.summary().to_owned()).chain(values).collect()
        };
        known.map(row).collect()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Another governor, the same CPU.
    pub(crate) fn differing() -> EnvironmentComparison {
        let [here, there] = ["performance", "powersave"].map(|governor| environment("A CPU", Some(governor)));
        EnvironmentComparison { here, baseline: Some(there) }
    }

    fn environment(cpu: &str, governor: Option<&str>) -> Environment {
        let known = Environment::default().with(Property::Cpu, Some(cpu.to_owned()));
        known.with(Property::Governor, governor.map(str::to_owned))
    }

    #[test]
    fn differences_of_the_environment_are_one_sentence() {
        let here = environment("A", Some("powersave"));
        let table = [
            (None, None),
            (Some(Environment::default()), None),
            (Some(here.clone()), None),
            (Some(environment("A", None)), None),
            (
                Some(environment("B", Some("performance"))),
                Some(
                    "Environment differs from the baseline's: CPU A, there B; governor powersave, there performance.",
                ),
            ),
        ];
        for (baseline, expected) in table {
            let comparison = EnvironmentComparison { here: here.clone(), baseline };
            assert_eq!(comparison.describe().as_deref(), expected, "{comparison:?}");
        }
    }

    #[test]
    fn other_settings_of_the_same_cpu_are_named() {
        assert_eq!(differing().place_of_baseline(), "at another time with another governor");
    }

    #[test]
    fn unknown_property_is_called_so() {
        let (here, baseline) = (environment("A", Some("powersave")), Some(environment("A", None)));
        let comparison = EnvironmentComparison { here, baseline };
        let rows = [["CPU", "A", "A"], ["governor", "powersave", "not known"]];
        assert_eq!(comparison.rows(), rows.map(|row| row.map(str::to_owned).to_vec()));
        let alone = EnvironmentComparison { baseline: None, ..comparison };
        assert_eq!((alone.columns().len(), alone.rows()[1].len()), (2, 2));
    }
}
