//! The pipes of a child process, without threads: one `poll` waits for all of them.
//!
//! A child's pipe stays open as long as any process holds its other end, for example a process that the child
//! left behind in another session. No read or write blocks here, so such a pipe delays nothing.

use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::time::Duration;

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use crate::system::{Arrival, InputState};

/// The most bytes of a read: as much as a pipe holds on Linux.
const CHUNK: usize = 64 * 1024;

/// The three pipes of a child.
#[derive(Debug)]
pub(crate) struct ChildPipes {
    input: Option<ChildStdin>,
    /// What is to be written, from `written` on.
    outbox: Vec<u8>,
    written: usize,
    output: Option<ChildStdout>,
    error: Option<ChildStderr>,
    buffer: Box<[u8]>,
}

impl ChildPipes {
    pub(crate) fn new(input: ChildStdin, output: ChildStdout, error: ChildStderr) -> io::Result<Self> {
        [input.as_fd(), output.as_fd(), error.as_fd()].into_iter().try_for_each(never_block)?;
        let buffer = vec![0; CHUNK].into_boxed_slice();
        let (input, output, error) = (Some(input), Some(output), Some(error));
        Ok(Self { input, outbox: Vec::new(), written: 0, output, error, buffer })
    }

    /// Writes as much as the child's pipe accepts at once; the rest is written by later waits.
    pub(crate) fn send(&mut self, text: &[u8]) {
        self.outbox.extend_from_slice(text);
        self.write();
    }

    /// Ends the child's standard input. What is pending is dropped.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    pub(crate) fn input_state(&self) -> InputState {
        match self.input {
            None => InputState::Closed,
            Some(_) if self.written < self.outbox.len() => InputState::Pending,
            Some(_) => InputState::Written,
        }
    }

    /// Are standard output and standard error closed?
    pub(crate) const fn is_silent(&self) -> bool {
        self.output.is_none() && self.error.is_none()
    }

    /// Waits until something can be read or pending text can be written, at most this long; reads and writes
    /// what it can. Without `reads_output` standard output is left in its pipe, which blocks a child that
    /// goes on writing.
    pub(crate) fn wait(&mut self, most: Duration, reads_output: bool, mut take: impl FnMut(Arrival<'_>)) {
        let is_pending = self.input_state() == InputState::Pending;
        // A fast engine on the same CPU has answered by now, and `poll` takes longer than a read.
        if reads_output && !is_pending && self.read_output(&mut take) {
            return;
        }
        // A pipe with room is always ready for writing, so without pending text it would end every wait at
        // once.
        let input = self.input.as_ref().filter(|_| is_pending).map(AsFd::as_fd);
        let output = self.output.as_ref().filter(|_| reads_output).map(AsFd::as_fd);
        let error = self.error.as_ref().map(AsFd::as_fd);
        let [input, output, error] = ready(
            [(input, PollFlags::POLLOUT), (output, PollFlags::POLLIN), (error, PollFlags::POLLIN)],
            most,
        );
        if output {
            self.read_output(&mut take);
        }
        if error {
            match read_pipe(&mut self.error, &mut self.buffer) {
                Some(0) => take(Arrival::ErrorClosed),
                Some(count) => take(Arrival::Error(&self.buffer[..count])),
                None => {}
            }
        }
        if input {
            self.write();
        }
    }

    /// Reads what has arrived on standard output, without a wait; whether there was anything.
    pub(crate) fn read_output(&mut self, mut take: impl FnMut(Arrival<'_>)) -> bool {
        match read_pipe(&mut self.output, &mut self.buffer) {
            Some(0) => take(Arrival::OutputClosed),
            Some(count) => take(Arrival::Output(&self.buffer[..count])),
            None => return false,
        }
        true
    }

    fn write(&mut self) {
        while let Some(input) = self.input.as_mut().filter(|_| self.written < self.outbox.len()) {
            match input.write(&self.outbox[self.written..]) {
                Ok(count) => self.written += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // The child has closed its input or has ended, so the rest is dropped.
                Err(_) => self.input = None,
            }
        }
        self.outbox.clear();
        self.written = 0;
    }
}

fn never_block(pipe: BorrowedFd<'_>) -> io::Result<()> {
    let flags = OFlag::from_bits_retain(fcntl(pipe, FcntlArg::F_GETFL)?);
    // The flag belongs to this end of the pipe. The child's end still blocks, as programs expect.
    fcntl(pipe, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
    Ok(())
}

/// Which of the pipes are ready, after waiting at most this long for one. A signal ends the wait.
fn ready(pipes: [(Option<BorrowedFd<'_>>, PollFlags); 3], most: Duration) -> [bool; 3] {
    // `poll` counts milliseconds; less than one would not wait at all.
    let millis = most.as_nanos().div_ceil(1_000_000);
    let timeout = PollTimeout::try_from(millis).unwrap_or(PollTimeout::MAX);
    let mut ends = [const { None }; 3];
    let mut polled = Vec::with_capacity(3);
    for ((pipe, flags), place) in pipes.into_iter().zip(&mut ends) {
        *place = pipe.map(|pipe| {
            polled.push(PollFd::new(pipe, flags));
            polled.len() - 1
        });
    }
    match poll(&mut polled, timeout) {
        Ok(count) if count > 0 => {}
        Ok(_) | Err(Errno::EINTR) => return [false; 3],
        // The reads and writes find the error.
        Err(_) => return ends.map(|place| place.is_some()),
    }
    // An event that is not known counts as ready, and the read or write finds out.
    ends.map(|place| place.is_some_and(|index| polled[index].any().unwrap_or(true)))
}

/// The number of bytes read; 0 at the end of the stream, which is then dropped; `None` if there are none yet.
fn read_pipe<P: Read>(pipe: &mut Option<P>, buffer: &mut [u8]) -> Option<usize> {
    match pipe.as_mut()?.read(buffer) {
        Ok(count) if count > 0 => Some(count),
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => None,
        Ok(_) | Err(_) => {
            *pipe = None;
            Some(0)
        }
    }
}
