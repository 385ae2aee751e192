//! `-config` of fastchess: the journal that a run is written to, and the one that it continues.

use std::path::PathBuf;

use super::values::is_true;
use super::words::{Given, UsageError};

/// The keys of `-config`.
#[derive(Debug, Clone)]
pub(super) struct ConfigSettings {
    /// The journal whose run is continued.
    pub(super) file: Option<PathBuf>,
    /// The journal of a new run.
    pub(super) outname: Option<PathBuf>,
    /// Is `file` left aside?
    pub(super) is_discarded: bool,
    /// Do the results of `file` count? Otherwise its games are played from the start, as a new run.
    pub(super) keeps_results: bool,
}

impl Default for ConfigSettings {
    fn default() -> Self {
        Self { file: None, outname: None, is_discarded: false, keeps_results: true }
    }
}

impl ConfigSettings {
    /// Takes a key.
    pub(super) fn set(&mut self, given: &Given<'_>, key: &str, value: &str) -> Result<(), UsageError> {
        match key {
            "file" => self.file = Some(PathBuf::from(value)),
            "outname" => self.outname = Some(PathBuf::from(value)),
            "discard" => self.is_discarded = is_true(given, value)?,
            _ => self.keeps_results = is_true(given, value)?,
        }
        Ok(())
    }

    /// The journal whose games are played.
    pub(super) fn continued(&self) -> Option<&PathBuf> {
        self.file.as_ref().filter(|_| !self.is_discarded)
    }

    /// Refuses options that describe games if those of a journal are played.
    pub(super) fn check(&self, given: &[Given<'_>]) -> Result<(), UsageError> {
        let Some(file) = self.continued() else { return Ok(()) };
        match given.iter().find(|given| !FREE.contains(&given.row.name)) {
            None => Ok(()),
            Some(given) => Err(given.error(&format!(
                "the run of -config file={} has its own games; leave the option out, or give discard=true",
                file.display()
            ))),
        }
    }
}

/// The options that may be given with `-config file=`. All others describe games, which the journal has.
const FREE: &[&str] = &[
    "config",
    "rounds",
    "concurrency",
    "force-concurrency",
    "ratinginterval",
    "scoreinterval",
    "outcomeinterval",
    "resultformat",
    "report",
    "output",
    "autosaveinterval",
    "recover",
    "check-mate-pvs",
    "show-latency",
    "testEnv",
    "strict",
    "log",
    "debug",
    "use-affinity",
    "startup-ms",
    "ucinewgame-ms",
    "ping-ms",
];

#[cfg(test)]
mod tests {
    use super::super::peer::Peer;
    use super::super::words::split;
    use super::*;

    fn read(line: &str) -> Result<ConfigSettings, UsageError> {
        let line: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let all = split(Peer::Fastchess, &line)?;
        let mut config = ConfigSettings::default();
        for given in all.iter().filter(|given| given.row.name == "config") {
            given.pairs()?.into_iter().try_for_each(|(key, value)| config.set(given, key, value))?;
        }
        config.check(&all).map(|()| config)
    }

    #[test]
    fn options_that_describe_games_are_refused_with_a_journal() {
        for line in [
            "-config file=a.sqlite -recover -rounds 9 -ratinginterval 1",
            "-config file=a.sqlite stats=false",
        ] {
            assert_eq!(read(line).expect(line).continued(), Some(&PathBuf::from("a.sqlite")), "{line}");
        }
        let error =
            read("-engine cmd=a -config file=a.sqlite").expect_err("two sources of games").to_string();
        assert!(error.contains("\"-engine\"") && error.contains("leave the option out"), "{error}");
        assert!(
            read("-engine cmd=a -config file=a.sqlite discard=true").expect("sound").continued().is_none()
        );
    }
}
