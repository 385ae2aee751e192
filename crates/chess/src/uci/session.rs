//! The engine's half of a conversation: a GUI's lines in, orders out.
//!
//! It keeps the position between `position` and `go`, and knows whether a search is on, so that the shell
//! around it has one thing to do for each order and nothing to decide.

use super::command::{Command, Go, NoCommand};
use crate::line::Line;
use crate::score::Ply;

/// What the engine is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// Say who you are, what you can be set to, and `uciok`.
    Greet,
    /// Say `readyok` at once, whatever else you do.
    AckNow,
    /// Say `readyok` when all earlier orders are done.
    AckInTurn,
    /// Set an option; a button has an empty value.
    Set {
        /// The option.
        name: String,
        /// Its value.
        value: String,
    },
    /// Tell of how you play, or don't.
    Debug(bool),
    /// Forget the game.
    NewGame,
    /// Think, and answer with `bestmove`; not before `stop` where nothing limits the search, and not before
    /// `ponderhit` or `stop` where it ponders.
    Search {
        /// The position, with its history.
        line: Line,
        /// What may be spent.
        go: Go,
    },
    /// End the search or the count under way; a search still owes its `bestmove`.
    Stop,
    /// The opponent has played the expected move: time counts from now.
    PonderHit,
    /// Count the leaves of the tree of legal moves.
    Perft {
        /// The position.
        line: Line,
        /// How deep.
        depth: Ply,
    },
    /// Count the nodes of the bench.
    Bench,
    /// Show the evaluation of a position.
    Eval(Line),
    /// Show a position.
    Show(Line),
    /// End.
    Quit,
    /// Tell the GUI's user what couldn't be read.
    Complain(NoCommand),
}

/// The engine's view of one conversation.
#[derive(Debug, Clone)]
pub struct Session {
    line: Line,
    searching: bool,
    counting: bool,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl Session {
    /// Before the first line.
    pub fn new() -> Self {
        Self { line: Line::start_position(), searching: false, counting: false }
    }

    /// Every search and count that was ordered has answered.
    pub const fn answered(&mut self) {
        self.searching = false;
        self.counting = false;
    }

    /// Takes in one line of the GUI's. Orders are to be done one after another.
    ///
    /// A `go` during a search is a GUI's mistake; it ends the search and begins the next one, so that every
    /// `go` has its `bestmove`.
    pub fn hear(&mut self, line: &str) -> Vec<Order> {
        let command = match Command::read(line) {
            Ok(Some(command)) => command,
            Ok(None) => return Vec::new(),
            Err(complaint) => return vec![Order::Complain(complaint)],
        };
        match command {
            Command::Uci => vec![Order::Greet],
            Command::IsReady if self.searching => vec![Order::AckNow],
            Command::IsReady => vec![Order::AckInTurn],
            Command::SetOption { name, value } => {
                vec![Order::Set { name, value: value.unwrap_or_default() }]
            }
            Command::Debug(on) => vec![Order::Debug(on)],
            Command::NewGame => {
                self.line = Line::start_position();
                vec![Order::NewGame]
            }
            Command::Position(line) => {
                self.line = line;
                Vec::new()
            }
            Command::Go(go) => {
                let mut orders = self.stop();
                self.searching = true;
                orders.push(Order::Search { line: self.line.clone(), go });
                orders
            }
            Command::Stop => {
                let counting = std::mem::take(&mut self.counting);
                if self.stop().is_empty() && !counting { Vec::new() } else { vec![Order::Stop] }
            }
            Command::PonderHit if self.searching => vec![Order::PonderHit],
            Command::PonderHit => Vec::new(),
            Command::Perft(depth) => {
                self.counting = true;
                vec![Order::Perft { line: self.line.clone(), depth }]
            }
            Command::Bench => vec![Order::Bench],
            Command::Eval => vec![Order::Eval(self.line.clone())],
            Command::Show => vec![Order::Show(self.line.clone())],
            Command::Quit => vec![Order::Quit],
        }
    }

    fn stop(&mut self) -> Vec<Order> {
        if std::mem::take(&mut self.searching) { vec![Order::Stop] } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Limits;

    #[test]
    fn orders_depend_on_whether_a_search_is_on() {
        let search = |moves: &str, nodes| Order::Search {
            line: Line {
                moves: Line::parse("8/8/8/8/8/8/8/8 w - -", moves).expect("sound").moves,
                ..Line::start_position()
            },
            go: Go { limits: Limits::nodes(nodes), ..Go::default() },
        };
        let table = [
            // the GUI's lines one after another, the orders for each
            ("uci", vec![Order::Greet]),
            ("", vec![]),
            ("isready", vec![Order::AckInTurn]),
            ("stop", vec![]),
            ("ponderhit", vec![]),
            ("position startpos moves e2e4\r", vec![]),
            ("go nodes 5", vec![search("e2e4", 5)]),
            ("isready", vec![Order::AckNow]),
            ("ponderhit", vec![Order::PonderHit]),
            ("position startpos moves d2d4", vec![]),
            ("go nodes 6", vec![Order::Stop, search("d2d4", 6)]),
            ("stop", vec![Order::Stop]),
            ("stop", vec![]),
            ("position nowhere", vec![Order::Complain(NoCommand::NoPosition)]),
            ("debug on", vec![Order::Debug(true)]),
            ("debug", vec![Order::Complain(NoCommand::NoSwitch)]),
            ("go nodes 7", vec![search("d2d4", 7)]),
            ("stop", vec![Order::Stop]),
            ("position startpos", vec![]),
            ("go perft 5", vec![Order::Perft { line: Line::start_position(), depth: Ply(5) }]),
            ("isready", vec![Order::AckInTurn]),
            ("stop", vec![Order::Stop]),
            ("stop", vec![]),
            ("quit", vec![Order::Quit]),
        ];
        let mut session = Session::new();
        for (line, orders) in table {
            assert_eq!(session.hear(line), orders, "{line}");
        }
        session.answered();
        assert_eq!(session.hear("stop"), []);
    }
}
