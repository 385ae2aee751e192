//! A running engine process with the state of its UCI conversation.

use std::fmt::Display;
use std::io;
use std::mem;
use std::process::Command as Program;
use std::thread;
use std::time::{Duration, Instant};

use shakmaty::CastlingMode;

use super::delay_meter::DelayMeter;
use super::error_file::ErrorFile;
use super::ponder_search::PonderSearch;
use super::process::{Deadline, ExitReport, MOST_LINES, MOST_OUTPUT, Process, WaitError};
use super::search_log::LineQuotes;
use crate::capability::Capabilities;
use crate::notice::{NoticeSender, SilenceNotice};
use crate::program_path;
use crate::run_queue;
use crate::{EngineFault, EngineSpec, LaunchOptions, LinesBetweenSearches, Question, WaitLimit};
use threefold_chess::position::GamePosition;
use threefold_chess::uci::{Command, EngineEvent, PositionText, SetOptionError, UciClient};
use threefold_echo::options;

/// How long to wait until the threads of an engine that needs it are idle, after its start and after its
/// move.
pub(super) const IDLE_TIMEOUT: Duration = Duration::from_millis(20);
/// The UCI option by which an engine knows that it may ponder.
const PONDER: &str = "Ponder";
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
    pub(super) position: PositionText,
    /// The commands that press the buttons of its spec, such as `Clear Hash`.
    buttons: Vec<Command>,
    /// Its process and the child processes.
    pub(super) processes: Vec<u32>,
    /// What delays its answers.
    pub(super) delays: DelayMeter,
    /// What is known of engines with this spec.
    pub(super) capabilities: Capabilities,
    pub(super) spec: String,
    /// When it last started or moved; `None` once it was seen idle.
    pub(super) last_active: Option<Instant>,
    /// What it wrote since its last answer and belongs to no search.
    pub(super) between: LinesBetweenSearches,
    /// The search on the opponent's time, while there is one.
    pub(super) pondering: Option<PonderSearch>,
}

/// A wait for the engine.
pub(super) struct EngineWait<'t> {
    /// What it is doing.
    pub(super) task: &'t dyn Display,
    pub(super) until: Deadline,
    /// When it was asked, or spoke last.
    pub(super) heard: Instant,
    /// Is a notice sent after a long silence? A wall clock ends the wait soon enough.
    pub(super) is_noticed: bool,
}

/// A message of the engine.
pub(super) struct EngineMessage {
    pub(super) event: EngineEvent,
    /// The line that it was.
    pub(super) line: String,
    /// When it came.
    pub(super) arrival: Instant,
}

