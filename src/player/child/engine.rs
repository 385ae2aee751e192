//! A UCI conversation with a child process: an engine as a player.

use std::collections::VecDeque;
use std::process::Command as Program;
use std::thread;
use std::time::{Duration, Instant};

use shakmaty::CastlingMode;

use super::node_limit::NodeLimit;
use super::pipes::Arrival;
use super::process::{Hush, Process, now};
use super::watchdog::{Allowance, Overrun};
use crate::clock::{Account, Limits};
use crate::line::Line;
use crate::player::hire::nodes_a_millisecond;
use crate::player::run_queue::{self, Waits};
use crate::player::{Answer, Claim, EngineSpec, Fault, Hiring, Introduction, LimitKeeper, Player, Question};
use crate::score::Ply;
use crate::uci::{BestMove, Command, Conversation, Fact, Go, Info};

/// Claims that are kept of one search, of the first line of play and of the others; an engine that makes more
/// keeps its latest.
const MOST_CLAIMS: usize = 1000;
/// How long an engine may take to come to rest after its start and after its move. Some refuse or miss a `go` until the
/// thread that searches is up, or back from telling the move, whatever `readyok` says; a busy machine and an opponent who
/// answers at once would make them lose on time.
const REST: Duration = Duration::from_millis(20);
/// How long it is left alone before it is looked at again.
const GLANCE: Duration = Duration::from_micros(200);

/// An engine in a process of its own. One that was lost is started again for the next game.
pub struct Engine {
    program: Program,
    spec: EngineSpec,
    hiring: Hiring,
    present: Option<Present>,
}

/// A process and how far the conversation with it has come.
struct Present {
    process: Process,
    talk: Conversation,
    castling: CastlingMode,
    /// The processes that think.
    family: Vec<u32>,
    /// When it had last begun or moved, until it was let rest.
    stirred: Option<Instant>,
}

/// Why a fact didn't come.
enum Missed {
    Late,
    /// The engine has spent more nodes than it was given, and thinks on.
    OverLimit,
    Fault(Fault),
}

impl Engine {
    /// Starts the program, sets the spec's options and waits until it is ready.
    pub fn hire(program: Program, spec: &EngineSpec, hiring: &Hiring) -> Result<Self, Fault> {
        let mut engine = Self { program, spec: spec.clone(), hiring: hiring.clone(), present: None };
        engine.present()?;
        Ok(engine)
    }

    fn present(&mut self) -> Result<&mut Present, Fault> {
        let present = match self.present.take() {
            Some(present) => present,
            None => Present::start(&mut self.program, &self.spec, &self.hiring)?,
        };
        Ok(self.present.insert(present))
    }

    fn dismiss(&mut self) {
        if let Some(present) = self.present.take() {
            present.process.dismiss(format!("{}\n", Command::Quit), self.hiring.grace);
        }
    }

    fn think(&mut self, question: &Question) -> Result<Answer, Fault> {
        let allowance = Allowance::of(question, self.spec.control.margin, &self.hiring);
        let untold = Allowance::untold(question.limits.nodes.unwrap_or(0), &self.hiring);
        let (startup, grace) = (self.hiring.startup, self.hiring.grace);
        let timed = self.hiring.is_timed(&question.limits);
        let present = self.present()?;
        let mut ask = |limits: Limits, allowance: Allowance| {
            present.process.time_lines(timed);
            present.set_up(question, startup)?;
            let waits = timed.then(|| Waits::of(&present.family));
            let notes = Notes { limit: NodeLimit::of(&question.limits), waits, ..Notes::default() };
            let go = Go { limits, only: question.only.clone(), ponder: false };
            present.search(go, notes, allowance, grace)
        };
        let answer = ask(question.limits, allowance)?;
        match NodeLimit::instead(&question.limits, &answer) {
            Some(limits) => ask(limits, untold),
            None => Ok(answer),
        }
    }
}

impl Player for Engine {
    fn name(&self) -> &str {
        &self.spec.name
    }

    fn introduction(&self) -> Introduction {
        let talk = self.present.as_ref().map(|present| &present.talk);
        Introduction {
            name: talk.and_then(|talk| talk.name()).map(str::to_owned),
            author: talk.and_then(|talk| talk.author()).map(str::to_owned),
        }
    }

    fn new_game(&mut self) -> Result<(), Fault> {
        if self.spec.restart {
            self.dismiss();
        }
        let startup = self.hiring.startup;
        let present = self.present()?;
        present.let_rest();
        let commands = [Command::NewGame, present.talk.settle()];
        let ready = present.settle(&commands, "answering `ucinewgame` and `isready`", startup);
        if ready.is_err() {
            self.present = None;
        }
        ready
    }

    fn answer(&mut self, question: &Question) -> Result<Answer, Fault> {
        let answer = self.think(question);
        if !matches!(answer, Ok(_) | Err(Fault::Lacks(_))) {
            // Whatever it still has to say would be taken for an answer to the next question.
            self.present = None;
        }
        answer
    }

