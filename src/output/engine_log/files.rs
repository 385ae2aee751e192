//! The files of a log: bounded, numbered, plain or compressed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

use threefold_player::output_file::{self, IfThere, OutputError, Target};
use threefold_player::traffic::LogPlace;

/// Files that are kept.
pub(super) const FILES: u64 = 4;

/// The files of the log.
pub(super) struct Files {
    /// As the user names it.
    path: PathBuf,
    /// The first file; `None` for a device or a pipe, which has no size.
    first: Option<PathBuf>,
    writer: Writer,
    /// Bytes of text that a file may have.
    size: u64,
    /// The number of the file that is written, from 1, with its lines and bytes.
    number: u64,
    lines: u64,
    bytes: u64,
}

/// Writes a file.
enum Writer {
    Plain(BufWriter<File>),
    /// For names that end with `.gz`.
    Gzip(Box<GzEncoder<File>>),
}

impl Writer {
    fn of(path: &Path, file: File) -> Self {
        if is_compressed(path) {
            Self::Gzip(Box::new(GzEncoder::new(file, Compression::default())))
        } else {
            Self::Plain(BufWriter::new(file))
        }
    }

    const fn as_write(&mut self) -> &mut dyn Write {
        match self {
            Self::Plain(file) => file,
            Self::Gzip(file) => &mut **file,
        }
    }

    /// Writes all that is held back; a compressed file is complete afterwards.
    fn finish(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.flush(),
            Self::Gzip(file) => file.try_finish(),
        }
    }
}

/// Does the name ask for compression?
fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
}

impl Files {
    /// Opens the first file, or the newest one of an earlier log to append to it.
    pub(super) fn begin(path: &Path, if_there: IfThere, size: u64) -> Result<Self, OutputError> {
        let refused = |cause| OutputError::from_system(path, cause);
        if if_there == IfThere::Append && is_compressed(path) {
            return Err(refused(io::Error::other("a compressed log can't be appended to")));
        }
        output_file::check_in_folder(path, if_there)?;
        let target = output_file::target(path).map_err(refused)?;
        let Target::Regular(first) = &target else {
            let writer = Writer::of(path, output_file::open(&target).map_err(refused)?);
            return Ok(Self {
                path: path.to_owned(),
                first: None,
                writer,
                size,
                number: 1,
                lines: 0,
                bytes: 0,
            });
        };
        let later = later_files(first).map_err(refused)?;
        let (mut number, mut lines, mut bytes) = (1, 0, 0);
        let file = if if_there == IfThere::Append {
            number = later.last().map_or(1, |(number, _)| *number);
            let newest = numbered(first, number);
            let failed = |cause| OutputError::from_system(&newest, cause);
            let mut file = output_file::open(&Target::Regular(newest.clone())).map_err(failed)?;
            // Messages name a line of the file, so the lines of the earlier log count.
            lines = count_lines(&file).map_err(failed)?;
            bytes = file.seek(SeekFrom::End(0)).map_err(failed)?;
            file
        } else {
            for (_, later) in later {
                if if_there == IfThere::Refuse {
                    return Err(OutputError::Exists { path: later });
                }
                fs::remove_file(&later).map_err(|cause| OutputError::from_system(&later, cause))?;
            }
            let file = output_file::open(&target).map_err(refused)?;
            file.set_len(0).map_err(refused)?;
            file
        };
        let writer = Writer::of(path, file);
        Ok(Self { path: path.to_owned(), first: Some(first.clone()), writer, size, number, lines, bytes })
    }

    /// Writes a line; returns its place. `at_once`: it is in the file when this returns.
    pub(super) fn write(&mut self, line: &str, at_once: bool) -> Result<LogPlace, OutputError> {
        let length = line.len() as u64;
        // A line that is longer than a file gets a file of its own; an empty file is never left for it.
        if self.bytes > 0 && self.bytes + length > self.size {
            self.next_file()?;
        }
        let place = numbered(&self.path, self.number);
        let writer = self.writer.as_write();
        let written = writer.write_all(line.as_bytes());
        let written = written.and_then(|()| if at_once { writer.flush() } else { Ok(()) });
        written.map_err(|cause| OutputError::from_system(&place, cause))?;
        self.lines += 1;
        self.bytes += length;
        Ok(LogPlace { file: place.to_string_lossy().into_owned(), line: self.lines })
    }

