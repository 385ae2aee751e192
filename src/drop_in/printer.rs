//! What is printed during a run and at its end.

use std::io::Stdout;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::bracket;
use super::latency::Latencies;
use super::lines::Lines;
use super::settings::Settings;
use crate::exit::Exit;
use crate::session::execute::RunOutcome;
use threefold_chess::clock::Stop;
use threefold_games::game::GameEnd;
use threefold_run::event::RunEvent;
use threefold_run::journal::Journal;
use threefold_run::{JobResult, MatchTask, RunRecord};

/// Prints the lines of a run, and ends it where it has to end.
pub(super) struct Printer<'t> {
    lines: Lines<'t, Stdout>,
    task: &'t MatchTask,
    settings: &'t Settings,
    latencies: Latencies,
    /// The number of the first game that an engine fault ended.
    crashed: Option<usize>,
    begun: Instant,
}

impl<'t> Printer<'t> {
    #[expect(clippy::disallowed_methods, reason = "the last line says how long the run took")]
    pub(super) fn new(lines: Lines<'t, Stdout>, task: &'t MatchTask, settings: &'t Settings) -> Self {
        Self { lines, task, settings, latencies: Latencies::default(), crashed: None, begun: Instant::now() }
    }

    /// Prints a line.
    pub(super) fn line(&mut self, text: &str) {
        self.lines.line(text);
    }

    /// Counts the games of a journal, without lines.
    pub(super) fn count(&mut self, journal: &Journal) -> anyhow::Result<()> {
        let run = RunRecord::of(journal)?;
        let parts = run.parts();
        self.lines.begin(run.spec());
        journal.contents().replay(&mut |key, result| {
            if let (JobResult::Game(game), Some(part)) = (result, parts.get(key.part)) {
                self.lines.count(key, &game, &part.progress);
            }
            Ok(())
        })?;
        Ok(())
    }

    /// Prints the results of all counted games.
    pub(super) fn summary(&mut self) {
        self.lines.summary();
    }

    /// Prints what an event asks for. Raises `stop` if the test is decided, or at the first engine fault without `-recover`.
    pub(super) fn take(&mut self, event: &RunEvent<'_>, stop: &Stop) {
        self.lines.take(event);
        if let RunEvent::JobEnded { key, result: JobResult::Game(game), .. } = event {
            if self.settings.shows_latency {
                self.latencies.add(self.lines.number(*key), game);
            }
            if matches!(game.end, GameEnd::EngineFault(_)) && !self.settings.recovers {
                self.crashed.get_or_insert(self.lines.number(*key));
            }
        }
        if self.lines.is_over() || self.crashed.is_some() {
            stop.raise();
        }
    }

    /// Prints the last lines.
    pub(super) fn end(self, outcome: RunOutcome) -> anyhow::Result<Exit> {
        match outcome {
            RunOutcome::Finished(finished) => {
                finished.games?;
                self.end_of(&finished.run)
            }
            RunOutcome::Interrupted => {
                let closing = interrupted(self.crashed);
                self.close(closing)?;
                Ok(Exit::Worse)
            }
        }
    }

    /// Prints the last lines of a run with all its results.
    pub(super) fn end_of(self, run: &RunRecord) -> anyhow::Result<Exit> {
        let is_failed = self.settings.is_strict && self.lines.has_warnings();
        let bracket = run.knockout().map(|state| bracket::lines(self.task, &state)).unwrap_or_default();
        self.close(bracket)?;
        Ok(if is_failed { Exit::Worse } else { Exit::Fine })
    }

    fn close(mut self, mut closing: Vec<String>) -> anyhow::Result<()> {
        closing.extend(self.latencies.lines());
        closing.push("Finished match".to_owned());
        closing.push(total_time(self.begun.elapsed()));
        closing.push(String::new());
        self.lines.end(&closing).context("standard output can't be written")
    }
}

/// The lines of a run that was interrupted. They have none of the words that frameworks count as faults.
fn interrupted(crashed: Option<usize>) -> Vec<String> {
    let why = crashed.map(|game| format!("Game {game} ended by an engine fault, and -recover is not given."));
    let what = "Tournament was interrupted. `threefold resume` continues it from its journal.".to_owned();
    why.into_iter().chain([what]).collect()
}

/// `Total Time: 00:01:02 (hours:minutes:seconds)`
fn total_time(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("Total Time: {hours:02}:{minutes:02}:{seconds:02} (hours:minutes:seconds)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn total_time_has_hours_minutes_and_seconds() {
        assert_eq!(
            total_time(Duration::from_secs(2 * 3600 + 62)),
            "Total Time: 02:01:02 (hours:minutes:seconds)"
        );
    }

    #[test]
    fn lines_of_an_interruption_have_no_word_that_counts_as_a_fault() {
        for line in interrupted(Some(3)).iter().chain(&interrupted(None)) {
            for word in ["disconnect", "stall", "on time", "timeout"] {
                assert!(!line.contains(word), "{line}");
            }
            assert!(line.is_ascii() && !line.is_empty());
        }
        assert!(interrupted(Some(3))[0].starts_with("Game 3 ended by an engine fault"));
    }
}