    fn perft(&mut self, line: &Line, depth: Ply) -> Result<u64, Fault> {
        let question = Question { line: line.clone(), limits: Limits::default(), only: Vec::new() };
        let (startup, grace) = (self.hiring.startup, self.hiring.grace);
        let present = self.present()?;
        let count = present.set_up(&question, startup).and_then(|()| present.count(depth, startup, grace));
        if count.is_err() {
            self.present = None;
        }
        count
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.dismiss();
    }
}

impl Present {
    fn start(program: &mut Program, spec: &EngineSpec, hiring: &Hiring) -> Result<Self, Fault> {
        let (talk, first) = Conversation::begin();
        let process = Process::start(program, hiring.stop.clone())
            .map_err(|error| Fault::CannotStart { command: spec.command(), cause: error.to_string() })?;
        let mut present =
            Self { process, talk, castling: CastlingMode::Standard, family: Vec::new(), stirred: None };
        present.settle(&[first], "answering `uci`", hiring.startup)?;
        let mut commands = Vec::new();
        for (name, value) in &spec.options {
            commands.push(present.set(name, value)?);
        }
        if let Some(nodes) = nodes_a_millisecond(spec, hiring.pace)? {
            commands.push(present.need("nodestime", &nodes.to_string())?);
        }
        commands.push(present.talk.settle());
        present.settle(&commands, "answering `isready` after its options were set", hiring.startup)?;
        present.family = present.process.family();
        present.stirred = Some(now());
        Ok(present)
    }

    fn set(&self, name: &str, value: &str) -> Result<Command, Fault> {
        self.talk.set(name, value).map_err(|unset| Fault::Option(unset.to_string()))
    }

    /// Sets what the question needs, not the user: an engine without it is told so.
    fn need(&self, name: &str, value: &str) -> Result<Command, Fault> {
        self.talk.set(name, value).map_err(|unset| Fault::Lacks(format!("option {unset}")))
    }

    /// Gets everything ready for `go`, off the clock. Castling is written as the start position asks.
    fn set_up(&mut self, question: &Question, patience: Duration) -> Result<(), Fault> {
        self.let_rest();
        let mut commands = Vec::new();
        let castling = CastlingMode::detect(question.line.start.as_setup());
        if castling != self.castling {
            commands.push(self.need("UCI_Chess960", &castling.is_chess960().to_string())?);
            self.castling = castling;
        }
        commands.extend(self.talk.set_up(&question.line));
        self.settle(&commands, "answering `isready`", patience)
    }

    /// Waits until none of its threads is running any more, unless it stirred long ago.
    fn let_rest(&mut self) {
        let Some(stirred) = self.stirred.take() else { return };
        while now() < stirred + REST && run_queue::is_any_running(&self.family) {
            thread::sleep(GLANCE);
        }
    }

    /// Says something and waits until the engine has taken it in.
    fn settle(&mut self, commands: &[Command], task: &str, patience: Duration) -> Result<(), Fault> {
        self.say(commands, task, patience)?;
        match self.next_fact(task, now() + patience) {
            Ok(_) => Ok(()),
            Err(Missed::Late | Missed::OverLimit) => {
                Err(Fault::Silent { task: task.to_owned(), waited: patience })
            }
            Err(Missed::Fault(fault)) => Err(fault),
        }
    }

    fn search(
        &mut self,
        go: Go,
        mut notes: Notes,
        allowance: Allowance,
        grace: Duration,
    ) -> Result<Answer, Fault> {
        let command = self.talk.think(go);
        let task = format!("answering `{command}`");
        let silent = |waited| Err(Fault::Silent { task: task.clone(), waited });
        let asked = self.say(&[command], &task, allowance.wait)?;
        let (overrun, waited) = match self.next_move(&task, asked + allowance.wait, &mut notes) {
            Ok((best, came)) => return Ok(self.answer(notes, best, asked, came)),
            Err(Missed::Fault(fault)) => return Err(fault),
            Err(Missed::OverLimit) => (Overrun::LateAnswer, Duration::ZERO),
            Err(Missed::Late) => (allowance.overrun, allowance.wait),
        };
        notes.is_stopped = true;
        self.say(&[Command::Stop], &task, grace)?;
        match (self.next_move(&task, now() + grace, &mut notes), overrun) {
            (Ok((best, came)), Overrun::LateAnswer) => Ok(self.answer(notes, best, asked, came)),
            (Ok(_), Overrun::Fault) => silent(waited),
            (Err(Missed::Late | Missed::OverLimit), _) => silent(waited + grace),
            (Err(Missed::Fault(fault)), _) => Err(fault),
        }
    }

    /// The engine's wait and that of whoever took its answer follow on each other, so they add up.
    fn answer(&self, notes: Notes, best: BestMove, asked: Instant, came: Arrival) -> Answer {
        let elapsed = came.at.saturating_duration_since(asked);
        let waited = notes.waits.as_ref().and_then(|before| Waits::of(&self.family).since(before));
        let waited = waited.map(|engine| (engine + came.late.unwrap_or_default()).min(elapsed));
        Answer { waited, ..notes.answer(best, elapsed) }
    }