    /// Completes the file. Nothing can be written afterwards.
    pub(super) fn finish(&mut self) -> Result<(), OutputError> {
        let finished = self.writer.finish();
        finished.map_err(|cause| OutputError::from_system(&numbered(&self.path, self.number), cause))
    }

    /// Continues in the next file, and removes the oldest.
    fn next_file(&mut self) -> Result<(), OutputError> {
        let Some(first) = self.first.clone() else { return Ok(()) };
        self.finish()?;
        let next = numbered(&first, self.number + 1);
        // `begin` leaves no later file of an earlier log, so an existing one belongs to another program.
        let opened = OpenOptions::new().write(true).create_new(true).open(&next);
        self.writer = Writer::of(&self.path, opened.map_err(|cause| OutputError::from_system(&next, cause))?);
        (self.number, self.lines, self.bytes) = (self.number + 1, 0, 0);
        if let Some(oldest) = self.number.checked_sub(FILES).filter(|oldest| *oldest > 0) {
            let oldest = numbered(&first, oldest);
            match fs::remove_file(&oldest) {
                Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
                    return Err(OutputError::from_system(&oldest, cause));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The number of lines of a file.
fn count_lines(file: &File) -> io::Result<u64> {
    let mut reader = BufReader::new(file);
    let mut lines = 0;
    while reader.skip_until(b'\n')? > 0 {
        lines += 1;
    }
    Ok(lines)
}

/// FILE, FILE.2, FILE.3 …; of FILE.gz they are FILE.2.gz, FILE.3.gz …
fn numbered(file: &Path, number: u64) -> PathBuf {
    if number <= 1 {
        return file.to_owned();
    }
    if is_compressed(file) {
        return file.with_extension(format!("{number}.gz"));
    }
    let mut name = file.as_os_str().to_owned();
    name.push(format!(".{number}"));
    name.into()
}

/// Later files of an earlier log of this name, by number. A longer number is no number of ours, such as a
/// date.
fn later_files(first: &Path) -> io::Result<Vec<(u64, PathBuf)>> {
    /// Maximum number of digits of a file number.
    const DIGITS: usize = 6;
    let (Some(folder), Some(name)) = (first.parent(), first.file_name()) else { return Ok(Vec::new()) };
    let (stem, end) = match first.file_stem() {
        Some(stem) if is_compressed(first) => (stem, ".gz"),
        _ => (name, ""),
    };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let other = entry.file_name();
        let number = other
            .to_str()
            .zip(stem.to_str())
            .and_then(|(other, stem)| other.strip_prefix(stem)?.strip_prefix('.')?.strip_suffix(end));
        let is_number = |digits: &&str| {
            (1..=DIGITS).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit())
        };
        if let Some(number) = number.filter(is_number).and_then(|digits| digits.parse().ok())
            && entry.file_type()?.is_file()
        {
            found.push((number, entry.path()));
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::GzDecoder;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "what was written is looked at here")]
    fn log_files_are_bounded_and_positions_stay_valid() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("m.log");
        let mut files = Files::begin(&path, IfThere::Refuse, 100).expect("writable");
        let mut places = Vec::new();
        // Six lines fit in a file.
        for number in 0..60 {
            let line = format!("this is line {number:02}\n");
            places.push((line.trim_end().to_owned(), files.write(&line, true).expect("writable")));
            let sizes = names(folder.path()).into_iter().map(|name| folder.path().join(name));
            let total: u64 = sizes.map(|file| fs::metadata(file).expect("there").len()).sum();
            assert!(total <= FILES * 100, "{total} bytes after line {number}");
        }
        assert_eq!(names(folder.path()), ["m.log.10", "m.log.7", "m.log.8", "m.log.9"]);
        let mut found = 0;
        for (line, LogPlace { file, line: number }) in &places {
            let Ok(text) = fs::read_to_string(file) else { continue };
            assert_eq!(text.lines().nth(*number as usize - 1), Some(line.as_str()), "{file}:{number}");
            found += 1;
        }
        assert_eq!(found, 24);
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "an earlier log is made here")]
    fn log_replaces_an_earlier_one_only_if_allowed() {
        for earlier in ["m.log", "m.log.3"] {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let path = folder.path().join("m.log");
            for file in [earlier, "m.log.20240101", "m.log.x", "other.log.2"] {
                fs::write(folder.path().join(file), "earlier").expect("writable");
            }
            let before = names(folder.path());
            match Files::begin(&path, IfThere::Refuse, 100) {
                Err(OutputError::Exists { path }) => assert_eq!(path, folder.path().join(earlier)),
                other => panic!("{earlier}: {:?}", other.map(|files| files.path)),
            }
            assert_eq!(names(folder.path()), before);
            let mut files = Files::begin(&path, IfThere::Replace, 100).expect("writable");
            files.write("new\n", true).expect("writable");
            assert_eq!(names(folder.path()), ["m.log", "m.log.20240101", "m.log.x", "other.log.2"]);
            assert_eq!(fs::read_to_string(path).expect("there"), "new\n");
        }
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "an earlier log is made here")]
    fn appended_log_continues_the_newest_file_with_true_line_numbers() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("m.log");
        fs::write(&path, "first\n").expect("writable");
        fs::write(folder.path().join("m.log.2"), "one\ntwo\n").expect("writable");
        let mut files = Files::begin(&path, IfThere::Append, 20).expect("writable");
        let place = files.write("three\n", true).expect("writable");
        assert_eq!((place.file, place.line), (format!("{}.2", path.display()), 3));
        assert_eq!(fs::read_to_string(folder.path().join("m.log.2")).expect("there"), "one\ntwo\nthree\n");
        let place = files.write("four is too long\n", true).expect("writable");
        assert_eq!((place.file, place.line), (format!("{}.3", path.display()), 1));
        assert_eq!(fs::read_to_string(&path).expect("kept"), "first\n");
    }

    #[test]
    fn buffered_lines_are_written_with_the_next_one_that_is_written_at_once() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("m.log");
        let mut files = Files::begin(&path, IfThere::Refuse, 1000).expect("writable");
        let text = || File::open(&path).and_then(io::read_to_string).expect("there");
        files.write("one\n", false).expect("writable");
        assert_eq!(text(), "");
        files.write("two\n", true).expect("writable");
        assert_eq!(text(), "one\ntwo\n");
        files.write("three\n", false).expect("writable");
        files.finish().expect("writable");
        assert_eq!(text(), "one\ntwo\nthree\n");
    }

    #[test]
    fn compressed_files_are_bounded_and_whole() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("m.log.gz");
        let mut files = Files::begin(&path, IfThere::Refuse, 12).expect("writable");
        for number in 0..4 {
            files.write(&format!("line {number}\n"), number == 3).expect("writable");
        }
        let read = |name: &str| {
            let mut text = Vec::new();
            let file = File::open(folder.path().join(name)).expect("there");
            (GzDecoder::new(file).read_to_end(&mut text).is_ok(), String::from_utf8(text).expect("text"))
        };
        assert_eq!(names(folder.path()), ["m.log.2.gz", "m.log.3.gz", "m.log.4.gz", "m.log.gz"]);
        assert_eq!(read("m.log.2.gz"), (true, "line 1\n".to_owned()));
        // The log of a killed process lacks its end, but has every line that was written at once.
        assert_eq!(read("m.log.4.gz"), (false, "line 3\n".to_owned()));
        files.finish().expect("writable");
        assert_eq!(read("m.log.4.gz"), (true, "line 3\n".to_owned()));
        let again = |if_there| Files::begin(&path, if_there, 12).map(|_| ());
        assert!(matches!(again(IfThere::Refuse), Err(OutputError::Exists { .. })));
        assert!(matches!(again(IfThere::Append), Err(OutputError::Unwritable { .. })));
    }
}
