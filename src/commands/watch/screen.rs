//! What `watch` shows: a screen for each round on a terminal, lines in a pipe.

use std::path::PathBuf;

use anyhow::Context;
use console::{Style, Term};

use super::build::Build;
use super::result::RoundResult;
use super::step::{StepResult, StepVerdict};
use crate::streams;
use threefold_player::visible::visible_lines;
use threefold_report::format::grouped;

/// The most changed files that are named.
const MOST_FILES: usize = 3;
/// The most lost cases that are named.
const MOST_CASES: usize = 5;
/// The width of the first column.
const NAME_WIDTH: usize = 12;

/// Where results are shown.
pub(super) struct Screen {
    /// `None` for a pipe.
    terminal: Option<Term>,
}

impl Screen {
    /// Standard output.
    pub(super) fn of_terminal() -> Self {
        Self {
            terminal: Some(Term::stdout()).filter(|_| Term::stdout().is_term() && console::user_attended()),
        }
    }

    /// Are there keys, and a screen to clear?
    pub(super) const fn is_terminal(&self) -> bool {
        self.terminal.is_some()
    }

    /// Begins a round: clears the screen, and names the changed files.
    ///
    /// # Errors
    /// If standard output can't be written.
    pub(super) fn begin(&self, changed: &[PathBuf]) -> anyhow::Result<()> {
        if let Some(terminal) = &self.terminal {
            terminal.clear_screen()?;
        }
        if changed.is_empty() { Ok(()) } else { print(&changed_line(changed), Colour::Plain) }
    }

    /// Says that nothing happens until a source changes; on a terminal, shows the keys.
    ///
    /// # Errors
    /// If standard output can't be written.
    pub(super) fn show_waiting(&self, result: &RoundResult) -> anyhow::Result<()> {
        if self.terminal.is_none() {
            return print("waiting for a change", Colour::Plain);
        }
        let explain = result.first_lost().map(|lost| format!("e: explain {}   ", lost.case));
        let keys = format!("\nr: whole regression test   {}q: quit", explain.unwrap_or_default());
        print(&keys, Colour::Plain)
    }
}

/// Shows the build.
///
/// # Errors
/// If standard output can't be written.
pub(super) fn show_build(build: &Build) -> anyhow::Result<()> {
    match &build.failure {
        None => print(&row("build", build.seconds, "done"), Colour::Plain),
        Some(why) => print(&row("build", build.seconds, &format!("failed: {why}")), Colour::Red),
    }
}

/// Shows a suite, with the result of the round before.
///
/// # Errors
/// If standard output can't be written.
pub(super) fn show_step(step: &StepResult, before: Option<&StepResult>) -> anyhow::Result<()> {
    let (text, colour) = match &step.verdict {
        StepVerdict::Green => (step_text(step, before), Colour::Plain),
        StepVerdict::Red(headline) if step.cases == 0 => (headline.clone(), Colour::Red),
        StepVerdict::Red(_) => (step_text(step, before), Colour::Red),
        StepVerdict::NotCompared(headline) => (headline.clone(), Colour::Yellow),
    };
    print(&row(&step.name, step.seconds, &text), colour)?;
    for lost in step.lost.iter().take(MOST_CASES) {
        print(&format!("  {}: {}", lost.case, shortened(&lost.reason)), Colour::Plain)?;
    }
    let more = step.lost.len().saturating_sub(MOST_CASES);
    if more > 0 { print(&format!("  and {more} more"), Colour::Plain) } else { Ok(()) }
}

/// Shows the verdict on the round.
///
/// # Errors
/// If standard output can't be written.
pub(super) fn show_end(result: &RoundResult) -> anyhow::Result<()> {
    if let Some(step) = result.steps.iter().find(|step| step.is_red()) {
        return print(&format!("regression in {}", step.name), Colour::Red);
    }
    match result.compared_suites() {
        0 => print("not compared: the baseline has none of these cases, or all were skipped", Colour::Yellow),
        _ => print(&fine(result), Colour::Green),
    }
}

/// The colour of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Colour {
    /// Worse than the baseline.
    Red,
    /// Not worse.
    Green,
    /// Not compared.
    Yellow,
    /// That of other text.
    Plain,
}

/// Prints a line, in colour on a terminal.
fn print(text: &str, colour: Colour) -> anyhow::Result<()> {
    let style = match colour {
        Colour::Red => Style::new().red(),
        Colour::Green => Style::new().green(),
        Colour::Yellow => Style::new().yellow(),
        Colour::Plain => return streams::result(text),
    };
    // The text may be an engine's, so its control characters are made visible, and the colour is added after that.
    let line = style.apply_to(visible_lines(text));
    Term::stdout().write_line(&line.to_string()).context("standard output can't be written")
}

