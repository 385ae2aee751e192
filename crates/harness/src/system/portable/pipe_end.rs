//! An end of a pipe. A read or write that has begun ends with the pipe, and cannot be cancelled.
//!
//! A process that an engine left behind can hold the other end open. The thread that reads this end then waits as long as
//! that process exists. Nothing waits for such a thread.

use std::io::{self, Read, Write};

/// Stands for the interest in pipes. It cancels nothing here.
#[derive(Debug)]
pub(crate) struct Wanted;

/// The other side of [`Wanted`].
#[derive(Debug, Clone)]
pub(crate) struct Unwanted;

/// Both sides.
#[expect(clippy::unnecessary_wraps, reason = "on Unix this needs a pipe, which the system can refuse")]
pub(crate) fn wanted() -> io::Result<(Wanted, Unwanted)> {
    Ok((Wanted, Unwanted))
}

/// An end of a pipe.
#[derive(Debug)]
pub(crate) struct PipeEnd<P>(P);

impl<P> PipeEnd<P> {
    pub(crate) fn new(pipe: P, _: Unwanted) -> Self {
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
    fn bytes_go_through_a_pipe_until_it_is_closed() {
        let (_wanted, unwanted) = wanted().expect("it needs nothing");
        let (reader, writer) = io::pipe().expect("a pipe");
        let mut reading = PipeEnd::new(reader, unwanted.clone());
        let mut writing = PipeEnd::new(writer, unwanted);
        writing.write_all(b"heard").and_then(|()| writing.flush()).expect("a reader");
        drop(writing);
        let mut heard = String::new();
        reading.read_to_string(&mut heard).expect("the writer has closed it");
        assert_eq!(heard, "heard");
    }
}
