//! A clock that runs over the searches of a dialogue, and loses time between the engine and the harness.
//!
//! Both sides get the same clock, so that a dialogue may search positions of either.

use std::time::Duration;

use threefold_chess::clock::duration::to_hundredths;
use threefold_chess::clock::{ChessClock, Clocks, Control, Limits};
use threefold_chess::uci::Go;

/// The text that stands for the arguments of `go` in a dialogue.
pub(super) const CLOCK: &str = "{clock}";

/// A clock with a lag.
pub(super) struct RunningClock {
    clock: ChessClock,
    /// The time that each move loses on its way to the clock.
    lag: Duration,
    /// Has a search begun with it that was not awaited yet?
    is_running: bool,
}

impl RunningClock {
    pub(super) fn new(control: &Control, lag: Duration) -> Self {
        Self { clock: ChessClock::new(control), lag, is_running: false }
    }

    /// A line with the time that is left. From it on the clock runs, if the line asks for it.
    pub(super) fn start(&mut self, line: &str) -> String {
        let Some(side) = self.clock.remaining().filter(|_| line.contains(CLOCK)) else {
            return line.to_owned();
        };
        let clocks = Clocks { white: side, black: side, moves_to_go: self.clock.moves_to_go() };
        let go = Go { limits: Limits::clocks(clocks), ..Go::default() }.to_string();
        self.is_running = true;
        line.replace(CLOCK, go.trim_start_matches("go "))
    }

    /// Takes the time of the awaited search off.
    ///
    /// # Errors
    /// What the engine did, if its time is used up.
    pub(super) fn stop(&mut self, used: Duration) -> Result<(), String> {
        if !std::mem::take(&mut self.is_running) {
            return Ok(());
        }
        let before = self.clock.remaining().map_or(Duration::ZERO, |side| side.time);
        self.clock.spend(used + self.lag).map(|_| ()).map_err(|flag| {
            let [used, lag, before, over] = [used, self.lag, before, flag.over].map(to_hundredths);
            format!("its move takes {used} and {lag} of lag with {before} on its clock, so it loses on time by {over}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_move_loses_its_time_and_the_lag() {
        let millis = Duration::from_millis;
        let control = "2/1+0.1,timemargin=50".parse().expect("a control");
        let mut clock = RunningClock::new(&control, millis(200));
        assert_eq!(clock.start("go depth 3"), "go depth 3");
        assert_eq!(clock.stop(millis(9_000)), Ok(()), "nothing was searched with it");
        assert_eq!(clock.start("go {clock}"), "go wtime 1100 btime 1100 winc 100 binc 100 movestogo 2");
        assert_eq!(clock.stop(millis(700)), Ok(()));
        assert_eq!(clock.start("go {clock}"), "go wtime 300 btime 300 winc 100 binc 100 movestogo 1");
        let flag =
            "its move takes 160 ms and 200 ms of lag with 300 ms on its clock, so it loses on time by 60 ms";
        assert_eq!(clock.stop(millis(160)), Err(flag.to_owned()));
    }
}
