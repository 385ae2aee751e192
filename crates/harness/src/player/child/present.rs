//! A process and how far the conversation with it has come.

use std::process::Command as Program;
use std::thread;
use std::time::{Duration, Instant};

use shakmaty::CastlingMode;

use super::notes::Notes;
use super::pipes::Arrival;
use super::process::{Deadline, Hush, Process};
use super::watchdog::{Allowance, Overrun};
use crate::player::hire::nodes_a_millisecond;
use crate::player::notice::{Notice, Notices};
use crate::player::run_queue::{self, Waits};
use crate::player::{Answer, EngineSpec, Fault, Hiring, Question, WaitLimit};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_chess::uci::{BestMove, Command, EngineEvent, Go, SetOptionError, UciClient};
use threefold_echo::options;

/// How long an engine may take to come to rest after its start and after its move. Some refuse or miss a `go` until the
/// thread that searches is up, or back from telling the move, whatever `readyok` says; a busy machine and an opponent who
/// answers at once would make them lose on time.
const REST: Duration = Duration::from_millis(20);
/// How long it is left alone before it is looked at again.
const GLANCE: Duration = Duration::from_micros(200);

/// A process and how far the conversation with it has come.
pub(super) struct Present {
    pub(super) process: Process,
    name: String,
    notices: Notices,
    /// How long it may be silent before a notice is given.
    notice_after: Duration,
    pub(super) talk: UciClient,
    castling: CastlingMode,
    /// The processes that think.
    pub(super) family: Vec<u32>,
    /// When it had last begun or moved, until it was let rest.
    stirred: Option<Instant>,
}

/// A wait for the engine.
struct Wait<'t> {
    /// What it is doing.
    task: &'t str,
    until: Deadline,
    /// Are people told if it is silent for long? A clock of the wall ends a wait soon enough.
    is_noticed: bool,
}

/// Why a fact didn't come.
enum Missed {
    Late,
    /// The engine has spent more nodes than it was given, and thinks on.
    OverLimit,
    Fault(Fault),
}

impl Present {
    pub(super) fn start(program: &mut Program, spec: &EngineSpec, hiring: &Hiring) -> Result<Self, Fault> {
        let (talk, first) = UciClient::start();
        let process = Process::start(program, hiring)
            .map_err(|error| Fault::CannotStart { command: spec.command(), cause: error.to_string() })?;
        let mut present = Self {
            process,
            name: spec.name.clone(),
            notices: hiring.notices.clone(),
            notice_after: hiring.notice_after,
            talk,
            castling: CastlingMode::Standard,
            family: Vec::new(),
            stirred: None,
        };
        present.settle(&[first], "answering `uci`", hiring.startup)?;
        let mut commands = Vec::new();
        for (name, value) in &spec.options {
            commands.push(present.set(name, value)?);
        }
        if let Some(nodes) = nodes_a_millisecond(spec, hiring.pace)? {
            commands.push(present.need("nodestime", &nodes.to_string())?);
        }
        commands.push(present.talk.isready());
        present.settle(&commands, "answering `isready` after its options were set", hiring.startup)?;
        present.family = present.process.family();
        present.stirred = Some(present.process.now());
        Ok(present)
    }

    /// Sets what the user asks for. Echo accepts its options under former names, too, but lists only the present ones.
    fn set(&self, name: &str, value: &str) -> Result<Command, Fault> {
        let name = if self.talk.option(name).is_some() { name } else { options::current_name(name) };
        self.talk.set(name, value).map_err(|unset| match unset {
            SetOptionError::Unknown { given, .. } if self.is_echo_for_players() && options::is_known(&given) => Fault::Option(format!(
                "`{given}` is an experimental option, which Echo offers if asked to: add `args=--experimental`"
            )),
            SetOptionError::Unknown { .. } | SetOptionError::InvalidValue(_) => Fault::Option(unset.to_string()),
        })
    }

    /// Is it Echo, and does it list fewer options than it accepts?
    fn is_echo_for_players(&self) -> bool {
        self.talk.author() == Some(threefold_echo::AUTHOR)
            && self.talk.options().len() < options::table().len()
    }

