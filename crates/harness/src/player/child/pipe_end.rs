//! A pipe end whose reads and writes can be cancelled.
//!
//! A child's pipe stays open as long as any process holds its other end, for example a process that the child
//! left behind in another session. A thread blocked on such a pipe would never end. So it waits (`poll`) for
//! the pipe and for a second one, which closes when the harness has finished with the child.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::sync::Arc;

/// Cancels the reads and writes when it is dropped: they return an error.
#[derive(Debug)]
pub(super) struct CancelOnDrop {
    _closes: PipeWriter,
}

/// Shared by the pipe ends; shows whether they are cancelled.
#[derive(Debug, Clone)]
pub(super) struct CancelToken(Arc<PipeReader>);

/// A pair of both.
pub(super) fn cancellation() -> io::Result<(CancelOnDrop, CancelToken)> {
    let (reader, writer) = io::pipe()?;
    Ok((CancelOnDrop { _closes: writer }, CancelToken(Arc::new(reader))))
}

/// A pipe end.
#[derive(Debug)]
pub(super) struct PipeEnd<P> {
    pipe: P,
    #[cfg_attr(not(unix), expect(dead_code, reason = "pipes are waited for on Unix alone"))]
    unwanted: CancelToken,
}

impl<P> PipeEnd<P> {
    pub(super) const fn new(pipe: P, unwanted: CancelToken) -> Self {
        Self { pipe, unwanted }
    }
}

/// The number of bytes that a pipe accepts without blocking when it is ready.
#[cfg(unix)]
const TAKEN: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };

#[cfg(unix)]
impl<P: std::os::fd::AsFd> PipeEnd<P> {
    /// Waits until the pipe is ready; returns an error if it is cancelled.
    fn wait_until(&self, ready: nix::poll::PollFlags) -> io::Result<()> {
        use std::os::fd::AsFd as _;

        use nix::errno::Errno;
        use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

        loop {
            let mut ends = [
                PollFd::new(self.unwanted.0.as_fd(), PollFlags::POLLIN),
                PollFd::new(self.pipe.as_fd(), ready),
            ];
            match poll(&mut ends, PollTimeout::NONE) {
                Ok(_) | Err(Errno::EINTR) => {}
                Err(error) => return Err(error.into()),
            }
            let [unwanted, pipe] = ends.map(|end| end.any().unwrap_or(true));
            if unwanted {
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
            if pipe {
                return Ok(());
            }
        }
    }
}

#[cfg(unix)]
impl<P: Read + std::os::fd::AsFd> Read for PipeEnd<P> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.wait_until(nix::poll::PollFlags::POLLIN)?;
        self.pipe.read(buffer)
    }
}

#[cfg(unix)]
impl<P: Write + std::os::fd::AsFd> Write for PipeEnd<P> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.wait_until(nix::poll::PollFlags::POLLOUT)?;
        self.pipe.write(&bytes[..bytes.len().min(TAKEN)])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pipe.flush()
    }
}

#[cfg(not(unix))]
impl<P: Read> Read for PipeEnd<P> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.pipe.read(buffer)
    }
}

#[cfg(not(unix))]
impl<P: Write> Write for PipeEnd<P> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pipe.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pipe.flush()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn an_end_that_is_not_wanted_any_more_comes_back_from_a_pipe_that_stays_open() {
        let (wanted, unwanted) = cancellation().expect("a pipe");
        let (reader, writer) = io::pipe().expect("a pipe");
        let (_held_reader, other_writer) = io::pipe().expect("a pipe");
        let _held_writer = writer.try_clone().expect("a descriptor");
        let mut reading = PipeEnd::new(reader, unwanted.clone());
        let mut writing = PipeEnd::new(writer, unwanted.clone());
        writing.write_all(b"heard").expect("it is wanted");
        let mut heard = [0; 5];
        reading.read_exact(&mut heard).expect("it is wanted");
        assert_eq!(&heard, b"heard");
        let mut writing = PipeEnd::new(other_writer, unwanted);
        let blocked = [
            thread::spawn(move || reading.read(&mut [0; 5]).map(drop)),
            // More than a pipe holds, and without a reader.
            thread::spawn(move || writing.write_all(&vec![0; 1 << 21])),
        ];
        drop(wanted);
        for thread in blocked {
            let error = thread.join().expect("no panic").expect_err("it is not wanted");
            assert_eq!(error.kind(), io::ErrorKind::ConnectionAborted);
        }
    }
}
