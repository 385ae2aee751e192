//! The engine of a repository: the programs in it that answer `uci`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::setup::build_system::BuildSystem;
use threefold_chess::clock::{ClockSource, Limits, Stop};
use threefold_chess::position::GamePosition;
use threefold_harness::player::spec::HarnessKey;
use threefold_harness::player::{
    EngineFault, EngineId, EngineSource, EngineSpec, LaunchOptions, LimitEnforcedBy, Question, launch,
};

/// How long a program may take to answer `uci`.
const PATIENCE: Duration = Duration::from_secs(3);

/// The node limit of the search that shows whether an engine keeps it.
const PROBE: u64 = 20_000;

/// Options that make results repeatable, set where the engine offers them.
const REPEATABLE: [&str; 2] = ["Threads=1", "Hash=16"];

/// An engine that was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundEngine {
    /// How it is named on the command line and in plans.
    pub spec: String,
    /// What it says of itself.
    pub id: EngineId,
    /// Does it end a search at its node limit by itself?
    pub keeps_node_limits: bool,
}

/// The programs of a repository that answer `uci`, the last built first.
pub fn search(root: &Path, build: Option<&BuildSystem>) -> Vec<FoundEngine> {
    let known = build.map(|build| build.folders.clone()).unwrap_or_default();
    let folders = known.into_iter().chain([".", "bin", "src"].map(PathBuf::from));
    let mut programs: Vec<(SystemTime, PathBuf)> = Vec::new();
    for folder in folders {
        for program in executables(&root.join(&folder)) {
            let name = folder.join(program.1.file_name().unwrap_or_default());
            if programs.iter().all(|(_, other)| clean(other) != clean(&name)) && is_listed(&name, build) {
                programs.push((program.0, name));
            }
        }
    }
    programs.sort_by(|(one, _), (other, _)| other.cmp(one));
    let specs = programs.iter().filter_map(|(_, name)| Some(format!("./{}", clean(name).to_str()?)));
    specs.filter_map(|spec| start(&quoted(&spec)).ok()).collect()
}

/// Starts an engine. Its spec gets the options for repeatable results that it offers, and a name without options.
pub fn start(given: &str) -> Result<FoundEngine, EngineFault> {
    let id = introduce(given)?;
    let spec: EngineSpec = parse(given)?;
    let mut text = given.to_owned();
    if let (EngineSource::Command { program, .. }, None) =
        (&spec.source, spec.setting(&HarnessKey::Name.into()))
    {
        let stem = Path::new(program).file_stem().map(|stem| stem.to_string_lossy().replace(',', "\\,"));
        text.extend(stem.map(|stem| format!(",name={stem}")));
    }
    for option in REPEATABLE {
        let key = option.split('=').next().unwrap_or_default();
        let is_given = spec.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(key));
        if !is_given && introduce(&format!("{given},{option}")).is_ok() {
            text = format!("{text},{option}");
        }
    }
    let keeps_node_limits = keeps_node_limits(given)?;
    Ok(FoundEngine { spec: text, id, keeps_node_limits })
}

fn parse(spec: &str) -> Result<EngineSpec, EngineFault> {
    spec.parse().map_err(|error| EngineFault::Option(format!("{error}")))
}

/// Searches the start position with a node limit. The harness stops an engine that ignores it, at a moment that varies.
fn keeps_node_limits(spec: &str) -> Result<bool, EngineFault> {
    let mut player = launch(&parse(spec)?, &options())?;
    player.new_game()?;
    let limits = Limits { nodes: Some(PROBE), ..Limits::default() };
    let line = GamePosition::start_position();
    let answer = player.answer(&Question { line, limits, searchmoves: Vec::new() })?;
    Ok(answer.limit_enforced_by == LimitEnforcedBy::Engine)
}

fn introduce(spec: &str) -> Result<EngineId, EngineFault> {
    let spec = parse(spec)?;
    launch(&spec, &options()).map(|player| player.engine_id())
}

fn options() -> LaunchOptions {
    let mut options = LaunchOptions::new(ClockSource::Wall, Stop::default());
    options.startup = PATIENCE;
    options
}

/// A path as a word of a spec.
fn quoted(path: &str) -> String {
    let path = path.replace(',', "\\,");
    if path.contains(' ') { format!("\"{path}\"") } else { path }
}

/// A path without `.` at its start.
fn clean(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != std::path::Component::CurDir).collect()
}

/// If the build system lists its programs, others are not the engine.
fn is_listed(path: &Path, build: Option<&BuildSystem>) -> bool {
    let Some(build) = build.filter(|build| !build.programs.is_empty()) else { return true };
    let stem = path.file_stem().unwrap_or_default();
    build.programs.iter().any(|program| stem == program.as_str())
}

/// The executable files of a folder, with the time of their last change. Scripts are no engines.
fn executables(folder: &Path) -> Vec<(SystemTime, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let files = entries.filter_map(|entry| {
        let path = entry.path();
        let data = fs::metadata(&path).ok().filter(|data| data.is_file() && is_executable(&path, data))?;
        Some((data.modified().ok()?, path))
    });
    let mut files: Vec<_> = files.collect();
    files.sort();
    files
}

#[cfg(unix)]
fn is_executable(path: &Path, data: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    data.permissions().mode() & 0o111 != 0 && path.extension().is_none_or(|end| end != "so")
}

#[cfg(not(unix))]
fn is_executable(path: &Path, _: &fs::Metadata) -> bool {
    path.extension().is_some_and(|end| end == "exe")
}
