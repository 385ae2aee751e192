//! The client side of UCI as a state machine.
//!
//! It takes the engine's lines and returns events, and returns the commands to send. It has no pipe and no
//! clock, so the same code serves a child process and a table of lines in a test.

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
}

/// A protocol violation of the engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    /// `bestmove` without a `go`.
    #[error("it sent `{0}` without a `go`; each `go` has one `bestmove`")]
    UnexpectedBestMove(String),
    /// `bestmove` in a search on the opponent's time.
    #[error("it sent `{0}` while it pondered; it must wait for `ponderhit` or `stop`")]
    MovedWhilePondering(String),
    /// `bestmove` with nothing after it.
    #[error("it sent `bestmove` without a move; `bestmove (none)` means that there is none")]
    EmptyBestMove,
    /// `bestmove` with something that is not a move.
    #[error("it sent `bestmove {0}`, which is not a UCI move (such as e2e4 or e7e8q)")]
    InvalidBestMove(String),
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
    name: Option<String>,
    author: Option<String>,
    offers: Vec<UciOption>,
}

impl UciClient {
    /// A new client, and the first command to send.
    pub const fn start() -> (Self, Command) {
        (Self { state: State::AwaitingUciOk, name: None, author: None, offers: Vec::new() }, Command::Uci)
    }

    /// The engine's `id name`.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
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

    /// `isready`. Each one costs a context switch on both sides, so it is sent after `ucinewgame` and after options, and not
    /// before every `go`.
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

