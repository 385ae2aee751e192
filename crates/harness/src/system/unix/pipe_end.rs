//! A pipe end whose reads and writes can be cancelled.
//!
//! A child's pipe stays open as long as any process holds its other end, for example a process that the child
//! left behind in another session. A thread blocked on such a pipe would never end. So it waits (`poll`) for
//! the pipe and for a second one, which closes when the harness has finished with the child.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::AsFd;
use std::sync::Arc;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

/// Cancels the reads and writes when it is dropped: they return an error.
#[derive(Debug)]
pub(crate) struct CancelOnDrop {
    _closes: PipeWriter,
}

/// What the ends of pipes check: readable once they are cancelled.
#[derive(Debug, Clone)]
pub(crate) struct CancelToken(Arc<PipeReader>);

/// Both sides of a cancellation.
pub(crate) fn cancellation() -> io::Result<(CancelOnDrop, CancelToken)> {
    let (reader, writer) = io::pipe()?;
    Ok((CancelOnDrop { _closes: writer }, CancelToken(Arc::new(reader))))
}

/// A pipe end.
#[derive(Debug)]
pub(crate) struct PipeEnd<P> {
    pipe: P,
    cancel: CancelToken,
}

impl<P> PipeEnd<P> {
    pub(crate) const fn new(pipe: P, cancel: CancelToken) -> Self {
        Self { pipe, cancel }
    }
}

/// The number of bytes that a pipe accepts without blocking when it is ready.
const TAKEN: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };

impl<P: AsFd> PipeEnd<P> {
    /// Waits until the pipe is ready. Fails if it is cancelled.
    fn wait_until(&self, ready: PollFlags) -> io::Result<()> {
        loop {
            let mut ends = [
                PollFd::new(self.cancel.0.as_fd(), PollFlags::POLLIN),
                PollFd::new(self.pipe.as_fd(), ready),
            ];
            match poll(&mut ends, PollTimeout::NONE) {
                Ok(_) | Err(Errno::EINTR) => {}
                Err(error) => return Err(error.into()),
            }
            let [cancel, pipe] = ends.map(|end| end.any().unwrap_or(true));
            if cancel {
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
            if pipe {
                return Ok(());
            }
        }
    }
}

impl<P: Read + AsFd> Read for PipeEnd<P> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.wait_until(PollFlags::POLLIN)?;
        self.pipe.read(buffer)
    }
}

impl<P: Write + AsFd> Write for PipeEnd<P> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.wait_until(PollFlags::POLLOUT)?;
        self.pipe.write(&bytes[..bytes.len().min(TAKEN)])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pipe.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn cancelled_read_returns_from_an_open_pipe() {
        let (keep, cancel) = cancellation().expect("a pipe");
        let (reader, writer) = io::pipe().expect("a pipe");
        let (_held_reader, other_writer) = io::pipe().expect("a pipe");
        let _held_writer = writer.try_clone().expect("a descriptor");
        let mut reading = PipeEnd::new(reader, cancel.clone());
        let mut writing = PipeEnd::new(writer, cancel.clone());
        writing.write_all(b"heard").expect("not cancelled yet");
        let mut heard = [0; 5];
        reading.read_exact(&mut heard).expect("not cancelled yet");
        assert_eq!(&heard, b"heard");
        let mut writing = PipeEnd::new(other_writer, cancel);
        let blocked = [
            thread::spawn(move || reading.read(&mut [0; 5]).map(drop)),
            // More than a pipe holds, and without a reader.
            thread::spawn(move || writing.write_all(&vec![0; 1 << 21])),
        ];
        drop(keep);
        for thread in blocked {
            let error = thread.join().expect("no panic").expect_err("cancelled");
            assert_eq!(error.kind(), io::ErrorKind::ConnectionAborted);
        }
    }
}
