//! An end of a pipe whose reads and writes can be cancelled.
//!
//! A child's pipes stay open as long as anybody holds their other ends: a process that the child left behind in a
//! session of its own may do so for hours. A thread that blocks on such a pipe would never end, so it waits (`poll`)
//! for the pipe and for a second one, which closes when the harness has done with the child.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::AsFd;
use std::sync::Arc;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

/// Cancels the reads and writes when it is dropped: they return an error.
#[derive(Debug)]
pub(crate) struct Wanted {
    _closes: PipeWriter,
}

/// What pipes' ends look at to see whether they are still wanted.
#[derive(Debug, Clone)]
pub(crate) struct Unwanted(Arc<PipeReader>);

/// Both sides of that.
pub(crate) fn wanted() -> io::Result<(Wanted, Unwanted)> {
    let (reader, writer) = io::pipe()?;
    Ok((Wanted { _closes: writer }, Unwanted(Arc::new(reader))))
}

/// An end of a pipe.
#[derive(Debug)]
pub(crate) struct PipeEnd<P> {
    pipe: P,
    unwanted: Unwanted,
}

impl<P> PipeEnd<P> {
    pub(crate) const fn new(pipe: P, unwanted: Unwanted) -> Self {
        Self { pipe, unwanted }
    }
}

/// Bytes that a pipe takes at once where it says that it takes any.
const TAKEN: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };

impl<P: AsFd> PipeEnd<P> {
    /// Waits until the pipe is ready; an error where it is no longer wanted.
    fn wait_until(&self, ready: PollFlags) -> io::Result<()> {
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
    fn an_end_that_is_not_wanted_any_more_comes_back_from_a_pipe_that_stays_open() {
        let (wanted, unwanted) = wanted().expect("a pipe");
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
            // More than any pipe holds, and without a reader.
            thread::spawn(move || writing.write_all(&vec![0; 1 << 21])),
        ];
        drop(wanted);
        for thread in blocked {
            let error = thread.join().expect("no panic").expect_err("it is not wanted");
            assert_eq!(error.kind(), io::ErrorKind::ConnectionAborted);
        }
    }
}
