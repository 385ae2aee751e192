//! A dialogue with one process, step by step.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::folder::FOLDER;
use super::running_clock::RunningClock;
use super::transcript::Transcript;
use crate::child::live_engine::{LiveEngine, flood};
use crate::child::process::{ExitReport, WaitError};
use crate::dialogue::{
    Check, Consequence, Dialogue, Expected, JudgedRules, OutputRule, SearchOptions, SearchOutput,
    SearchRequest, Step,
};
use crate::run_queue::CpuWaits;
use crate::traffic::Direction;
use crate::{EngineFault, WaitLimit};
use threefold_chess::clock::duration::to_hundredths;
use threefold_chess::position::GamePosition;
use threefold_chess::uci::Command;

/// The time limit for an engine to read a command. One that does not read while it searches never does.
const READ_LIMIT: Duration = Duration::from_secs(5);

/// The most time that is added to a wait on a busy machine.
const MOST_EXTENSION: Duration = Duration::from_secs(5);

/// Why an attempt ended early.
pub(super) enum Break {
    /// What the engine did instead.
    Violation(String),
    /// What did not come in time.
    TooLate(String),
    Fault(EngineFault),
}

impl From<EngineFault> for Break {
    fn from(fault: EngineFault) -> Self {
        Self::Fault(fault)
    }
}

/// The result of one attempt.
pub(super) enum Attempt {
    Met,
    /// So few searches of several break a rule that it may be chance.
    RarelyViolated(String),
    Violated(String),
    /// An answer did not come in time, so there is nothing to judge.
    Unanswered(String),
}

/// A dialogue with one process.
pub(super) struct DialogueRun {
    pub(super) live: LiveEngine,
    startup: Duration,
    /// The folder with the files of the dialogue, if it has any.
    folder: Option<TempDir>,
    pub(super) transcript: Transcript,
    /// What the engine was sent last.
    sent: String,
    position: Option<GamePosition>,
    options: SearchOptions,
    clock: Option<RunningClock>,
    /// The searches that have begun and not ended, with their beginnings.
    pub(super) running: VecDeque<(SearchOutput, Instant)>,
    /// How long the engine had waited for a CPU when it was sent something last.
    waits: CpuWaits,
    pub(super) finished: Vec<SearchOutput>,
    /// The searches that were awaited.
    pub(super) awaited: usize,
    /// The answers `readyok` and `uciok` that have come and were not awaited yet.
    answers: Vec<Expected>,
    /// Does the dialogue wait for the engine's end? The engine may then end without a crash before the last
    /// command is sent.
    may_end: bool,
    has_ended: bool,
}

impl DialogueRun {
    pub(super) fn new(
        live: LiveEngine,
        startup: Duration,
        folder: Option<TempDir>,
        options: SearchOptions,
    ) -> Self {
        Self {
            transcript: Transcript::new(live.process.now()),
            live,
            startup,
            folder,
            sent: String::new(),
            position: Some(GamePosition::start_position()),
            options,
            clock: None,
            running: VecDeque::new(),
            waits: CpuWaits::default(),
            finished: Vec::new(),
            awaited: 0,
            answers: Vec::new(),
            may_end: false,
            has_ended: false,
        }
    }

    /// Sets the options, takes the steps, and judges the searches.
    pub(super) fn execute(&mut self, dialogue: &Dialogue) -> Result<Attempt, Break> {
        for (names, value) in &dialogue.options {
            let command = self.live.set_one_of(names, &self.with_folder(value))?;
            self.send(&[command.to_string()])?;
        }
        if !dialogue.options.is_empty() {
            self.send(&["isready".to_owned()])?;
            self.wait_for(Expected::ReadyOk, self.startup)?;
        }
        // Only now: an end while the options are set is a violation in every dialogue.
        self.may_end = dialogue.steps.iter().any(|step| matches!(step, Step::Exit(_)));
        dialogue.steps.iter().try_for_each(|step| self.take_step(step))?;
        Ok(self.judge(dialogue.judged))
    }

    fn judge(&self, judged: JudgedRules) -> Attempt {
        let broken = |rule| {
            let searches = self.finished.iter().enumerate();
            searches.filter_map(move |(index, search)| search.violation(rule, &self.finished[..index]))
        };
        match judged {
            JudgedRules::Basic => OutputRule::BASIC
                .into_iter()
                .find_map(|rule| broken(rule).next())
                .map_or(Attempt::Met, Attempt::Violated),
            JudgedRules::One(rule) => match (broken(rule).next(), broken(rule).count()) {
                (None, _) => Attempt::Met,
                // A single search that breaks the rule is all of them, and so not rare.
                (Some(what), count) if count <= rule.most_flaky() && self.finished.len() > 1 => {
                    Attempt::RarelyViolated(what)
                }
                (Some(what), _) => Attempt::Violated(what),
            },
        }
    }