/// Why an expected message did not come.
pub(super) enum WaitFailure {
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
        let cannot_start = |cause: io::Error| EngineFault::CannotStart {
            command: spec.command(),
            cause: format!("{cause}{}", program_path::hint(&spec.source)),
        };
        let errors = spec.stderr.as_deref().map(ErrorFile::open).transpose().map_err(cannot_start)?;
        let process = Process::start(program, errors, options).map_err(cannot_start)?;
        let mut live = Self {
            process,
            name: spec.name.clone(),
            notices: options.notices.clone(),
            notice_after: options.notice_after,
            conversation: talk,
            castling: CastlingMode::Standard,
            position: PositionText::default(),
            buttons: Vec::new(),
            processes: Vec::new(),
            delays: DelayMeter::default(),
            capabilities: options.capabilities.clone(),
            spec: spec.text.clone(),
            last_active: None,
            between: LinesBetweenSearches::NONE,
            pondering: None,
        };
        let greeting = "answering `uci`";
        if !spec.init.is_empty() {
            live.send_text(&(spec.init.join("\n") + "\n"), &greeting, options.startup, WaitLimit::Startup)?;
        }
        live.send_and_wait(&[first], &greeting, options.startup)?;
        let mut commands = if spec.debug { vec![Command::Debug(true)] } else { Vec::new() };
        for (name, value) in &spec.options {
            if live.offers(name) || !options.unknown_options.skip(&spec.name, name) {
                commands.push(live.set(name, value)?);
            }
        }
        let is_button = |command: &&Command| matches!(command, Command::SetOption { value: None, .. });
        live.buttons = commands.iter().filter(is_button).cloned().collect();
        // Engines read the option `Ponder` for their time management; `go ponder` alone does not change it.
        let says_ponder = spec.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(PONDER));
        if spec.ponder && !says_ponder && live.offers(PONDER) {
            commands.push(live.set_required(PONDER, "true")?);
        }
        // Echo would choose another seed for each game, and a game could not be played again.
        let says_seed =
            spec.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(options::STRENGTH_SEED));
        if !says_seed && live.offers(options::STRENGTH_SEED) {
            commands.push(live.set_required(options::STRENGTH_SEED, "0")?);
        }
        if let Some(nodes) = options.nodes_a_millisecond(spec)? {
            commands.push(live.set_required("nodestime", &nodes.to_string())?);
        }
        // `readyok` comes after slow options, such as a large `Hash`, so they cost no time of a game.
        commands.push(live.conversation.isready());
        live.send_and_wait(&commands, &"answering `isready` after its options were set", options.startup)?;
        // A script around the engine has started it by now, since the engine has answered.
        live.processes = live.process.process_tree();
        live.last_active = Some(live.process.now());
        Ok(live)
    }

    /// Sets options of an engine that plays no game.
    pub(super) fn set_options(
        &mut self,
        options: &[(String, String)],
        patience: Duration,
    ) -> Result<(), EngineFault> {
        let set = options.iter().map(|(name, value)| self.set(name, value));
        let mut commands = set.collect::<Result<Vec<Command>, EngineFault>>()?;
        commands.push(self.conversation.isready());
        self.send_and_wait(&commands, &"answering `isready` after its options were set", patience)
    }

    /// The commands that begin a new game. A button clears something, so it is pressed each time.
    pub(super) fn new_game_commands(&mut self) -> Vec<Command> {
        let (buttons, isready) = (self.buttons.iter().cloned(), self.conversation.isready());
        std::iter::once(Command::NewGame).chain(buttons).chain([isready]).collect()
    }

    /// Does it offer an option, by this name or its present one?
    fn offers(&self, name: &str) -> bool {
        [name, options::current_name(name)].iter().any(|name| self.conversation.option(name).is_some())
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
    pub(super) fn set_required(&self, name: &str, value: &str) -> Result<Command, EngineFault> {
        self.conversation.set(name, value).map_err(|unset| match unset {
            SetOptionError::Unknown { .. } => EngineFault::NotSupported(format!("option `{name}`")),
            SetOptionError::InvalidValue(misfit) => {
                EngineFault::NotSupported(format!("a value of an option that is needed: {misfit}"))
            }
        })
    }

    /// Sets the first of the options that it has, as [`Self::set_required`] does. The names are separated by `|`.
    pub(super) fn set_one_of(&self, names: &str, value: &str) -> Result<Command, EngineFault> {
        let mut offered = names.split('|').filter(|name| self.conversation.option(name).is_some());
        self.set_required(offered.next().unwrap_or(names), value)
    }

    /// The commands that give each of its options the default value, except those that a run sets.
    pub(super) fn defaults(&self) -> Vec<String> {
        let is_set = |name: &str| ["Hash", "Threads"].iter().any(|set| name.eq_ignore_ascii_case(set));
        let options = self.conversation.options().iter().filter(|option| !is_set(&option.name));
        let commands = options.filter_map(|option| {
            let default = option.default_text()?;
            let value = if default.is_empty() { "<empty>".to_owned() } else { default };
            Some(Command::SetOption { name: option.name.clone(), value: Some(value) }.to_string())
        });
        commands.collect()
    }

    /// Prepares for a search, before the clock starts. Castling is written as the start position requires.
    pub(super) fn set_up(&mut self, question: &Question, patience: Duration) -> Result<(), EngineFault> {
        self.rest();
        if let Some(command) = self.castling_command(&question.position)? {
            let commands = [command, self.conversation.isready()];
            self.send_and_wait(&commands, &"answering `isready` after `UCI_Chess960` was set", patience)?;
            self.castling = CastlingMode::detect(question.position.start.as_setup());
        }
        Ok(())
    }

    /// The command that changes how castling is written, if the start position needs another way.
    pub(super) fn castling_command(&self, position: &GamePosition) -> Result<Option<Command>, EngineFault> {
        let castling = CastlingMode::detect(position.start.as_setup());
        let set = || self.set_required("UCI_Chess960", &castling.is_chess960().to_string());
        (castling != self.castling).then(set).transpose()
    }

    /// Waits until an engine is idle that has once ignored a `go` because it was not.
    pub(super) fn rest(&mut self) {
        if self.capabilities.needs_rest(&self.spec) {
            self.wait_until_idle();
        }
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
        task: &dyn Display,
        patience: Duration,
    ) -> Result<(), EngineFault> {
        let limit = WaitLimit::Startup;
        self.send(commands, task, patience, limit)?;
        let heard = self.process.now();
        let until = self.process.deadline(heard, patience);
        let mut wait = EngineWait { task, until, heard, is_noticed: true };
        match self.next_fact(&mut wait, &mut LineQuotes::default()) {
            Ok(_) => Ok(()),
            Err(WaitFailure::Timeout | WaitFailure::OverLimit) => {
                Err(EngineFault::TimedOut { task: task.to_string(), waited: patience, limit })
            }
            Err(WaitFailure::Fault(fault)) => Err(fault),
        }
    }

    pub(super) fn next_fact(
        &mut self,
        wait: &mut EngineWait<'_>,
        quotes: &mut LineQuotes,
    ) -> Result<EngineMessage, WaitFailure> {
        loop {
            let until = if wait.is_noticed {
                wait.until.no_later_than(wait.heard, self.notice_after)
            } else {
                wait.until
            };
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
                Err(WaitError::Flood) => return Err(WaitFailure::Fault(flood(wait.task))),
            };
            wait.heard = arrival;
            match self.conversation.receive(&line) {
                Ok(Some(EngineEvent::BetweenSearches)) => self.between.add(&line),
                Ok(fact) => {
                    quotes.take_line(&line);
                    if let Some(event) = fact {
                        return Ok(EngineMessage { event, line, arrival });
                    }
                }
                Err(breach) => {
                    return Err(WaitFailure::Fault(EngineFault::ProtocolBreach(breach.to_string())));
                }
            }
        }
    }

    fn notify(&self, wait: &EngineWait<'_>) {
        self.notices.send(SilenceNotice {
            engine: self.name.clone(),
            task: wait.task.to_string(),
            silent: self.notice_after,
            left: self.process.left(wait.until),
        });
    }

    pub(super) fn send(
        &mut self,
        commands: &[Command],
        task: &dyn Display,
        patience: Duration,
        limit: WaitLimit,
    ) -> Result<Instant, EngineFault> {
        let text = commands.iter().fold(String::new(), |text, command| text + &command.to_string() + "\n");
        self.send_text(&text, task, patience, limit)
    }

    /// Sends a position and the command that follows it.
    pub(super) fn send_at(
        &mut self,
        position: &GamePosition,
        command: &dyn Display,
        task: &dyn Display,
        patience: Duration,
        limit: WaitLimit,
    ) -> Result<Instant, EngineFault> {
        // The text that is sent borrows from it, while `send_text` borrows all of `self`.
        let mut text = mem::take(&mut self.position);
        let sent = self.send_text(text.with(position, command), task, patience, limit);
        self.position = text;
        sent
    }

    pub(super) fn send_text(
        &mut self,
        text: &str,
        task: &dyn Display,
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
            WaitError::Flood => flood(task),
        })
    }

    pub(super) fn ended_fault(&mut self, task: &dyn Display) -> EngineFault {
        let ExitReport { status, last_output, by_signal: _ } = self.process.exit_report();
        EngineFault::Ended { status, task: task.to_string(), last_output }
    }
}

/// Output without end is a fault before the time is over, since reading it costs a CPU.
pub(super) fn flood(task: &dyn Display) -> EngineFault {
    let bytes = MOST_OUTPUT / (1024 * 1024);
    EngineFault::ProtocolBreach(format!("it wrote more than {MOST_LINES} lines or {bytes} MiB while {task}"))
}