    /// Sets what the question needs, not the user: an engine without it lacks it.
    fn need(&self, name: &str, value: &str) -> Result<Command, Fault> {
        self.talk.set(name, value).map_err(|unset| match unset {
            SetOptionError::Unknown { .. } => Fault::Lacks(format!("option `{name}`")),
            SetOptionError::InvalidValue(misfit) => {
                Fault::Lacks(format!("a value of an option that is needed: {misfit}"))
            }
        })
    }

    /// Gets everything ready for `go`, off the clock. Castling is written as the start position asks.
    pub(super) fn set_up(&mut self, question: &Question, patience: Duration) -> Result<(), Fault> {
        self.let_rest();
        let mut commands = Vec::new();
        commands.extend(self.castling_command(&question.line)?);
        self.castling = CastlingMode::detect(question.line.start.as_setup());
        commands.extend(self.talk.position(&question.line));
        self.settle(&commands, "answering `isready`", patience)
    }

    /// What has to be set for the way in which the start position writes castling, if anything.
    pub(super) fn castling_command(&self, line: &GamePosition) -> Result<Option<Command>, Fault> {
        let castling = CastlingMode::detect(line.start.as_setup());
        let set = || self.need("UCI_Chess960", &castling.is_chess960().to_string());
        (castling != self.castling).then(set).transpose()
    }

    /// Waits until none of its threads is running any more, unless it stirred long ago.
    pub(super) fn let_rest(&mut self) {
        let Some(stirred) = self.stirred.take() else { return };
        while self.process.now() < stirred + REST && run_queue::is_any_running(&self.family) {
            thread::sleep(GLANCE);
        }
    }

    /// Says something and waits until the engine has taken it in.
    pub(super) fn settle(
        &mut self,
        commands: &[Command],
        task: &str,
        patience: Duration,
    ) -> Result<(), Fault> {
        let limit = WaitLimit::Startup;
        self.say(commands, task, patience, limit)?;
        let until = self.process.deadline(self.process.now(), patience);
        match self.next_fact(&mut Wait { task, until, is_noticed: true }) {
            Ok(_) => Ok(()),
            Err(Missed::Late | Missed::OverLimit) => {
                Err(Fault::Silent { task: task.to_owned(), waited: patience, limit })
            }
            Err(Missed::Fault(fault)) => Err(fault),
        }
    }

    pub(super) fn search(
        &mut self,
        go: Go,
        mut notes: Notes,
        allowance: Allowance,
        grace: Duration,
    ) -> Result<Answer, Fault> {
        let command = self.talk.go(go);
        let task = format!("answering `{command}`");
        let limit = allowance.limit();
        let silent = |waited| Err(Fault::Silent { task: task.clone(), waited, limit });
        let asked = self.say(&[command], &task, allowance.wait, limit)?;
        let until = self.process.deadline(asked, allowance.wait);
        let wait = Wait { task: &task, until, is_noticed: !notes.is_timed };
        let (overrun, waited) = match self.next_move(wait, &mut notes) {
            Ok((best, came)) => return Ok(self.answer(notes, best, asked, came)),
            Err(Missed::Fault(fault)) => return Err(fault),
            Err(Missed::OverLimit) => (Overrun::LateAnswer, Duration::ZERO),
            Err(Missed::Late) => (allowance.overrun, allowance.wait),
        };
        notes.is_stopped = true;
        self.say(&[Command::Stop], &task, grace, limit)?;
        let until = self.process.deadline(self.process.now(), grace);
        let wait = Wait { task: &task, until, is_noticed: false };
        match (self.next_move(wait, &mut notes), overrun) {
            (Ok((best, came)), Overrun::LateAnswer) => Ok(self.answer(notes, best, asked, came)),
            (Ok(_), Overrun::Fault) => silent(waited),
            (Err(Missed::Late | Missed::OverLimit), _) => silent(waited + grace),
            (Err(Missed::Fault(fault)), _) => Err(fault),
        }
    }

    /// The engine's wait, that of whoever took its answer, and the time for which the harness stood still follow on each
    /// other, so they add up.
    fn answer(&self, notes: Notes, best: BestMove, asked: Instant, came: Arrival) -> Answer {
        let elapsed = came.at.saturating_duration_since(asked);
        let waited = notes.waits.as_ref().and_then(|before| Waits::of(&self.family).since(before));
        let stood_still = self.process.stood_still(asked, came.at);
        let kept = |engine: Duration| (engine + came.late.unwrap_or_default() + stood_still).min(elapsed);
        let waited =
            waited.or((notes.is_timed && !stood_still.is_zero()).then_some(Duration::ZERO)).map(kept);
        Answer { waited, ..notes.answer(best, elapsed) }
    }

