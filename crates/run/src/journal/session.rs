//! Sessions: which builds of the engines did the jobs since when. The written form is version 1.

use std::path::Path;

use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use super::JournalError;
use super::fields::json;
use threefold_player::{EngineBuild, EngineFile, EngineId};

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BuildV1 {
    /// The engine's spec in the run specification.
    engine: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    /// The program, and the arguments that name files.
    files: Vec<FileV1>,
    /// Earlier journals have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    commit: Option<String>,
    /// Earlier journals have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    compiler: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileV1 {
    path: String,
    /// In bytes.
    size: u64,
    /// In hexadecimal.
    sha256: String,
}

/// The sessions of a journal, in order.
pub(super) fn read_sessions(file: &Path, db: &Connection) -> Result<Vec<Vec<EngineBuild>>, JournalError> {
    let texts = || {
        let mut select = db.prepare("SELECT builds FROM session ORDER BY id")?;
        let rows = select.query_map([], |row| row.get::<_, String>(0))?;
        rows.collect::<rusqlite::Result<Vec<_>>>()
    };
    let texts = texts().map_err(|error| JournalError::of_sqlite(file, &error))?;
    let restored = texts.iter().map(|text| read_text(text)).collect::<Result<_, _>>();
    restored.map_err(|error| JournalError::Damaged {
        file: file.to_owned(),
        what: format!("its engines' builds: {error}"),
    })
}

/// Parses the builds of a session.
pub(super) fn read_text(text: &str) -> serde_json::Result<Vec<EngineBuild>> {
    Ok(serde_json::from_str::<Vec<BuildV1>>(text)?.into_iter().map(EngineBuild::from).collect())
}

/// The written form of builds.
pub(super) fn written(builds: &[EngineBuild]) -> String {
    json(&builds.iter().map(BuildV1::from).collect::<Vec<_>>())
}

/// The known builds, replaced by the present ones where those exist. A commit after the start of the run does
/// not make another build of the same program, nor does a compiler that an earlier version did not record.
pub(super) fn renewed(known: &[EngineBuild], now: &[EngineBuild]) -> Vec<EngineBuild> {
    let replaced = |build: &&EngineBuild| {
        let is_other = |now: &EngineBuild| {
            let EngineBuild { commit, compiler, .. } = (*build).clone();
            EngineBuild { commit, compiler, ..now.clone() } != **build
        };
        !now.iter().any(|other| other.engine == build.engine && is_other(other))
    };
    let kept: Vec<EngineBuild> = known.iter().filter(replaced).cloned().collect();
    let added = now.iter().filter(|now| kept.iter().all(|known| known.engine != now.engine));
    let mut builds: Vec<EngineBuild> = kept.iter().chain(added).cloned().collect();
    // One order, so that `begin_session` can compare the builds of two sessions.
    builds.sort_by(|one, other| one.engine.cmp(&other.engine));
    builds
}

impl From<&EngineBuild> for BuildV1 {
    fn from(build: &EngineBuild) -> Self {
        let EngineBuild { engine, engine_id: EngineId { name, author }, files, commit, compiler } =
            build.clone();
        let files = files.into_iter().map(|EngineFile { path, size, sha256 }| FileV1 { path, size, sha256 });
        Self { engine, name, author, files: files.collect(), commit, compiler }
    }
}

impl From<BuildV1> for EngineBuild {
    fn from(build: BuildV1) -> Self {
        let BuildV1 { engine, name, author, files, commit, compiler } = build;
        let files = files.into_iter().map(|FileV1 { path, size, sha256 }| EngineFile { path, size, sha256 });
        Self { engine, engine_id: EngineId { name, author }, files: files.collect(), commit, compiler }
    }
}
