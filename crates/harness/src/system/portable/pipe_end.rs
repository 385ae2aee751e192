//! An end of a pipe. A read or write that has begun ends with the pipe, and cannot be cancelled.
//!
//! A process that an engine left behind can hold the other end open. The thread that reads this end then waits as long as
//! that process exists. Nothing waits for such a thread.

use std::io::{self, Read, Write};

/// Cancels nothing here.
#[derive(Debug)]
pub(crate) struct CancelOnDrop;

/// The other side of [`CancelOnDrop`].
#[derive(Debug, Clone)]
pub(crate) struct CancelToken;

/// Both sides.
#[expect(clippy::unnecessary_wraps, reason = "on Unix this needs a pipe, which the system can refuse")]
pub(crate) fn cancellation() -> io::Result<(CancelOnDrop, CancelToken)> {
    Ok((CancelOnDrop, CancelToken))
}

/// An end of a pipe.
#[derive(Debug)]
pub(crate) struct PipeEnd<P>(P);

impl<P> PipeEnd<P> {
    pub(crate) fn new(pipe: P, _: CancelToken) -> Self {
        Self(pipe)
    }
}

impl<P: Read> Read for PipeEnd<P> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl<P: Write> Write for PipeEnd<P> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pipe_transfers_bytes_until_closed() {
        let (_keep, cancel) = cancellation().expect("it needs nothing");
        let (reader, writer) = io::pipe().expect("a pipe");
        let mut reading = PipeEnd::new(reader, cancel.clone());
        let mut writing = PipeEnd::new(writer, cancel);
        writing.write_all(b"heard").and_then(|()| writing.flush()).expect("a reader");
        drop(writing);
        let mut heard = String::new();
        reading.read_to_string(&mut heard).expect("the writer has closed it");
        assert_eq!(heard, "heard");
    }
}