    /// Counts leaves. An engine that searches instead, or says nothing at all for this long, lacks the command.
    pub(super) fn count(&mut self, depth: Ply, patience: Duration, grace: Duration) -> Result<u64, Fault> {
        let command = self.talk.go_perft(depth);
        let task = format!("answering `{command}`");
        let limit = WaitLimit::Startup;
        self.say(&[command], &task, patience, limit)?;
        let until = self.process.deadline(self.process.now(), patience);
        let instead = match self.next_fact(&mut Wait { task: &task, until, is_noticed: true }) {
            Ok((EngineEvent::LeafCount(leaves), _)) => return Ok(leaves),
            Ok((EngineEvent::BestMove(_), _)) => "plays a move",
            Ok((EngineEvent::Info(_) | EngineEvent::UciOk | EngineEvent::ReadyOk, _)) => "searches",
            Err(Missed::Late | Missed::OverLimit) => "says nothing of it",
            Err(Missed::Fault(fault)) => return Err(fault),
        };
        self.say(&[Command::Stop], &task, grace, limit)?;
        Err(Fault::Lacks(format!("`go perft`: asked for it, it {instead}")))
    }

    /// The move that is owed; what is said on the way is noted.
    fn next_move(&mut self, mut wait: Wait<'_>, notes: &mut Notes) -> Result<(BestMove, Arrival), Missed> {
        loop {
            match self.next_fact(&mut wait)? {
                (EngineEvent::BestMove(best), came) => {
                    self.stirred = Some(came.at);
                    return Ok((best, came));
                }
                (EngineEvent::Info(info), _) => {
                    notes.take(info);
                    if notes.is_over_limit() {
                        return Err(Missed::OverLimit);
                    }
                }
                (EngineEvent::UciOk | EngineEvent::ReadyOk | EngineEvent::LeafCount(_), _) => {}
            }
        }
    }

    fn next_fact(&mut self, wait: &mut Wait<'_>) -> Result<(EngineEvent, Arrival), Missed> {
        let mut heard = self.process.now();
        loop {
            let until = if wait.is_noticed { wait.until.or(heard, self.notice_after) } else { wait.until };
            let (line, came) = match self.process.listen(until) {
                Ok(said) => said,
                Err(Hush::Late) if wait.is_noticed && !self.process.left(wait.until).is_zero() => {
                    wait.is_noticed = false;
                    self.notify(wait);
                    continue;
                }
                Err(Hush::Late) => return Err(Missed::Late),
                Err(Hush::Interrupted) => return Err(Missed::Fault(Fault::Interrupted)),
                Err(Hush::Ended) => return Err(Missed::Fault(self.ended(wait.task))),
            };
            heard = came.at;
            match self.talk.receive(&line) {
                Ok(Some(fact)) => return Ok((fact, came)),
                Ok(None) => {}
                Err(breach) => return Err(Missed::Fault(Fault::Breach(breach.to_string()))),
            }
        }
    }

    fn notify(&self, wait: &Wait<'_>) {
        self.notices.send(Notice {
            engine: self.name.clone(),
            task: wait.task.to_owned(),
            silent: self.notice_after,
            left: self.process.left(wait.until),
        });
    }

    fn say(
        &mut self,
        commands: &[Command],
        task: &str,
        patience: Duration,
        limit: WaitLimit,
    ) -> Result<Instant, Fault> {
        let text = commands.iter().fold(String::new(), |text, command| text + &command.to_string() + "\n");
        let until = self.process.deadline(self.process.now(), patience);
        self.process.say(text, until).map_err(|hush| match hush {
            Hush::Late => Fault::Silent { task: format!("reading, before {task}"), waited: patience, limit },
            Hush::Interrupted => Fault::Interrupted,
            Hush::Ended => self.ended(task),
        })
    }

    fn ended(&mut self, task: &str) -> Fault {
        let (status, last_words) = self.process.obituary();
        Fault::Ended { status, task: task.to_owned(), last_words }
    }
}
