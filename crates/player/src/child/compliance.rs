//! Tests a program for clauses of the UCI protocol, each in a process of its own.

use std::time::Duration;

use super::engine::ChildEngine;
use super::live_engine::{LiveEngine, flood};
use super::process::{ExitReport, WaitError};
use crate::clause::Clause;
use crate::{EngineFault, WaitLimit};
use threefold_chess::clock::duration;
use threefold_chess::position::GamePosition;
use threefold_chess::uci::{Reply, option_line_error};
use threefold_oracle::Referee;

/// How long an engine is watched for what it must not send.
const WATCH: Duration = Duration::from_millis(500);
/// Moves after which few of the start position's moves are legal.
const MOVES: &str = "e2e4 e7e5 d1h5 e8e7";
/// A mate in one, so that a search soon has nothing left to find.
const MATE_IN_ONE: &str = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1";

/// Why a clause is not met.
enum NotMet {
    /// What the engine did instead.
    Violation(String),
    Fault(EngineFault),
}

impl From<EngineFault> for NotMet {
    fn from(fault: EngineFault) -> Self {
        Self::Fault(fault)
    }
}

impl ChildEngine {
    /// Tests one clause. The inner error says what the engine does instead.
    pub(super) fn run_clause(&mut self, clause: Clause) -> Result<Result<(), String>, EngineFault> {
        match self.dialogue()?.test(clause) {
            Ok(()) => Ok(Ok(())),
            Err(NotMet::Violation(what)) => Ok(Err(what)),
            Err(NotMet::Fault(fault)) => Err(fault),
        }
    }

    /// Do the moves of `searchmoves` hold for later searches, too? If a search has no answer, they do not.
    pub(super) fn keeps_searchmoves(&mut self) -> Result<bool, EngineFault> {
        match self.dialogue()?.kept_move() {
            Ok(kept) => Ok(kept.is_some()),
            Err(NotMet::Fault(EngineFault::Interrupted)) => Err(EngineFault::Interrupted),
            Err(_) => Ok(false),
        }
    }

    /// A dialogue with a process of its own.
    fn dialogue(&mut self) -> Result<Dialogue, EngineFault> {
        self.shut_down();
        let live = LiveEngine::start(&mut self.program, &self.spec, &self.options)?;
        Ok(Dialogue { live, timeout: self.options.startup, sent: String::new(), best_moves: Vec::new() })
    }
}

/// Moves that hardly an engine chooses at the start position. One that counts material alone may play one of them, but
/// not each after the search of it.
const ODD_MOVES: [&str; 2] = ["a2a3", "h2h3"];

/// Is this move the best move of a line?
fn plays(best: &str, mv: &str) -> bool {
    best.split_ascii_whitespace().nth(1) == Some(mv)
}

/// A dialogue in plain lines.
struct Dialogue {
    live: LiveEngine,
    timeout: Duration,
    /// The last command.
    sent: String,
    /// Every `bestmove` line so far.
    best_moves: Vec<String>,
}

