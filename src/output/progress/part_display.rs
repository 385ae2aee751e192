//! The progress of one part of a run: its counts, its bars, and its line.

use std::time::Duration;

use console::Term;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use super::match_tally::MatchTally;
use super::report_interval::ReportInterval;
use crate::output::sprt_forecast::spoken;
use threefold_player::visible::visible;
use threefold_run::{JobResult, Part, PartEnding, PartProgress, Task};
use threefold_suites::LostCase;
use threefold_suites::verdict::VerdictKind;

/// The interval at which the elapsed time is redrawn.
const REDRAW_INTERVAL: Duration = Duration::from_millis(200);

/// The time before a speed is shown: the first games say little about it.
const SPEED_AFTER: Duration = Duration::from_secs(2);

/// A part of a run.
pub(super) struct PartDisplay {
    name: String,
    counts: Counts,
    /// The bar with speed and time left.
    bar: ProgressBar,
    /// The figures of a match, below its bar.
    figures_line: Option<ProgressBar>,
    /// When the first job of the part started in this process.
    begun: Option<Duration>,
    /// The jobs that have ended before it, and until now.
    ended_before: usize,
    ended: usize,
    /// The time and the number of jobs of the last line.
    printed: (Duration, usize),
    text: Text,
}

/// What the display shows of a part.
#[derive(Default)]
struct Text {
    counted: usize,
    jobs: usize,
    figures: Vec<String>,
    speed: Vec<String>,
    ending: Option<String>,
}

/// The results of a part.
enum Counts {
    Suite { lost_case: LostCase, passed: usize, failed: usize, skipped: usize, faults: usize },
    Match { tally: Box<MatchTally>, faults: usize },
}

impl PartDisplay {
    pub(super) fn new(part: &Part) -> Self {
        let counts = match &part.task {
            Task::Suite(task) => {
                let lost_case = task.source.lost_case().unwrap_or(LostCase::Strict);
                Counts::Suite { lost_case, passed: 0, failed: 0, skipped: 0, faults: 0 }
            }
            Task::Match(task) => Counts::Match { tally: Box::new(MatchTally::new(task)), faults: 0 },
        };
        Self {
            name: visible(&part.name),
            counts,
            bar: ProgressBar::hidden(),
            figures_line: None,
            begun: None,
            ended_before: 0,
            ended: 0,
            printed: (Duration::ZERO, 0),
            text: Text::default(),
        }
    }

    /// Adds the bars of the part to those of the run.
    pub(super) fn add_bars(&mut self, bars: &MultiProgress, jobs: usize) {
        let style = |template: &str| ProgressStyle::with_template(template).expect("the template is ours");
        // A bar of no jobs would be drawn as a full one.
        self.bar = bars.add(ProgressBar::new(jobs.max(1) as u64));
        self.bar.set_style(style(&template(Term::stderr().size().1)));
        self.bar.set_prefix(self.name.clone());
        if matches!(self.counts, Counts::Match { .. }) {
            let line = bars.add(ProgressBar::new(0));
            line.set_style(style("  {wide_msg}"));
            self.figures_line = Some(line);
        }
    }

    /// Shows the state at the start of the process. Is the part over already?
    pub(super) fn open(&mut self, progress: &PartProgress<'_>, now: Duration) -> bool {
        (self.ended_before, self.ended) = (progress.ended, progress.ended);
        self.printed = (now, progress.ended);
        self.bar.set_length(progress.jobs as u64);
        self.redraw(progress, now);
        progress.ending.is_some()
    }

    /// A job of the part starts.
    pub(super) fn begin(&mut self, now: Duration) {
        if self.begun.is_none() {
            self.begun = Some(now);
            self.printed.0 = now;
            self.bar.reset_elapsed();
            self.bar.enable_steady_tick(REDRAW_INTERVAL);
        }
    }

    /// Has any job of the part ended or started?
    pub(super) const fn has_begun(&self) -> bool {
        self.begun.is_some() || self.text.counted > 0
    }

