//! The texts in a journal's rows: JSON in the columns `ordered`, `found` and `builds`.
//!
//! What is written reads back as the same value. Whoever reads a row that another program changed gets an error, never a
//! panic; the fuzz target `journal` holds both.

use serde::Serialize;

use super::record::JobResultV1;
use super::run_spec::RunSpecV1;
use super::session;
use crate::player::EngineBuild;
use crate::work::job::{JobResult, RunSpec};

/// What a run was asked to do (`run.ordered`).
///
/// # Errors
/// Where the text is no JSON of an order, or its values make no sense.
pub fn read_spec(text: &str) -> Result<RunSpec, String> {
    let written: RunSpecV1 = serde_json::from_str(text).map_err(|error| error.to_string())?;
    written.restore()
}

/// The text of [`read_order`].
pub fn write_spec(spec: &RunSpec) -> String {
    json(&RunSpecV1::from(spec))
}

/// What a job came to (`finding.found`).
///
/// # Errors
/// Where the text is no JSON of a finding, or its values make no sense.
pub fn read_result(text: &str) -> Result<JobResult, String> {
    let written: JobResultV1 = serde_json::from_str(text).map_err(|error| error.to_string())?;
    written.restore()
}

/// The text of [`read_finding`].
pub fn write_result(result: &JobResult) -> String {
    json(&JobResultV1::from(result))
}

/// The engines' builds in a session (`session.builds`).
///
/// # Errors
/// Where the text is no JSON of builds.
pub fn read_builds(text: &str) -> Result<Vec<EngineBuild>, String> {
    session::read_text(text).map_err(|error| error.to_string())
}

/// The text of [`read_builds`].
pub fn write_builds(builds: &[EngineBuild]) -> String {
    session::written(builds)
}

pub(super) fn json<T: Serialize>(written: &T) -> String {
    serde_json::to_string(written).expect("no map with keys that aren't text, and no writer that fails")
}