impl Dialogue {
    fn test(&mut self, clause: Clause) -> Result<(), NotMet> {
        match clause {
            Clause::Identification => self.identification(),
            Clause::ReadyWhileSearching => {
                self.begin_search("position startpos")?;
                self.ready()?;
                self.stop()
            }
            Clause::OneBestMove => {
                self.begin_search("position startpos")?;
                self.stop()?;
                self.ready()?;
                self.watch()?;
                self.best_move_count(1)
            }
            Clause::InfiniteSearch => {
                self.begin_search(&format!("position fen {MATE_IN_ONE}"))?;
                self.watch()?;
                self.best_move_count(0)?;
                self.stop()
            }
            Clause::NewGame => ["ucinewgame", "ucinewgame"].into_iter().try_for_each(|command| {
                self.send(command)?;
                self.ready()
            }),
            Clause::UnknownCommand => self.ignores("threefold unknown command"),
            Clause::UnknownOption => self.ignores("setoption name Threefold Unknown Option value 1"),
            Clause::PositionWithMoves => {
                let position = GamePosition::start_position().start.to_string();
                let position = GamePosition::parse(&position, MOVES).expect("the moves are UCI moves");
                let best = self.search(&format!("position startpos moves {MOVES}"), "go depth 1")?;
                let referee = Referee::new(&position).expect("the moves are legal");
                let is_legal =
                    matches!(Reply::parse(&best), Reply::BestMove(best) if referee.legal(best.best).is_ok());
                if is_legal { Ok(()) } else { self.instead(&best, "not a legal move after these moves") }
            }
            Clause::SearchMoves => self.search_moves(),
            Clause::Quit => self.quit(),
            Clause::QuitWhileSearching => {
                self.begin_search("position startpos")?;
                self.quit()
            }
            Clause::EndOfInput => {
                self.live.process.close_input();
                "the end of its input".clone_into(&mut self.sent);
                self.end()
            }
        }
    }

    /// What the engine prints at its start, before it has read `uci`, counts, too.
    fn identification(&mut self) -> Result<(), NotMet> {
        if self.live.conversation.name().is_none() {
            return Err(NotMet::Violation("it sends no `id name` before `uciok`".to_owned()));
        }
        self.ready()?;
        match self.live.conversation.introductions() {
            1 => self.option_lines(),
            times => Err(NotMet::Violation(format!("it sends `id name` {times} times for one `uci`"))),
        }
    }

    /// The form of its options. It lists them again for another `uci`; an engine that does not answer it has none to judge.
    fn option_lines(&mut self) -> Result<(), NotMet> {
        self.send("uci")?;
        let until = self.live.process.deadline(self.live.process.now(), self.timeout);
        loop {
            let line = match self.live.process.receive(until) {
                Ok((line, _)) => line,
                Err(WaitError::Interrupted) => return Err(EngineFault::Interrupted.into()),
                Err(_) => return Ok(()),
            };
            match line.split_ascii_whitespace().next() {
                Some("option") => {
                    if let Some(error) = option_line_error(&line) {
                        return Err(NotMet::Violation(format!("it sends `{}`: {error}", line.trim())));
                    }
                }
                Some("uciok") => return Ok(()),
                _ => {}
            }
        }
    }

    fn search_moves(&mut self) -> Result<(), NotMet> {
        // Some engines keep the moves for all later searches.
        match self.kept_move()? {
            Some(best) => self.instead(&best, "as if `searchmoves` of the search before still held"),
            None => Ok(()),
        }
    }

    /// The answer of a free search that plays the only move of the search before, as each free search does.
    fn kept_move(&mut self) -> Result<Option<String>, NotMet> {
        let mut kept = None;
        for mv in ODD_MOVES {
            let best = self.search("position startpos", &format!("go depth 3 searchmoves {mv}"))?;
            if !plays(&best, mv) {
                self.instead(&best, "not the only move allowed")?;
            }
            let best = self.search("position startpos", "go depth 3")?;
            if !plays(&best, mv) {
                return Ok(None);
            }
            kept = Some(best);
        }
        Ok(kept)
    }

    fn send(&mut self, command: &str) -> Result<(), NotMet> {
        command.clone_into(&mut self.sent);
        let task = format!("answering `{command}`");
        self.live.send_text(&format!("{command}\n"), &task, self.timeout, WaitLimit::Startup)?;
        Ok(())
    }

