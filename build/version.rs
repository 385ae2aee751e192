//! The text that `threefold --version` prints: version, commit and build profile.
//!
//! The build script and the tests include this file.

use std::path::{Component, Path};
use std::process::Command;

/// The commit that is checked out.
#[derive(Debug)]
pub(crate) struct Commit {
    /// Seven hexadecimal digits, more where these are ambiguous.
    id: String,
    /// The files that change when another commit is checked out or made. All of them exist.
    pub(crate) watched: Vec<String>,
}

/// `0.2.0 (abc1234, release)`; without a commit `0.2.0 (release)`. `out` is the build script's `OUT_DIR`.
pub(crate) fn text(version: &str, commit: Option<&Commit>, out: &Path) -> String {
    let details: Vec<&str> =
        commit.map(|commit| commit.id.as_str()).into_iter().chain([profile(out)]).collect();
    format!("{version} ({})", details.join(", "))
}

/// The name of the build profile: the folder above `build` in `OUT_DIR`. Cargo's variable `PROFILE` is only
/// `debug` or `release`, also for a profile that inherits from one of them.
fn profile(out: &Path) -> &str {
    let folders: Vec<Component<'_>> = out.components().collect();
    // The last one, since a folder above the target folder may have this name.
    let build = folders.iter().rposition(|folder| folder.as_os_str() == "build");
    let name = build.and_then(|build| folders.get(build.checked_sub(1)?)?.as_os_str().to_str());
    name.unwrap_or("unknown profile")
}

/// The commit of a folder that is the root of a git repository. A source archive has none, also if it is
/// unpacked inside of another repository.
pub(crate) fn commit(folder: &Path) -> Option<Commit> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").current_dir(folder).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    if !git(&["rev-parse", "--show-prefix"])?.is_empty() {
        return None;
    }
    let id = git(&["rev-parse", "--short=7", "HEAD"])?;
    // `HEAD` changes with the branch, `logs/HEAD` with each commit on it.
    let paths = ["HEAD", "logs/HEAD"].into_iter().filter_map(|file| git(&["rev-parse", "--git-path", file]));
    let watched = paths.filter(|path| folder.join(path).is_file()).collect();
    Some(Commit { id, watched })
}
