//! Progress of a run: a bar for each part on a terminal, or a line every tenth of the way.

use std::time::Duration;

use console::Term;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::streams;
use threefold_harness::run::event::RunEvent;
use threefold_harness::run::{JobResult, PartEnding, PartProgress, RunSpec, TestState};
use threefold_harness::suite::verdict::VerdictKind;
use threefold_harness::visible::{visible, visible_lines};

/// A progress bar; hidden if standard error is not a terminal.
pub fn bar(length: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if !Term::stderr().is_term() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let style = "{spinner} {prefix} {bar:24.cyan/dim} {pos}/{len} {elapsed}, {eta} left  {wide_msg}";
    bar.set_style(ProgressStyle::with_template(style).expect("the template is ours"));
    bar.set_prefix(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

/// Draws the progress of a run on standard error.
pub struct Display {
    parts: Vec<Part>,
    form: Form,
}

enum Form {
    Bars(MultiProgress),
    Lines,
}

struct Part {
    name: String,
    bar: ProgressBar,
    failed: usize,
    skipped: usize,
    faults: usize,
    /// Tenths already printed.
    tenths: usize,
    /// Has a job of the part started?
    has_begun: bool,
    /// Jobs that count, all jobs, and the message.
    text: (usize, usize, String),
}

impl Display {
    /// A display for a run, as bars or lines.
    pub fn new(order: &RunSpec) -> Self {
        let form = if Term::stderr().is_term() {
            Form::Bars(MultiProgress::with_draw_target(ProgressDrawTarget::stderr()))
        } else {
            Form::Lines
        };
        let parts = order.parts.iter().map(|part| Part::new(&part.name)).collect();
        Self { parts, form }
    }

    /// Prints a message above the bars.
    pub fn notice(&self, text: &str) {
        match &self.form {
            // A terminal that is gone is no error.
            Form::Bars(bars) => _ = bars.println(visible_lines(text)),
            Form::Lines => streams::notice(text),
        }
    }

    /// Replaces the bars by a line for each part.
    pub fn close(&mut self) {
        let Form::Bars(bars) = &self.form else { return };
        for part in &self.parts {
            part.bar.finish_and_clear();
        }
        // A terminal that is gone is no error.
        let _ = bars.clear();
        for part in self.parts.iter().filter(|part| part.has_begun) {
            streams::notice(&part.line());
        }
        self.form = Form::Lines;
    }

    /// Shows an event.
    pub fn show(&mut self, event: &RunEvent<'_>) {
        match event {
            RunEvent::Opened { parts } => {
                for (part, progress) in self.parts.iter_mut().zip(*parts) {
                    part.open(&self.form, progress);
                }
            }
            RunEvent::MakingTables { number } => {
                self.notice(&format!("building {number} endgame tables before the first case"));
            }
            RunEvent::JobStarted { key } => {
                if let Some(part) = self.parts.get_mut(key.part) {
                    part.has_begun = true;
                    part.bar.enable_steady_tick(Duration::from_millis(200));
                }
            }
            RunEvent::EngineSilent { notice } => self.notice(&notice.to_string()),
            RunEvent::JobEnded { key, result: finding, progress } => {
                if let Some(part) = self.parts.get_mut(key.part) {
                    part.note(finding);
                    part.draw(&self.form, progress);
                }
            }
        }
    }
}

impl Part {
    fn new(name: &str) -> Self {
        Self {
            name: visible(name),
            bar: ProgressBar::hidden(),
            failed: 0,
            skipped: 0,
            faults: 0,
            tenths: 0,
            has_begun: false,
            text: (0, 0, String::new()),
        }
    }

    fn open(&mut self, form: &Form, progress: &PartProgress<'_>) {
        if let Form::Bars(bars) = form {
            self.bar = bars.add(ProgressBar::new(progress.jobs as u64));
            self.bar.set_style(
                ProgressStyle::with_template(&template(Term::stderr().size().1))
                    .expect("the template is ours"),
            );
            self.bar.set_prefix(self.name.clone());
        }
        self.tenths = 10 * progress.counted / progress.jobs.max(1);
        self.text = (progress.counted, progress.jobs, String::new());
        if progress.counted > 0 {
            self.has_begun = true;
            self.draw(form, progress);
        }
    }

    fn note(&mut self, finding: &JobResult) {
        match finding {
            JobResult::Case(case) => match case.verdict.kind() {
                VerdictKind::Passed => {}
                VerdictKind::Failed => self.failed += 1,
                VerdictKind::Skipped => self.skipped += 1,
                VerdictKind::Fault => self.faults += 1,
            },
            JobResult::Game(game) => self.faults += usize::from(game.end.is_fault()),
        }
    }

    fn draw(&mut self, form: &Form, progress: &PartProgress<'_>) {
        let message = self.message(progress);
        self.text = (progress.counted, progress.jobs, message.clone());
        match form {
            Form::Bars(_) => {
                self.bar.set_position(progress.counted as u64);
                self.bar.set_message(message);
                if progress.ending.is_some() {
                    self.bar.abandon();
                }
            }
            Form::Lines => {
                let tenths = 10 * progress.counted / progress.jobs.max(1);
                if tenths > self.tenths || progress.ending.is_some() {
                    self.tenths = tenths;
                    streams::notice(&self.line());
                }
            }
        }
    }

    /// `sprt  144/4000 LLR -2.22 (-2.94, 2.94)`
    fn line(&self) -> String {
        let (counted, jobs, message) = &self.text;
        format!("{:18} {counted:>4}/{jobs:<4} {message}", self.name)
    }

    fn message(&self, progress: &PartProgress<'_>) -> String {
        let mut said = Vec::new();
        if self.failed > 0 {
            said.push(format!("{} failed", self.failed));
        }
        if self.skipped > 0 {
            said.push(format!("{} skipped", self.skipped));
        }
        if self.faults > 0 {
            said.push(format!("{} engine faults", self.faults));
        }
        said.extend(progress.test.map(standing).unwrap_or_default());
        match progress.ending {
            Some(PartEnding::Complete) => said.push("done".to_owned()),
            Some(ending) => said.push(ending.to_string()),
            None => {}
        }
        said.join(", ")
    }
}

/// A bar that fits into a number of columns. Long names and messages are cut off, because a wrapped line can't be
/// redrawn.
fn template(columns: u16) -> String {
    /// Columns of the counters and the time.
    const FIGURES: u16 = 22;
    let name = (columns / 4).clamp(8, 18);
    let bar = columns.saturating_sub(name + FIGURES + 30).clamp(4, 32);
    format!("{{prefix:{name}!}} {{bar:{bar}.cyan/dim}} {{pos:>4}}/{{len:4}} {{elapsed:>4}}  {{wide_msg}}")
}

/// `LLR 0.81 (-2.94, 2.94)` and `E 3.1 for, 0.20 against`, if there are pairs.
fn standing(evidence: &TestState) -> Vec<String> {
    let Some(llr) = evidence.path.last().copied() else { return Vec::new() };
    let bounds = evidence.running.bounds();
    let mut said = vec![format!("LLR {llr:.2} ({:.2}, {:.2})", bounds.lower, bounds.upper)];
    if evidence.bets.bets().is_some() {
        let [over, under] = evidence.bets.evidence();
        said.push(format!("E {over} for, {under} against"));
    }
    said
}
