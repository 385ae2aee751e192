//! `comment.md`: the result of a run as the comment of a pull request.
//!
//! `ci/pull-request.sh` adds a mark by which it finds the comment again, and a line with links. The text has
//! no link of its own: a comment has no folder whose pages it could lead to.

mod elo;
mod text;

use crate::ReportFormat;
use crate::format;
use crate::formats::markdown::text::{clipped, table};
use crate::model::figures::budget_note;
use crate::model::report::{Baseline, FailureKind, Report};
use crate::model::worst::{self, WorstCase};
use crate::words::headline::Acceptance;
use crate::words::suite_changes;
use text::{plain, span};

/// The table's line.
pub(crate) const FORMAT: ReportFormat = ReportFormat {
    name: "comment",
    file: "comment.md",
    summary: "the comment of a pull request: verdict, a table of at most 12 rows, bench and Elo",
    stream: None,
    render: |report| Ok(page(report).into_bytes()),
};

/// The most rows of the table, with the one that counts the rest.
const ROWS: usize = 12;

/// The most reasons, benches and blocks of a match.
const REASONS: usize = 4;
const BENCHES: usize = 3;
const MATCHES: usize = 3;

/// The most characters of a name, of a text, and of the headline. With these the whole has less than 20,000.
const NAME: usize = 60;
const TEXT: usize = 160;
const HEADLINE: usize = 700;

/// The comment of a run.
fn page(report: &Report) -> String {
    let title = format!("### {}", name(&report.title));
    let verdict = format!("{} **{}**", sign(report), plain(&clipped(&report.headline(), HEADLINE)));
    let mut blocks = vec![title, verdict];
    blocks.extend(reasons(report));
    blocks.extend(table_of(report));
    blocks.extend(benches(report));
    blocks.extend(report.matches.iter().filter_map(elo::block).take(MATCHES));
    blocks.extend(origin(report));
    blocks.join("\n\n") + "\n"
}

fn name(text: &str) -> String {
    plain(&clipped(text, NAME))
}

fn sentence(text: &str) -> String {
    plain(&clipped(text, TEXT))
}

/// A sign for the verdict, which the headline says in words.
fn sign(report: &Report) -> &'static str {
    match report.acceptance() {
        Acceptance::Accepted if report.is_doubtful() => "⚠️",
        Acceptance::Accepted => "✅",
        Acceptance::Running => "⏳",
        Acceptance::Unfinished | Acceptance::NotCompared | Acceptance::Refused | Acceptance::Stopped => "❌",
    }
}

/// The reasons against the run, except worse cases, which the table has, and a failed start, which the headline
/// has.
fn reasons(report: &Report) -> Option<String> {
    let is_shown = |kind| !matches!(kind, FailureKind::Regression | FailureKind::FailedStart);
    let reasons = report.failure_reasons.iter().filter(|reason| is_shown(reason.kind));
    let mut lines: Vec<String> = reasons
        .map(|reason| format!("- {} in {}: {}", reason.kind, name(&reason.part), sentence(&reason.what)))
        .collect();
    let more = lines.len().saturating_sub(REASONS);
    lines.truncate(REASONS);
    lines.extend((more > 0).then(|| format!("- and {}", format::count(more, "more reason"))));
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The cases that count against the run. Without one, the suites that differ from the baseline; and without a
/// baseline, all suites.
fn table_of(report: &Report) -> Option<String> {
    let worst = worst::cases(report);
    if !worst.is_empty() {
        return Some(short_table(&["case", "suite", "result", "played", "accepted"], worst.iter().map(case)));
    }
    match &report.baseline {
        Baseline::Absent(_) if report.suites.is_empty() => None,
        Baseline::Absent(_) => {
            let rows = report.suites.iter().map(|part| {
                vec![name(&part.title), name(&part.engine), part.tally(), format::share(part.rate())]
            });
            Some(short_table(&["suite", "engine", "result", "rate (95 %)"], rows))
        }
        Baseline::Compared { suites, other_budgets, .. } => {
            let changed = suite_changes::changed(report, suites);
            let rows = changed.iter().map(|suite| {
                let counts = [suite.lost, suite.gained].map(|count| count.to_string());
                let texts = [name(&suite.part.title), suite.part.tally(), suite.baseline()];
                texts.into_iter().chain(counts).collect()
            });
            let first = if changed.is_empty() {
                suite_changes::unchanged(suites)
            } else {
                short_table(&["suite", "this run", "baseline", "lost", "gained"], rows)
            };
            let notes = other_budgets.iter().take(REASONS).map(|note| sentence(&budget_note(note)));
            Some(std::iter::once(first).chain(notes).collect::<Vec<_>>().join("\n\n"))
        }
    }
}

fn case(WorstCase { part, case, .. }: &WorstCase<'_>) -> Vec<String> {
    let verdict = &case.verdict;
    let result = format!("{}: {}", part.lost_case.word(verdict.kind()), verdict.reason());
    let code = |text: &str| span(&clipped(text, NAME));
    vec![code(&case.id), name(&part.suite), sentence(&result), code(&verdict.played), code(&case.accepted)]
}

/// A table of at most [`ROWS`] rows, of which the last one counts those that are left out.
fn short_table(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut rows: Vec<Vec<String>> = rows.collect();
    if rows.len() > ROWS {
        let rest = rows.len() - (ROWS - 1);
        rows.truncate(ROWS - 1);
        let mut last = vec![String::new(); header.len()];
        last[0] = format!("and {} more", format::grouped(rest as u64));
        rows.push(last);
    }
    table(header, rows)
}

fn benches(report: &Report) -> Option<String> {
    let lines: Vec<String> = report
        .benches
        .iter()
        .take(BENCHES)
        .map(|bench| plain(&clipped(&bench.in_short(), 2 * TEXT)))
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n\n"))
}

/// The command and the seed, which repeat the run. A run that did not start has no seed.
fn origin(report: &Report) -> Option<String> {
    let command = span(&clipped(&report.command, 2 * TEXT));
    let seed = report.failed_start().is_none().then(|| format!("seed {}", report.seed));
    let parts: Vec<String> = (!command.is_empty()).then_some(command).into_iter().chain(seed).collect();
    (!parts.is_empty()).then(|| format!("Command: {}.", parts.join(", ")))
}

#[cfg(test)]
mod tests;
