//! The end of a child: its report, and how it is asked or forced to end.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::{LAST_LINE_LENGTH, LAST_LINES, POLL_INTERVAL, Process};
use crate::system::{InputState, process_group};
use crate::traffic::Direction;

/// How long a child that has closed its output may take to exit, and its last output to arrive.
const EXIT_GRACE: Duration = Duration::from_millis(300);
/// The interval between checks for the exit of a child that has closed its output.
const EXIT_POLL_INTERVAL: Duration = Duration::from_millis(1);

/// How a child ended.
#[derive(Debug)]
pub(in crate::child) struct ExitReport {
    /// Exit status or signal.
    pub(in crate::child) status: String,
    /// Did a signal end it that the harness did not send?
    pub(in crate::child) by_signal: bool,
    /// The line of standard error that shows a defect; or the end of standard error, or of standard output.
    pub(in crate::child) last_output: String,
}

impl Process {
    /// How it ended, and its last output. A child that has only closed its output is killed here.
    pub(in crate::child) fn exit_report(&mut self) -> ExitReport {
        // A limit is needed: a process in another session can hold the pipes open for ever.
        let until = self.now() + EXIT_GRACE;
        self.read_until_exit(until);
        let ended = self.has_ended();
        if !ended {
            self.kill();
        }
        // The last output may be on either stream, and a write to a child that exits early fails before that
        // output is read.
        while !self.pipes.is_silent() && self.now() < until {
            self.pump(POLL_INTERVAL);
            self.record_output();
        }
        self.record_output();
        let status = match self.status {
            Some(status) if ended => status.to_string(),
            Some(_) | None => "its output closed, the process still there".to_owned(),
        };
        // Only a signal ends a process without an exit code.
        let by_signal = ended && self.status.is_some_and(|status| status.code().is_none());
        let last_output = self.traffic.error_line().unwrap_or_else(|| self.last_output());
        ExitReport { status, by_signal, last_output }
    }

    /// The last lines of its standard error.
    pub(in crate::child) fn last_errors(&self) -> &VecDeque<String> {
        &self.last_errors
    }

    /// The last lines of standard error, or else of standard output.
    fn last_output(&mut self) -> String {
        if self.last_errors.is_empty() {
            in_one_line(&self.traffic.last_output(LAST_LINES, LAST_LINE_LENGTH))
        } else {
            in_one_line(self.last_errors.make_contiguous())
        }
    }

    /// Asks it to quit, and waits for its end. The report is about that end; `None` if it does not end in
    /// time.
    pub(in crate::child) fn quit(&mut self, farewell: &str, patience: Duration) -> Option<ExitReport> {
        self.write(farewell);
        self.wait_for_exit(patience)
    }

    /// Waits for its end, and reads its output on, so that it is not blocked by a full pipe.
    pub(in crate::child) fn wait_for_exit(&mut self, patience: Duration) -> Option<ExitReport> {
        self.read_until_exit(self.now() + patience);
        if self.has_ended() { Some(self.exit_report()) } else { None }
    }

    /// Asks it to quit, and kills it if it does not. Has it ended in time? `None` if it can't read `quit`.
    pub(in crate::child) fn shut_down(mut self, farewell: &str, patience: Duration) -> Option<bool> {
        let until = self.now() + patience;
        self.write(farewell);
        // A child whose input is closed can't read `quit`. It is killed when it is dropped.
        if self.pipes.input_state() == InputState::Closed {
            return self.has_ended().then_some(true);
        }
        self.read_until_exit(until);
        Some(self.has_ended())
    }

    fn read_until_exit(&mut self, until: Instant) {
        while !self.has_ended() && self.now() < until {
            // A child with closed output exits soon, and closed output no longer ends the wait early. So its
            // exit is checked for more often. Standard error is still read: a full pipe would block the child.
            self.pump(if self.output.is_at_end() { EXIT_POLL_INTERVAL } else { POLL_INTERVAL });
            self.record_output();
        }
    }

    /// Takes lines that are not awaited.
    fn record_output(&mut self) {
        while let Some(line) = self.output.next_line() {
            self.traffic.record(Direction::FromEngine, &line);
        }
    }

    pub(super) fn kill(&mut self) {
        if !self.has_ended() {
            process_group::kill(self.child.id());
            // The portable version of the call above does nothing.
            let _ = self.child.kill();
            self.status = self.child.wait().ok();
            self.clean_up_group();
        }
    }

    /// Cleans up after the exit: kills the processes left in its group and removes the group from the guard.
    pub(super) fn clean_up_group(&self) {
        process_group::kill(self.child.id());
        self.groups.leave(self.child.id());
    }
}

/// The lines that say something of an end. A list of options does not, unless the engine ended in it.
fn in_one_line(lines: &[String]) -> String {
    let (last, earlier) = lines.split_last().map_or((None, lines), |(last, earlier)| (Some(last), earlier));
    let earlier = earlier.iter().filter(|line| !line.starts_with("option name "));
    let words: Vec<&str> = earlier.chain(last).map(String::as_str).filter(|line| !line.is_empty()).collect();
    if words.is_empty() { "none".to_owned() } else { words.join(" / ") }
}

#[cfg(test)]
mod tests {
    use super::in_one_line;

    #[test]
    fn options_are_no_last_output_unless_the_engine_ends_in_their_list() {
        let table = [
            (
                &["id name E", "option name Hash type spin", "uciok", "", "readyok"][..],
                "id name E / uciok / readyok",
            ),
            (&["option name Hash type spin", "option name Threads type sp"], "option name Threads type sp"),
            (&["", ""], "none"),
            (&[], "none"),
        ];
        for (lines, expected) in table {
            let lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
            assert_eq!(in_one_line(&lines), expected);
        }
    }
}
