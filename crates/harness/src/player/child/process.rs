//! A child process in its own process group, and its guaranteed end.

use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::groups::EngineGroups;
use super::pipes::{LineArrival, PipeEvent, Pipes};
use crate::player::suspension::{self, SuspendableClock};
use crate::player::{LaunchOptions, Traffic, run_queue};
use crate::system::process_group;
use threefold_chess::clock::Stop;

/// The interval between checks for an interruption or an exit without closed pipes.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// How long a child that has closed its output may take to exit, and its last output to arrive.
const EXIT_GRACE: Duration = Duration::from_millis(300);

/// Why a wait ended without a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitError {
    /// The deadline has passed.
    Timeout,
    /// The run was interrupted.
    Interrupted,
    /// The child has exited, or closed its output.
    Ended,
}

/// A running child. Dropping it kills it with everything it started, and waits for its end.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    status: Option<ExitStatus>,
    pipes: Pipes,
    stop: Stop,
    groups: EngineGroups,
    clock: SuspendableClock,
    traffic: Traffic,
    /// Output streams of the child (standard output and error) that are still open.
    open_streams: usize,
    /// How long the harness did not run in total while it was waiting: deadlines are extended by it.
    suspended: Duration,
}

/// How a child ended.
#[derive(Debug)]
pub(super) struct ExitReport {
    /// Exit status or signal.
    pub(super) status: String,
    /// Did a signal end it that the harness did not send?
    pub(super) by_signal: bool,
    /// The line of standard error that shows a defect; or the end of standard error, or of standard output.
    pub(super) last_output: String,
}

/// The end of a wait.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deadline {
    at: Instant,
    /// The value of `suspended` when the deadline was set.
    suspended: Duration,
}

impl Deadline {
    /// The earlier of this deadline and this long after a moment.
    pub(super) fn or(self, moment: Instant, time: Duration) -> Self {
        Self { at: self.at.min(moment + time), ..self }
    }
}

