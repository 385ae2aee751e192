//! The engine side of UCI as a state machine: a GUI's lines in, actions out.
//!
//! It stores the position between `position` and `go` and whether a search is running, so that its caller has
//! one thing to do per action and no decisions to make.

use super::command::{Command, CommandError, Go};
use crate::position::GamePosition;
use crate::score::Ply;

/// An action for the engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EngineAction {
    /// Identify: `id`, options and `uciok`.
    Identify,
    /// Reply `readyok` immediately.
    ReadyOkNow,
    /// Reply `readyok` after all earlier actions.
    ReadyOkInTurn,
    /// Set an option; a button has an empty value.
    Set {
        /// The name of the option, in any case.
        name: String,
        /// The value as sent; empty for a button.
        value: String,
    },
    /// Switch debug output on or off.
    Debug(bool),
    /// Clear everything learnt from the game.
    NewGame,
    /// Search, and reply with `bestmove`: not before `stop` in an infinite search, and not before `ponderhit`
    /// or `stop` when pondering.
    Search {
        /// The position, with its history.
        position: GamePosition,
        /// The limits of the search.
        go: Go,
    },
    /// Stop the running search or count; a search still replies with `bestmove`.
    Stop,
    /// The opponent has played the expected move: time counts from now.
    PonderHit,
    /// Count the leaves of the tree of legal moves.
    Perft {
        /// The position whose leaves are counted.
        position: GamePosition,
        /// The depth in plies.
        depth: Ply,
    },
    /// Run the bench.
    Bench,
    /// Show the evaluation of a position.
    Eval(GamePosition),
    /// Show a position.
    Show(GamePosition),
    /// Quit.
    Quit,
    /// Report an unreadable command to the user.
    ReportError(CommandError),
}

/// The state of the connection to one GUI.
#[derive(Debug, Clone)]
pub struct UciServer {
    position: GamePosition,
    searching: bool,
    counting: bool,
}

impl Default for UciServer {
    fn default() -> Self {
        Self::new()
    }
}

impl UciServer {
    /// Before the first line.
    pub fn new() -> Self {
        Self { position: GamePosition::start_position(), searching: false, counting: false }
    }

    /// Records that every requested search and count has ended.
    pub const fn search_finished(&mut self) {
        self.searching = false;
        self.counting = false;
    }

    /// Processes one line of the GUI. The actions are to be done one after another.
    ///
    /// A `go` during a search is an error of the GUI; it stops the search and starts the next one, so that
    /// every `go` has its `bestmove`.
    pub fn receive(&mut self, line: &str) -> Vec<EngineAction> {
        let command = match Command::parse(line) {
            Ok(Some(command)) => command,
            Ok(None) => return Vec::new(),
            Err(complaint) => return vec![EngineAction::ReportError(complaint)],
        };
        match command {
            Command::Uci => vec![EngineAction::Identify],
            // During a search UCI requires an immediate reply. Otherwise the reply shows that the commands
            // before are done.
            Command::IsReady if self.searching => vec![EngineAction::ReadyOkNow],
            Command::IsReady => vec![EngineAction::ReadyOkInTurn],
            Command::SetOption { name, value } => {
                vec![EngineAction::Set { name, value: value.unwrap_or_default() }]
            }
            Command::Debug(on) => vec![EngineAction::Debug(on)],
            Command::NewGame => {
                self.position = GamePosition::start_position();
                vec![EngineAction::NewGame]
            }
            Command::Position(line) => {
                self.position = line;
                Vec::new()
            }
            Command::Go(go) => {
                let mut orders = self.stop();
                self.searching = true;
                orders.push(EngineAction::Search { position: self.position.clone(), go });
                orders
            }
            Command::Stop => {
                let counting = std::mem::take(&mut self.counting);
                if self.stop().is_empty() && !counting { Vec::new() } else { vec![EngineAction::Stop] }
            }
            Command::PonderHit if self.searching => vec![EngineAction::PonderHit],
            Command::PonderHit => Vec::new(),
            Command::Perft(depth) => {
                self.counting = true;
                vec![EngineAction::Perft { position: self.position.clone(), depth }]
            }
            Command::Bench => vec![EngineAction::Bench],
            Command::Eval => vec![EngineAction::Eval(self.position.clone())],
            Command::Show => vec![EngineAction::Show(self.position.clone())],
            Command::Quit => vec![EngineAction::Quit],
        }
    }

    fn stop(&mut self) -> Vec<EngineAction> {
        if std::mem::take(&mut self.searching) { vec![EngineAction::Stop] } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Limits;

    #[test]
    fn actions_depend_on_a_running_search() {
        let search = |moves: &str, nodes| EngineAction::Search {
            position: GamePosition {
                moves: GamePosition::parse("8/8/8/8/8/8/8/8 w - -", moves).expect("sound").moves,
                ..GamePosition::start_position()
            },
            go: Go { limits: Limits::nodes(nodes), ..Go::default() },
        };
        let table = [
            // the GUI's lines in sequence, the actions for each
            ("uci", vec![EngineAction::Identify]),
            ("", vec![]),
            ("isready", vec![EngineAction::ReadyOkInTurn]),
            ("stop", vec![]),
            ("ponderhit", vec![]),
            ("position startpos moves e2e4\r", vec![]),
            ("go nodes 5", vec![search("e2e4", 5)]),
            ("isready", vec![EngineAction::ReadyOkNow]),
            ("ponderhit", vec![EngineAction::PonderHit]),
            ("position startpos moves d2d4", vec![]),
            ("go nodes 6", vec![EngineAction::Stop, search("d2d4", 6)]),
            ("stop", vec![EngineAction::Stop]),
            ("stop", vec![]),
            ("position nowhere", vec![EngineAction::ReportError(CommandError::NoPosition)]),
            ("debug on", vec![EngineAction::Debug(true)]),
            ("debug", vec![EngineAction::ReportError(CommandError::NoSwitch)]),
            ("go nodes 7", vec![search("d2d4", 7)]),
            ("stop", vec![EngineAction::Stop]),
            ("position startpos", vec![]),
            (
                "go perft 5",
                vec![EngineAction::Perft { position: GamePosition::start_position(), depth: Ply(5) }],
            ),
            ("isready", vec![EngineAction::ReadyOkInTurn]),
            ("stop", vec![EngineAction::Stop]),
            ("stop", vec![]),
            ("quit", vec![EngineAction::Quit]),
        ];
        let mut session = UciServer::new();
        for (line, orders) in table {
            assert_eq!(session.receive(line), orders, "{line}");
        }
        session.search_finished();
        assert_eq!(session.receive("stop"), []);
    }
}
