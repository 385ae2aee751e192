//! A child process in its own process group, and its guaranteed end.

mod ending;

use std::collections::VecDeque;
use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

pub(super) use self::ending::ExitReport;
use super::delay_meter::ReadingDelay;
use super::error_file::ErrorFile;
use super::line_buffer::LineBuffer;
use crate::suspension::{self, SuspendableClock};
use crate::system::child_pipes::ChildPipes;
use crate::system::{Arrival, InputState, process_group};
use crate::traffic::Direction;
use crate::{EngineGroups, LaunchOptions, Traffic, run_queue};
use threefold_chess::clock::Stop;

/// The interval between checks for an interruption or an exit without closed pipes.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// The most bytes that a child may write on both streams, from one command to the next: far more than any
/// engine reports in a search, and less than a second's output of one that writes without end.
pub(super) const MOST_OUTPUT: usize = 256 * 1024 * 1024;
/// The most lines that a child may write on standard output in the same time.
pub(super) const MOST_LINES: usize = 1_000_000;
/// Lines of standard error kept for the report when the child ends.
const LAST_LINES: usize = 20;
/// Characters kept of each of them.
const LAST_LINE_LENGTH: usize = 500;

/// Why a wait ended without a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitError {
    /// The deadline has passed.
    Timeout,
    /// The run was interrupted.
    Interrupted,
    /// The child has exited, or closed its output.
    Ended,
    /// It has written more than [`MOST_OUTPUT`] or [`MOST_LINES`] since it was sent something.
    Flood,
}

/// A running child. Dropping it kills it with everything it started, and waits for its end.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    status: Option<ExitStatus>,
    pipes: ChildPipes,
    output: LineBuffer,
    error: LineBuffer,
    /// When bytes of standard output arrived last.
    arrived: Instant,
    /// When they arrived for the first time since text was sent.
    first_arrival: Option<Instant>,
    /// How late they were read.
    pub(super) reading_delay: ReadingDelay,
    /// The bytes of both streams, and the lines of standard output, since text was sent.
    received: usize,
    lines: usize,
    /// The last lines of standard error.
    last_errors: VecDeque<String>,
    /// The file to which standard error is copied.
    error_file: Option<ErrorFile>,
    stop: Stop,
    groups: EngineGroups,
    clock: SuspendableClock,
    traffic: Traffic,
    /// How long the harness did not run in total while it was waiting: deadlines are extended by it.
    suspended: Duration,
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
    pub(super) fn no_later_than(self, moment: Instant, time: Duration) -> Self {
        Self { at: self.at.min(moment + time), ..self }
    }
}

