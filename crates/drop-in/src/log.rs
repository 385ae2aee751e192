//! `-log` of fastchess: the traffic with engines, in a file.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use super::values::{is_true, one_of};
use super::words::{Given, UsageError};

/// The content of a log; each level includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogLevel {
    /// Engine faults.
    Error,
    /// Engine faults too: threefold has no log messages of this level.
    Warn,
    /// The messages of engines on standard error.
    Info,
    /// The UCI traffic.
    Trace,
}

/// A log of engines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    /// Its file; a name that ends with `.gz` is compressed.
    pub file: PathBuf,
    /// What it has.
    pub level: LogLevel,
    /// Is it added to the end of the file?
    pub appends: bool,
    /// Are its lines written in blocks?
    pub is_buffered: bool,
}

/// The keys of `-log`.
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the option")]
#[derive(Debug, Clone)]
pub(super) struct LogSettings {
    file: Option<PathBuf>,
    level: LogLevel,
    appends: bool,
    is_compressed: bool,
    /// Is every line written at once?
    is_realtime: bool,
    /// Does it have the traffic with engines?
    has_engines: bool,
}

impl Default for LogSettings {
    /// What fastchess does without keys.
    fn default() -> Self {
        Self {
            file: None,
            level: LogLevel::Warn,
            appends: true,
            is_compressed: false,
            is_realtime: true,
            has_engines: false,
        }
    }
}

impl LogSettings {
    /// Takes a key.
    pub(super) fn set(&mut self, given: &Given<'_>, key: &str, value: &str) -> Result<(), UsageError> {
        match key {
            "file" => self.file = Some(PathBuf::from(value)),
            "level" => {
                self.level = match one_of(given, value, &["trace", "info", "warn", "err", "fatal"])? {
                    // The UCI traffic has a key of its own.
                    "trace" | "info" => LogLevel::Info,
                    "warn" => LogLevel::Warn,
                    _ => LogLevel::Error,
                }
            }
            "append" => self.appends = is_true(given, value)?,
            "compress" => self.is_compressed = is_true(given, value)?,
            "realtime" => self.is_realtime = is_true(given, value)?,
            _ => self.has_engines = is_true(given, value)?,
        }
        Ok(())
    }

    /// Is an earlier log replaced?
    pub(super) const fn is_replaced(&self) -> bool {
        self.file.is_some() && !self.appends
    }

    /// The log, if there is one. A compressed log gets a name with the time, and is never appended to.
    pub(super) fn log(&self, now: SystemTime) -> Option<Log> {
        let mut file = self.file.clone()?;
        if self.is_compressed {
            let seconds = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
            file.as_mut_os_string().push(format!(".{seconds}.gz"));
        }
        Some(Log {
            file,
            level: if self.has_engines { LogLevel::Trace } else { self.level },
            appends: self.appends && !self.is_compressed,
            is_buffered: !self.is_realtime,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::peer::Peer;
    use super::super::words::split;
    use super::*;

    fn log(line: &str) -> Option<Log> {
        let line: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let given = split(Peer::Fastchess, &line).expect("understood");
        let mut settings = LogSettings::default();
        for (key, value) in given[0].pairs().expect("pairs") {
            settings.set(&given[0], key, value).expect("known");
        }
        settings.log(UNIX_EPOCH + Duration::from_secs(7))
    }

    #[test]
    fn log_keys_set_its_file_level_and_writing() {
        let written = |file: &str, level, appends, is_buffered| {
            Some(Log { file: PathBuf::from(file), level, appends, is_buffered })
        };
        for (line, expected) in [
            ("-log file=e.log", written("e.log", LogLevel::Warn, true, false)),
            ("-log file=e.log engine=true level=err", written("e.log", LogLevel::Trace, true, false)),
            ("-log file=e.log level=trace append=false", written("e.log", LogLevel::Info, false, false)),
            ("-log file=e.log level=fatal realtime=false", written("e.log", LogLevel::Error, true, true)),
            ("-log file=e.log compress=true", written("e.log.7.gz", LogLevel::Warn, false, false)),
            ("-log level=info", None),
        ] {
            assert_eq!(log(line), expected, "{line}");
        }
    }
}
