//! A running engine process with the state of its UCI conversation.

use std::process::Command as Program;
use std::thread;
use std::time::{Duration, Instant};

use shakmaty::CastlingMode;

use super::pipes::LineArrival;
use super::process::{Deadline, ExitReport, Process, WaitError};
use super::search_log::SearchLog;
use super::watchdog::{Overrun, TimeAllowance};
use crate::player::launch::nodes_a_millisecond;
use crate::player::notice::{NoticeSender, SilenceNotice};
use crate::player::run_queue::{self, CpuWaits};
use crate::player::{Answer, EngineFault, EngineSpec, LaunchOptions, Question, WaitLimit};
use threefold_chess::position::GamePosition;
use threefold_chess::uci::{BestMove, Command, EngineEvent, Go, SetOptionError, UciClient};
use threefold_echo::options;

/// How long to wait until an engine's threads are idle after its start and after its move. Some engines
/// refuse or miss a `go` while the search thread is still starting or returning, even after `readyok`. On a
/// busy machine, against an opponent that answers at once, they would lose on time.
const IDLE_TIMEOUT: Duration = Duration::from_millis(20);
/// The interval between checks.
const IDLE_POLL: Duration = Duration::from_micros(200);

/// A running engine process with the state of its UCI conversation.
pub(super) struct LiveEngine {
    pub(super) process: Process,
    name: String,
    notices: NoticeSender,
    /// How long it may be silent before a notice is sent.
    notice_after: Duration,
    pub(super) conversation: UciClient,
    castling: CastlingMode,
    /// Its process and the child processes.
    pub(super) processes: Vec<u32>,
    /// When it last started or moved; `None` once it was seen idle.
    last_active: Option<Instant>,
}

/// A wait for the engine.
struct EngineWait<'t> {
    /// What it is doing.
    task: &'t str,
    until: Deadline,
    /// Is a notice sent after a long silence? A wall clock ends the wait soon enough.
    is_noticed: bool,
}

/// Why an expected message did not come.
enum WaitFailure {
    Timeout,
    /// The engine has used more nodes than allowed, and searches on.
    OverLimit,
    Fault(EngineFault),
}

impl LiveEngine {
    pub(super) fn start(
        program: &mut Program,
        spec: &EngineSpec,
        options: &LaunchOptions,
    ) -> Result<Self, EngineFault> {
        let (talk, first) = UciClient::start();
        let process = Process::start(program, options).map_err(|error| EngineFault::CannotStart {
            command: spec.command(),
            cause: error.to_string(),
        })?;
        let mut live = Self {
            process,
            name: spec.name.clone(),
            notices: options.notices.clone(),
            notice_after: options.notice_after,
            conversation: talk,
            castling: CastlingMode::Standard,
            processes: Vec::new(),
            last_active: None,
        };
        live.send_and_wait(&[first], "answering `uci`", options.startup)?;
        let mut commands = Vec::new();
        for (name, value) in &spec.options {
            commands.push(live.set(name, value)?);
        }
        if let Some(nodes) = nodes_a_millisecond(spec, options.pace)? {
            commands.push(live.set_required("nodestime", &nodes.to_string())?);
        }
        commands.push(live.conversation.isready());
        live.send_and_wait(&commands, "answering `isready` after its options were set", options.startup)?;
        live.processes = live.process.process_tree();
        live.last_active = Some(live.process.now());
        Ok(live)
    }

    /// Sets an option from the spec. Echo accepts former names, too, but lists only the present ones.
    fn set(&self, name: &str, value: &str) -> Result<Command, EngineFault> {
        let name = if self.conversation.option(name).is_some() { name } else { options::current_name(name) };
        self.conversation.set(name, value).map_err(|unset| match unset {
            SetOptionError::Unknown { given, .. } if self.is_echo_for_players() && options::is_known(&given) => EngineFault::Option(format!(
                "`{given}` is an experimental option, which Echo offers if asked to: add `args=--experimental`"
            )),
            SetOptionError::Unknown { .. } | SetOptionError::InvalidValue(_) => EngineFault::Option(unset.to_string()),
        })
    }

