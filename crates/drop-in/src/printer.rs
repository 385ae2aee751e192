//! What is printed during a run and at its end.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::bracket;
use super::heading::Heading;
use super::latency::Latencies;
use super::lines::{Intervals, Lines};
use super::peer::Peer;
use super::printing::{Form, Printing};
use super::ranking::Ranking;
use super::score::Unit;
use super::warning::Checked;
use threefold_chess::clock::Stop;
use threefold_games::game::GameEnd;
use threefold_games::pairing::EncounterLength;
use threefold_run::event::RunEvent;
use threefold_run::journal::Journal;
use threefold_run::pool::RunError;
use threefold_run::{JobResult, MatchTask, RunRecord};

/// Prints the lines of a run, and ends it where it has to end.
pub struct Printer<W> {
    lines: Lines<W>,
    printing: Printing,
    latencies: Latencies,
    /// The number of the first game that an engine fault ended.
    crashed: Option<usize>,
    begun: Instant,
}

impl<W: Write> Printer<W> {
    /// A printer of these games.
    #[expect(clippy::disallowed_methods, reason = "the last line says how long the run took")]
    pub fn new(out: W, task: MatchTask, printing: &Printing) -> Self {
        let is_in_pairs = task.rules.encounter == EncounterLength::Pair;
        let counts_pairs = printing.reports_pairs && is_in_pairs && printing.form == Form::Fastchess;
        let intervals = Intervals {
            form: printing.form,
            unit: if counts_pairs { Unit::Pairs } else { Unit::Games },
            rating: printing.rating_interval,
            score: printing.score_interval,
            checked: if printing.checks_mate_pvs { Checked::MatePvs } else { Checked::Usual },
        };
        let heading = Heading::new(&task.engines, printing.book.as_deref());
        let ranking = (printing.peer == Peer::Cutechess)
            .then(|| Ranking::new(&task, printing.result_format.clone(), printing.outcome_interval));
        Self {
            lines: Lines::new(out, task, heading, intervals).with_ranking(ranking),
            printing: printing.clone(),
            latencies: Latencies::default(),
            crashed: None,
            begun: Instant::now(),
        }
    }

    /// Prints a line.
    pub fn line(&mut self, text: &str) {
        self.lines.line(text);
    }

    /// Counts the games of a journal, without lines.
    ///
    /// # Errors
    /// If the journal can't be read.
    pub fn count(&mut self, journal: &Journal) -> Result<(), RunError> {
        let run = RunRecord::from_journal(journal)?;
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
    pub fn summary(&mut self) {
        self.lines.summary();
    }

    /// Prints what an event asks for. Raises `stop` if the test is decided, or at the first engine fault
    /// without `-recover`.
    pub fn take(&mut self, event: &RunEvent<'_>, stop: &Stop) {
        self.lines.take(event);
        if let RunEvent::JobEnded { key, result: JobResult::Game(game), .. } = event {
            if self.printing.shows_latency {
                self.latencies.add(self.lines.number(*key), game);
            }
            if matches!(game.end, GameEnd::EngineFault(_)) && !self.printing.recovers {
                self.crashed.get_or_insert(self.lines.number(*key));
            }
        }
        if self.lines.is_over() || self.crashed.is_some() {
            stop.raise();
        }
    }

    /// Does a printed warning fail the run?
    pub const fn has_failed(&self) -> bool {
        self.printing.is_strict && self.lines.has_warnings()
    }

    /// Prints the last lines of a run that was interrupted.
    ///
    /// # Errors
    /// If any line could not be written.
    pub fn interrupted(self) -> io::Result<()> {
        let closing = interrupted(self.crashed);
        self.close(closing)
    }

    /// Prints the last lines of a run with all its results.
    ///
    /// # Errors
    /// If any line could not be written.
    pub fn finished(self, run: &RunRecord) -> io::Result<()> {
        let bracket = run.knockout().map(|state| bracket::lines(self.lines.task(), &state));
        self.close(bracket.unwrap_or_default())
    }

    fn close(mut self, mut closing: Vec<String>) -> io::Result<()> {
        closing.extend(self.latencies.lines());
        closing.push("Finished match".to_owned());
        closing.push(total_time(self.begun.elapsed()));
        // fastchess ends its output with an empty line.
        closing.push(String::new());
        self.lines.end(&closing)
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
