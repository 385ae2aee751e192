//! The client side of UCI as a state machine.
//!
//! It takes the engine's lines and returns events, and returns the commands to send. It has no pipe and no
//! clock, so the same code serves a child process and a table of lines in a test.

use shakmaty::uci::UciMove;

use super::command::{Command, Go};
use super::info::Info;
use super::option::{InvalidValue, UciOption};
use super::reply::{BestMove, Reply};

/// More options than this are an error.
const MOST_OPTIONS: usize = 2000;

/// The pending reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// `uciok`.
    AwaitingUciOk,
    /// None.
    Idle,
    /// `readyok`.
    AwaitingReadyOk,
    /// `bestmove`.
    Searching,
    /// None: it may not move before `ponderhit` or `stop`.
    Pondering,
}

/// An event in the engine's output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EngineEvent {
    /// The engine has identified itself and listed its options (`uciok`).
    UciOk,
    /// It has processed all earlier commands (`readyok`).
    ReadyOk,
    /// Information about the search.
    Info(Info),
    /// The end of the search.
    BestMove(BestMove),
    /// The end of the search without a move: the text after `bestmove`.
    NoMove(String),
    /// A `bestmove`, or an `info` line about a search, that belongs to no search: it came between `bestmove`
    /// and the next `go`. It has no effect.
    BetweenSearches,
}

/// A protocol violation of the engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    /// `bestmove` in a search on the opponent's time.
    #[error("it sent `{0}` while it pondered; it must wait for `ponderhit` or `stop`")]
    MovedWhilePondering(String),
    /// Too many options.
    #[error("it offers more than {MOST_OPTIONS} options")]
    TooManyOptions,
}

/// Why an option cannot be set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetOptionError {
    /// The engine has no option of that name.
    #[error("`{given}` is not offered; {}", near_text(near))]
    Unknown {
        /// The name given.
        given: String,
        /// Similar names.
        near: Vec<String>,
    },
    /// The option does not accept this value.
    #[error(transparent)]
    InvalidValue(#[from] InvalidValue),
}

fn near_text(near: &[String]) -> String {
    match near {
        [] => "see what the engine lists after `uci`".to_owned(),
        _ => format!("did you mean `{}`?", near.join("`, `")),
    }
}

/// The client of one engine, from `uci` on.
#[derive(Debug, Clone)]
pub struct UciClient {
    state: State,
    /// The move of the last search.
    last_move: Option<UciMove>,
    name: Option<String>,
    introductions: usize,
    author: Option<String>,
    offers: Vec<UciOption>,
}

impl UciClient {
    /// A new client, and the first command to send.
    pub const fn start() -> (Self, Command) {
        let state = State::AwaitingUciOk;
        let (last_move, name, author) = (None, None, None);
        (Self { state, last_move, name, introductions: 0, author, offers: Vec::new() }, Command::Uci)
    }

    /// The engine's `id name`.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// How often `id name` came, in any state.
    pub const fn introductions(&self) -> usize {
        self.introductions
    }

    /// The engine's `id author`.
    pub fn author(&self) -> Option<&str> {
        self.author.as_deref()
    }

    /// The engine's options, in its order.
    pub fn options(&self) -> &[UciOption] {
        &self.offers
    }

    /// The option of this name. Names are compared without case, as UCI requires.
    pub fn option(&self, name: &str) -> Option<&UciOption> {
        self.offers.iter().find(|offer| offer.name.eq_ignore_ascii_case(name))
    }

    /// The command that sets an option of the engine.
    pub fn set(&self, name: &str, value: &str) -> Result<Command, SetOptionError> {
        let offer = self
            .option(name)
            .ok_or_else(|| SetOptionError::Unknown { given: name.to_owned(), near: self.names_near(name) })?;
        Ok(Command::SetOption { name: offer.name.clone(), value: offer.accept(value)? })
    }

    /// Up to three option names with a small edit distance.
    fn names_near(&self, name: &str) -> Vec<String> {
        let name = name.to_lowercase();
        let distance = |offer: &UciOption| strsim::damerau_levenshtein(&offer.name.to_lowercase(), &name);
        let mut near: Vec<_> = self
            .offers
            .iter()
            .map(|offer| (distance(offer), &offer.name))
            .filter(|(distance, _)| *distance <= 1 + name.len() / 3)
            .collect();
        near.sort();
        near.into_iter().take(3).map(|(_, name)| name.clone()).collect()
    }

