//! What people see while a run is under way: a bar for each part on a terminal, quiet lines elsewhere.

use std::time::Duration;

use console::Term;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::suite::verdict::Mark;
use crate::work::event::Event;
use crate::work::{Ending, Evidence, Finding, Order, Progress};

/// A bar for so many pieces of one kind of work; hidden where standard error is no terminal.
pub fn bar(length: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if !Term::stderr().is_term() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let style = "{spinner} {prefix} {bar:32.cyan/dim} {pos}/{len} {elapsed}, {eta} left  {msg}";
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
    /// Tenths already told in a line.
    tenths: usize,
}

impl Display {
    /// A display for an order, in the form that suits where standard error goes.
    pub fn new(order: &Order) -> Self {
        let form = if Term::stderr().is_term() {
            Form::Bars(MultiProgress::with_draw_target(ProgressDrawTarget::stderr()))
        } else {
            Form::Lines
        };
        let parts = order.parts.iter().map(|part| Part::new(part.name.clone())).collect();
        Self { parts, form }
    }

    /// Shows what happened.
    pub fn show(&mut self, event: &Event<'_>) {
        match event {
            Event::Opened { parts } => {
                for (part, progress) in self.parts.iter_mut().zip(*parts) {
                    part.open(&self.form, progress);
                }
            }
            Event::Began { key } => {
                if let Some(part) = self.parts.get(key.part) {
                    part.bar.enable_steady_tick(Duration::from_millis(200));
                }
            }
            Event::Silent { notice } => match &self.form {
                // A line that can't be written is no reason to stop.
                Form::Bars(bars) => _ = bars.println(format!("{notice}")),
                Form::Lines => eprintln!("{notice}"),
            },
            Event::Ended { key, finding, progress } => {
                if let Some(part) = self.parts.get_mut(key.part) {
                    part.note(finding);
                    part.draw(&self.form, progress);
                }
            }
        }
    }
}

impl Part {
    fn new(name: String) -> Self {
        Self { name, bar: ProgressBar::hidden(), failed: 0, skipped: 0, faults: 0, tenths: 0 }
    }

    fn open(&mut self, form: &Form, progress: &Progress<'_>) {
        if let Form::Bars(bars) = form {
            self.bar = bars.add(ProgressBar::new(progress.jobs as u64));
            self.bar.set_style(
                ProgressStyle::with_template(
                    "{prefix:18} {bar:32.cyan/dim} {pos:>4}/{len:4} {elapsed:>4}  {msg}",
                )
                .expect("the template is ours"),
            );
            self.bar.set_prefix(self.name.clone());
        }
        self.tenths = 10 * progress.counted / progress.jobs.max(1);
        if progress.counted > 0 {
            self.draw(form, progress);
        }
    }

    fn note(&mut self, finding: &Finding) {
        match finding {
            Finding::Case(case) => match case.verdict.mark {
                Mark::Passed => {}
                Mark::Failed => self.failed += 1,
                Mark::Skipped => self.skipped += 1,
                Mark::Fault => self.faults += 1,
            },
            Finding::Game(game) => self.faults += usize::from(game.end.is_fault()),
        }
    }

    fn draw(&mut self, form: &Form, progress: &Progress<'_>) {
        let message = self.message(progress);
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
                    eprintln!("{:18} {:>4}/{:<4} {message}", self.name, progress.counted, progress.jobs);
                }
            }
        }
    }

    fn message(&self, progress: &Progress<'_>) -> String {
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
        said.extend(progress.evidence.map(standing).unwrap_or_default());
        match progress.ending {
            Some(Ending::Complete) => said.push("done".to_owned()),
            Some(ending) => said.push(ending.to_string()),
            None => {}
        }
        said.join(", ")
    }
}

/// `LLR +0.81 in -2.94 +2.94` and `E 3.1 for, 0.20 against`, as far as the pairs say anything.
fn standing(evidence: &Evidence) -> Vec<String> {
    let Some(llr) = evidence.path.last().copied() else { return Vec::new() };
    let bounds = evidence.running.bounds();
    let mut said = vec![format!("LLR {llr:+.2} in {:+.2} {:+.2}", bounds.lower, bounds.upper)];
    if evidence.bets.bets().is_some() {
        let [over, under] = evidence.bets.evidence();
        said.push(format!("E {over} for, {under} against"));
    }
    said
}
