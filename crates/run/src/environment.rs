//! The environment of a run: what its speeds depend on, and results on wall clocks.
//!
//! A property that the system does not report is absent. It differs from nothing, since nothing is known.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use threefold_named_enum::UnknownName;

threefold_named_enum::named_enum! {
    /// A property of the environment. The name is the one in files, the summary the one in reports.
    pub enum Property {
        /// CPU
        Cpu = "cpu",
        /// governor
        Governor = "governor",
        /// SMT
        Smt = "smt",
        /// CPU quota
        CpuQuota = "cpu-quota",
        /// memory limit
        MemoryLimit = "memory-limit",
        /// kernel
        Kernel = "kernel",
        /// libc
        Libc = "libc",
        /// compiler
        Compiler = "compiler",
    }
}

/// The known properties, in words. Their order is that of [`Property::ALL`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Environment(BTreeMap<Property, String>);

/// A property with another value than in the environment of a baseline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PropertyDifference<'e> {
    /// Which one.
    pub property: Property,
    /// Its value in the run.
    pub here: &'e str,
    /// Its value in the baseline.
    pub there: &'e str,
}

/// Between the values of several machines.
const AND: &str = " and ";

/// The version of the written form.
const VERSION: u32 = 1;

/// `environment.json` of a baseline.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EnvironmentV1 {
    version: u32,
    /// By the names of [`Property`].
    properties: BTreeMap<String, String>,
}

/// Why a written environment is not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UnreadableEnvironment {
    /// The line, from 1, if the error has one.
    pub(super) line: Option<u64>,
    /// What is wrong.
    pub(super) what: String,
}

impl Environment {
    /// The same environment with a property, unless its value is not known.
    #[must_use]
    pub fn with(mut self, property: Property, value: Option<String>) -> Self {
        self.0.extend(value.map(|value| (property, value)));
        self
    }

    /// Is nothing known?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a property; `None` if it is not known.
    pub fn get(&self, property: Property) -> Option<&str> {
        self.0.get(&property).map(String::as_str)
    }

    /// The properties that both know, with different values.
    pub fn differences<'e>(&'e self, baseline: &'e Self) -> Vec<PropertyDifference<'e>> {
        let both = self.0.iter().filter_map(|(&property, here)| {
            let there = baseline.get(property)?;
            Some(PropertyDifference { property, here, there })
        });
        both.filter(|both| both.here != both.there).collect()
    }

    /// The environment of a run on two machines: the properties that both know, with both values where they differ.
    #[must_use]
    pub fn joined(&self, other: &Self) -> Self {
        let both = self.0.iter().filter_map(|(&property, here)| {
            let there = other.get(property)?;
            // `here` may be joined already, and then has the values of several machines.
            let is_known = here.split(AND).any(|known| known == there);
            Some((property, if is_known { here.clone() } else { format!("{here}{AND}{there}") }))
        });
        Self(both.collect())
    }

    /// The text of the file; parsing it gives the same environment.
    pub(super) fn to_text(&self) -> String {
        let written = EnvironmentV1 { version: VERSION, properties: self.to_names() };
        serde_json::to_string_pretty(&written).expect("names and text") + "\n"
    }

    /// Parses the text of the file.
    pub(super) fn parse(text: &str) -> Result<Self, UnreadableEnvironment> {
        let EnvironmentV1 { version, properties } = serde_json::from_str(text).map_err(|error| {
            // serde_json gives line 0 if the error has no place in the text.
            let line = Some(error.line() as u64).filter(|&line| line > 0);
            UnreadableEnvironment { line, what: error.to_string() }
        })?;
        let wrong = |what| UnreadableEnvironment { line: None, what };
        if version != VERSION {
            return Err(wrong(format!("version {version} is not known here, version {VERSION} is")));
        }
        Self::from_names(properties).map_err(|error| wrong(format!("property {error}")))
    }

    /// The properties by their names.
    pub(super) fn to_names(&self) -> BTreeMap<String, String> {
        self.0.iter().map(|(property, value)| (property.name().to_owned(), value.clone())).collect()
    }

    /// The properties with these names.
    pub(super) fn from_names(names: BTreeMap<String, String>) -> Result<Self, UnknownName> {
        let known = names.into_iter().map(|(name, value)| Ok((name.parse()?, value)));
        known.collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(properties: &[(Property, &str)]) -> Environment {
        let with = |known: Environment, &(property, value): &(Property, &str)| {
            known.with(property, Some(value.to_owned()))
        };
        properties.iter().fold(Environment::default(), with)
    }

    #[test]
    fn environment_that_is_written_is_read_back() {
        let known = environment(&[(Property::Cpu, "A \"fast\" CPU"), (Property::MemoryLimit, "none")]);
        let text = known.to_text();
        assert_eq!(Environment::parse(&text), Ok(known));
        assert!(text.contains("\"memory-limit\": \"none\""), "{text}");
        for (text, line, what) in [
            ("{\n}", Some(2), "missing field `version`"),
            ("{\"version\":2,\"properties\":{}}", None, "version 2 is not known here"),
            ("{\"version\":1,\"properties\":{\"gpu\":\"A\"}}", None, "property `gpu` is not known"),
            ("{\"version\":1,\"properties\":{},\"x\":1}", Some(1), "unknown field `x`"),
        ] {
            let error = Environment::parse(text).expect_err(text);
            assert!(error.line == line && error.what.starts_with(what), "{text}: {error:?}");
        }
    }

    #[test]
    fn property_that_one_side_does_not_know_is_no_difference() {
        use Property::{Cpu, Governor, Kernel, Smt};
        let here = environment(&[(Cpu, "A"), (Governor, "powersave"), (Smt, "on")]);
        let there = environment(&[(Cpu, "A"), (Governor, "performance"), (Kernel, "Linux 6.1")]);
        let difference = PropertyDifference { property: Governor, here: "powersave", there: "performance" };
        assert_eq!(here.differences(&there), [difference]);
        assert_eq!(here.differences(&Environment::default()), []);
        assert_eq!(Environment::default().differences(&there), []);
    }

    #[test]
    fn environment_of_several_machines_has_each_value_once() {
        use Property::{Cpu, Kernel, Smt};
        let [one, other] =
            [("A", "6.1"), ("B", "6.1")].map(|(cpu, kernel)| environment(&[(Cpu, cpu), (Kernel, kernel)]));
        let other = other.with(Smt, Some("on".to_owned()));
        let both = environment(&[(Cpu, "A and B"), (Kernel, "6.1")]);
        assert_eq!(one.joined(&other), both);
        assert_eq!(both.joined(&other), both);
        assert_eq!(one.joined(&one), one);
    }
}
