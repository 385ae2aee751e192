//! Standard output and standard error: results and notices.
//!
//! `println!` panics if its text can't be written (a closed pipe, a full disk). Here, results that can't be
//! written are an error (exit code 2), and notices that can't be written are dropped. Control characters in
//! foreign text are replaced by visible ones.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Context;

use threefold_player::visible::visible_lines;

/// The reader of standard output has closed it, as `head` does. The exit code says that the result is not
/// complete; a message would disturb a reader who wanted no more.
#[derive(Debug, thiserror::Error)]
#[error("standard output was closed by its reader")]
pub struct ClosedOutput;

/// The error of a text that was to be printed on standard output.
///
/// # Errors
/// If it could not be printed.
pub(crate) fn printed(written: io::Result<()>) -> anyhow::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(ClosedOutput.into()),
        written => written.context("standard output can't be written"),
    }
}

/// Prints a line, or several, of a command's result.
///
/// # Errors
/// If it can't be written.
pub fn result(text: &str) -> anyhow::Result<()> {
    results(&format!("{text}\n"))
}

/// Prints text that ends with a line break.
///
/// # Errors
/// If it can't be written.
pub fn results(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    // Flushed here, since an error at the end of the program would be ignored.
    printed(out.write_all(visible_lines(text).as_bytes()).and_then(|()| out.flush()))
}

/// What shows notices instead of standard error.
type Diversion = Option<Box<dyn Fn(&str) + Send>>;

/// Where notices go. A process has one standard error.
static DIVERTED: Mutex<Diversion> = Mutex::new(None);

fn diverted() -> MutexGuard<'static, Diversion> {
    DIVERTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Passes all later notices and lines of the log to a screen, which they would spoil.
pub(crate) fn divert_notices(to: impl Fn(&str) + Send + 'static) {
    *diverted() = Some(Box::new(to));
}

/// Notices go to standard error again.
pub(crate) fn end_diversion() {
    *diverted() = None;
}

/// Prints a line on standard error; errors are ignored.
pub fn notice(text: &str) {
    match &*diverted() {
        // The lock is held during this call, so `show` must not print a notice.
        Some(show) => show(text),
        // One write, so that lines of several threads don't mix.
        None => _ = io::stderr().write_all(format!("{}\n", visible_lines(text)).as_bytes()),
    }
}

/// Standard error for the log; control characters are replaced, and errors are ignored.
pub struct Log;

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        match &*diverted() {
            Some(show) => show(text.trim_end()),
            None => _ = io::stderr().write_all(visible_lines(&text).as_bytes()),
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
