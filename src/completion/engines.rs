//! Completions of SPECs: the source of an engine, the harness's keys, and UCI options.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use clap_complete::engine::{CompletionCandidate, PathCompleter, ValueCompleter as _};

use super::words;
use crate::input::known_options;
use threefold_player::spec::HarnessKey;
use threefold_player::{EngineSpec, SpecKey};

/// SPECs: first the source, then keys and options.
pub(super) fn specs(current: &OsStr) -> Vec<CompletionCandidate> {
    let Some(text) = current.to_str() else { return Vec::new() };
    let Some((given, part)) = text.rsplit_once(',') else { return sources(text) };
    let Ok(spec) = given.parse::<EngineSpec>() else { return Vec::new() };
    let is_set = |name: &str| spec.setting(&SpecKey::from(name)).is_some();
    let names = harness_keys().chain(options_of(&spec)).filter(|(name, _)| !is_set(name));
    keys(names, part, &format!("{given},"))
}

/// `KEY=VALUE` for every engine of the line.
pub(super) fn settings(current: &OsStr) -> Vec<CompletionCandidate> {
    let engines = engines(&words::of_line());
    let names = harness_keys().chain(engines.iter().flat_map(options_of));
    current.to_str().map_or_else(Vec::new, |part| keys(names, part, ""))
}

/// `NAME=VALUES` of an option of the engines of the line.
pub(super) fn options(current: &OsStr) -> Vec<CompletionCandidate> {
    let engines = engines(&words::of_line());
    let names = engines.iter().flat_map(options_of);
    current.to_str().map_or_else(Vec::new, |part| keys(names, part, ""))
}

/// Echo, and programs by their paths.
fn sources(text: &str) -> Vec<CompletionCandidate> {
    let echo = CompletionCandidate::new("echo").help(Some("the built-in engine".into()));
    let echo = Some(echo).filter(|_| "echo".starts_with(text));
    // A program without a path is one of PATH.
    let path = if text.is_empty() { "./" } else { text };
    let has_path = path.starts_with(['.', '/', '~']) || path.contains('/');
    let programs = has_path.then(|| PathCompleter::any().filter(is_program).complete(OsStr::new(path)));
    echo.into_iter().chain(programs.into_iter().flatten()).collect()
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file())
}

fn harness_keys() -> impl Iterator<Item = (String, &'static str)> {
    HarnessKey::ALL.iter().map(|key| (key.name().to_owned(), key.summary()))
}

fn options_of(spec: &EngineSpec) -> impl Iterator<Item = (String, &'static str)> + use<> {
    known_options::of(spec).into_iter().map(|name| (name, "UCI option"))
}

/// `PREFIXname=` for the names that begin with this part, in any case; each once.
fn keys(
    names: impl Iterator<Item = (String, &'static str)>,
    part: &str,
    prefix: &str,
) -> Vec<CompletionCandidate> {
    let part = part.to_lowercase();
    let mut known = BTreeSet::new();
    names
        .filter(|(name, _)| name.to_lowercase().starts_with(&part) && known.insert(name.clone()))
        .map(|(name, help)| CompletionCandidate::new(format!("{prefix}{name}=")).help(Some(help.into())))
        .collect()
}

/// The engines that the words of a line name.
fn engines(words: &[String]) -> Vec<EngineSpec> {
    let after = words.iter().zip(words.iter().skip(1));
    let after = after
        .filter(|(option, _)| ["--engine", "--take"].contains(&option.as_str()))
        .map(|(_, spec)| spec.as_str());
    let inside = words.iter();
    let inside =
        inside.filter_map(|word| word.strip_prefix("--engine=").or_else(|| word.strip_prefix("--take=")));
    after.chain(inside).filter_map(|spec| spec.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_that_several_engines_have_is_suggested_once() {
        let names = ["Hash", "Threads", "Hash", "Ponder", "Threads"].map(|name| (name.to_owned(), ""));
        let found = keys(names.into_iter(), "", "x,");
        let found: Vec<&OsStr> = found.iter().map(CompletionCandidate::get_value).collect();
        assert_eq!(found, ["x,Hash=", "x,Threads=", "x,Ponder="]);
    }
}
