//! The pipes of a child process, each with a thread that only copies bytes.
//!
//! A read or write that has begun ends with the pipe, and cannot be cancelled. A process that an engine left
//! behind can hold the other end open. The thread then waits as long as that process exists. Nothing waits
//! for such a thread.

use std::io::{self, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::system::{Arrival, InputState};

/// The most bytes of a read.
const CHUNK: usize = 64 * 1024;
/// A stream is not read on while this many of its bytes are not taken.
const FULL: usize = 4 * CHUNK;

/// The three pipes of a child.
#[derive(Debug)]
pub(crate) struct ChildPipes {
    /// Text to be written; `None` once the input is closed.
    outbox: Option<Sender<Vec<u8>>>,
    shared: Arc<Shared>,
    output_open: bool,
    error_open: bool,
}

/// What the threads have done.
#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    /// Something has changed.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The number of texts that are not written yet.
    pending: usize,
    input_failed: bool,
    output: Stream,
    error: Stream,
    /// The reader has been dropped.
    is_dropped: bool,
}

/// Bytes that were read and not taken yet.
#[derive(Debug, Default)]
struct Stream {
    bytes: Vec<u8>,
    is_closed: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}

impl ChildPipes {
    pub(crate) fn new(mut input: ChildStdin, output: ChildStdout, error: ChildStderr) -> io::Result<Self> {
        let shared = Arc::<Shared>::default();
        let (outbox, texts) = channel::<Vec<u8>>();
        let carrier = |name: &str| thread::Builder::new().name(format!("engine {name}"));
        let of_input = Arc::clone(&shared);
        carrier("input").spawn(move || {
            for text in texts {
                let is_written = input.write_all(&text).and_then(|()| input.flush()).is_ok();
                let mut state = of_input.state();
                state.pending -= 1;
                state.input_failed |= !is_written;
                of_input.changed.notify_all();
                if !is_written {
                    break;
                }
            }
        })?;
        let of_output = Arc::clone(&shared);
        carrier("output").spawn(move || copy(output, &of_output, |state| &mut state.output))?;
        let of_error = Arc::clone(&shared);
        carrier("error").spawn(move || copy(error, &of_error, |state| &mut state.error))?;
        Ok(Self { outbox: Some(outbox), shared, output_open: true, error_open: true })
    }

    /// Has the text written.
    pub(crate) fn send(&mut self, text: &[u8]) {
        if let Some(outbox) = &self.outbox {
            // Counted first, since the thread may write the text and count it down at once.
            self.shared.state().pending += 1;
            if outbox.send(text.to_owned()).is_err() {
                // The thread has ended, which it only does after a failed write.
                self.shared.state().input_failed = true;
            }
        }
    }

    /// Ends the child's standard input, once what is pending is written.
    pub(crate) fn close_input(&mut self) {
        self.outbox = None;
    }

    pub(crate) fn input_state(&self) -> InputState {
        let state = self.shared.state();
        match self.outbox {
            Some(_) if state.input_failed => InputState::Closed,
            Some(_) if state.pending > 0 => InputState::Pending,
            Some(_) => InputState::Written,
            None => InputState::Closed,
        }
    }

    /// Are standard output and standard error closed?
    pub(crate) const fn is_silent(&self) -> bool {
        !self.output_open && !self.error_open
    }

    /// Waits until something has arrived or pending text is written, at most this long. Without
    /// `reads_output` standard output is left where it is, which blocks a child that goes on writing.
    pub(crate) fn wait(&mut self, most: Duration, reads_output: bool, mut take: impl FnMut(Arrival<'_>)) {
        let reads_output = reads_output && self.output_open;
        let reads_error = self.error_open;
        let has_news = |stream: &Stream| stream.is_closed || !stream.bytes.is_empty();
        let state = self.shared.state();
        let pending = state.pending;
        let is_idle = |state: &mut State| {
            !((reads_output && has_news(&state.output))
                || (reads_error && has_news(&state.error))
                || state.pending < pending
                || (pending > 0 && state.input_failed))
        };
        let waited = self.shared.changed.wait_timeout_while(state, most, is_idle);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let taken = |stream: &mut Stream, wanted: bool| {
            let bytes = if wanted { std::mem::take(&mut stream.bytes) } else { Vec::new() };
            let is_closed = wanted && stream.is_closed;
            (bytes, is_closed)
        };
        let (output, output_closed) = taken(&mut state.output, reads_output);
        let (error, error_closed) = taken(&mut state.error, reads_error);
        // A copying thread may wait for room.
        self.shared.changed.notify_all();
        drop(state);
        if !output.is_empty() {
            take(Arrival::Output(&output));
        }
        if output_closed {
            self.output_open = false;
            take(Arrival::OutputClosed);
        }
        if !error.is_empty() {
            take(Arrival::Error(&error));
        }
        if error_closed {
            self.error_open = false;
            take(Arrival::ErrorClosed);
        }
    }

    /// Takes what has arrived on standard output, without a wait.
    pub(crate) fn read_output(&mut self, mut take: impl FnMut(Arrival<'_>)) {
        if !self.output_open {
            return;
        }
        let mut state = self.shared.state();
        let (bytes, is_closed) = (std::mem::take(&mut state.output.bytes), state.output.is_closed);
        self.shared.changed.notify_all();
        drop(state);
        if !bytes.is_empty() {
            take(Arrival::Output(&bytes));
        }
        if is_closed {
            self.output_open = false;
            take(Arrival::OutputClosed);
        }
    }
}

impl Drop for ChildPipes {
    fn drop(&mut self) {
        self.shared.state().is_dropped = true;
        self.shared.changed.notify_all();
    }
}

/// Copies a stream until its end.
fn copy(mut pipe: impl Read, shared: &Shared, stream: impl Fn(&mut State) -> &mut Stream) {
    let mut buffer = vec![0; CHUNK];
    loop {
        // After an error no more output can come, as at the end of the pipe.
        let count = pipe.read(&mut buffer).unwrap_or(0);
        let mut state = shared.state();
        while stream(&mut state).bytes.len() >= FULL && !state.is_dropped {
            state = shared.wait(state);
        }
        let is_dropped = state.is_dropped;
        let place = stream(&mut state);
        place.bytes.extend_from_slice(&buffer[..count]);
        place.is_closed = count == 0;
        shared.changed.notify_all();
        if count == 0 || is_dropped {
            return;
        }
    }
}