    /// Counts leaves. An engine that searches instead, or says nothing at all for this long, lacks the command.
    fn count(&mut self, depth: Ply, patience: Duration, grace: Duration) -> Result<u64, Fault> {
        let command = self.talk.count(depth);
        let task = format!("answering `{command}`");
        self.say(&[command], &task, patience)?;
        let instead = match self.next_fact(&task, now() + patience) {
            Ok((Fact::Counted(leaves), _)) => return Ok(leaves),
            Ok((Fact::Moved(_), _)) => "plays a move",
            Ok((Fact::Progress(_) | Fact::Greeted | Fact::Ready, _)) => "searches",
            Err(Missed::Late | Missed::OverLimit) => "says nothing of it",
            Err(Missed::Fault(fault)) => return Err(fault),
        };
        self.say(&[Command::Stop], &task, grace)?;
        Err(Fault::Lacks(format!("`go perft`: asked for it, it {instead}")))
    }

    /// The move that is owed; what is said on the way is noted.
    fn next_move(
        &mut self,
        task: &str,
        until: Instant,
        notes: &mut Notes,
    ) -> Result<(BestMove, Arrival), Missed> {
        loop {
            match self.next_fact(task, until)? {
                (Fact::Moved(best), came) => {
                    self.stirred = Some(came.at);
                    return Ok((best, came));
                }
                (Fact::Progress(info), _) => {
                    notes.take(info);
                    if notes.is_over_limit() {
                        return Err(Missed::OverLimit);
                    }
                }
                (Fact::Greeted | Fact::Ready | Fact::Counted(_), _) => {}
            }
        }
    }

    fn next_fact(&mut self, task: &str, until: Instant) -> Result<(Fact, Arrival), Missed> {
        loop {
            let (line, came) = self.process.listen(until).map_err(|hush| match hush {
                Hush::Late => Missed::Late,
                Hush::Interrupted => Missed::Fault(Fault::Interrupted),
                Hush::Ended => Missed::Fault(self.ended(task)),
            })?;
            match self.talk.hear(&line) {
                Ok(Some(fact)) => return Ok((fact, came)),
                Ok(None) => {}
                Err(breach) => return Err(Missed::Fault(Fault::Breach(breach.to_string()))),
            }
        }
    }

    fn say(&mut self, commands: &[Command], task: &str, patience: Duration) -> Result<Instant, Fault> {
        let text = commands.iter().fold(String::new(), |text, command| text + &command.to_string() + "\n");
        self.process.say(text, now() + patience).map_err(|hush| match hush {
            Hush::Late => Fault::Silent { task: format!("reading, before {task}"), waited: patience },
            Hush::Interrupted => Fault::Interrupted,
            Hush::Ended => self.ended(task),
        })
    }

    fn ended(&mut self, task: &str) -> Fault {
        let (status, last_words) = self.process.obituary();
        Fault::Ended { status, task: task.to_owned(), last_words }
    }
}

/// What is kept of what an engine says while it thinks.
#[derive(Debug, Default)]
struct Notes {
    claims: VecDeque<Claim>,
    others: VecDeque<Claim>,
    nodes: u64,
    account: Option<Account>,
    limit: Option<NodeLimit>,
    /// What its threads had waited for a CPU when it was asked, where the wall's clock limits it.
    waits: Option<Waits>,
    is_stopped: bool,
}

impl Notes {
    fn take(&mut self, info: Info) {
        self.nodes = info.nodes.unwrap_or(self.nodes);
        if let Some(account) = info.text.and_then(|text| text.parse().ok()) {
            self.account = Some(account);
        }
        let Some((score, bound)) = info.score else { return };
        if !self.claims.is_empty() && self.has_passed() {
            return;
        }
        let kept =
            if info.multipv.is_none_or(|line| line == 1) { &mut self.claims } else { &mut self.others };
        if kept.len() == MOST_CLAIMS {
            kept.pop_front();
        }
        let depth = info.depth.unwrap_or(Ply(0));
        kept.push_back(Claim { score, bound, depth, nodes: info.nodes, pv: info.pv });
    }

    fn has_passed(&self) -> bool {
        self.limit.is_some_and(|limit| limit.is_broken_by(self.nodes))
    }

    fn is_over_limit(&self) -> bool {
        !self.is_stopped && self.has_passed()
    }

    fn answer(self, BestMove { best, ponder }: BestMove, elapsed: Duration) -> Answer {
        let (claims, others) = (self.claims.into(), self.others.into());
        let (nodes, account) = (self.nodes, self.account);
        let keeper = match self.limit {
            Some(_) if self.is_stopped => LimitKeeper::Harness,
            _ => LimitKeeper::Engine,
        };
        let answer =
            Answer { best, ponder, claims, others, nodes, elapsed, keeper, account, ..Answer::silent() };
        match self.limit {
            Some(limit) => limit.settle(answer),
            None => answer,
        }
    }
}
