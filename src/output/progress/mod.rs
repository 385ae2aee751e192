//! Progress of a run: bars with figures on a terminal, and a line at intervals in a pipe.

mod part_display;
mod report_interval;

use std::time::{Duration, Instant};

use console::Term;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

pub use self::report_interval::ReportInterval;

use self::part_display::PartDisplay;
use crate::output::figures::WarningNotices;
use crate::output::notices;
use crate::streams;
use threefold_player::visible::visible_lines;
use threefold_run::event::RunEvent;
use threefold_run::journal::{Journal, JournalError};
use threefold_run::{PartProgress, RunSpec};

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

/// How a run shows its progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgressMode {
    /// Bars on a terminal, and in a pipe lines at this interval.
    Shown(ReportInterval),
    /// Nothing but warnings.
    Quiet,
}

/// Draws the progress of a run on standard error.
pub struct Display<'c> {
    /// Are parts left out that were over before? A tournament whose later rounds depend on results has a
    /// display for each round.
    hides_earlier: bool,
    parts: Vec<PartDisplay>,
    warnings: WarningNotices,
    form: Form,
    /// The time since the display was made.
    now: Box<dyn Fn() -> Duration + 'c>,
    /// Prints a line.
    print: Box<dyn Fn(&str) + 'c>,
}

enum Form {
    Bars(MultiProgress),
    Lines(ReportInterval),
    Nothing,
}

impl Display<'static> {
    /// A display for the run of a journal.
    ///
    /// # Errors
    /// If the journal can't be read.
    #[expect(clippy::disallowed_methods, reason = "the speed of a run is measured by the wall clock")]
    pub fn new(journal: &Journal, mode: ProgressMode) -> Result<Self, JournalError> {
        let form = match mode {
            ProgressMode::Quiet => Form::Nothing,
            ProgressMode::Shown(_) if Term::stderr().is_term() => {
                Form::Bars(MultiProgress::with_draw_target(ProgressDrawTarget::stderr()))
            }
            ProgressMode::Shown(interval) => Form::Lines(interval),
        };
        let start = Instant::now();
        let mut display = Self::of(journal.spec(), form, move || start.elapsed(), streams::notice);
        journal.contents().replay(&mut |key, result| {
            if let Some(part) = display.parts.get_mut(key.part) {
                part.record(key.job, &result);
            }
            // An earlier process showed these.
            _ = display.warnings.of(key.job, &result);
            Ok(())
        })?;
        Ok(display)
    }
}

impl<'c> Display<'c> {
    fn of(spec: &RunSpec, form: Form, now: impl Fn() -> Duration + 'c, print: impl Fn(&str) + 'c) -> Self {
        let parts = spec.parts.iter().map(PartDisplay::new).collect();
        let warnings = WarningNotices::new(spec.warnings.clone());
        let hides_earlier = spec.tournament.is_some() || spec.tune.is_some();
        Self { hides_earlier, parts, warnings, form, now: Box::new(now), print: Box::new(print) }
    }

    /// Prints a message above the bars.
    pub fn notice(&self, text: &str) {
        match &self.form {
            // A terminal that is gone is no error.
            Form::Bars(bars) => _ = bars.println(visible_lines(text)),
            Form::Lines(_) | Form::Nothing => (self.print)(text),
        }
    }

    /// Prints messages in the same way from another thread.
    pub fn notifier(&self) -> impl Fn(&str) + Send + 'static {
        let bars = match &self.form {
            Form::Bars(bars) => Some(bars.clone()),
            Form::Lines(_) | Form::Nothing => None,
        };
        move |text| match &bars {
            // A terminal that is gone is no error.
            Some(bars) => _ = bars.println(visible_lines(text)),
            None => streams::notice(text),
        }
    }

    /// Replaces the bars by a line for each part.
    pub fn close(&mut self) {
        let Form::Bars(bars) = &self.form else { return };
        for part in &self.parts {
            part.clear_bars();
        }
        // A terminal that is gone is no error.
        let _ = bars.clear();
        for part in self.parts.iter().filter(|part| part.has_begun()) {
            (self.print)(&part.line());
        }
        self.form = Form::Nothing;
    }

    /// Shows an event.
    pub fn show(&mut self, event: &RunEvent<'_>) {
        let now = (self.now)();
        match event {
            RunEvent::Opened { parts, .. } => {
                for (part, progress) in self.parts.iter_mut().zip(*parts) {
                    if self.hides_earlier && progress.ending.is_some() {
                        continue;
                    }
                    if let Form::Bars(bars) = &self.form {
                        part.add_bars(bars, progress.jobs);
                    }
                    if part.open(progress, now) && matches!(self.form, Form::Lines(_)) {
                        (self.print)(&part.line());
                    }
                }
            }
            // A quiet run shows warnings only.
            RunEvent::MakingTables { .. } if matches!(self.form, Form::Nothing) => {}
            RunEvent::JobStarted { key } => {
                if let Some(part) = self.parts.get_mut(key.part) {
                    part.begin(now);
                }
            }
            RunEvent::MakingTables { .. }
            | RunEvent::EngineSilent { .. }
            | RunEvent::ResultRefused { .. }
            | RunEvent::GamesVoid { .. } => {
                if let Some(text) = notices::text(event) {
                    self.notice(&text);
                }
            }
            RunEvent::JobEnded { key, result, progress, .. } => {
                for line in self.warnings.of(key.job, result) {
                    self.notice(&line);
                }
                if let Some(part) = self.parts.get_mut(key.part) {
                    part.record(key.job, result);
                }
                self.advance(key.part, progress, now);
            }
            RunEvent::TakesAdvanced { parts, .. } => {
                for (index, progress) in parts.iter().enumerate() {
                    self.advance(index, progress, now);
                }
            }
        }
    }

    /// Shows how far a part is.
    fn advance(&mut self, part: usize, progress: &PartProgress<'_>, now: Duration) {
        let Some(part) = self.parts.get_mut(part) else { return };
        match self.form {
            Form::Bars(_) => part.redraw(progress, now),
            Form::Lines(interval) if part.is_line_due(interval, progress, now) => {
                (self.print)(&part.line());
            }
            Form::Lines(_) | Form::Nothing => {}
        }
    }
}

#[cfg(test)]
mod tests;