    fn take_step(&mut self, step: &Step) -> Result<(), Break> {
        match step {
            Step::Send(lines) => self.send(lines),
            Step::SendDefaults => self.send(&self.live.defaults()),
            Step::Await(expected, time) => self.wait_for(*expected, *time),
            Step::UntilInfo(time) => self
                .read_until(*time, |run| run.running.front().is_none_or(|(search, _)| search.has_info()))
                .map(|_| ()),
            Step::Pause(time) => self.read_until(*time, |_| false).map(|_| ()),
            Step::Silent(time) => self.stay_silent(*time),
            Step::Drain(time) => {
                self.read_until(*time, |_| false)?;
                self.running.clear();
                self.finished.clear();
                self.awaited = 0;
                Ok(())
            }
            Step::Clock { control, lag } => {
                self.clock = Some(RunningClock::new(control, *lag));
                Ok(())
            }
            Step::Close => {
                self.live.process.close_input();
                "the end of its input".clone_into(&mut self.sent);
                Ok(())
            }
            Step::Exit(time) => self.wait_for_exit(*time),
            Step::Check(check, consequence) => self.check(check, *consequence),
        }
    }

    fn send(&mut self, written: &[String]) -> Result<(), Break> {
        let lines: Vec<String> = written.iter().map(|line| self.filled_in(line)).collect();
        for line in &lines {
            self.transcript.add(self.live.process.now(), Direction::ToEngine, line);
        }
        if self.has_ended {
            return Ok(());
        }
        self.sent = lines.join("` and `");
        let text = lines.join("\n") + "\n";
        let task = format!("answering `{}`", self.sent);
        let sent = self.live.send_text(&text, &task, READ_LIMIT, WaitLimit::Startup);
        let at = match sent {
            Ok(at) => at,
            Err(EngineFault::TimedOut { .. }) => {
                return Err(self.violation("it reads no further commands"));
            }
            Err(EngineFault::Ended { .. }) => return self.take_end(),
            Err(fault) => return Err(fault.into()),
        };
        self.waits = self.cpu_waits();
        for line in &lines {
            self.track(line, at);
        }
        Ok(())
    }

    /// A line with the folder and the time on the clock.
    fn filled_in(&mut self, line: &str) -> String {
        let line = self.with_folder(line);
        match &mut self.clock {
            Some(clock) => clock.start(&line),
            None => line,
        }
    }

    fn with_folder(&self, text: &str) -> String {
        match &self.folder {
            Some(folder) => text.replace(FOLDER, &folder.path().display().to_string()),
            None => text.to_owned(),
        }
    }

    /// Records how a line that was sent changes the engine's state.
    fn track(&mut self, line: &str, at: Instant) {
        let is_position = line.split_ascii_whitespace().next() == Some("position");
        match Command::parse(line) {
            Ok(Some(Command::Position(position))) => self.position = Some(position),
            // The engine's position is unknown now, so the rules about moves do not apply to its searches.
            Err(_) if is_position => self.position = None,
            Ok(Some(Command::SetOption { name, value: Some(value) })) => self.options.set(&name, &value),
            Ok(Some(Command::Go(go))) => {
                let request = SearchRequest { position: self.position.clone(), go, options: self.options };
                self.running.push_back((SearchOutput::new(request), at));
            }
            Ok(Some(Command::Stop)) => {
                self.running.iter_mut().for_each(|(search, _)| search.set_changed());
            }
            Ok(Some(Command::PonderHit)) => {
                for (search, begun) in &mut self.running {
                    search.set_changed();
                    // Limits of time count from `ponderhit`, not from `go ponder`.
                    *begun = at;
                }
            }
            _ => {}
        }
    }

    /// Reads until a condition is met, or until this time is over. Returns whether it is met.
    pub(super) fn read_until(
        &mut self,
        time: Duration,
        is_met: impl Fn(&Self) -> bool,
    ) -> Result<bool, Break> {
        let until = self.live.process.deadline(self.live.process.now(), time);
        loop {
            if is_met(self) {
                return Ok(true);
            }
            let (line, arrival) = match self.live.process.receive(until) {
                Ok(received) => received,
                Err(WaitError::Timeout) => return Ok(false),
                Err(WaitError::Interrupted) => return Err(EngineFault::Interrupted.into()),
                Err(WaitError::Flood) => return Err(flood(&format!("answering `{}`", self.sent)).into()),
                Err(WaitError::Ended) => return self.take_end().map(|()| false),
            };
            self.take_line(&line, arrival);
        }
    }

    /// The engine has ended. That is a violation if it crashed, or if the dialogue does not wait for its end.
    fn take_end(&mut self) -> Result<(), Break> {
        let ExitReport { status, by_signal, last_output } = self.live.process.exit_report();
        if self.may_end && !by_signal {
            self.has_ended = true;
            return Ok(());
        }
        Err(self.violation(&format!("it ends ({status}); its last output: {last_output}")))
    }