impl Process {
    /// Starts a program. Raising the options' `stop` interrupts every wait for it.
    pub(super) fn start(command: &mut Command, options: &LaunchOptions) -> io::Result<Self> {
        let (stop, groups, clock) = (options.stop.clone(), options.groups.clone(), options.clock.clone());
        process_group::isolate(command);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        groups.enter(child.id());
        let pipes = match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
            (Some(input), Some(output), Some(error)) => {
                Pipes::connect(input, output, error, &clock, &options.traffic)
            }
            _ => Err(io::Error::other("its pipes can't be reached")),
        };
        match pipes {
            Ok(pipes) => Ok(Self {
                child,
                status: None,
                pipes,
                stop,
                groups,
                clock,
                traffic: options.traffic.clone(),
                open_streams: 2,
                suspended: Duration::ZERO,
            }),
            Err(error) => {
                process_group::kill(child.id());
                let _ = child.wait();
                groups.leave(child.id());
                Err(error)
            }
        }
    }

    /// The time that deadlines use.
    pub(super) fn now(&self) -> Instant {
        self.clock.now()
    }

    /// This long after a moment.
    pub(super) fn deadline(&self, moment: Instant, time: Duration) -> Deadline {
        Deadline { at: moment + time, suspended: self.suspended }
    }

    /// The time left until then.
    pub(super) fn left(&self, until: Deadline) -> Duration {
        (until.at + self.suspended.saturating_sub(until.suspended)).saturating_duration_since(self.now())
    }

    /// How long the harness was suspended in an interval while the child ran on.
    pub(super) fn suspended_between(&self, from: Instant, to: Instant) -> Duration {
        self.clock.suspended_between(from, to)
    }

    /// Writes text; returns when the child could read the last byte.
    pub(super) fn send(&mut self, text: String, until: Deadline) -> Result<Instant, WaitError> {
        self.pipes.outbox.send(text).map_err(|_| WaitError::Ended)?;
        self.wait(until, |pipes, slice| pipes.receipts.recv_timeout(slice))
    }

    /// The child's next line, and its arrival.
    pub(super) fn receive(&mut self, until: Deadline) -> Result<(String, LineArrival), WaitError> {
        loop {
            match self.wait(until, |pipes, slice| pipes.events.recv_timeout(slice))? {
                PipeEvent::Line(line, arrival) => return Ok((line, arrival)),
                PipeEvent::OutputClosed => {
                    self.open_streams -= 1;
                    return Err(WaitError::Ended);
                }
                PipeEvent::ErrorClosed => self.open_streams -= 1,
            }
        }
    }

    /// Turns the measurement of lateness on or off. The next line may not be affected yet.
    pub(super) fn time_lines(&self, timed: bool) {
        self.pipes.timed.store(timed, Ordering::Relaxed);
    }

    /// The child and the processes that it has started so far.
    pub(super) fn process_tree(&self) -> Vec<u32> {
        run_queue::process_tree(self.child.id())
    }

    /// Waits in short intervals. The deadline is checked first, so continuous output does not extend it.
    fn wait<T>(
        &mut self,
        until: Deadline,
        receive: impl Fn(&Pipes, Duration) -> Result<T, RecvTimeoutError>,
    ) -> Result<T, WaitError> {
        loop {
            if self.stop.is_raised() {
                return Err(WaitError::Interrupted);
            }
            let left = self.left(until);
            if left.is_zero() {
                return Err(WaitError::Timeout);
            }
            let before = self.now();
            let received = receive(&self.pipes, left.min(POLL_INTERVAL));
            let over = self.now().saturating_duration_since(before).saturating_sub(POLL_INTERVAL);
            if over > suspension::LATE_HEARTBEAT {
                self.suspended += over;
            }
            match received {
                Ok(received) => return Ok(received),
                Err(RecvTimeoutError::Disconnected) => return Err(WaitError::Ended),
                Err(RecvTimeoutError::Timeout) if self.has_ended() => return Err(WaitError::Ended),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Has it exited? Its remaining processes are killed at once, before the system reuses the group's
    /// number.
    fn has_ended(&mut self) -> bool {
        if self.status.is_none() {
            self.status = self.child.try_wait().unwrap_or_default();
            if self.status.is_some() {
                self.clean_up_group();
            }
        }
        self.status.is_some()
    }

    /// Ends its standard input.
    pub(super) fn close_input(&mut self) {
        self.pipes.outbox = channel().0;
    }

    /// How it ended, and its last output. A child that has only closed its output is killed here.
    pub(super) fn exit_report(&mut self) -> ExitReport {
        let until = self.now() + EXIT_GRACE;
        let ended = self.wait_for_end(until);
        if !ended {
            self.kill();
        }
        // The last output may be on either stream, and a write to a child that exits early fails before that
        // output is read.
        while self.open_streams > 0 && self.now() < until {
            match self.pipes.events.recv_timeout(POLL_INTERVAL) {
                Ok(PipeEvent::ErrorClosed | PipeEvent::OutputClosed) => self.open_streams -= 1,
                Ok(PipeEvent::Line(..)) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let status = match self.status {
            Some(status) if ended => status.to_string(),
            Some(_) | None => "its output closed, the process still there".to_owned(),
        };
        // Only a signal ends a process without an exit code.
        let by_signal = ended && self.status.is_some_and(|status| status.code().is_none());
        let last_output = self.traffic.error_line().unwrap_or_else(|| self.pipes.last_output.text());
        ExitReport { status, by_signal, last_output }
    }

    /// The last lines of its standard error.
    pub(super) fn last_errors(&self) -> Vec<String> {
        self.pipes.last_output.errors()
    }

    /// Asks it to quit, and waits for its end. The report is about that end; `None` if it does not end in time.
    pub(super) fn quit(&mut self, farewell: String, patience: Duration) -> Option<ExitReport> {
        let _ = self.pipes.outbox.send(farewell);
        self.wait_for_exit(patience)
    }

    /// Waits for its end, and reads its output on, so that it is not blocked by a full pipe.
    pub(super) fn wait_for_exit(&mut self, patience: Duration) -> Option<ExitReport> {
        self.read_until_exit(self.now() + patience);
        if self.has_ended() { Some(self.exit_report()) } else { None }
    }

    /// Asks it to quit, and kills it if it does not.
    pub(super) fn shut_down(mut self, farewell: String, patience: Duration) {
        let until = self.now() + patience;
        if self.pipes.outbox.send(farewell).is_ok() {
            self.read_until_exit(until);
        }
    }

    fn read_until_exit(&mut self, until: Instant) {
        while !self.has_ended() && self.now() < until {
            match self.pipes.events.recv_timeout(POLL_INTERVAL) {
                Ok(PipeEvent::Line(..) | PipeEvent::ErrorClosed) | Err(RecvTimeoutError::Timeout) => {}
                Ok(PipeEvent::OutputClosed) | Err(RecvTimeoutError::Disconnected) => {
                    self.wait_for_end(until);
                    break;
                }
            }
        }
    }

    /// Checks every millisecond: a child with closed output exits soon.
    fn wait_for_end(&mut self, until: Instant) -> bool {
        while !self.has_ended() && self.now() < until {
            thread::sleep(Duration::from_millis(1));
        }
        self.has_ended()
    }

    fn kill(&mut self) {
        if !self.has_ended() {
            process_group::kill(self.child.id());
            let _ = self.child.kill();
            self.status = self.child.wait().ok();
            self.clean_up_group();
        }
    }

    /// Cleans up after the exit: kills the processes left in its group and removes the group from the guard.
    fn clean_up_group(&self) {
        process_group::kill(self.child.id());
        self.groups.leave(self.child.id());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