impl Process {
    /// Starts a program. Its standard error is copied to a file, if one is given. Raising the options' `stop`
    /// interrupts every wait for it.
    pub(super) fn start(
        command: &mut Command,
        error_file: Option<ErrorFile>,
        options: &LaunchOptions,
    ) -> io::Result<Self> {
        let (stop, groups, clock) = (options.stop.clone(), options.groups.clone(), options.clock.clone());
        process_group::isolate(command);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        // At once: until the guard has the group, a `kill -9` of the harness leaves the child running.
        groups.enter(child.id());
        let pipes = match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
            (Some(input), Some(output), Some(error)) => ChildPipes::new(input, output, error),
            _ => Err(io::Error::other("its pipes can't be reached")),
        };
        match pipes {
            Ok(pipes) => Ok(Self {
                child,
                status: None,
                pipes,
                output: LineBuffer::default(),
                error: LineBuffer::default(),
                arrived: clock.now(),
                reading_delay: ReadingDelay::default(),
                received: 0,
                lines: 0,
                first_arrival: None,
                last_errors: VecDeque::new(),
                error_file,
                stop,
                groups,
                clock,
                traffic: options.traffic.clone(),
                suspended: Duration::ZERO,
            }),
            Err(error) => {
                process_group::kill(child.id());
                // The portable version of the call above does nothing.
                let _ = child.kill();
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

    /// The deadline that is this long after a moment.
    pub(super) fn deadline(&self, moment: Instant, time: Duration) -> Deadline {
        Deadline { at: moment + time, suspended: self.suspended }
    }

    /// The time left until then.
    pub(super) fn left(&self, until: Deadline) -> Duration {
        self.extended(until).saturating_duration_since(self.now())
    }

    /// The instant of a deadline, later by the suspensions since it was set.
    fn extended(&self, until: Deadline) -> Instant {
        until.at + self.suspended.saturating_sub(until.suspended)
    }

    /// How long the harness was suspended in an interval while the child ran on.
    pub(super) fn suspended_between(&self, from: Instant, to: Instant) -> Duration {
        self.clock.suspended_between(from, to)
    }

    /// Writes text, and returns the time at which the child could read the last byte.
    pub(super) fn send(&mut self, text: &str, until: Deadline) -> Result<Instant, WaitError> {
        self.write(text);
        loop {
            match self.pipes.input_state() {
                InputState::Written => return Ok(self.now()),
                InputState::Closed => return Err(WaitError::Ended),
                InputState::Pending => match self.wait(until) {
                    // It has read the text, and has ended meanwhile.
                    Err(WaitError::Ended) if self.pipes.input_state() == InputState::Written => {}
                    waited => _ = waited?,
                },
            }
        }
    }

    /// Begins to write text. The text is recorded first, so that no answer is recorded before its command.
    fn write(&mut self, text: &str) {
        let now = self.now();
        text.lines().for_each(|line| self.traffic.record_at(now, Direction::ToEngine, line));
        self.first_arrival = None;
        (self.received, self.lines) = (0, 0);
        self.pipes.send(text.as_bytes());
    }

    /// The child's next line, and when it was read from the pipe. A line that was read before the deadline
    /// counts, and continuous output does not extend it.
    pub(super) fn receive(&mut self, until: Deadline) -> Result<(String, Instant), WaitError> {
        loop {
            if self.arrived < self.extended(until)
                && let Some(line) = self.output.next_line()
            {
                self.lines += 1;
                self.traffic.record_at(self.arrived, Direction::FromEngine, &line);
                return Ok((line.into_owned(), self.arrived));
            }
            if self.output.is_at_end() {
                return Err(WaitError::Ended);
            }
            self.wait(until)?;
        }
    }

    /// A line that has come without being awaited, if there is one.
    pub(super) fn late_line(&mut self) -> Option<String> {
        if !self.output.has_line() {
            self.take_output();
        }
        let line = self.output.next_line()?;
        self.traffic.record(Direction::FromEngine, &line);
        Some(line.into_owned())
    }

    /// What has come of a line that has not ended. Its rest is dropped.
    pub(super) fn unfinished_line(&mut self) -> Option<String> {
        let line = self.output.take_unfinished_line()?;
        self.traffic.record(Direction::FromEngine, &line);
        Some(line)
    }

    /// Waits for a line, at most this long, and takes it if it is the expected one. Returns whether it was.
    pub(super) fn take_expected_line(&mut self, expected: &str, time: Duration) -> bool {
        let until = self.deadline(self.now(), time);
        while !self.output.has_line() {
            if self.wait(until).is_err() {
                return false;
            }
        }
        // Another line may belong to the search, so it stays in the buffer.
        self.output.peek_line() == expected.as_bytes() && self.late_line().is_some()
    }

    /// When standard output arrived first since text was sent.
    pub(super) const fn first_arrival(&self) -> Option<Instant> {
        self.first_arrival
    }

    /// Waits for standard output, at most this long. Returns whether there is any, or its end.
    pub(super) fn has_output_within(&mut self, time: Duration) -> bool {
        let until = self.deadline(self.now(), time);
        loop {
            if !self.output.is_empty() {
                return true;
            }
            match self.wait(until) {
                Ok(_) => {}
                Err(WaitError::Timeout) => return false,
                // The caller's next wait returns the same error.
                Err(WaitError::Interrupted | WaitError::Ended | WaitError::Flood) => return true,
            }
        }
    }

    /// Waits until something can be read, at most for [`POLL_INTERVAL`]. Returns whether anything could.
    pub(super) fn wait(&mut self, until: Deadline) -> Result<bool, WaitError> {
        if self.stop.is_raised() {
            return Err(WaitError::Interrupted);
        }
        let before = self.now();
        if self.received > MOST_OUTPUT || self.lines > MOST_LINES {
            return Err(WaitError::Flood);
        }
        let left = self.extended(until).saturating_duration_since(before);
        if left.is_zero() {
            return Err(WaitError::Timeout);
        }
        let (has_news, now) = self.pump(left.min(POLL_INTERVAL));
        // `pump` waits for one interval at most. A second more means that this process was stopped or had no
        // CPU, and deadlines are extended by it.
        let over = now.saturating_duration_since(before).saturating_sub(POLL_INTERVAL);
        if over > suspension::LATE_HEARTBEAT {
            self.suspended += over;
        }
        // The child may have written between the read and its exit, so the pipes are read once more.
        if !has_news && self.has_ended() && !self.pump(Duration::ZERO).0 {
            return Err(WaitError::Ended);
        }
        Ok(has_news)
    }

    /// Writes what is pending and reads what has arrived; waits for either at most this long. Returns whether
    /// there was anything, and when it was read.
    fn pump(&mut self, most: Duration) -> (bool, Instant) {
        let Self { pipes, output, error, arrived, first_arrival, clock, received, .. } = self;
        let (mut has_news, mut has_output) = (false, false);
        // Memory stays bounded: a full buffer leaves the output in the pipe, which blocks the child.
        pipes.wait(most, !output.is_full(), |arrival| {
            has_news = true;
            if let Arrival::Output(bytes) | Arrival::Error(bytes) = &arrival {
                *received = received.saturating_add(bytes.len());
            }
            match arrival {
                Arrival::Output(bytes) => {
                    *arrived = clock.now();
                    first_arrival.get_or_insert(*arrived);
                    has_output = true;
                    output.push(bytes);
                }
                Arrival::OutputClosed => output.close(),
                Arrival::Error(bytes) => error.push(bytes),
                Arrival::ErrorClosed => error.close(),
            }
        });
        // A fast engine moves in less time than a few readings of the clock take.
        let now = if has_output { self.arrived } else { self.clock.now() };
        self.reading_delay.record_read(now, has_output);
        let Self { last_errors, error_file, error, traffic, .. } = self;
        while let Some(line) = error.next_line() {
            traffic.record(Direction::StandardError, &line);
            if let Some(file) = error_file {
                file.append(&line);
            }
            if last_errors.len() == LAST_LINES {
                last_errors.pop_front();
            }
            last_errors.push_back(line.chars().take(LAST_LINE_LENGTH).collect());
        }
        (has_news, now)
    }

    /// Reads what has arrived on standard output, without a wait.
    fn take_output(&mut self) {
        let Self { pipes, output, arrived, clock, .. } = self;
        pipes.read_output(|arrival| match arrival {
            Arrival::Output(bytes) => {
                *arrived = clock.now();
                output.push(bytes);
            }
            Arrival::OutputClosed => output.close(),
            Arrival::Error(_) | Arrival::ErrorClosed => {}
        });
    }

    /// The child and the processes that it has started so far.
    pub(super) fn process_tree(&self) -> Vec<u32> {
        run_queue::process_tree(self.child.id())
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
        self.pipes.close_input();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
