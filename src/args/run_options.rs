//! Options of every run: how many jobs at a time, how long engines may take, and what is printed.

use std::env;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::Args;

use super::LogOptions;
use crate::machine;
use crate::output::progress::{ProgressMode, ReportInterval};
use crate::streams;
use threefold_run::pool::cpu_list;

/// Options of every run; none of them changes a result under node limits or virtual clocks.
#[derive(Debug, Clone, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct RunOptions {
    /// Number of games or cases to run at the same time; more than four for each core need --force [default:
    /// the number of CPU cores]
    #[arg(long, short = 'j', value_name = "N", alias = "concurrency", value_parser = from_one::<NonZeroUsize>)]
    pub jobs: Option<NonZeroUsize>,
    /// Run each game, with its engines, on a CPU of its own: one of each core first, or the CPUs of a list
    /// such as 0-3,8; `off` for any CPU. For engines with one thread [default: on for games if enough cores
    /// are idle, else off]
    #[arg(long, value_name = "CPUS|off", num_args = 0..=1, default_missing_value = "", value_parser = read_affinity)]
    pub affinity: Option<Affinity>,
    /// Replace existing files, allow more than four jobs for each core, and play games that an engine can
    /// only lose on time
    #[arg(long)]
    pub force: bool,
    /// Time limit for an engine to start, and to get ready for a game, in seconds [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub startup: Option<Duration>,
    /// Time limit for a search that no wall clock limits (nodes, depth, virtual clock), in seconds [default:
    /// 30 more than the longest search so far, at most 300]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub search_timeout: Option<Duration>,
    /// Append what happens in the run to this file while it goes on, as JSON Lines
    #[arg(long, value_name = "FILE")]
    pub events: Option<PathBuf>,
    /// For a job of GitHub Actions: print annotations, and add summary.md to the job summary
    #[arg(long)]
    pub github: bool,
    /// Interval between two lines of progress, if standard error is no terminal: a time such as 60s, or a
    /// number of games or cases [default: 60s and 10 games, whichever is later, and at most 10m]
    #[arg(long, value_name = "TIME|N")]
    pub report_every: Option<ReportInterval>,
    /// Show the run on a live screen: results, boards, clocks, workers and faults, with keys (? lists them)
    #[arg(long, conflicts_with_all = ["report_every", "quiet"])]
    pub tui: bool,
    /// Print the result only, without progress and file names; warnings and errors remain
    #[arg(long, short = 'q', conflicts_with = "report_every")]
    pub quiet: bool,
    /// The log of engines
    #[command(flatten)]
    pub log: LogOptions,
    /// The words of the command line after the program, which the journal has.
    #[arg(skip = env::args_os().skip(1).collect::<Vec<_>>())]
    pub words: Vec<OsString>,
}

impl RunOptions {
    /// The number of jobs at a time.
    pub fn workers(&self) -> NonZeroUsize {
        self.jobs.unwrap_or_else(machine::cores)
    }

    /// How the run shows its progress.
    pub fn progress(&self) -> ProgressMode {
        if self.quiet {
            ProgressMode::Quiet
        } else {
            ProgressMode::Shown(self.report_every.unwrap_or_default())
        }
    }

    /// Prints a line that is not a warning on standard error.
    pub fn inform(&self, text: &str) {
        if !self.quiet {
            streams::notice(text);
        }
    }
}

/// Where the games of a run are to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Affinity {
    /// Each on one of these CPUs, by number; if there are none, on those that fit best.
    Cpus(Vec<usize>),
    /// On any CPU.
    Off,
}

fn read_affinity(given: &str) -> Result<Affinity, String> {
    if given == "off" {
        return Ok(Affinity::Off);
    }
    cpu_list(given)
        .map(Affinity::Cpus)
        .ok_or_else(|| "give CPUs by number, such as 0-3,8, or `off`".to_owned())
}

/// Parses a whole number from 1.
pub fn from_one<N: FromStr>(given: &str) -> Result<N, String> {
    // The generic type has no zero to compare with, so a digit above zero is needed.
    let number = given.parse().ok().filter(|_| given.bytes().any(|digit| (b'1'..=b'9').contains(&digit)));
    number.ok_or_else(|| "give a whole number from 1".to_owned())
}

/// Parses a positive number of seconds.
pub fn seconds(given: &str) -> Result<Duration, String> {
    let time = given.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.filter(|time| !time.is_zero()).ok_or_else(|| "give seconds above 0, such as 2.5".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_in_any_form_is_no_number_from_one() {
        for given in ["0", "00", "+0", "+", "", "-1", "1.5"] {
            assert!(from_one::<u64>(given).is_err(), "{given}");
        }
        for (given, number) in [("1", 1), ("+10", 10), ("007", 7)] {
            assert_eq!(from_one::<u64>(given), Ok(number));
        }
    }
}
