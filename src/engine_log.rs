//! `--log`: what is said to engines and by them, a line each, in files that are bounded.
//!
//! The lines come as `tracing` events (`threefold_harness::player::traffic`). Each is written at once, so that the log of a
//! process that is killed is whole. A full file is followed by the next one, under a name of its own: FILE, then FILE.2,
//! FILE.3 and so on. No file is ever renamed, so a message that names a file and a line stays true; the oldest is removed
//! when there are more than four.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::fmt::format;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::layer::Context;

use super::streams;
use threefold_harness::output_file::{self, IfThere, OutputError, Target};
use threefold_harness::player::traffic::{Direction, LogPlace, LogPlaces};
use threefold_harness::visible::visible;

/// Bytes of a file.
const FILE_SIZE: u64 = 64 << 20;
/// Files that are kept.
const FILES: u64 = 4;

/// The log. Clones write to the same files.
#[derive(Clone)]
pub(crate) struct EngineLog(Arc<Mutex<State>>);

struct State {
    files: Files,
    /// Places of faults in the log that have not been requested yet, by their numbers.
    faults: BTreeMap<u64, LogPlace>,
    /// Has writing failed? Then nothing more is written, and that was said.
    has_failed: bool,
}

impl EngineLog {
    /// Begins a log.
    ///
    /// # Errors
    /// If there is one already and `if_there` refuses to replace it, or if it can't be written.
    pub(crate) fn begin(path: &Path, if_there: IfThere) -> Result<Self, OutputError> {
        let files = Files::begin(path, if_there, FILE_SIZE)?;
        Ok(Self(Arc::new(Mutex::new(State { files, faults: BTreeMap::new(), has_failed: false }))))
    }

    /// Returns the places of faults in the log; nothing if there is no log.
    pub(crate) fn places() -> LogPlaces {
        let log = tracing::dispatcher::get_default(|dispatch| dispatch.downcast_ref::<Self>().cloned());
        log.map_or_else(LogPlaces::default, |log| {
            LogPlaces::found_by(move |fault| log.state(|state| state.faults.remove(&fault)))
        })
    }

    fn state<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<S: Subscriber> Layer<S> for EngineLog {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut said = Said::default();
        event.record(&mut said);
        let level = event.metadata().level();
        self.state(|state| {
            if state.has_failed {
                return;
            }
            // Under the lock, so that the lines are in the order of their times.
            let line = format!("{} {level:5} {}\n", now(), said.line());
            match state.files.write(&line) {
                Ok(place) => {
                    if let Some(fault) = said.fault {
                        state.faults.insert(fault, place);
                    }
                }
                Err(error) => {
                    state.has_failed = true;
                    streams::notice(&format!("warning: {error}; the run continues without a log"));
                }
            }
        });
    }
}

/// The time of day in UTC, to microseconds.
fn now() -> String {
    let mut text = String::new();
    // Writing to text never fails.
    _ = SystemTime.format_time(&mut format::Writer::new(&mut text));
    text
}

/// The fields of an event.
#[derive(Debug, Default)]
struct Said {
    engine: String,
    instance: u64,
    job: String,
    direction: String,
    line: String,
    fault: Option<u64>,
}

impl Said {
    /// `[match, game 3] Base#4 > go nodes 500`
    fn line(&self) -> String {
        let Self { engine, instance, job, direction, line, fault: _ } = self;
        let mark = if *direction == Direction::Fault.name() { "fault:" } else { direction };
        visible(&format!("[{job}] {engine}#{instance} {mark} {line}"))
    }
}

impl Visit for Said {
    fn record_debug(&mut self, _: &Field, _: &dyn std::fmt::Debug) {}