    /// Receives until a line begins with this word; `None` if none does within this time.
    fn line_within(&mut self, word: &str, time: Duration) -> Result<Option<String>, NotMet> {
        let until = self.live.process.deadline(self.live.process.now(), time);
        loop {
            let line = match self.live.process.receive(until) {
                Ok((line, _)) => line,
                Err(WaitError::Timeout) => return Ok(None),
                Err(WaitError::Interrupted) => return Err(EngineFault::Interrupted.into()),
                Err(WaitError::Flood) => return Err(flood(&format!("answering `{}`", self.sent)).into()),
                Err(WaitError::Ended) => {
                    return Err(self.live.ended_fault(&format!("answering `{}`", self.sent)).into());
                }
            };
            let first = line.split_ascii_whitespace().next();
            if first == Some("bestmove") {
                self.best_moves.push(line.clone());
            }
            if first == Some(word) {
                return Ok(Some(line));
            }
        }
    }

    fn line(&mut self, word: &str) -> Result<String, NotMet> {
        let line = self.line_within(word, self.timeout)?;
        line.ok_or_else(|| {
            let time = duration::format_duration(self.timeout);
            NotMet::Violation(format!("after `{}` it sends no `{word}` within {time}", self.sent))
        })
    }

    fn ready(&mut self) -> Result<(), NotMet> {
        let before = self.sent.clone();
        self.send("isready")?;
        self.sent = format!("{before}` and `isready");
        self.line("readyok").map(|_| ())
    }

    fn begin_search(&mut self, position: &str) -> Result<(), NotMet> {
        // Some engines ignore a `go` that comes before their threads are idle, which is not tested here.
        self.live.wait_until_idle();
        self.send(position)?;
        self.ready()?;
        self.send("go infinite")?;
        // Some engines lose a `stop` that comes before their search thread runs, which is not asked here.
        self.line_within("info", WATCH).map(|_| ())
    }

    /// Sends `stop` to a search that has not ended, and waits for its move.
    fn stop(&mut self) -> Result<(), NotMet> {
        self.best_move_count(0)?;
        self.send("stop")?;
        self.line("bestmove").map(|_| ())
    }

    fn search(&mut self, position: &str, go: &str) -> Result<String, NotMet> {
        self.live.wait_until_idle();
        self.send(position)?;
        self.ready()?;
        self.send(go)?;
        self.sent = format!("{position}` and `{go}");
        self.line("bestmove")
    }

    /// Sends a line that must have no effect.
    fn ignores(&mut self, command: &str) -> Result<(), NotMet> {
        self.send(command)?;
        self.ready()?;
        self.search("position startpos", "go depth 1").map(|_| ())
    }

    /// Receives for some time.
    fn watch(&mut self) -> Result<(), NotMet> {
        // No line begins with an empty word.
        self.line_within("", WATCH).map(|_| ())
    }

    fn best_move_count(&self, wanted: usize) -> Result<(), NotMet> {
        if self.best_moves.len() == wanted {
            return Ok(());
        }
        let moves: Vec<String> = self.best_moves.iter().map(|line| format!("`{line}`")).collect();
        let sent = &self.sent;
        let moves = moves.join(", ");
        Err(NotMet::Violation(match wanted {
            0 => format!("after `{sent}` it sends {moves} without `stop`"),
            _ => format!("after `{sent}` it has sent {moves} for one `go`"),
        }))
    }

    fn instead(&self, line: &str, what: &str) -> Result<(), NotMet> {
        Err(NotMet::Violation(format!("after `{}` it sends `{}`, {what}", self.sent, line.trim())))
    }

    fn quit(&mut self) -> Result<(), NotMet> {
        self.send("quit")?;
        self.end()
    }

    /// Waits for its end.
    fn end(&mut self) -> Result<(), NotMet> {
        let ended = self.live.process.wait_for_exit(self.timeout);
        match ended {
            Some(ExitReport { status, by_signal: true, last_output }) => {
                let task = format!("obeying `{}`", self.sent);
                Err(EngineFault::Ended { status, task, last_output }.into())
            }
            Some(_) => Ok(()),
            None => {
                let (sent, time) = (&self.sent, duration::format_duration(self.timeout));
                Err(NotMet::Violation(format!("it does not end within {time} after `{sent}`")))
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests;
