//! `-log` of fastchess: the traffic with engines, in a file.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use super::values::{is_true, one_of};
use super::words::{Given, UsageError};

/// The keys of `-log`.
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the option")]
#[derive(Debug, Clone)]
pub(super) struct LogSettings {
    file: Option<PathBuf>,
    level: String,
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
            level: "warn".to_owned(),
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
                one_of(given, value, &["trace", "info", "warn", "err", "fatal"])?.clone_into(&mut self.level);
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

    /// The options of threefold's own command line. A compressed log gets a name with the time, and is never appended to.
    #[expect(clippy::disallowed_methods, reason = "the name has the time")]
    pub(super) fn words(&self) -> Vec<String> {
        let Some(file) = &self.file else { return Vec::new() };
        let mut name = file.to_string_lossy().into_owned();
        if self.is_compressed {
            let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
            name = format!("{name}.{seconds}.gz");
        }
        // Without the traffic, there are the engines' messages on standard error, and faults.
        let level = match self.level.as_str() {
            _ if self.has_engines => "trace",
            "trace" | "info" => "info",
            "warn" => "warn",
            _ => "error",
        };
        let mut words = ["--log", &name, "--log-level", level].map(str::to_owned).to_vec();
        if self.appends && !self.is_compressed {
            words.push("--log-append".to_owned());
        }
        if !self.is_realtime {
            words.push("--log-buffered".to_owned());
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use crate::drop_in::settings::Settings;
    use crate::peer::Peer;

    fn words(line: &str) -> String {
        let line: Vec<String> = line.split(' ').map(str::to_owned).collect();
        Settings::read(Peer::Fastchess, &line).expect("understood").log.words().join(" ")
    }

    #[test]
    fn log_keys_are_options_of_the_native_command() {
        for (line, native) in [
            ("-log file=e.log", "--log e.log --log-level warn --log-append"),
            ("-log file=e.log engine=true level=err", "--log e.log --log-level trace --log-append"),
            ("-log file=e.log level=trace append=false", "--log e.log --log-level info"),
            (
                "-log file=e.log level=fatal realtime=false",
                "--log e.log --log-level error --log-append --log-buffered",
            ),
            ("-log level=info", ""),
        ] {
            assert_eq!(words(line), native, "{line}");
        }
        let compressed = words("-log file=e.log compress=true");
        assert!(
            compressed.starts_with("--log e.log.1") && compressed.ends_with(".gz --log-level warn"),
            "{compressed}"
        );
    }
}
