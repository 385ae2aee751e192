//! The figures of one part of a run: its counts, its speed, and its line.

use std::time::Duration;

use super::match_tally::MatchTally;
use super::tune_figures::tune_figures;
use crate::output::sprt_forecast::spoken;
use threefold_player::visible::visible;
use threefold_run::{JobResult, Part, PartEnding, PartProgress, Task};
use threefold_stats::Pentanomial;
use threefold_suites::LostCase;
use threefold_suites::verdict::VerdictKind;

/// The time before a speed is shown: the first games say little about it.
const SPEED_AFTER: Duration = Duration::from_secs(2);

/// The figures of a part of a run.
pub(crate) struct PartFigures {
    name: String,
    counts: Counts,
    /// When the first job of the part started in this process.
    begun: Option<Duration>,
    /// The jobs that have ended before it, and until now.
    ended_before: usize,
    ended: usize,
    texts: FigureTexts,
}

/// What is shown of a part.
#[derive(Default)]
pub(crate) struct FigureTexts {
    /// The jobs that count.
    pub(crate) counted: usize,
    /// The largest number of jobs.
    pub(crate) jobs: usize,
    /// Its results.
    pub(crate) figures: Vec<String>,
    /// `12 games/min` of a match, and `5 min left`.
    pub(crate) speed: Vec<String>,
    /// Why it is over, if it is.
    pub(crate) ending: Option<String>,
}

/// The results of a part.
enum Counts {
    Suite { lost_case: LostCase, passed: usize, failed: usize, skipped: usize, faults: usize },
    Match { tally: Box<MatchTally>, faults: usize },
}

impl PartFigures {
    pub(crate) fn new(part: &Part) -> Self {
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
            begun: None,
            ended_before: 0,
            ended: 0,
            texts: FigureTexts::default(),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) const fn texts(&self) -> &FigureTexts {
        &self.texts
    }

    pub(crate) const fn is_match(&self) -> bool {
        matches!(self.counts, Counts::Match { .. })
    }

    /// The counts of pairs of a match whose figures are those of its first engine, and the wins, draws and
    /// losses of that engine.
    pub(crate) fn counts(&self) -> Option<(&Pentanomial, [u64; 3])> {
        match &self.counts {
            Counts::Match { tally, .. } => tally.counts(),
            Counts::Suite { .. } => None,
        }
    }

    /// Takes the state at the start of the process.
    pub(crate) fn open(&mut self, progress: &PartProgress<'_>, now: Duration) {
        (self.ended_before, self.ended) = (progress.ended, progress.ended);
        self.update(progress, now);
    }

    /// A job of the part starts. Is it the first in this process?
    pub(crate) fn begin(&mut self, now: Duration) -> bool {
        let is_first = self.begun.is_none();
        self.begun.get_or_insert(now);
        is_first
    }

    /// Has any job of the part ended or started?
    pub(crate) const fn has_begun(&self) -> bool {
        self.begun.is_some() || self.texts.counted > 0
    }

    /// Counts a result.
    pub(crate) fn record(&mut self, job: usize, result: &JobResult) {
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

    /// `sprt                144/4000 W-D-L 40-64-40, Elo +3.1 ± 28.1, LLR 0.81 of 2.94 (28 %), 12 games/min,
    /// 5 min left`
    pub(crate) fn line(&self) -> String {
        let FigureTexts { counted, jobs, figures, speed, ending } = &self.texts;
        let message = figures.iter().chain(speed).chain(ending).cloned().collect::<Vec<_>>().join(", ");
        format!("{:18} {counted:>4}/{jobs:<4} {message}", self.name).trim_end().to_owned()
    }

    /// Computes the texts.
    pub(crate) fn update(&mut self, progress: &PartProgress<'_>, now: Duration) {
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
                count(*faults, if *faults == 1 { "engine fault" } else { "engine faults" });
                progress.jobs.saturating_sub(progress.ended) as f64
            }
            Counts::Match { tally, faults } => {
                count(*faults, if *faults == 1 { "engine fault" } else { "engine faults" });
                tally.count_to(progress.counted);
                // Faults last: they are rare. The score of a tune says nothing: both sides are the same engine.
                let of_match = progress.tune.map_or_else(|| tally.figures(progress), tune_figures);
                figures.splice(0..0, of_match);
                tally.games_left(progress)
            }
        };
        self.texts = FigureTexts {
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
        // The results of earlier processes say nothing about the speed of this one.
        let ended = self.ended.saturating_sub(self.ended_before);
        if ended == 0 || time < SPEED_AFTER {
            return Vec::new();
        }
        let per_second = ended as f64 / time.as_secs_f64();
        let mut speed = Vec::new();
        if self.is_match() {
            let per_minute = 60.0 * per_second;
            let digits = usize::from(per_minute < 10.0);
            speed.push(format!("{per_minute:.digits$} games/min"));
        }
        speed.push(format!("{} left", spoken(left / per_second)));
        speed
    }
}