/// The text up to a length that fits on a screen with others.
fn shortened(text: &str) -> String {
    /// In characters.
    const MOST: usize = 200;
    let mut kept: String = text.chars().take(MOST).collect();
    if kept.len() < text.len() {
        kept.push('…');
    }
    kept
}

/// `bench          0.8 s  TEXT`
fn row(name: &str, seconds: f64, text: &str) -> String {
    format!("{name:NAME_WIDTH$}{seconds:6.1} s  {text}")
}

/// `changed: src/search.c, src/eval.c and 2 more`
fn changed_line(changed: &[PathBuf]) -> String {
    let named: Vec<String> = changed.iter().take(MOST_FILES).map(|file| file.display().to_string()).collect();
    let more = changed.len().saturating_sub(MOST_FILES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("changed: {}{more}", named.join(", "))
}

/// The counts of a suite, and those of the round before where they differ.
fn step_text(step: &StepResult, before: Option<&StepResult>) -> String {
    if let Some(bench) = step.bench {
        let earlier = before.and_then(|before| before.bench);
        let known = earlier.map(|earlier| (earlier.nodes, "before"));
        let known = known.or(step.baseline_nodes.map(|nodes| (nodes, "in the baseline")));
        let change = match known {
            Some((nodes, when)) if nodes != bench.nodes => format!(" ({} {when})", grouped(nodes)),
            _ => String::new(),
        };
        let speed = bench.nps.map_or_else(String::new, |nps| {
            let earlier = earlier.and_then(|earlier| earlier.nps);
            let earlier =
                earlier.map_or_else(String::new, |earlier| format!(" ({} before)", grouped(earlier)));
            format!(", {} nps{earlier}", grouped(nps))
        });
        return format!("{} nodes{change}{speed}", grouped(bench.nodes));
    }
    let earlier = before.filter(|before| (before.passed, before.cases) != (step.passed, step.cases));
    let earlier = earlier.map_or_else(String::new, |before| format!(" ({} before)", before.passed));
    format!("{} of {} passed{earlier}", step.passed, step.cases)
}

/// `no regression in 201 cases of 4 suites`
fn fine(result: &RoundResult) -> String {
    let compared = result.steps.iter().filter(|step| step.verdict == StepVerdict::Green);
    let cases: usize = compared.map(|step| step.cases).sum();
    let suites = match result.compared_suites() {
        1 => "1 suite".to_owned(),
        suites => format!("{suites} suites"),
    };
    format!("no regression in {} cases of {suites}", grouped(cases as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_suites::kinds::bench::BenchReading;

    fn step(passed: usize, bench: Option<BenchReading>) -> StepResult {
        StepResult {
            name: "repetition".to_owned(),
            verdict: StepVerdict::Green,
            seconds: 1.25,
            passed,
            cases: 168,
            bench,
            baseline_nodes: Some(100),
            lost: Vec::new(),
        }
    }

    #[test]
    fn step_names_what_has_changed() {
        assert_eq!(step_text(&step(166, None), None), "166 of 168 passed");
        assert_eq!(step_text(&step(166, None), Some(&step(166, None))), "166 of 168 passed");
        assert_eq!(step_text(&step(166, None), Some(&step(168, None))), "166 of 168 passed (168 before)");
        let bench = |nodes, nps| step(1, Some(BenchReading { nodes, nps: Some(nps), runs: None }));
        assert_eq!(step_text(&bench(100, 7), None), "100 nodes, 7 nps");
        assert_eq!(step_text(&bench(101, 7), None), "101 nodes (100 in the baseline), 7 nps");
        assert_eq!(step_text(&bench(101, 7), Some(&bench(101, 8))), "101 nodes, 7 nps (8 before)");
        assert_eq!(
            step_text(&bench(102, 7), Some(&bench(101, 8))),
            "102 nodes (101 before), 7 nps (8 before)"
        );
    }

    #[test]
    fn few_changed_files_are_named() {
        let files =
            |number: usize| (0..number).map(|file| PathBuf::from(format!("{file}.c"))).collect::<Vec<_>>();
        assert_eq!(changed_line(&files(1)), "changed: 0.c");
        assert_eq!(changed_line(&files(5)), "changed: 0.c, 1.c, 2.c and 2 more");
    }
}
