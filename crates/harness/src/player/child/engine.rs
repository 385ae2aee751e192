//! A UCI conversation with a child process: an engine as a player.

use std::process::Command as Program;
use std::thread;
use std::time::Duration;

use super::node_limit::NodeLimit;
use super::notes::Notes;
use super::present::Present;
use super::watchdog::Allowance;
use crate::player::run_queue::Waits;
use crate::player::{Answer, EngineSpec, Fault, Hiring, Introduction, Player, Question};
use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_chess::uci::{Command, Go};

/// How long is waited before a start is tried again.
const PAUSE: Duration = Duration::from_millis(100);

/// An engine in a process of its own. One that was lost is started again for the next game.
pub struct Engine {
    program: Program,
    spec: EngineSpec,
    hiring: Hiring,
    present: Option<Present>,
    /// Was it asked anything since its start? One that wasn't needs no other start for a new game.
    is_used: bool,
}

impl Engine {
    /// Starts the program, sets the spec's options and waits until it is ready.
    pub fn hire(program: Program, spec: &EngineSpec, hiring: &Hiring) -> Result<Self, Fault> {
        let hiring = Hiring { traffic: hiring.traffic.claimed_by(&spec.name), ..hiring.clone() };
        let mut engine = Self { program, spec: spec.clone(), hiring, present: None, is_used: false };
        engine.present()?;
        Ok(engine)
    }

    fn present(&mut self) -> Result<&mut Present, Fault> {
        let present = match self.present.take() {
            Some(present) => present,
            None => self.start()?,
        };
        Ok(self.present.insert(present))
    }

    /// Starts it, as often as the hiring allows.
    fn start(&mut self) -> Result<Present, Fault> {
        self.is_used = false;
        let tries = self.hiring.starts.get();
        let mut number = 1;
        loop {
            match Present::start(&mut self.program, &self.spec, &self.hiring) {
                Err(
                    last @ (Fault::CannotStart { .. }
                    | Fault::Ended { .. }
                    | Fault::Silent { .. }
                    | Fault::Breach(_)),
                ) if tries > 1 => {
                    if number == tries {
                        return Err(Fault::NotStarted { tries, last: Box::new(last) });
                    }
                    if self.hiring.stop.is_raised() {
                        return Err(Fault::Interrupted);
                    }
                    number += 1;
                    thread::sleep(PAUSE);
                }
                started => return started,
            }
        }
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
        let is_timed = self.hiring.is_timed(&question.limits);
        let present = self.present()?;
        let mut ask = |limits: Limits, allowance: Allowance| {
            present.process.time_lines(is_timed);
            present.set_up(question, startup)?;
            let waits = is_timed.then(|| Waits::of(&present.family));
            let notes = Notes { limit: NodeLimit::of(&question.limits), waits, is_timed, ..Notes::default() };
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
        if self.spec.restart && self.is_used {
            self.dismiss();
        }
        let startup = self.hiring.startup;
        let present = self.present()?;
        present.let_rest();
        let commands = [Command::NewGame, present.talk.isready()];
        let ready = present.settle(&commands, "answering `ucinewgame` and `isready`", startup);
        if ready.is_err() {
            self.present = None;
        }
        ready
    }

    fn check(&mut self, line: &GamePosition) -> Result<(), Fault> {
        let present = self.present()?;
        present.castling_command(line).map(|_| ())
    }

    fn answer(&mut self, question: &Question) -> Result<Answer, Fault> {
        let answer = self.think(question);
        self.is_used = true;
        if let Ok(answer) = &answer {
            self.hiring.patience.note(answer.elapsed);
        }
        if !matches!(answer, Ok(_) | Err(Fault::Lacks(_))) {
            // Whatever it still has to say would be taken for an answer to the next question.
            self.present = None;
        }
        answer
    }

    fn perft(&mut self, line: &GamePosition, depth: Ply) -> Result<u64, Fault> {
        let question = Question { line: line.clone(), limits: Limits::default(), only: Vec::new() };
        let (startup, grace) = (self.hiring.startup, self.hiring.grace);
        let present = self.present()?;
        let count = present.set_up(&question, startup).and_then(|()| present.count(depth, startup, grace));
        self.is_used = true;
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
