//! A program that is older than its sources. A run with it says nothing about the last change, and may be green.

use std::path::Path;
use std::time::SystemTime;

use crate::input::repository::Repository;
use threefold_player::{EngineSource, EngineSpec};

/// The endings of files that are compiled into engines. Changes of other files, such as pages, need no build.
const COMPILED: [&str; 27] = [
    "asm", "bin", "c", "c++", "cc", "cpp", "cs", "cxx", "d", "go", "h", "hh", "hpp", "inc", "java", "js",
    "kt", "net", "nim", "nnue", "pas", "rs", "s", "swift", "ts", "v", "zig",
];

/// Folders with sources that are no part of an engine.
const TESTS: [&str; 4] = ["benches", "examples", "test", "tests"];

/// A warning if the program that `build` builds is older than a source file in git; `None` if it is not, or if that is not
/// known.
pub(super) fn warning(engine: &EngineSpec, build: Option<&str>) -> Option<String> {
    let build = build?;
    let EngineSource::Command { program, dir, .. } = &engine.source else { return None };
    let file = dir.as_deref().unwrap_or(Path::new("")).join(program).canonicalize().ok()?;
    let repository = Repository::here().ok()?;
    if !file.starts_with(repository.root().canonicalize().ok()?) {
        return None;
    }
    let program_time = modified(&file)?;
    let sources = repository.tracked_files().ok()?.into_iter().filter(|file| is_compiled(file));
    let times = sources.filter_map(|file| Some((modified(&repository.root().join(&file))?, file)));
    let (last, newest) = times.max()?;
    (last > program_time).then(|| {
        format!(
            "warning: {program} is older than {}: if that change is to be tested, build first: {build}",
            newest.display()
        )
    })
}

fn is_compiled(file: &Path) -> bool {
    let is_test = file.iter().any(|folder| TESTS.iter().any(|name| folder == *name));
    let ending = file.extension().and_then(|ending| ending.to_str());
    !is_test && ending.is_some_and(|ending| COMPILED.contains(&ending))
}

fn modified(file: &Path) -> Option<SystemTime> {
    file.metadata().ok()?.modified().ok()
}
