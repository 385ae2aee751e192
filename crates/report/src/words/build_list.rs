//! Which builds of an engine played, in words.

use crate::format::count;
use crate::model::report::PlayedBuild;
use threefold_player::short_commit;

/// The builds of an engine: `id name`, commit, compiler, files with the first digits of their SHA-256, and the
/// number of jobs if there are several builds.
pub(crate) fn builds(played: &[PlayedBuild]) -> String {
    let describe = |PlayedBuild { build, jobs }: &PlayedBuild| {
        let files = build.files.iter().map(|file| format!("{} (SHA-256 {})", file.path, file.short_sha256()));
        let commit = build.commit.iter().map(|commit| format!("commit {}", short_commit(commit)));
        let compiler = build.compiler.iter().map(|compiler| format!("compiled by {compiler}"));
        let parts = build.engine_id.name.clone().into_iter().chain(commit).chain(compiler).chain(files);
        let build = parts.collect::<Vec<_>>().join(", ");
        if played.len() > 1 { format!("{build}: {}", count(*jobs, "job")) } else { build }
    };
    if played.is_empty() {
        "not known".to_owned()
    } else {
        played.iter().map(describe).collect::<Vec<_>>().join("; ")
    }
}
