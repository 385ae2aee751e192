//! `summary.md`: the answer of a run, for a pull request or a job summary.
//!
//! At most [`MOST_LINES`] lines outside `<details>` hold the verdict, the suites that differ, the worst cases
//! and each test. An accepted run has no more lines than that in the whole file. The rest is in sections that
//! a click opens, as far as they fit into [`MOST_CHARACTERS`]; a last sentence names those that do not.
//! `index.html` has everything.

mod answer;
mod details;
mod tables;
pub(crate) mod text;
mod tournament;
mod trend;

use crate::model::report::Report;
use crate::words::headline::Acceptance;
use crate::{ReportFormat, format};
use details::Section;
use text::{clipped, html_text, plain};

/// The table's line.
pub(crate) const FORMAT: ReportFormat = ReportFormat {
    name: "markdown",
    file: "summary.md",
    summary: "the summary as Markdown: at most 40 lines and the rest to unfold, under 60,000 characters",
    stream: None,
    render: |report| Ok(page(report).into_bytes()),
};

/// The most lines outside `<details>`, and of the whole file if the run is accepted.
const MOST_LINES: usize = 40;

/// The most characters of the file: GitHub refuses a comment of more than 65,536.
const MOST_CHARACTERS: usize = 60_000;

/// The summary of a run.
pub fn page(report: &Report) -> String {
    let mut blocks = answer::blocks(report);
    if let Some(trend) = trend::table(report) {
        // It is the least important block: it comes after the answer, where there is room for it.
        let lines = |text: &str| text.lines().count() + 1;
        let used: usize = blocks.iter().map(|block| lines(block)).sum();
        if used + lines(&trend) <= MOST_LINES {
            // The last block is the link to the page.
            blocks.insert(blocks.len().saturating_sub(1), trend);
        }
    }
    let mut page = blocks.join("\n\n") + "\n\n";
    let mut left_out = Vec::new();
    for section in details::sections(report) {
        let candidate = format!("{page}{}", unfolded(&section));
        if fits(report, &candidate) {
            page = candidate;
        } else {
            // No `break`: a shorter section may still have room.
            left_out.push(section.title);
        }
    }
    if !left_out.is_empty() {
        let sentence = format!("Not shown here: {}; see [index.html](index.html).", named(&left_out));
        page = format!("{page}\n{sentence}\n");
    }
    page
}

/// The first titles, and how many more there are.
fn named(titles: &[String]) -> String {
    /// Titles that are named.
    const NAMED: usize = 4;
    let mut named: Vec<String> = titles.iter().take(NAMED).map(|title| plain(&clipped(title, 80))).collect();
    if let Some(more) = titles.len().checked_sub(NAMED).filter(|more| *more > 0) {
        named.push(format::count(more, "more section"));
    }
    named.join(", ")
}

/// A section that a click opens.
fn unfolded(section: &Section) -> String {
    let Section { title, blocks } = section;
    format!("<details><summary>{}</summary>\n\n{}\n\n</details>\n", html_text(title), blocks.join("\n\n"))
}

/// Is there room for this page and the sentence about what is left out?
fn fits(report: &Report, page: &str) -> bool {
    /// An empty line and the sentence.
    const SENTENCE: usize = 2;
    /// More than the titles of all sections have.
    const SENTENCE_CHARACTERS: usize = 2_000;
    let is_short =
        report.acceptance() != Acceptance::Accepted || page.lines().count() + SENTENCE <= MOST_LINES;
    is_short && page.chars().count() + SENTENCE_CHARACTERS <= MOST_CHARACTERS
}

#[cfg(test)]
mod tests;
