//! The texts in a journal's rows: JSON in the columns `ordered`, `found` and `builds`.
//!
//! What is written parses back to the same value. A row that another program has changed gives an error,
//! never a panic; the fuzz target `journal` tests both.

use super::fields::json;
use super::job_result::JobResultV1;
use super::run_spec::RunSpecV1;
use super::session;
use super::traffic;
use crate::job::{JobResult, RunSpec};
use threefold_player::{EngineBuild, FaultTraffic};

/// The specification of a run (`run.ordered`).
///
/// # Errors
/// If the text is not the JSON of a specification, or its values are invalid.
pub fn read_spec(text: &str) -> Result<RunSpec, String> {
    let written: RunSpecV1 = serde_json::from_str(text).map_err(|error| error.to_string())?;
    written.restore()
}

/// The text that [`read_spec`] parses.
pub fn write_spec(spec: &RunSpec) -> String {
    json(&RunSpecV1::from(spec))
}

/// The result of a job (`finding.found`).
///
/// # Errors
/// If the text is not the JSON of a result, or its values are invalid.
pub fn read_result(text: &str) -> Result<JobResult, String> {
    let written: JobResultV1 = serde_json::from_str(text).map_err(|error| error.to_string())?;
    written.restore()
}

/// The text that [`read_result`] parses.
pub fn write_result(result: &JobResult) -> String {
    json(&JobResultV1::from(result))
}

/// The engines' builds in a session (`session.builds`).
///
/// # Errors
/// If the text is not the JSON of builds.
pub fn read_builds(text: &str) -> Result<Vec<EngineBuild>, String> {
    session::read_text(text).map_err(|error| error.to_string())
}

/// The text that [`read_builds`] parses.
pub fn write_builds(builds: &[EngineBuild]) -> String {
    session::written(builds)
}

/// The last traffic of an engine with a fault (`traffic.said`).
///
/// # Errors
/// If the text is not the JSON of traffic, or its values are invalid.
pub fn read_traffic(text: &str) -> Result<FaultTraffic, String> {
    traffic::read_text(text)
}

/// The text that [`read_traffic`] parses.
pub fn write_traffic(traffic: &FaultTraffic) -> String {
    traffic::written(traffic)
}
