//! Launches the player of a spec.

use std::env;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::builtin::BuiltinPlayer;
use super::capability::Capabilities;
use super::child::{ChildEngine, EngineGroups};
use super::fault_injector::FaultInjector;
use super::notice::NoticeSender;
use super::search_timeout::SearchTimeout;
use super::spec::{EngineSource, EngineSpec};
use super::suspension::SuspendableClock;
use super::traffic::Traffic;
use super::unknown_options::UnknownOptions;
use super::{EngineFault, Player};
use crate::system::file_system;
use threefold_chess::clock::{ClockSource, Limits, Stop};

/// The conditions of a launch: the same for every player of a run.
#[derive(Debug, Clone)]
pub struct LaunchOptions {
    /// The source of clocks. With a virtual pace an engine must offer `nodestime`, which is then set.
    pub pace: ClockSource,
    /// Raising it makes every question return [`EngineFault::Interrupted`] at once.
    pub stop: Stop,
    /// How long an engine may take to answer `uci`, to set its options and to begin a new game.
    pub startup: Duration,
    /// How long an engine may exceed its own time before it gets `stop`, and how long it then has to answer
    /// before it is killed. A match adds its margin.
    pub grace: Duration,
    /// The longest time of a search that no wall clock limits: by nodes, depth or mate, or with virtual
    /// clocks.
    pub search_timeout: SearchTimeout,
    /// How often an engine is started before it counts as not startable.
    pub starts: NonZeroU32,
    /// Receives notices of engines that are silent for long, in a search without a clock or before they are
    /// ready.
    pub notices: NoticeSender,
    /// How long a silence is before a notice.
    pub notice_after: Duration,
    /// The process groups of engines.
    pub groups: EngineGroups,
    /// What the engines of the run are known to lack.
    pub capabilities: Capabilities,
    /// What becomes of options that an engine does not offer.
    pub unknown_options: UnknownOptions,
    /// The clock for all times.
    pub clock: SuspendableClock,
    /// Records the traffic with engines. A player launched with the traffic of another engine shares it;
    /// otherwise it gets its own.
    pub traffic: Traffic,
}

impl LaunchOptions {
    /// For wall time or virtual clocks, with timeouts that suit a loaded machine.
    pub fn new(pace: ClockSource, stop: Stop) -> Self {
        let clock = SuspendableClock::default();
        Self {
            traffic: Traffic::new(&clock),
            pace,
            stop,
            startup: Duration::from_secs(10),
            grace: Duration::from_secs(1),
            search_timeout: SearchTimeout::default(),
            starts: NonZeroU32::MIN,
            notices: NoticeSender::default(),
            notice_after: Duration::from_secs(10),
            groups: EngineGroups::default(),
            capabilities: Capabilities::default(),
            unknown_options: UnknownOptions::default(),
            clock,
        }
    }

    /// Does wall time limit a search with these limits?
    pub(super) fn is_timed(&self, limits: &Limits) -> bool {
        match self.pace {
            ClockSource::Wall => limits.clocks.is_some() || limits.movetime.is_some(),
            ClockSource::Virtual { .. } => false,
        }
    }
}

/// Launches the player of the spec, ready for its first question.
pub fn launch(spec: &EngineSpec, options: &LaunchOptions) -> Result<Box<dyn Player>, EngineFault> {
    match spec.fault {
        Some(fault) => {
            Ok(Box::new(FaultInjector::launch(fault, spec, |spec| launch_without_fault(spec, options))?))
        }
        None => launch_without_fault(spec, options),
    }
}

/// The same, ignoring the spec's fault.
fn launch_without_fault(spec: &EngineSpec, options: &LaunchOptions) -> Result<Box<dyn Player>, EngineFault> {
    match &spec.source {
        EngineSource::Echo => Ok(Box::new(BuiltinPlayer::launch(spec, options)?)),
        EngineSource::Command { program, args, dir } => {
            let command = build_command(program, args, dir.as_deref());
            Ok(Box::new(ChildEngine::launch(command, spec, options)?))
        }
    }
}

