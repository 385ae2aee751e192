//! The progress of one part of a run as bars and as a line.

use std::time::Duration;

use console::Term;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use super::report_interval::ReportInterval;
use crate::output::figures::{FigureTexts, PartFigures};
use threefold_run::{JobResult, Part, PartProgress};

/// The interval at which the elapsed time is redrawn.
const REDRAW_INTERVAL: Duration = Duration::from_millis(200);

/// A part of a run.
pub(super) struct PartDisplay {
    figures: PartFigures,
    /// The bar with speed and time left.
    bar: ProgressBar,
    /// The figures of a match, below its bar.
    figures_line: Option<ProgressBar>,
    /// The time and the number of jobs of the last line.
    printed: (Duration, usize),
}

impl PartDisplay {
    pub(super) fn new(part: &Part) -> Self {
        Self {
            figures: PartFigures::new(part),
            bar: ProgressBar::hidden(),
            figures_line: None,
            printed: (Duration::ZERO, 0),
        }
    }

    /// Adds the bars of the part to those of the run.
    pub(super) fn add_bars(&mut self, bars: &MultiProgress, jobs: usize) {
        let style = |template: &str| ProgressStyle::with_template(template).expect("the template is ours");
        // A bar of no jobs would be drawn as a full one.
        self.bar = bars.add(ProgressBar::new(jobs.max(1) as u64));
        self.bar.set_style(style(&template(Term::stderr().size().1)));
        self.bar.set_prefix(self.figures.name().to_owned());
        if self.figures.is_match() {
            let line = bars.add(ProgressBar::new(0));
            line.set_style(style("  {wide_msg}"));
            self.figures_line = Some(line);
        }
    }

    /// Shows the state at the start of the process. Is the part over already?
    pub(super) fn open(&mut self, progress: &PartProgress<'_>, now: Duration) -> bool {
        self.printed = (now, progress.ended);
        self.bar.set_length(progress.jobs as u64);
        self.figures.open(progress, now);
        self.redraw(progress, now);
        progress.ending.is_some()
    }

    /// A job of the part starts.
    pub(super) fn begin(&mut self, now: Duration) {
        if self.figures.begin(now) {
            self.printed.0 = now;
            // The time of a part counts from its first job, not from the start of the run.
            self.bar.reset_elapsed();
            self.bar.enable_steady_tick(REDRAW_INTERVAL);
        }
    }

    /// Has any job of the part ended or started?
    pub(super) const fn has_begun(&self) -> bool {
        self.figures.has_begun()
    }

    /// Counts a result.
    pub(super) fn record(&mut self, job: usize, result: &JobResult) {
        self.figures.record(job, result);
    }

    /// Updates the bars.
    pub(super) fn redraw(&mut self, progress: &PartProgress<'_>, now: Duration) {
        self.bar.set_position(progress.counted as u64);
        self.bar.set_length(progress.jobs as u64);
        self.figures.update(progress, now);
        let FigureTexts { figures, speed, ending, .. } = self.figures.texts();
        let (above, below) = match &self.figures_line {
            Some(_) => (speed.clone(), figures.join(", ")),
            None => ([&figures[..], speed].concat(), String::new()),
        };
        self.bar.set_message(above.into_iter().chain(ending.clone()).collect::<Vec<_>>().join(", "));
        if let Some(line) = self.figures_line.as_ref().filter(|_| !below.is_empty()) {
            line.set_message(below);
        }
        if progress.ending.is_some() {
            // `finish` would fill the bar, although a test may end before its last game.
            self.bar.abandon();
            self.figures_line.iter().for_each(ProgressBar::abandon);
        }
    }

    /// Is a line due in a pipe? If it is, the line has the present figures.
    pub(super) fn is_line_due(
        &mut self,
        interval: ReportInterval,
        progress: &PartProgress<'_>,
        now: Duration,
    ) -> bool {
        // Games that were running when a test was decided end after it.
        if self.figures.texts().ending.is_some() {
            return false;
        }
        let (time, jobs) = self.printed;
        let since = (now.saturating_sub(time), progress.ended.saturating_sub(jobs));
        let due = progress.ending.is_some() || interval.is_due(since.0, since.1);
        if due {
            self.printed = (now, progress.ended);
            self.figures.update(progress, now);
        }
        due
    }

    /// The line of the part.
    pub(super) fn line(&self) -> String {
        self.figures.line()
    }

    /// Removes the bars.
    pub(super) fn clear_bars(&self) {
        self.bar.finish_and_clear();
        self.figures_line.iter().for_each(ProgressBar::finish_and_clear);
    }
}

/// A bar that fits into a number of columns. Long names and messages are cut off, because a wrapped line
/// can't be redrawn.
fn template(columns: u16) -> String {
    /// Columns of the counters and the time.
    const FIGURES: u16 = 22;
    let name = (columns / 4).clamp(8, 18);
    let bar = columns.saturating_sub(name + FIGURES + 30).clamp(4, 32);
    format!("{{prefix:{name}!}} {{bar:{bar}.cyan/dim}} {{pos:>4}}/{{len:4}} {{elapsed:>4}}  {{wide_msg}}")
}
