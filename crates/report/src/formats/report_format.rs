//! A format of a run's report: a pure function from the report to the bytes of one file.

use std::io::{self, Write};

use crate::model::report::Report;

/// Writes a report in pieces.
pub type WriteReport = fn(&Report, &mut dyn Write) -> io::Result<()>;

/// A format of a run's report.
#[derive(Debug, Clone, Copy)]
pub struct ReportFormat {
    /// The name on the command line, unique in a program.
    pub name: &'static str,
    /// The file it is written to, unique in a set.
    pub file: &'static str,
    /// One line of help.
    pub summary: &'static str,
    /// The file's bytes. Equal reports give equal bytes. No bytes mean that the format has nothing to say
    /// about the run, and that there is no file.
    pub render: fn(&Report) -> io::Result<Vec<u8>>,
    /// Writes the same bytes in pieces, for a file that can be large; `None` for the others.
    pub stream: Option<WriteReport>,
}