fn build_command(program: &str, args: &[String], dir: Option<&Path>) -> Command {
    let mut command = Command::new(program_path(program));
    command.args(args);
    if let Some(dir) = dir {
        command.current_dir(dir);
    }
    command
}

/// The path of a program, relative to the folder where the harness was started, whatever `dir` is.
pub(super) fn program_path(program: &str) -> PathBuf {
    program_from(program, Path::new(""))
}

/// The same, relative to another folder than the present one.
pub fn program_from(program: &str, folder: &Path) -> PathBuf {
    let path = Path::new(program);
    let is_name = path.components().nth(1).is_none();
    if is_name {
        return find_in_path(path);
    }
    let path = folder.join(path);
    std::path::absolute(&path).unwrap_or(path)
}

/// What to write instead of a program that does not exist: the present folder has a file of this name, or the path has spaces
/// and the words of the command together are a file.
pub(super) fn hint(source: &EngineSource) -> String {
    let EngineSource::Command { program, args, .. } = source else { return String::new() };
    if let Some(path) = path_with_spaces(program, args) {
        return format!("; a path with spaces is quoted: `\"{path}\"`");
    }
    let is_name = Path::new(program).components().nth(1).is_none() && !program.starts_with('.');
    if is_name && Path::new(program).is_file() && find_in_path(Path::new(program)) == Path::new(program) {
        return format!("; the file in this folder is `./{program}`");
    }
    String::new()
}

/// The file that a program and its first arguments name together, if the program alone names none.
fn path_with_spaces(program: &str, args: &[String]) -> Option<String> {
    if program_path(program).exists() {
        return None;
    }
    let paths = args.iter().scan(program.to_owned(), |path, arg| {
        *path = format!("{path} {arg}");
        Some(path.clone())
    });
    paths.into_iter().find(|path| Path::new(path).is_file())
}

/// Debian's folders of chess engines, which root's `PATH` does not have.
const GAME_FOLDERS: [&str; 2] = ["/usr/games", "/usr/local/games"];

/// Searches `PATH`, and then the folders of games. A name that is not found is left to the system.
fn find_in_path(name: &Path) -> PathBuf {
    let path = env::var_os("PATH").unwrap_or_default();
    let games = GAME_FOLDERS.iter().map(PathBuf::from);
    let found = env::split_paths(&path)
        .chain(games)
        .map(|folder| folder.join(name))
        .find(|it| file_system::is_program(it));
    found.map_or_else(|| name.to_owned(), |found| std::path::absolute(&found).unwrap_or(found))
}

/// The value of `nodestime` for this pace, in nodes per millisecond; `None` for wall time.
pub(super) fn nodes_a_millisecond(spec: &EngineSpec, pace: ClockSource) -> Result<Option<u32>, EngineFault> {
    let ClockSource::Virtual { nodes_per_second } = pace else { return Ok(None) };
    let nodes = nodes_per_second.get();
    if nodes % 1000 != 0 {
        let text = format!(
            "`nodestime` counts nodes a millisecond, so {nodes} nodes a second can't be set; use thousands"
        );
        return Err(EngineFault::Option(text));
    }
    if spec.options.iter().any(|(name, _)| name.eq_ignore_ascii_case("nodestime")) {
        let text = "`nodestime` is set by the virtual clock; leave it out, or play with wall clocks";
        return Err(EngineFault::Option(text.to_owned()));
    }
    Ok(Some(nodes / 1000))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "an engine is looked for as a file")]
    fn hint_quotes_a_path_with_spaces() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("my engines")).expect("a folder in it");
        let engine = folder.path().join("my engines/old one");
        fs::write(&engine, "").expect("a file");
        let path = engine.to_string_lossy();
        let hint_of = |line: &str| {
            let spec: EngineSpec = line.parse().expect("a spec");
            hint(&spec.source)
        };
        let quoted = format!("; a path with spaces is quoted: `\"{path}\"`");
        assert_eq!(hint_of(&path), quoted);
        assert_eq!(hint_of(&format!("{path} --uci,name=Old")), quoted);
        // The program is there, or there is no such file at all.
        assert_eq!(hint_of(&format!("\"{path}\" one")), "");
        assert_eq!(hint_of(&format!("{path}r one")), "");
    }
}
