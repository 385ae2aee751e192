//! The answer of a bisection: the commit, its message, the evidence, and the commands that show it again.

use std::path::Path;

use serde_json::{Value, json};

use super::Input;
use super::tester::CommitTester;
use crate::exit::Exit;
use crate::streams;
use threefold_report::format::count;
use threefold_report::words::rerun::shell_word;

/// The result of the bisection.
#[derive(Debug)]
pub(super) struct Finding {
    /// The suspects that remain.
    pub(super) commits: Vec<usize>,
    /// Their probability, if it is one.
    pub(super) probability: Option<f64>,
    is_decided: bool,
}

impl Finding {
    /// One commit.
    pub(super) fn commit(commit: usize, probability: Option<f64>) -> Self {
        Self { commits: vec![commit], probability, is_decided: true }
    }

    /// One of several commits.
    pub(super) const fn any_of(commits: Vec<usize>, probability: Option<f64>) -> Self {
        Self { commits, probability, is_decided: false }
    }
}

/// The answer with its evidence.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) finding: Finding,
    /// The observations, a line each.
    pub(super) evidence: Vec<String>,
    /// The commands that show it again.
    pub(super) again: Vec<String>,
    /// What else the bisection took, such as `512 games`.
    pub(super) extra: Vec<String>,
}

/// The number of builds that halving takes: `4 builds`.
pub(super) fn builds(suspects: usize) -> String {
    // Halving N suspects takes the logarithm of N to the base 2, rounded up.
    let steps = suspects.max(1).next_power_of_two().ilog2();
    count(steps as usize, "build")
}

/// Prints the answer, as text or as JSON.
///
/// # Errors
/// If it can't be written.
pub(super) fn print(input: &Input<'_>, tester: &CommitTester<'_>, answer: &Answer) -> anyhow::Result<Exit> {
    if input.args.json {
        streams::result(&json(input, tester, answer).to_string())?;
    } else {
        streams::result(&text(input, tester, answer)?)?;
    }
    let cache = tester.cache();
    let folder = shell_word(&cache.display().to_string());
    tester.inform(&format!(
        "builds: {folder}, {}; delete them with `rm -r {folder} && git worktree prune`",
        count(count_folders(&cache), "folder")
    ));
    Ok(if answer.finding.is_decided { Exit::Fine } else { Exit::Worse })
}

/// The number of built commits in the cache.
fn count_folders(cache: &Path) -> usize {
    let entries = std::fs::read_dir(cache).into_iter().flatten().filter_map(Result::ok);
    entries.filter(|entry| entry.path().is_dir()).count()
}

/// `3 builds, 512 games, 4 min`
fn cost(tester: &CommitTester<'_>, answer: &Answer) -> String {
    let seconds = tester.file.state.seconds;
    let time = if seconds < 90.0 { format!("{seconds:.0} s") } else { format!("{:.0} min", seconds / 60.0) };
    let parts = [count(tester.built(), "build")].into_iter().chain(answer.extra.clone()).chain([time]);
    parts.collect::<Vec<_>>().join(", ")
}

/// The commits that were skipped, and why.
fn skipped(input: &Input<'_>, tester: &CommitTester<'_>) -> Vec<(usize, String)> {
    let all = 0..=input.commits.bad();
    all.filter_map(|commit| Some((commit, tester.known(commit).skipped?))).collect()
}

fn text(input: &Input<'_>, tester: &CommitTester<'_>, answer: &Answer) -> anyhow::Result<String> {
    let Finding { commits, probability, is_decided } = &answer.finding;
    let chance =
        probability.map_or_else(String::new, |chance| format!(" (probability {:.1} %)", 100.0 * chance));
    let mut lines = Vec::new();
    if let (true, &[commit]) = (is_decided, &commits[..]) {
        lines.push(format!("first bad commit: {}{chance}", input.commits.hash(commit)));
        lines.push(format!("{}\n", tester.description(commit)?));
    } else {
        lines.push(format!("the first bad commit is one of these {}{chance}:", commits.len()));
        let suspect =
            |&commit: &usize| format!("  {} {}", input.commits.short(commit), input.commits.title(commit));
        lines.extend(commits.iter().map(suspect));
    }
    let mut list = |title: &str, items: &[String]| {
        if !items.is_empty() {
            lines.push(title.to_owned());
            lines.extend(items.iter().map(|item| format!("  {item}")));
        }
    };
    list("evidence:", &answer.evidence);
    let reason = |(commit, why): &(usize, String)| format!("{} {why}", input.commits.short(*commit));
    list("skipped:", &skipped(input, tester).iter().map(reason).collect::<Vec<_>>());
    list("again:", &answer.again);
    lines.push(format!(
        "{} after {}: {}",
        count(input.commits.after_good(), "commit"),
        input.commits.short(0),
        cost(tester, answer)
    ));
    Ok(lines.join("\n"))
}

fn json(input: &Input<'_>, tester: &CommitTester<'_>, answer: &Answer) -> Value {
    let commit =
        |&commit: &usize| json!({ "hash": input.commits.hash(commit), "title": input.commits.title(commit) });
    let skipped = skipped(input, tester);
    let skipped =
        skipped.iter().map(|(commit, why)| json!({ "hash": input.commits.hash(*commit), "reason": why }));
    json!({
        "version": 1,
        "found": answer.finding.is_decided,
        "commits": answer.finding.commits.iter().map(commit).collect::<Vec<_>>(),
        "probability": answer.finding.probability,
        "evidence": answer.evidence,
        "skipped": skipped.collect::<Vec<_>>(),
        "again": answer.again,
        "suspects": input.commits.after_good(),
        "builds": tester.built(),
        "seconds": tester.file.state.seconds.round(),
        "folder": tester.file.folder().display().to_string(),
    })
}
