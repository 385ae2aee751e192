//! What a command line says about the run as a whole: jobs, waits, the log, and the journal.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use super::error::LineError;
use super::log::Log;
use super::settings::Settings;
use super::surroundings::Surroundings;

/// The conditions of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunSettings {
    /// The words of the command line after `threefold`, which the journal has.
    pub line: Vec<String>,
    /// The number of games at a time.
    pub jobs: NonZeroUsize,
    /// The CPUs of the games; none for those that fit best.
    pub affinity: Option<Vec<usize>>,
    /// How long an engine may take to start.
    pub startup: Duration,
    /// Is an earlier log replaced, and are more jobs accepted than the machine can bear?
    pub force: bool,
    /// The log of engines.
    pub log: Option<Log>,
    /// Is the traffic with engines printed?
    pub prints_traffic: bool,
    /// The journal of a new run, in place of the usual one.
    pub journal: Option<PathBuf>,
    /// Is the journal removed after the run?
    pub removes_journal: bool,
}

impl RunSettings {
    /// The settings of a run that a command line asks for.
    pub(super) fn from_settings(
        settings: &Settings,
        surroundings: &Surroundings<'_>,
    ) -> Result<Self, LineError> {
        let journal = settings.config.outname.clone();
        Ok(Self {
            line: settings.line.clone(),
            jobs: jobs(settings, surroundings.cores)?,
            affinity: settings.affinity.clone(),
            startup: settings.startup,
            // threefold has one switch for both.
            force: settings.forces_concurrency || settings.log.is_replaced(),
            log: settings.log.log(surroundings.now),
            prints_traffic: settings.prints_traffic,
            // A journal that the command line names is kept.
            removes_journal: settings.is_test_environment && journal.is_none(),
            journal,
        })
    }
}

/// The number of jobs at a time: the number given, or all cores but that number.
fn jobs(settings: &Settings, cores: NonZeroUsize) -> Result<NonZeroUsize, LineError> {
    let given = settings.concurrency;
    let magnitude = usize::try_from(given.unsigned_abs()).unwrap_or(usize::MAX);
    if given <= 0 {
        return Ok(NonZeroUsize::new(cores.get().saturating_sub(magnitude)).unwrap_or(NonZeroUsize::MIN));
    }
    if magnitude > cores.get() && !settings.forces_concurrency {
        return Err(LineError::Concurrency { jobs: given, cores });
    }
    Ok(NonZeroUsize::new(magnitude).unwrap_or(NonZeroUsize::MIN))
}

#[cfg(test)]
mod tests {
    use super::super::peer::Peer;
    use super::*;

    #[test]
    fn concurrency_below_one_leaves_cores_free() {
        let jobs = |given: &str, cores| {
            let line: Vec<String> = format!("-concurrency {given}").split(' ').map(str::to_owned).collect();
            let settings = Settings::parse(Peer::Fastchess, &line).expect("understood");
            jobs(&settings, NonZeroUsize::new(cores).expect("not zero")).map(NonZeroUsize::get)
        };
        for (given, number) in [("1", 1), ("8", 8), ("0", 8), ("-3", 5), ("-20", 1)] {
            assert_eq!(jobs(given, 8).expect(given), number, "{given}");
        }
        let error = jobs("9", 8).expect_err("too many").to_string();
        assert_eq!(error, "Error: -concurrency 9 is more than the 8 CPUs; give -force-concurrency to use it");
        assert_eq!(jobs("9 -force-concurrency", 1).expect("forced"), 9);
    }
}
