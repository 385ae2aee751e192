//! `--log`: what is said to engines and by them, a line each, in files that are bounded.
//!
//! The lines come as `tracing` events (`threefold_player::traffic`). Each is written at once, so that the log
//! of a process that is killed is whole; a buffered log writes faults at once, and other lines in blocks. A
//! full file is followed by the next one, under a name of its own: FILE, then FILE.2, FILE.3 and so on. No
//! file is ever renamed, so a message that names a file and a line stays true; the oldest is removed when
//! there are more than four. A file whose name ends with `.gz` is compressed.

mod files;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::fmt::format;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::layer::Context;

use self::files::Files;
use crate::streams;
use threefold_player::output_file::{IfThere, OutputError};
use threefold_player::traffic::{Direction, LogPlace, LogPlaces};
use threefold_player::visible::visible;

/// Bytes of text of a file.
const FILE_SIZE: u64 = 64 << 20;

/// The log. Clones write to the same files.
#[derive(Clone)]
pub(crate) struct EngineLog(Arc<Mutex<State>>);

struct State {
    files: Files,
    /// Are lines written in blocks?
    is_buffered: bool,
    /// Places of faults in the log that have not been requested yet, by their numbers.
    faults: BTreeMap<u64, LogPlace>,
    /// Has writing failed, which was said, or has the log ended? Then nothing more is written.
    has_ended: bool,
}

impl EngineLog {
    /// Begins a log, or continues one. `is_buffered`: only faults are written at once.
    ///
    /// # Errors
    /// If there is one already and `if_there` refuses to replace it, or if it can't be written.
    pub(crate) fn begin(path: &Path, if_there: IfThere, is_buffered: bool) -> Result<Self, OutputError> {
        let files = Files::begin(path, if_there, FILE_SIZE)?;
        let state = State { files, is_buffered, faults: BTreeMap::new(), has_ended: false };
        Ok(Self(Arc::new(Mutex::new(state))))
    }

    /// Completes the log of this process, if there is one.
    pub(crate) fn end() {
        let log = tracing::dispatcher::get_default(|dispatch| dispatch.downcast_ref::<Self>().cloned());
        let Some(log) = log else { return };
        let ended = log.state(|state| {
            let is_open = !std::mem::replace(&mut state.has_ended, true);
            if is_open { state.files.finish() } else { Ok(()) }
        });
        if let Err(error) = ended {
            streams::notice(&format!("warning: {error}; the log lacks its last lines"));
        }
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
            if state.has_ended {
                return;
            }
            // Under the lock, so that the lines are in the order of their times.
            let line = format!("{} {level:5} {}\n", now(), said.line());
            match state.files.write(&line, !state.is_buffered || said.fault.is_some()) {
                Ok(place) => {
                    if let Some(fault) = said.fault {
                        state.faults.insert(fault, place);
                    }
                }
                Err(error) => {
                    state.has_ended = true;
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

#[cfg(test)]
mod tests {
    use super::*;

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
