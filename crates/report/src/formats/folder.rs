//! The folder a report is written to.
//!
//! Everything is rendered before anything is written, except formats that are written in pieces. Each file is
//! written under another name and then renamed, so that a reader of the folder finds the old file or the new
//! one, never a part.

use std::io;
use std::path::{Path, PathBuf};

use crate::formats::report_format::WriteReport;
use crate::{Report, ReportFormat};
use threefold_player::output_file::{IfThere, OutputError};
use threefold_run::output_folder::OutputFolder;

/// Why a report could not be written.
#[derive(Debug, thiserror::Error)]
pub enum Unwritten {
    /// The folder has other files of these names.
    #[error(transparent)]
    Refused(OutputError),
    /// A format can't be rendered.
    #[error("{}: {cause}", path.display())]
    Unrendered {
        /// The path of the file that cannot be written.
        path: PathBuf,
        /// The error of the system.
        cause: io::Error,
    },
    /// An error of the operating system.
    #[error("{0}; check that the folder exists or can be made, may be written to, and has space left")]
    Unwritable(OutputError),
}

/// Writes these formats to a folder, which is created if it is missing, and returns the files. A format that
/// renders no bytes has nothing to say about the run: it writes no file, and the file of an earlier run is
/// removed.
pub fn write_all(
    folder: &Path,
    report: &Report,
    formats: &[ReportFormat],
    if_there: IfThere,
) -> Result<Vec<PathBuf>, Unwritten> {
    let names: Vec<&str> = formats.iter().map(|format| format.file).collect();
    let mut out = OutputFolder::open(folder);
    out.check(&names, if_there).map_err(Unwritten::Refused)?;
    let mut pages = Vec::with_capacity(formats.len());
    for format in formats {
        let rendered = match format.stream {
            Some(stream) => Page::InPieces(stream),
            None => Page::Whole(
                (format.render)(report)
                    .map_err(|cause| Unwritten::Unrendered { path: folder.join(format.file), cause })?,
            ),
        };
        pages.push((format.file, rendered));
    }
    // Recorded before the first file: after a crash the next run recognises unfinished files as its own.
    out.begin(&names).map_err(Unwritten::Unwritable)?;
    let mut files = Vec::with_capacity(pages.len());
    for (name, page) in pages {
        let written = match page {
            Page::Whole(bytes) => out.write(name, &mut |out| out.write_all(&bytes)),
            Page::InPieces(stream) => out.write(name, &mut |out| stream(report, out)),
        };
        if written.map_err(Unwritten::Unwritable)? {
            files.push(folder.join(name));
        }
    }
    // The list still has the files as unfinished, so their checksums are recorded last.
    out.save().map_err(Unwritten::Unwritable)?;
    Ok(files)
}

/// A file of the folder before it is written.
enum Page {
    Whole(Vec<u8>),
    InPieces(WriteReport),
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::FORMATS;
    use crate::model::fixture;
    use threefold_run::output_folder::LIST;

    #[test]
    fn report_folder_has_every_format_only() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let latest = folder.path().join("reports/latest");
        let report = fixture::report();
        for _ in 0..2 {
            let written = write_all(&latest, &report, FORMATS, IfThere::Refuse).expect("writable");
            assert_eq!(
                written.len(),
                FORMATS.len() - 1,
                "no two engines have a suite in common: no rates.html"
            );
            let mut found: Vec<PathBuf> =
                fs::read_dir(&latest).expect("made").map(|entry| entry.expect("readable").path()).collect();
            let mut written = written;
            written.push(latest.join(LIST));
            found.sort();
            written.sort();
            assert_eq!(found, written);
        }
    }

    #[test]
    fn empty_format_writes_no_file_and_removes_an_earlier_one() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut report = fixture::report();
        let engines = ["new", "old"].map(|engine| {
            let mut suite = report.suites[0].clone();
            engine.clone_into(&mut suite.engine);
            suite
        });
        report.suites = engines.to_vec();
        write_all(folder.path(), &report, FORMATS, IfThere::Refuse).expect("writable");
        assert!(folder.path().join("rates.html").exists(), "two engines are compared");
        report.suites.truncate(1);
        let written = write_all(folder.path(), &report, FORMATS, IfThere::Refuse).expect("writable");
        assert!(!folder.path().join("rates.html").exists() && written.len() < FORMATS.len());
    }

    #[test]
    fn report_folder_that_is_a_file_is_named() {
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        let error = write_all(file.path(), &fixture::report(), FORMATS, IfThere::Refuse)
            .expect_err("no folder")
            .to_string();
        assert!(error.starts_with(&file.path().display().to_string()), "{error}");
    }

    #[test]
    fn equal_reports_give_equal_bytes() {
        for format in FORMATS {
            let render = || (format.render)(&fixture::report()).expect("renders");
            assert_eq!(render(), render(), "{}", format.name);
        }
    }
}
