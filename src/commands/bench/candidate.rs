//! What is measured: an engine, or an engine with one of the values of a UCI option.

use std::env;
use std::str::FromStr;

use anyhow::Context;

use crate::files;
use crate::input::search_limits;
use threefold_player::{EngineSource, EngineSpec, SpecKey};

/// The values of a UCI option that are measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scan {
    option: String,
    values: Vec<String>,
}

impl FromStr for Scan {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = || "give NAME=VALUE,VALUE, such as Hash=1,16,256".to_owned();
        let (option, values) = text.split_once('=').ok_or_else(form)?;
        let option = option.trim().to_owned();
        let values: Vec<String> = values.split(',').map(|value| value.trim().to_owned()).collect();
        if option.is_empty() || values.iter().any(String::is_empty) {
            return Err(form());
        }
        if let SpecKey::Harness(key) = SpecKey::from(option.as_str()) {
            return Err(format!("`{key}` is a key of a SPEC; give a UCI option, such as Hash=1,16,256"));
        }
        let repeated = values.iter().enumerate().find(|(index, value)| values[..*index].contains(value));
        if let Some((_, value)) = repeated {
            return Err(format!("the value `{value}` is given twice; give it once"));
        }
        Ok(Self { option, values })
    }
}

/// An engine, or an engine with a value of the scanned option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate {
    /// The name in the output: the engine's, with the value.
    pub(super) title: String,
    /// The engine's name.
    pub(super) engine: String,
    /// The scanned option with its value.
    pub(super) value: Option<(String, String)>,
    /// What is started.
    pub(super) spec: EngineSpec,
}

/// The candidates in the order of the first round: all engines with the first value, then with the second.
///
/// # Errors
/// If a SPEC is invalid, or does not fit the measurement.
pub(super) fn of_engines(
    engines: &[String],
    each: &[String],
    scan: Option<&Scan>,
) -> anyhow::Result<Vec<Candidate>> {
    let engines = files::engines(engines, each)?;
    search_limits::without_own(&engines, "--nodes or --movetime")?;
    let Some(scan) = scan else {
        return engines.into_iter().map(|spec| candidate(spec.name.clone(), None, spec)).collect();
    };
    let key = SpecKey::from(scan.option.as_str());
    if let Some(engine) = engines.iter().find(|engine| engine.setting(&key).is_some()) {
        let (name, option) = (&engine.name, &scan.option);
        anyhow::bail!("engine `{name}` sets {option} already; leave it out there, or leave out --scan");
    }
    let pairs = scan.values.iter().flat_map(|value| engines.iter().map(move |engine| (value, engine)));
    pairs
        .map(|(value, engine)| {
            let spec = engine.with(&[(key.clone(), value.as_str())]).context("--scan")?;
            candidate(engine.name.clone(), Some((scan.option.clone(), value.clone())), spec)
        })
        .collect()
}

/// A candidate. The spec's own name may have the value already.
fn candidate(engine: String, value: Option<(String, String)>, spec: EngineSpec) -> anyhow::Result<Candidate> {
    let title =
        value.as_ref().map_or_else(|| engine.clone(), |(option, value)| format!("{engine} {option}={value}"));
    Ok(Candidate { title, engine, value, spec: in_a_process(spec)? })
}

/// Echo as a process of this program, like the other engines: its start and its memory are measured, too.
fn in_a_process(spec: EngineSpec) -> anyhow::Result<EngineSpec> {
    if spec.source != EngineSource::Echo {
        return Ok(spec);
    }
    let program = env::current_exe().context("the path of this program is not known")?;
    let program = program.into_os_string().into_string().ok();
    let program = program.context("the path of this program is not UTF-8 text; rename the folder")?;
    // With this option Echo lists all its options. A SPEC with an option that is not listed is refused.
    let args = ["uci", "--experimental"].map(str::to_owned).to_vec();
    Ok(EngineSpec { source: EngineSource::Command { program, args, dir: None }, ..spec })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scan_has_an_option_and_values() {
        let read = |text: &str| text.parse::<Scan>();
        let scan = |option: &str, values: &[&str]| Scan {
            option: option.to_owned(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        };
        assert_eq!(read("Hash=1,16"), Ok(scan("Hash", &["1", "16"])));
        assert_eq!(read("Clear Level = 3"), Ok(scan("Clear Level", &["3"])));
        let table = [
            ("Hash", "give NAME=VALUE,VALUE"),
            ("Hash=", "give NAME=VALUE,VALUE"),
            ("Hash=1,", "give NAME=VALUE,VALUE"),
            ("=1", "give NAME=VALUE,VALUE"),
            ("", "give NAME=VALUE,VALUE"),
            ("nodes=1,2", "`nodes` is a key of a SPEC"),
            ("Hash=1,2,1", "`1` is given twice"),
        ];
        for (text, message) in table {
            let error = read(text).expect_err(text);
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn candidates_are_all_engines_with_each_value() {
        let engines = ["./new,name=new", "./old"].map(str::to_owned);
        let titles = |scan: Option<&str>| -> Vec<String> {
            let scan = scan.map(|scan| scan.parse().expect("sound"));
            let candidates = of_engines(&engines, &[], scan.as_ref()).expect("sound");
            candidates.into_iter().map(|candidate| candidate.title).collect()
        };
        assert_eq!(titles(None), ["new", "old"]);
        assert_eq!(titles(Some("Hash=1,4")), ["new Hash=1", "old Hash=1", "new Hash=4", "old Hash=4"]);
        let refused = |engine: &str, each: &[String], message: &str| {
            let scan = "Hash=1,4".parse().expect("sound");
            let error = of_engines(&[engine.to_owned()], each, Some(&scan)).expect_err(message).to_string();
            assert!(error.contains(message), "{error}");
        };
        refused("./new,Hash=4", &[], "engine `new Hash=4` sets Hash already");
        refused("./new", &["hash=4".to_owned()], "engine `new` sets Hash already");
        refused("./new,nodes=4", &[], "engine `new nodes=4` has a search limit of its own");
    }

    #[test]
    fn echo_is_measured_as_a_process() {
        let engines = ["echo,Hash=1".to_owned()];
        let candidates = of_engines(&engines, &[], None).expect("sound");
        let EngineSource::Command { args, .. } = &candidates[0].spec.source else { panic!("a process") };
        assert_eq!((candidates[0].engine.as_str(), args[0].as_str()), ("echo Hash=1", "uci"));
        assert_eq!(candidates[0].spec.options, [("Hash".to_owned(), "1".to_owned())]);
    }
}
