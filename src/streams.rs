//! Standard output and standard error: results and notices.
//!
//! `println!` ends the program with a panic where its text can't be written: behind a closed pipe, on a full disk.
//! Results that can't be written are an error (exit code 2), notices that can't be written are dropped. Whatever
//! comes from outside is made visible, so that no engine's words move the cursor.

use std::io::{self, Write};

use anyhow::Context;

use threefold_harness::visible::visible_lines;

/// Prints a line, or several, of a command's result.
///
/// # Errors
/// If it can't be written.
pub fn result(text: &str) -> anyhow::Result<()> {
    results(&format!("{text}\n"))
}

/// Prints a result whose lines have their ends.
///
/// # Errors
/// If it can't be written.
pub fn results(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let written = out.write_all(visible_lines(text).as_bytes()).and_then(|()| out.flush());
    written.context("standard output can't be written")
}

/// Says something on standard error, if anybody listens.
pub fn notice(text: &str) {
    // In one piece, so that the lines of several threads don't mix.
    let _ = io::stderr().write_all(format!("{}\n", visible_lines(text)).as_bytes());
}

/// Standard error for the log: nothing invisible goes through, and it never fails.
pub struct Log;

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = visible_lines(&String::from_utf8_lossy(bytes));
        let _ = io::stderr().write_all(text.as_bytes());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