    /// Counts a result.
    pub(super) fn record(&mut self, job: usize, result: &JobResult) {
        match (&mut self.counts, result) {
            (Counts::Suite { passed, failed, skipped, faults, .. }, JobResult::Case(case)) => {
                *match case.verdict.kind() {
                    VerdictKind::Passed => passed,
                    VerdictKind::Failed => failed,
                    VerdictKind::Skipped => skipped,
                    VerdictKind::Fault => faults,
                } += 1;
            }
            (Counts::Match { tally, faults }, JobResult::Game(game)) => {
                tally.record(job, game);
                *faults += usize::from(game.end.is_fault());
            }
            (Counts::Suite { .. }, JobResult::Game(_)) | (Counts::Match { .. }, JobResult::Case(_)) => {}
        }
    }

    /// Updates the bars.
    pub(super) fn redraw(&mut self, progress: &PartProgress<'_>, now: Duration) {
        self.bar.set_position(progress.counted as u64);
        self.bar.set_length(progress.jobs as u64);
        self.update(progress, now);
        let Text { figures, speed, ending, .. } = &self.text;
        let (above, below) = match &self.figures_line {
            Some(_) => (speed.clone(), figures.join(", ")),
            None => ([&figures[..], speed].concat(), String::new()),
        };
        self.bar.set_message(above.into_iter().chain(ending.clone()).collect::<Vec<_>>().join(", "));
        if let Some(line) = self.figures_line.as_ref().filter(|_| !below.is_empty()) {
            line.set_message(below);
        }
        if progress.ending.is_some() {
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
        if self.text.ending.is_some() {
            return false;
        }
        let (time, jobs) = self.printed;
        let since = (now.saturating_sub(time), progress.ended.saturating_sub(jobs));
        let due = progress.ending.is_some() || interval.is_due(since.0, since.1);
        if due {
            self.printed = (now, progress.ended);
            self.update(progress, now);
        }
        due
    }

    /// `sprt                144/4000 W-D-L 40-64-40, Elo +3.1 ± 28.1, LLR 0.81 of 2.94 (28 %), 12 games/min,
    /// 5 min left`
    pub(super) fn line(&self) -> String {
        let Text { counted, jobs, figures, speed, ending } = &self.text;
        let message = figures.iter().chain(speed).chain(ending).cloned().collect::<Vec<_>>().join(", ");
        format!("{:18} {counted:>4}/{jobs:<4} {message}", self.name).trim_end().to_owned()
    }

    /// Removes the bars.
    pub(super) fn clear_bars(&self) {
        self.bar.finish_and_clear();
        self.figures_line.iter().for_each(ProgressBar::finish_and_clear);
    }

    fn update(&mut self, progress: &PartProgress<'_>, now: Duration) {
        self.ended = progress.ended;
        let mut figures = Vec::new();
        let mut count = |number: usize, what: &str| {
            if number > 0 {
                figures.push(format!("{number} {what}"));
            }
        };
        let left = match &mut self.counts {
            Counts::Suite { lost_case, passed, failed, skipped, faults } => {
                count(*passed, lost_case.passed());
                count(*failed, lost_case.failed());
                count(*skipped, "skipped");
                count(*faults, "engine faults");
                progress.jobs.saturating_sub(progress.ended) as f64
            }
            Counts::Match { tally, faults } => {
                count(*faults, "engine faults");
                tally.count_to(progress.counted);
                // Faults last: they are rare.
                figures.splice(0..0, tally.figures(progress));
                tally.games_left(progress)
            }
        };
        self.text = Text {
            counted: progress.counted,
            jobs: progress.jobs,
            figures,
            speed: progress.ending.map_or_else(|| self.speed(left, now), |_| Vec::new()),
            ending: progress.ending.map(|ending| match ending {
                PartEnding::Complete => "done".to_owned(),
                ending => ending.to_string(),
            }),
        };
    }

    /// `12 games/min` of a match, and `5 min left`.
    fn speed(&self, left: f64, now: Duration) -> Vec<String> {
        let Some(begun) = self.begun else { return Vec::new() };
        let time = now.saturating_sub(begun);
        let ended = self.ended.saturating_sub(self.ended_before);
        if ended == 0 || time < SPEED_AFTER {
            return Vec::new();
        }
        let per_second = ended as f64 / time.as_secs_f64();
        let mut speed = Vec::new();
        if matches!(self.counts, Counts::Match { .. }) {
            let per_minute = 60.0 * per_second;
            let digits = usize::from(per_minute < 10.0);
            speed.push(format!("{per_minute:.digits$} games/min"));
        }
        speed.push(format!("{} left", spoken(left / per_second)));
        speed
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
