//! The folder a report is written to.
//!
//! Everything is rendered before anything is written, except formats that are written in pieces. Each file is written under
//! another name and then renamed, so that a reader of the folder finds the old file or the new one, never a part.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::report_format::WriteReport;
use super::{Report, ReportFormat};
use threefold_harness::output_file;

/// Why a report could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {cause}; check that the folder exists or can be made, may be written to, and has space left", path.display())]
pub struct Unwritten {
    /// The file or folder.
    pub path: PathBuf,
    /// The error of the operating system.
    pub cause: io::Error,
}

/// Writes these formats to a folder, which is created if it is missing, and returns the files. A format that renders no
/// bytes has nothing to say about the run: it writes no file, and the file of an earlier run is removed.
pub fn write_all(
    folder: &Path,
    report: &Report,
    formats: &[ReportFormat],
) -> Result<Vec<PathBuf>, Unwritten> {
    let at = |path: &Path, cause| Unwritten { path: path.to_owned(), cause };
    let mut pages = Vec::with_capacity(formats.len());
    for format in formats {
        let path = folder.join(format.file);
        let rendered = match format.stream {
            Some(stream) => Page::InPieces(stream),
            None => Page::Whole((format.render)(report).map_err(|cause| at(&path, cause))?),
        };
        pages.push((path, rendered));
    }
    fs::create_dir_all(folder).map_err(|cause| at(folder, cause))?;
    let mut files = Vec::with_capacity(pages.len());
    for (path, page) in pages {
        if page.write(&path, report).map_err(|cause| at(&path, cause))? {
            files.push(path);
        }
    }
    Ok(files)
}

/// A file of the folder before it is written.
enum Page {
    Whole(Vec<u8>),
    InPieces(WriteReport),
}

impl Page {
    /// Writes the file. Without bytes there is none, and an earlier one is removed.
    fn write(self, path: &Path, report: &Report) -> io::Result<bool> {
        let length = match self {
            Self::Whole(bytes) if bytes.is_empty() => 0,
            Self::Whole(bytes) => output_file::write_stream(path, &mut |out| out.write_all(&bytes))?,
            Self::InPieces(stream) => output_file::write_stream(path, &mut |out| stream(report, out))?,
        };
        if length == 0 && path.exists() {
            fs::remove_file(path)?;
        }
        Ok(length > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FORMATS, fixture};
    use super::*;

    #[test]
    fn report_folder_has_every_format_only() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let latest = folder.path().join("reports/latest");
        let report = fixture::report();
        for _ in 0..2 {
            let written = write_all(&latest, &report, FORMATS).expect("writable");
            assert_eq!(
                written.len(),
                FORMATS.len() - 1,
                "no two engines have a suite in common: no rates.html"
            );
            let mut found: Vec<PathBuf> =
                fs::read_dir(&latest).expect("made").map(|entry| entry.expect("readable").path()).collect();
            let mut written = written;
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
        write_all(folder.path(), &report, FORMATS).expect("writable");
        assert!(folder.path().join("rates.html").exists(), "two engines are compared");
        report.suites.truncate(1);
        let written = write_all(folder.path(), &report, FORMATS).expect("writable");
        assert!(!folder.path().join("rates.html").exists() && written.len() < FORMATS.len());
    }

    #[test]
    fn report_folder_that_is_a_file_is_named() {
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        let error = write_all(file.path(), &fixture::report(), FORMATS).expect_err("no folder").to_string();
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
