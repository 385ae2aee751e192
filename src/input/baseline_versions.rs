//! The versions of a baseline in the git history of its folder.

use std::path::Path;

use anyhow::Context;

use super::repository;
use threefold_run::job::BaselineText;
use threefold_run::regress::baseline::{Baseline, FILES};

/// A version of a baseline.
pub struct BaselineVersion {
    /// The hash of the commit that made it.
    pub commit: String,
    /// The time of the commit, in seconds since 1970.
    pub time: i64,
    /// Its verdicts and figures.
    pub baseline: anyhow::Result<Baseline>,
}

impl BaselineVersion {
    /// The shortened hash of its commit.
    pub fn short_commit(&self) -> &str {
        self.commit.get(..7).unwrap_or(&self.commit)
    }
}

/// The versions of a baseline in the history of the current commit, the last one first, at most this many of
/// them. A version that cannot be read says why.
///
/// # Errors
/// If git cannot read the history of the folder.
pub fn versions(folder: &Path, most: Option<usize>) -> anyhow::Result<Vec<BaselineVersion>> {
    let [cases, figures, environment] = FILES.map(|file| folder.join(file));
    let read = |commit: &str| -> anyhow::Result<Baseline> {
        let text = |file| repository::text_of_version(commit, file);
        // Versions before 0.3 have no environment.
        let environment = text(&environment).ok();
        let text = BaselineText { cases: text(&cases)?, figures: text(&figures)?, environment };
        Baseline::parse(&text).with_context(|| folder.display().to_string())
    };
    let versions = repository::versions(&cases, most)?.into_iter();
    let found = versions.map(|version| BaselineVersion {
        baseline: read(&version.commit),
        commit: version.commit,
        time: version.time,
    });
    Ok(found.collect())
}