    /// Is it an Echo that lists fewer options than it accepts?
    fn is_echo_for_players(&self) -> bool {
        self.conversation.author() == Some(threefold_echo::AUTHOR)
            && self.conversation.options().len() < options::table().len()
    }

    /// Sets an option that the question needs; an engine without it does not support the question.
    fn set_required(&self, name: &str, value: &str) -> Result<Command, EngineFault> {
        self.conversation.set(name, value).map_err(|unset| match unset {
            SetOptionError::Unknown { .. } => EngineFault::NotSupported(format!("option `{name}`")),
            SetOptionError::InvalidValue(misfit) => {
                EngineFault::NotSupported(format!("a value of an option that is needed: {misfit}"))
            }
        })
    }

    /// Prepares for `go`, before the clock starts. Castling is written as the start position requires.
    pub(super) fn set_up(&mut self, question: &Question, patience: Duration) -> Result<(), EngineFault> {
        self.wait_until_idle();
        let mut commands = Vec::new();
        commands.extend(self.castling_command(&question.line)?);
        self.castling = CastlingMode::detect(question.line.start.as_setup());
        commands.extend(self.conversation.position(&question.line));
        self.send_and_wait(&commands, "answering `isready`", patience)
    }

    /// The command that changes how castling is written, if the start position needs another way.
    pub(super) fn castling_command(&self, line: &GamePosition) -> Result<Option<Command>, EngineFault> {
        let castling = CastlingMode::detect(line.start.as_setup());
        let set = || self.set_required("UCI_Chess960", &castling.is_chess960().to_string());
        (castling != self.castling).then(set).transpose()
    }

    /// Waits until none of its threads is running, unless it was last active long ago.
    pub(super) fn wait_until_idle(&mut self) {
        let Some(last_active) = self.last_active.take() else { return };
        while self.process.now() < last_active + IDLE_TIMEOUT && run_queue::is_any_running(&self.processes) {
            thread::sleep(IDLE_POLL);
        }
    }

    /// Sends commands and waits for `readyok`.
    pub(super) fn send_and_wait(
        &mut self,
        commands: &[Command],
        task: &str,
        patience: Duration,
    ) -> Result<(), EngineFault> {
        let limit = WaitLimit::Startup;
        self.send(commands, task, patience, limit)?;
        let until = self.process.deadline(self.process.now(), patience);
        match self.next_fact(&mut EngineWait { task, until, is_noticed: true }) {
            Ok(_) => Ok(()),
            Err(WaitFailure::Timeout | WaitFailure::OverLimit) => {
                Err(EngineFault::TimedOut { task: task.to_owned(), waited: patience, limit })
            }
            Err(WaitFailure::Fault(fault)) => Err(fault),
        }
    }

    pub(super) fn search(
        &mut self,
        go: Go,
        mut log: SearchLog,
        allowance: TimeAllowance,
        grace: Duration,
    ) -> Result<Answer, EngineFault> {
        let command = self.conversation.go(go);
        let task = format!("answering `{command}`");
        let limit = allowance.limit();
        let silent = |waited| Err(EngineFault::TimedOut { task: task.clone(), waited, limit });
        let asked = self.send(&[command], &task, allowance.wait, limit)?;
        let until = self.process.deadline(asked, allowance.wait);
        let wait = EngineWait { task: &task, until, is_noticed: !log.is_timed };
        let (overrun, waited) = match self.next_move(wait, &mut log) {
            Ok((best, arrival)) => return Ok(self.answer(log, best, asked, arrival)),
            Err(WaitFailure::Fault(fault)) => return Err(fault),
            Err(WaitFailure::OverLimit) => (Overrun::LateAnswer, Duration::ZERO),
            Err(WaitFailure::Timeout) => (allowance.overrun, allowance.wait),
        };
        log.is_stopped = true;
        self.send(&[Command::Stop], &task, grace, limit)?;
        let until = self.process.deadline(self.process.now(), grace);
        let wait = EngineWait { task: &task, until, is_noticed: false };
        match (self.next_move(wait, &mut log), overrun) {
            (Ok((best, arrival)), Overrun::LateAnswer) => Ok(self.answer(log, best, asked, arrival)),
            (Ok(_), Overrun::Fault) => silent(waited),
            (Err(WaitFailure::Timeout | WaitFailure::OverLimit), _) => silent(waited + grace),
            (Err(WaitFailure::Fault(fault)), _) => Err(fault),
        }
    }

