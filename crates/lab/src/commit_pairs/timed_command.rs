//! Runs a command with a time limit, its output in a file, and measures its CPU time.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::record::StepRecord;

/// Interval between two looks at a command.
const POLL: Duration = Duration::from_millis(50);

/// Clock ticks of a second in `/proc`; Linux has this number on all its usual processors.
const TICKS: f64 = 100.0;

/// Runs a command to its end, or kills it at the time limit. Both its outputs go to `output`; the headline is
/// its last line.
///
/// threefold kills its engines when it is killed itself.
#[expect(clippy::disallowed_methods, reason = "another program is timed")]
pub(crate) fn run(command: &mut Command, limit: Duration, output: &Path) -> io::Result<StepRecord> {
    let file = File::create(output)?;
    command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
    let begun = Instant::now();
    let mut child = command.spawn()?;
    let (status, cpu_seconds) = loop {
        // The counts of a process are complete, with those of its children, between its end and `try_wait`.
        let times = ProcessTimes::of(&child);
        if times.as_ref().is_none_or(|times| times.is_ended)
            && let Some(status) = child.try_wait()?
        {
            break (Some(status), times.map(|times| times.seconds));
        }
        if begun.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            break (None, None);
        }
        thread::sleep(POLL);
    };
    let text = String::from_utf8_lossy(&fs::read(output)?).into_owned();
    let last = text.lines().rev().find(|line| !line.trim().is_empty());
    Ok(StepRecord {
        exit: status.as_ref().and_then(ExitStatus::code),
        seconds: begun.elapsed().as_secs_f64(),
        cpu_seconds,
        headline: last.unwrap_or_default().trim().to_owned(),
        ..StepRecord::default()
    })
}

/// The CPU time of a process and of its children that have ended.
struct ProcessTimes {
    is_ended: bool,
    seconds: f64,
}

impl ProcessTimes {
    /// `None` where there is no `/proc`.
    #[expect(clippy::disallowed_methods, reason = "the system's counts of a process are files")]
    fn of(child: &Child) -> Option<Self> {
        Self::parse(&fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?)
    }

    /// From the text of `stat`: after the name in parentheses, the state is the first field, the times of the
    /// process and of its children are the fields 12 to 15.
    fn parse(stat: &str) -> Option<Self> {
        // The last one: the name may have parentheses, too.
        let (_, rest) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let times = fields.get(11..15)?.iter().map(|field| field.parse::<f64>());
        let ticks: f64 = times.sum::<Result<f64, _>>().ok()?;
        Some(Self { is_ended: *fields.first()? == "Z", seconds: ticks / TICKS })
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> StepRecord {
        let folder = tempfile::tempdir().expect("a folder");
        run(Command::new("sh").args(["-c", script]), limit, &folder.path().join("out")).expect("it runs")
    }

    #[test]
    fn command_has_exit_code_last_line_and_times() {
        let step = shell("echo one; echo two >&2; echo; exit 3", Duration::from_mins(1));
        assert_eq!((step.exit, step.headline.as_str()), (Some(3), "two"));
        let loops = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
        let busy = shell(&format!("sh -c '{loops}'; true"), Duration::from_mins(1));
        if Path::new("/proc/self/stat").exists() {
            assert!(busy.cpu_seconds.expect("a time") > 0.0, "the time of a child counts");
        }
    }

    #[test]
    fn command_is_stopped_at_its_time_limit() {
        let step = shell("exec sleep 60", Duration::from_millis(100));
        assert_eq!((step.exit, step.cpu_seconds), (None, None));
    }

    #[test]
    fn times_are_read_after_the_name() {
        let stat = "7 (a ) b) Z 1 7 7 0 -1 0 0 0 0 0 100 20 300 80 20 0 1";
        let times = ProcessTimes::parse(stat).expect("times");
        assert!(times.is_ended);
        assert!((times.seconds - 5.0).abs() < 1e-9, "{}", times.seconds);
    }
}