    /// `isready`. Each one costs a context switch on both sides, so it is sent after `ucinewgame` and after
    /// options, and not before every `go`.
    pub const fn isready(&mut self) -> Command {
        self.state = State::AwaitingReadyOk;
        Command::IsReady
    }

    /// The command that starts the search.
    pub const fn go(&mut self, go: Go) -> Command {
        self.state = if go.ponder { State::Pondering } else { State::Searching };
        Command::Go(go)
    }

    /// `ponderhit`: the opponent has played the expected move.
    pub const fn ponder_hit(&mut self) -> Command {
        self.state = State::Searching;
        Command::PonderHit
    }

    /// `stop` of a search on the opponent's time; a `bestmove` follows.
    pub const fn stop_pondering(&mut self) -> Command {
        self.state = State::Searching;
        Command::Stop
    }

    /// Does this move repeat that of the search before? If it is illegal now, it was sent twice, and the
    /// second copy came after the next `go`.
    pub fn is_repeated(&self, best: &BestMove) -> bool {
        self.last_move == Some(best.best)
    }

    /// The last `bestmove` is one of the search before, and this search goes on.
    pub const fn continue_search(&mut self) {
        self.state = State::Searching;
    }

    /// The search has ended with this move.
    pub const fn accept(&mut self, best: &BestMove) {
        self.last_move = Some(best.best);
    }

    /// Processes one line of the engine.
    pub fn receive(&mut self, line: &str) -> Result<Option<EngineEvent>, ProtocolError> {
        let reply = Reply::parse(line);
        self.introductions += usize::from(matches!(reply, Reply::Name(_)));
        match (self.state, reply) {
            (State::AwaitingUciOk, Reply::Name(name)) => {
                self.name = Some(name);
                Ok(None)
            }
            (State::AwaitingUciOk, Reply::Author(author)) => {
                self.author = Some(author);
                Ok(None)
            }
            (State::AwaitingUciOk, Reply::Option(_)) if self.offers.len() == MOST_OPTIONS => {
                Err(ProtocolError::TooManyOptions)
            }
            (State::AwaitingUciOk, Reply::Option(offer)) => {
                self.offers.push(offer);
                Ok(None)
            }
            (State::AwaitingUciOk, Reply::UciOk) => Ok(Some(self.become_idle(EngineEvent::UciOk))),
            (State::AwaitingReadyOk, Reply::ReadyOk) => {
                // Nothing of an earlier search can follow.
                self.last_move = None;
                Ok(Some(self.become_idle(EngineEvent::ReadyOk)))
            }
            (State::Searching | State::Pondering, Reply::Info(info)) => Ok(Some(EngineEvent::Info(info))),
            (State::Searching, Reply::BestMove(best)) => {
                Ok(Some(self.become_idle(EngineEvent::BestMove(best))))
            }
            (State::Searching, Reply::NoMove(text)) => {
                // This search ended without a move, so no late copy of a move can follow.
                self.last_move = None;
                Ok(Some(self.become_idle(EngineEvent::NoMove(text))))
            }
            // A second copy of the last `bestmove` may arrive after `go ponder`.
            (State::Pondering, Reply::BestMove(best)) if self.is_repeated(&best) => {
                Ok(Some(EngineEvent::BetweenSearches))
            }
            (State::Pondering, Reply::BestMove(_) | Reply::NoMove(_)) => {
                Err(ProtocolError::MovedWhilePondering(line.trim().to_owned()))
            }
            (_, Reply::BestMove(_) | Reply::NoMove(_)) => Ok(Some(EngineEvent::BetweenSearches)),
            (_, Reply::Info(info)) if info.is_about_a_search() => Ok(Some(EngineEvent::BetweenSearches)),
            (
                _,
                Reply::Name(_)
                | Reply::Author(_)
                | Reply::Option(_)
                | Reply::UciOk
                | Reply::ReadyOk
                | Reply::Info(_)
                | Reply::Leaves(_)
                | Reply::Other(_),
            ) => Ok(None),
        }
    }

    const fn become_idle(&mut self, fact: EngineEvent) -> EngineEvent {
        self.state = State::Idle;
        fact
    }
}

#[cfg(test)]
mod tests;
