//! The tests of the queue of this folder.

use std::ffi::OsStr;

use clap_complete::CompletionCandidate;

use crate::input::test_queue::QueueFolder;

/// The names that begin as the present word does.
pub(super) fn tests(current: &OsStr) -> Vec<CompletionCandidate> {
    let begun = current.to_string_lossy();
    let contents = QueueFolder::of(None).and_then(|folder| folder.read()).ok().flatten();
    let tests = contents.map(|contents| contents.tests).unwrap_or_default();
    let names = tests.into_iter().map(|test| test.name).filter(|name| name.starts_with(&*begun));
    names.map(CompletionCandidate::new).collect()
}
