//! Completions of suites, cases, plans, and files of positions: built-in ones, and those of the plan of this folder.

use std::ffi::OsStr;
use std::path::Path;

use clap_complete::engine::{CompletionCandidate, PathCompleter, ValueCompleter as _};

use super::words;
use crate::files;
use crate::input::built_in::{self, BuiltIn, Category};
use crate::input::by_name::{self, PLAN_FILE};
use threefold_run::regress::RegressionPlan;
use threefold_suites::Suite;
use threefold_suites::reference::BUILT_IN;

/// Suites, by name or file.
pub(super) fn suites(current: &OsStr) -> Vec<CompletionCandidate> {
    let own = of_plan().into_iter().filter(|name| !name.starts_with(BUILT_IN));
    let own = own.map(CompletionCandidate::new);
    let all = built_in_names(Category::Suite, title).chain(own);
    or_files(all.collect(), current, "toml")
}

/// Plans, by name or file.
pub(super) fn plans(current: &OsStr) -> Vec<CompletionCandidate> {
    or_files(built_in_names(Category::Plan, title).collect(), current, "toml")
}

/// Openings and other positions, by name or file.
pub(super) fn positions(current: &OsStr) -> Vec<CompletionCandidate> {
    let plain = built_in_names(Category::Positions, |_| None);
    let marked = built_in::all(Category::Positions).map(|file| format!("{BUILT_IN}{}", file.name()));
    let all: Vec<CompletionCandidate> = plain.chain(marked.map(CompletionCandidate::new)).collect();
    let found = matching(all, current);
    if found.is_empty() { PathCompleter::any().complete(current) } else { found }
}

/// Cases of the suites that the line names, or of the suites of the plan. Of several suites, a case is `SUITE/ID`.
pub(super) fn cases(current: &OsStr) -> Vec<CompletionCandidate> {
    let words = words::of_line();
    // The word that is completed may be the name of a suite, too.
    let named = words.iter().filter(|word| OsStr::new(word) != current && is_suite(word));
    let mut named: Vec<String> = named.cloned().collect();
    if named.is_empty() {
        named = of_plan();
    }
    let sources = named.iter().filter_map(|name| by_name::suite(Path::new(name)).ok());
    let suites: Vec<Suite> = sources.filter_map(|source| Suite::read(&source).ok()).collect();
    let infos = suites.iter().flat_map(|suite| &suite.definitions).map(|definition| &definition.info);
    let all = infos.map(|info| {
        let id = if suites.len() == 1 { info.id.clone() } else { format!("{}/{}", info.suite, info.id) };
        CompletionCandidate::new(id).help(Some(info.class.clone().into()))
    });
    matching(all.collect(), current)
}

/// Journals; in `explain --suite`, which has no run, cases.
pub(super) fn runs(current: &OsStr) -> Vec<CompletionCandidate> {
    let has_suite = |word: &String| word == "--suite" || word.starts_with("--suite=");
    if words::of_line().iter().any(has_suite) { cases(current) } else { files_with("sqlite", current) }
}

/// Does a word of the line name a suite?
fn is_suite(word: &str) -> bool {
    let path = Path::new(word);
    let is_file = path.extension().is_some_and(|extension| extension == "toml") && path.is_file();
    is_file || built_in::find(word.strip_prefix(BUILT_IN).unwrap_or(word), Category::Suite).is_ok()
}

/// The suites of the plan of this folder.
fn of_plan() -> Vec<String> {
    let plan = files::source_file(Path::new(PLAN_FILE)).ok();
    let plan = plan.and_then(|source_file| RegressionPlan::parse(source_file).ok());
    plan.map(|plan| plan.suites()).unwrap_or_default()
}

fn built_in_names(
    category: Category,
    help: fn(&BuiltIn) -> Option<String>,
) -> impl Iterator<Item = CompletionCandidate> {
    built_in::all(category)
        .map(move |file| CompletionCandidate::new(file.name()).help(help(file).map(Into::into)))
}

/// The title of a suite or a plan.
fn title(file: &BuiltIn) -> Option<String> {
    let table: toml::Table = file.text().parse().ok()?;
    Some(table.get("title")?.as_str()?.to_owned())
}

fn matching(mut all: Vec<CompletionCandidate>, current: &OsStr) -> Vec<CompletionCandidate> {
    let start = current.to_string_lossy();
    all.retain(|candidate| candidate.get_value().to_string_lossy().starts_with(&*start));
    all
}

/// Those of these that match, or files with this extension if none does.
fn or_files(
    all: Vec<CompletionCandidate>,
    current: &OsStr,
    extension: &'static str,
) -> Vec<CompletionCandidate> {
    let found = matching(all, current);
    if found.is_empty() { files_with(extension, current) } else { found }
}

fn files_with(extension: &'static str, current: &OsStr) -> Vec<CompletionCandidate> {
    let is_wanted = move |path: &Path| path.extension().is_some_and(|found| found == extension);
    PathCompleter::any().filter(is_wanted).complete(current)
}
