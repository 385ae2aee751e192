//! The programs of a repository, one of which may be the engine.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::setup::build_system::BuildSystem;

/// The programs in the folders of a build system, the last built first, each as a word of a spec: `./target/release/mine`.
pub(super) fn in_repository(root: &Path, build: Option<&BuildSystem>) -> Vec<String> {
    let known = build.map(|build| build.folders.clone()).unwrap_or_default();
    let folders = known.into_iter().chain([".", "bin", "src"].map(PathBuf::from));
    let mut programs: Vec<(SystemTime, PathBuf)> = Vec::new();
    for folder in folders {
        for program in executables(&root.join(&folder)) {
            let name = folder.join(program.1.file_name().unwrap_or_default());
            // A folder of the build system may be one of the usual folders, too.
            if programs.iter().all(|(_, other)| clean(other) != clean(&name)) && is_listed(&name, build) {
                programs.push((program.0, name));
            }
        }
    }
    programs.sort_by(|(one, _), (other, _)| other.cmp(one));
    let specs = programs.iter().filter_map(|(_, name)| Some(format!("./{}", clean(name).to_str()?)));
    specs.map(|spec| quoted(&spec)).collect()
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

/// The executable files of a folder except shared libraries, with the time of their last change. They can be scripts.
fn executables(folder: &Path) -> Vec<(SystemTime, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let files = entries.filter_map(|entry| {
        let path = entry.path();
        let data = fs::metadata(&path).ok().filter(|data| data.is_file() && is_executable(&path, data))?;
        Some((data.modified().ok()?, path))
    });
    let mut files: Vec<_> = files.collect();
    // The system lists files in any order, and the sort by time that follows keeps the order of equal times.
    files.sort();
    files
}

#[cfg(unix)]
fn is_executable(path: &Path, data: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    // Shared libraries have the execute permission, too.
    data.permissions().mode() & 0o111 != 0 && path.extension().is_none_or(|end| end != "so")
}

#[cfg(not(unix))]
fn is_executable(path: &Path, _: &fs::Metadata) -> bool {
    path.extension().is_some_and(|end| end == "exe")
}