    /// The engine's CPU wait, the pipe thread's, and the suspension of the harness follow each other, so they
    /// are added.
    fn answer(&self, log: SearchLog, best: BestMove, asked: Instant, arrival: LineArrival) -> Answer {
        let elapsed = arrival.at.saturating_duration_since(asked);
        let waited = log.waits.as_ref().and_then(|before| CpuWaits::of(&self.processes).since(before));
        let suspended = self.process.suspended_between(asked, arrival.at);
        let kept = |engine: Duration| (engine + arrival.late.unwrap_or_default() + suspended).min(elapsed);
        let waited = waited.or((log.is_timed && !suspended.is_zero()).then_some(Duration::ZERO)).map(kept);
        Answer { waited, ..log.answer(best, elapsed) }
    }

    /// Waits for the best move and records the reports before it.
    fn next_move(
        &mut self,
        mut wait: EngineWait<'_>,
        log: &mut SearchLog,
    ) -> Result<(BestMove, LineArrival), WaitFailure> {
        loop {
            match self.next_fact(&mut wait)? {
                (EngineEvent::BestMove(best), arrival) => {
                    self.last_active = Some(arrival.at);
                    return Ok((best, arrival));
                }
                (EngineEvent::Info(info), _) => {
                    log.record(info);
                    if log.is_over_limit() {
                        return Err(WaitFailure::OverLimit);
                    }
                }
                (EngineEvent::UciOk | EngineEvent::ReadyOk, _) => {}
            }
        }
    }

    fn next_fact(&mut self, wait: &mut EngineWait<'_>) -> Result<(EngineEvent, LineArrival), WaitFailure> {
        let mut heard = self.process.now();
        loop {
            let until = if wait.is_noticed { wait.until.or(heard, self.notice_after) } else { wait.until };
            let (line, arrival) = match self.process.receive(until) {
                Ok(said) => said,
                Err(WaitError::Timeout) if wait.is_noticed && !self.process.left(wait.until).is_zero() => {
                    wait.is_noticed = false;
                    self.notify(wait);
                    continue;
                }
                Err(WaitError::Timeout) => return Err(WaitFailure::Timeout),
                Err(WaitError::Interrupted) => return Err(WaitFailure::Fault(EngineFault::Interrupted)),
                Err(WaitError::Ended) => return Err(WaitFailure::Fault(self.ended_fault(wait.task))),
            };
            heard = arrival.at;
            match self.conversation.receive(&line) {
                Ok(Some(fact)) => return Ok((fact, arrival)),
                Ok(None) => {}
                Err(breach) => {
                    return Err(WaitFailure::Fault(EngineFault::ProtocolBreach(breach.to_string())));
                }
            }
        }
    }

    fn notify(&self, wait: &EngineWait<'_>) {
        self.notices.send(SilenceNotice {
            engine: self.name.clone(),
            task: wait.task.to_owned(),
            silent: self.notice_after,
            left: self.process.left(wait.until),
        });
    }

    fn send(
        &mut self,
        commands: &[Command],
        task: &str,
        patience: Duration,
        limit: WaitLimit,
    ) -> Result<Instant, EngineFault> {
        let text = commands.iter().fold(String::new(), |text, command| text + &command.to_string() + "\n");
        self.send_text(text, task, patience, limit)
    }

    pub(super) fn send_text(
        &mut self,
        text: String,
        task: &str,
        patience: Duration,
        limit: WaitLimit,
    ) -> Result<Instant, EngineFault> {
        let until = self.process.deadline(self.process.now(), patience);
        self.process.send(text, until).map_err(|error| match error {
            WaitError::Timeout => {
                EngineFault::TimedOut { task: format!("reading, before {task}"), waited: patience, limit }
            }
            WaitError::Interrupted => EngineFault::Interrupted,
            WaitError::Ended => self.ended_fault(task),
        })
    }

    pub(super) fn ended_fault(&mut self, task: &str) -> EngineFault {
        let ExitReport { status, last_output, by_signal: _ } = self.process.exit_report();
        EngineFault::Ended { status, task: task.to_owned(), last_output }
    }
}
