//! Cases of a position file for every kind of suite, shared by EPD and CSV.

use std::collections::HashSet;

use threefold_chess::clock::Limits;
use threefold_chess::score::Ply;
use threefold_suites::{KINDS, SourceFile, Suite, SuiteError, SuiteSource};

/// Creates the cases of every kind; returns the number of kinds that accept the file.
pub(crate) fn of_every_kind(source_file: &SourceFile) -> usize {
    let limits = Limits { nodes: Some(1000), depth: Some(Ply(3)), ..Limits::default() };
    let suites = KINDS.iter().filter_map(|kind| {
        let source = SuiteSource::from_positions(kind, source_file.clone(), &limits);
        let mut suite = match Suite::read(&source) {
            Ok(suite) => suite,
            Err(error) => {
                // The suite file is valid, so the error is in the positions or in the settings of the kind.
                line_is_there(&error, &[&source.suite_file, source_file]);
                return None;
            }
        };
        hold(&suite);
        let cases = suite.definitions.len();
        suite.sample_per_class(std::num::NonZeroUsize::MIN);
        assert!(suite.definitions.len() <= cases);
        Some(())
    });
    suites.count()
}

/// Ids are unique, and every case can start.
pub(crate) fn hold(suite: &Suite) {
    let mut ids = HashSet::new();
    for entry in &suite.definitions {
        assert!(ids.insert(entry.info.id.clone()), "`{}` is there twice", entry.info.id);
        assert_eq!(entry.info.suite, suite.name);
    }
}

/// An error names one of the files and an existing line.
pub(crate) fn line_is_there(error: &SuiteError, source_files: &[&SourceFile]) {
    let lines = source_files
        .iter()
        .filter(|source_file| source_file.file == error.file)
        .map(|source_file| lines(&source_file.text))
        .max();
    let lines = lines.unwrap_or_else(|| panic!("no file `{}`: {error}", error.file));
    assert!(error.line.is_none_or(|line| (1..=lines).contains(&line)), "of {lines} lines: {error}");
    assert!(!error.remedy.is_empty(), "{error}");
}

/// Number of lines of a text, with a last line without a line break, and the empty line after the last line
/// break.
pub(crate) fn lines(text: impl AsRef<[u8]>) -> usize {
    text.as_ref().split(|&byte| byte == b'\n').count()
}
