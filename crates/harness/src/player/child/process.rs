//! A child process: started in a group of its own, listened to, and always seen to its end.

use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::Ordering;
use std::sync::mpsc::RecvTimeoutError;
use std::thread;
use std::time::{Duration, Instant};

use super::groups::EngineGroups;
use super::pipes::{LineArrival, PipeEvent, Pipes};
use crate::player::suspension::{self, SuspendableClock};
use crate::player::{LaunchOptions, run_queue};
use crate::system::process_group;
use threefold_chess::clock::Stop;

/// How long nobody looks whether the work was called off or the child has ended without closing its pipes.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// How long a child that has closed its output may take to end, and its last words to arrive.
const EXIT_GRACE: Duration = Duration::from_millis(300);

/// Why nothing came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitError {
    /// Nothing until the deadline.
    Timeout,
    /// The work was called off.
    Interrupted,
    /// The child has ended, or closed its output.
    Ended,
}

/// A running child. Dropped, it is killed with everything it started, and waited for.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    status: Option<ExitStatus>,
    pipes: Pipes,
    stop: Stop,
    groups: EngineGroups,
    clock: SuspendableClock,
    /// Streams of the child, output and error, whose end was not seen yet.
    open_streams: usize,
    /// How long the harness did not run in all while it should have listened: no deadline counts that.
    suspended: Duration,
}

/// When a wait is over.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deadline {
    at: Instant,
    /// How long the harness had been away by the time the deadline was set.
    suspended: Duration,
}

impl Deadline {
    /// It, or this long after a moment, whichever comes first.
    pub(super) fn or(self, moment: Instant, time: Duration) -> Self {
        Self { at: self.at.min(moment + time), ..self }
    }
}

impl Process {
    /// Starts a program. The hiring's `stop` calls off every wait for it.
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

    /// The time, as deadlines count it.
    pub(super) fn now(&self) -> Instant {
        self.clock.now()
    }

    /// So long after a moment.
    pub(super) fn deadline(&self, moment: Instant, time: Duration) -> Deadline {
        Deadline { at: moment + time, suspended: self.suspended }
    }

    /// How long it is until then.
    pub(super) fn left(&self, until: Deadline) -> Duration {
        (until.at + self.suspended.saturating_sub(until.suspended)).saturating_duration_since(self.now())
    }

    /// How much of a stretch the harness stood still while the child went on.
    pub(super) fn suspended_between(&self, from: Instant, to: Instant) -> Duration {
        self.clock.suspended_between(from, to)
    }

    /// Writes text, and says when the child could read the last of it.
    pub(super) fn send(&mut self, text: String, until: Deadline) -> Result<Instant, WaitError> {
        self.pipes.outbox.send(text).map_err(|_| WaitError::Ended)?;
        self.wait(until, |pipes, slice| pipes.receipts.recv_timeout(slice))
    }

    /// The child's next line, and when it came.
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

    /// Lines tell how late they may be, or don't any more. The next one may not know of it yet.
    pub(super) fn time_lines(&self, timed: bool) {
        self.pipes.timed.store(timed, Ordering::Relaxed);
    }

    /// It and the processes that it has started by now.
    pub(super) fn process_tree(&self) -> Vec<u32> {
        run_queue::process_tree(self.child.id())
    }

    /// Waits in slices. The deadline is looked at first: whoever talks without a pause doesn't extend it.
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

    /// Has it ended? Whatever it leaves behind in its group ends with it, before its number can be given to
    /// a stranger.
    fn has_ended(&mut self) -> bool {
        if self.status.is_none() {
            self.status = self.child.try_wait().unwrap_or_default();
            if self.status.is_some() {
                self.clean_up_group();
            }
        }
        self.status.is_some()
    }

    /// How it ended, as people put it, after its last words are in. A child that has only closed its output
    /// is ended here.
    pub(super) fn exit_report(&mut self) -> (String, String) {
        let until = self.now() + EXIT_GRACE;
        let ended = self.wait_for_end(until);
        if !ended {
            self.kill();
        }
        // The last words may be on either stream, and a command that finds no reader ends before they are read.
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
        (status, self.pipes.last_output.text())
    }

    /// Asks it to go, and ends it if it doesn't.
    pub(super) fn shut_down(mut self, farewell: String, patience: Duration) {
        let until = self.now() + patience;
        let heard = self.pipes.outbox.send(farewell).is_ok();
        while heard && !self.has_ended() && self.now() < until {
            // Whatever it still says is let through, so that it isn't held up by its own pipe.
            match self.pipes.events.recv_timeout(POLL_INTERVAL) {
                Ok(PipeEvent::Line(..) | PipeEvent::ErrorClosed) | Err(RecvTimeoutError::Timeout) => {}
                Ok(PipeEvent::OutputClosed) | Err(RecvTimeoutError::Disconnected) => {
                    self.wait_for_end(until);
                    break;
                }
            }
        }
    }

    /// Looks for its end every millisecond: once its output is closed it is moments away.
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

    /// It has ended. Processes that are left in its group are killed, and the guard forgets the group.
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