    fn record_u64(&mut self, field: &Field, value: u64) {
        match field.name() {
            "instance" => self.instance = value,
            "fault" => self.fault = Some(value),
            _ => {}
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        let kept = match field.name() {
            "engine" => &mut self.engine,
            "job" => &mut self.job,
            "direction" => &mut self.direction,
            "line" => &mut self.line,
            _ => return,
        };
        value.clone_into(kept);
    }
}

/// The files of the log.
struct Files {
    /// As the user names it.
    path: PathBuf,
    /// The first file; `None` for a device or a pipe, which has no size.
    first: Option<PathBuf>,
    file: File,
    /// Bytes that a file may have.
    size: u64,
    /// The number of the file that is written, from 1, with its lines and bytes.
    number: u64,
    lines: u64,
    bytes: u64,
}

impl Files {
    fn begin(path: &Path, if_there: IfThere, size: u64) -> Result<Self, OutputError> {
        let refused = |cause| OutputError::of(path, cause);
        output_file::check_in_folder(path, if_there)?;
        let target = output_file::target(path).map_err(refused)?;
        let first = match &target {
            Target::Regular(first) => {
                for later in later_files(first).map_err(refused)? {
                    if if_there == IfThere::Refuse {
                        return Err(OutputError::Exists { path: later });
                    }
                    fs::remove_file(&later).map_err(|cause| OutputError::of(&later, cause))?;
                }
                Some(first.clone())
            }
            Target::Stream(_) | Target::Stdout | Target::Stderr => None,
        };
        let file = output_file::open(&target).map_err(refused)?;
        if first.is_some() {
            file.set_len(0).map_err(refused)?;
        }
        Ok(Self { path: path.to_owned(), first, file, size, number: 1, lines: 0, bytes: 0 })
    }

    /// Writes a line; returns its place.
    fn write(&mut self, line: &str) -> Result<LogPlace, OutputError> {
        let length = line.len() as u64;
        if self.bytes > 0 && self.bytes + length > self.size {
            self.next_file()?;
        }
        let place = numbered(&self.path, self.number);
        self.file.write_all(line.as_bytes()).map_err(|cause| OutputError::of(&place, cause))?;
        self.lines += 1;
        self.bytes += length;
        Ok(LogPlace { file: place.to_string_lossy().into_owned(), line: self.lines })
    }

    /// Continues in the next file, and removes the oldest.
    fn next_file(&mut self) -> Result<(), OutputError> {
        let Some(first) = &self.first else { return Ok(()) };
        let next = numbered(first, self.number + 1);
        let opened = OpenOptions::new().write(true).create_new(true).open(&next);
        self.file = opened.map_err(|cause| OutputError::of(&next, cause))?;
        (self.number, self.lines, self.bytes) = (self.number + 1, 0, 0);
        if let Some(oldest) = self.number.checked_sub(FILES).filter(|oldest| *oldest > 0) {
            let oldest = numbered(first, oldest);
            fs::remove_file(&oldest).map_err(|cause| OutputError::of(&oldest, cause))?;
        }
        Ok(())
    }
}

/// FILE, FILE.2, FILE.3 …
fn numbered(file: &Path, number: u64) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    if number > 1 {
        name.push(format!(".{number}"));
    }
    name.into()
}

/// Later files of an earlier log of this name. A longer number is no number of ours, such as a date.
fn later_files(first: &Path) -> io::Result<Vec<PathBuf>> {
    /// Maximum number of digits of a file number.
    const DIGITS: usize = 6;
    let (Some(folder), Some(name)) = (first.parent(), first.file_name()) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let other = entry.file_name();
        let rest = other.as_encoded_bytes().strip_prefix(name.as_encoded_bytes());
        let number = rest.and_then(|rest| rest.strip_prefix(b"."));
        let is_later = number.is_some_and(|digits| {
            (1..=DIGITS).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit)
        });
        if is_later && entry.file_type()?.is_file() {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
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
            places.push((line.trim_end().to_owned(), files.write(&line).expect("writable")));
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
            files.write("new\n").expect("writable");
            assert_eq!(names(folder.path()), ["m.log", "m.log.20240101", "m.log.x", "other.log.2"]);
            assert_eq!(fs::read_to_string(path).expect("there"), "new\n");
        }
    }

    #[test]
    fn log_line_escapes_control_characters() {
        let said = Said {
            engine: "E\u{1b}".to_owned(),
            instance: 3,
            job: "match, game 2".to_owned(),
            direction: "<".to_owned(),
            line: "bestmove\u{202e}\0".to_owned(),
            fault: None,
        };
        assert_eq!(said.line(), "[match, game 2] E␛#3 < bestmove\u{fffd}␀");
        assert_eq!(
            Said { direction: "#".to_owned(), ..said }.line(),
            "[match, game 2] E␛#3 fault: bestmove\u{fffd}␀"
        );
    }
}
