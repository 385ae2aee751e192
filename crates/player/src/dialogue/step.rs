//! The steps of a dialogue.

use std::time::Duration;

use super::check::{Check, Consequence};
use threefold_chess::clock::Control;

/// A step of a dialogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Sends lines in one write.
    Send(Vec<String>),
    /// Sends each option that the engine lists with its default value, in one write, as graphical interfaces do. `Hash` and
    /// `Threads` are left out: they are set for the run.
    SendDefaults,
    /// Waits for an answer, which must come within this time.
    Await(Expected, Duration),
    /// Waits until the running search has printed something, at most this long.
    UntilInfo(Duration),
    /// Lets this time pass.
    Pause(Duration),
    /// Lets this time pass, in which no search may end; up to four times this time while iterations are completed quickly.
    Silent(Duration),
    /// Lets this time pass, and forgets the searches that have begun: UCI does not say how many answers come.
    Drain(Duration),
    /// Starts a clock. `{clock}` in what is sent later stands for the time that it shows; the search takes its time off, and
    /// what its move loses on its way to the clock.
    Clock {
        /// The time control, with a clock for the game.
        control: Control,
        /// The time that each move loses.
        lag: Duration,
    },
    /// Closes the engine's input.
    Close,
    /// Waits until the engine has ended, which must be within this time.
    Exit(Duration),
    /// Checks the last search that was awaited.
    Check(Check, Consequence),
}

threefold_named_enum::named_enum! {
    /// An answer that is awaited.
    pub enum Expected {
        /// The end of a search.
        BestMove = "bestmove",
        /// The answer to `isready`.
        ReadyOk = "readyok",
        /// The answer to a further `uci`.
        UciOk = "uciok",
    }
}
