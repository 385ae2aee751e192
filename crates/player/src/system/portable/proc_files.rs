//! There is no `/proc`: nothing is known about other processes and about the waits of threads.

use std::fs::File;

/// No text.
pub(crate) fn read_file(_: &str) -> Option<String> {
    None
}

/// No file.
pub(crate) fn open(_: &str) -> Option<File> {
    None
}

/// No entries.
pub(crate) fn numeric_entries(_: &str) -> Vec<u32> {
    Vec::new()
}
