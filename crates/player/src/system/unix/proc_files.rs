//! What `/proc` says of processes and threads. Nothing where there is no `/proc`, as on macOS.

use std::fs::{self, File};

/// The text of a file.
#[expect(clippy::disallowed_methods, reason = "the system's counts of a process are files")]
pub(crate) fn read_file(file: &str) -> Option<String> {
    fs::read_to_string(file).ok()
}

/// A file that is read again and again.
pub(crate) fn open(file: &str) -> Option<File> {
    File::open(file).ok()
}

/// The entries of a folder whose names are numbers.
pub(crate) fn numeric_entries(folder: &str) -> Vec<u32> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}