    fn take_line(&mut self, line: &str, arrival: Instant) {
        self.transcript.add(arrival, Direction::FromEngine, line);
        let first = line.split_ascii_whitespace().next();
        self.answers.extend(match first {
            Some("readyok") => Some(Expected::ReadyOk),
            Some("uciok") => Some(Expected::UciOk),
            _ => None,
        });
        if let Some((search, begun)) = self.running.front_mut() {
            search.take_line(line, arrival.saturating_duration_since(*begun));
            if first == Some("bestmove") {
                let waited = CpuWaits::of_processes(&self.live.processes).since(&self.waits);
                search.set_delay(waited.unwrap_or_default());
                self.finished.extend(self.running.pop_front().map(|(search, _)| search));
            }
        } else if let Some(last) = self.finished.last_mut() {
            last.take_late_line(line);
        }
    }

    fn wait_for(&mut self, expected: Expected, time: Duration) -> Result<(), Break> {
        let has_come = match expected {
            Expected::BestMove => {
                self.awaited += 1;
                self.read_patiently(time, |run| run.finished.len() >= run.awaited)?
            }
            Expected::ReadyOk | Expected::UciOk => {
                let came = self.read_patiently(time, |run| run.answers.contains(&expected))?;
                if let Some(at) = self.answers.iter().position(|answer| *answer == expected) {
                    self.answers.remove(at);
                }
                came
            }
        };
        if has_come {
            return match expected {
                Expected::BestMove => self.stop_clock(),
                Expected::ReadyOk | Expected::UciOk => Ok(()),
            };
        }
        if self.has_ended {
            return Err(self.violation(&format!("it ends without `{expected}`")));
        }
        Err(self.too_late(&format!("it sends no `{expected}` within {}", to_hundredths(time))))
    }

    /// Takes the time of the search that was awaited last off the clock. Waits for a CPU count, too: an
    /// engine plans its time by the wall clock, so they hardly lengthen a search.
    fn stop_clock(&mut self) -> Result<(), Break> {
        let used = self.finished.get(self.awaited - 1).map_or(Duration::ZERO, SearchOutput::elapsed);
        let stopped = self.clock.as_mut().map_or(Ok(()), |clock| clock.stop(used));
        stopped.map_err(|what| self.violation(&what))
    }

    /// As [`Self::read_until`], but on a busy machine the time for which the engine waits for a CPU does not
    /// count.
    fn read_patiently(&mut self, time: Duration, is_met: impl Fn(&Self) -> bool) -> Result<bool, Break> {
        let before = self.cpu_waits();
        if self.read_until(time, &is_met)? {
            return Ok(true);
        }
        let waited = self.cpu_waits().since(&before).unwrap_or_default();
        self.read_until(waited.min(MOST_EXTENSION), is_met)
    }

    fn cpu_waits(&self) -> CpuWaits {
        CpuWaits::of_processes(&self.live.processes)
    }

    fn wait_for_exit(&mut self, time: Duration) -> Result<(), Break> {
        if self.has_ended {
            return Ok(());
        }
        let before = self.cpu_waits();
        let ended = self.live.process.wait_for_exit(time).or_else(|| {
            let waited = self.cpu_waits().since(&before).unwrap_or_default();
            self.live.process.wait_for_exit(waited.min(MOST_EXTENSION))
        });
        match ended {
            Some(ExitReport { status, by_signal: true, last_output }) => {
                Err(self.violation(&format!("it crashes ({status}); its last output: {last_output}")))
            }
            Some(_) => Ok(()),
            None => Err(self.violation(&format!("it does not end within {}", to_hundredths(time)))),
        }
    }

    fn check(&mut self, check: &Check, consequence: Consequence) -> Result<(), Break> {
        let awaited = self.finished.get(..self.awaited).unwrap_or_default();
        match (check.unmet(awaited, consequence), consequence) {
            (None, _) => Ok(()),
            (Some(what), Consequence::Fails) => Err(self.violation(&what)),
            (Some(what), Consequence::DoesNotApply) => {
                Err(EngineFault::NotSupported(format!("what the dialogue assumes: {what}")).into())
            }
        }
    }

    pub(super) fn violation(&self, what: &str) -> Break {
        Break::Violation(self.after_sent(what))
    }

    fn too_late(&self, what: &str) -> Break {
        Break::TooLate(self.after_sent(what))
    }

    fn after_sent(&self, what: &str) -> String {
        let sent = self.sent.replace('\r', "\\r").replace('\t', "\\t");
        if sent.is_empty() { what.to_owned() } else { format!("after `{sent}` {what}") }
    }
}
