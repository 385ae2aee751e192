//! A run as it is sent to workers: its specification, and the files of its engines.

use serde::{Deserialize, Serialize};

use threefold_harness::player::EngineSource;
use threefold_harness::run::journal::rows;
use threefold_harness::run::{RunSpec, Task};

use crate::protocol::VERSION;

/// A run for workers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunPackage {
    /// [`VERSION`].
    pub version: u32,
    /// The specification, as the journal writes it.
    pub spec: String,
}

/// Why a run can't be sent to workers.
#[derive(Debug, thiserror::Error)]
pub enum PackageError {
    /// An engine is a program.
    #[error("engine `{0}`: only the built-in Echo runs on a fleet")]
    NotBuiltIn(String),
}

impl RunPackage {
    /// The package of a run.
    ///
    /// # Errors
    ///
    /// If an engine can't run on another machine.
    pub fn of(spec: &RunSpec) -> Result<Self, PackageError> {
        for engine in spec.parts.iter().flat_map(|part| part.task.engines()) {
            if engine.source != EngineSource::Echo {
                return Err(PackageError::NotBuiltIn(engine.name.clone()));
            }
        }
        Ok(Self { version: VERSION, spec: rows::write_spec(spec) })
    }

    /// Does a wall clock limit a game?
    pub fn is_timed(&self, spec: &RunSpec) -> bool {
        spec.parts.iter().any(|part| match &part.task {
            Task::Match(games) => games.is_on_wall_clocks(),
            Task::Suite(_) => false,
        })
    }
}