    /// Processes one line of the engine.
    pub fn receive(&mut self, line: &str) -> Result<Option<EngineEvent>, ProtocolError> {
        match (self.state, Reply::read(line)) {
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
            (State::AwaitingReadyOk, Reply::ReadyOk) => Ok(Some(self.become_idle(EngineEvent::ReadyOk))),
            (State::Searching | State::Pondering, Reply::Info(info)) => Ok(Some(EngineEvent::Info(info))),
            (State::Searching, Reply::BestMove(best)) => {
                Ok(Some(self.become_idle(EngineEvent::BestMove(best))))
            }
            (State::Searching, Reply::NotAMove(text)) => {
                self.state = State::Idle;
                Err(if text.is_empty() {
                    ProtocolError::EmptyBestMove
                } else {
                    ProtocolError::InvalidBestMove(text)
                })
            }
            (State::Pondering, Reply::BestMove(_) | Reply::NotAMove(_)) => {
                Err(ProtocolError::MovedWhilePondering(line.trim().to_owned()))
            }
            (_, Reply::BestMove(_) | Reply::NotAMove(_)) => {
                Err(ProtocolError::UnexpectedBestMove(line.trim().to_owned()))
            }
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
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::clock::Limits;

    fn greeted(options: &[&str]) -> UciClient {
        let (mut conversation, first) = UciClient::start();
        assert_eq!(first, Command::Uci);
        for option in options {
            assert_eq!(conversation.receive(option), Ok(None));
        }
        assert_eq!(conversation.receive("uciok\r"), Ok(Some(EngineEvent::UciOk)));
        conversation
    }

    #[test]
    fn client_runs_a_search() {
        let mut talk = greeted(&[
            "Fish 2 by A",
            "id name Fish 2",
            "id author A",
            "",
            "option name Hash type spin default 1",
        ]);
        assert_eq!((talk.name(), talk.author(), talk.options().len()), (Some("Fish 2"), Some("A"), 1));
        assert_eq!(talk.receive("readyok"), Ok(None), "without `go`");
        assert_eq!(talk.isready(), Command::IsReady);
        assert_eq!(talk.receive("info depth 9 score cp 3"), Ok(None), "left over from before");
        assert_eq!(talk.receive("readyok"), Ok(Some(EngineEvent::ReadyOk)));
        let go = talk.go(Go { limits: Limits::nodes(5), ..Go::default() });
        assert_eq!(go.to_string(), "go nodes 5");
        assert!(matches!(talk.receive("info depth 1"), Ok(Some(EngineEvent::Info(_)))));
        assert!(matches!(talk.receive(" bestmove e2e4 \r"), Ok(Some(EngineEvent::BestMove(_)))));
        assert!(
            matches!(talk.receive("bestmove e2e4"), Err(ProtocolError::UnexpectedBestMove(_))),
            "one is enough"
        );
    }

    #[test]
    fn pondering_engine_must_not_move() {
        let mut talk = greeted(&[]);
        let ponder = || Go { ponder: true, ..Go::default() };
        assert_eq!(talk.go(ponder()).to_string(), "go ponder infinite");
        assert!(matches!(talk.receive("info depth 1"), Ok(Some(EngineEvent::Info(_)))));
        let early = Err(ProtocolError::MovedWhilePondering("bestmove e2e4".to_owned()));
        assert_eq!(talk.receive("bestmove e2e4"), early);
        for end in [UciClient::ponder_hit, UciClient::stop_pondering] {
            talk.go(ponder());
            end(&mut talk);
            assert!(matches!(talk.receive("bestmove e2e4"), Ok(Some(EngineEvent::BestMove(_)))));
        }
    }

    #[test]
    fn client_distinguishes_protocol_errors() {
        let table = [
            ("bestmove", ProtocolError::EmptyBestMove),
            ("bestmove \r", ProtocolError::EmptyBestMove),
            ("bestmove Nf3", ProtocolError::InvalidBestMove("Nf3".to_owned())),
        ];
        for (line, breach) in table {
            let mut talk = greeted(&[]);
            talk.go(Go::default());
            assert_eq!(talk.receive(line), Err(breach), "{line:?}");
        }
        let mut talk = greeted(&[]);
        let unasked = Err(ProtocolError::UnexpectedBestMove("bestmove e2e4".to_owned()));
        assert_eq!(talk.receive("bestmove e2e4"), unasked);
        talk.isready();
        assert_eq!(talk.receive("bestmove e2e4"), unasked);
        let flood = vec!["option name A type button"; MOST_OPTIONS];
        let (mut talk, _) = UciClient::start();
        assert!(flood.iter().all(|line| talk.receive(line) == Ok(None)));
        assert_eq!(talk.receive(flood[0]), Err(ProtocolError::TooManyOptions));
    }

    #[test]
    fn client_checks_option_values() {
        let talk = greeted(&[
            "option name Hash type spin default 1 min 1 max 9",
            "option name Clear Hash type button",
            "option name SyzygyPath type string",
            "option name TimeManager type combo default Plain var Plain var Very Smooth",
        ]);
        let set = |name, value| talk.set(name, value).map(|command| command.to_string());
        assert_eq!(set("hash", "9"), Ok("setoption name Hash value 9".to_owned()));
        assert_eq!(set("CLEAR HASH", ""), Ok("setoption name Clear Hash".to_owned()));
        for (value, sent) in [("plain", "Plain"), ("very smooth(a=1,b=2)", "Very Smooth(a=1,b=2)")] {
            assert_eq!(set("TimeManager", value), Ok(format!("setoption name TimeManager value {sent}")));
        }
        let table = [
            ("Hahs", "1", "`Hahs` is not offered; did you mean `Hash`?"),
            ("Contempt", "1", "`Contempt` is not offered; see what the engine lists after `uci`"),
            ("Hash", "10", "`Hash` can't be `10`; give a whole number from 1 to 9"),
            (
                "TimeManager",
                "smooth(a=1)",
                "`TimeManager` can't be `smooth(a=1)`; give one of Plain, Very Smooth",
            ),
            (
                "TimeManager",
                "plain(a=1",
                "`TimeManager` can't be `plain(a=1`; give one of Plain, Very Smooth",
            ),
        ];
        for (name, value, message) in table {
            assert_eq!(set(name, value).expect_err(name).to_string(), message);
        }
    }

    proptest! {
        #[test]
        fn client_accepts_any_lines(lines in prop::collection::vec("(bestmove|uciok|readyok|info|pv|e2e4| |\\PC)*", 0..20)) {
            let (mut talk, _) = UciClient::start();
            for line in lines {
                let _ = talk.receive(&line);
                talk.go(Go::default());
            }
        }
    }
}
