//! The package of a run for workers: its specification, and the files of its engines.

use std::path::{Path, PathBuf};

use async_nats::jetstream::object_store::ObjectStore;
use serde::{Deserialize, Serialize};
use tokio::fs::File;

use threefold_player::{EngineSpec, program_from};
use threefold_run::journal::rows;
use threefold_run::{RunSpec, Task};

use crate::broker::{Asked, BrokerError};
use crate::engine_files::{EngineFile, EngineFiles, EngineFilesError, Signature};
use crate::protocol::{self, LARGEST_SPEC, MessageError, VERSION};

/// A run for workers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunPackage {
    /// [`VERSION`].
    pub version: u32,
    /// The specification, as the journal writes it.
    pub spec: String,
    /// The engines of the run, each once.
    pub engines: Vec<PackedEngine>,
    /// Signatures of files of the engines.
    pub signatures: Vec<Signature>,
}

/// An engine of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackedEngine {
    /// The engine's name, unique in the run.
    pub name: String,
    /// Its text in the specification.
    pub text: String,
    /// The engine's program and data files.
    pub files: EngineFiles,
}

impl RunPackage {
    /// The package of a run.
    ///
    /// # Errors
    ///
    /// If an engine can't run on another machine.
    pub fn new(spec: &RunSpec, signatures: &[Signature]) -> Result<Self, EngineFilesError> {
        let mut engines: Vec<PackedEngine> = Vec::new();
        for engine in engines_of(spec) {
            if !engines.iter().any(|known| known.text == engine.text) {
                engines.push(PackedEngine {
                    name: engine.name.clone(),
                    text: engine.text.clone(),
                    files: EngineFiles::read_for(engine)?,
                });
            }
        }
        let is_of_file = |signature: &&Signature| {
            let mut files = engines.iter().flat_map(|engine| engine.files.files());
            files.any(|file| file.sha256 == *signature.sha256())
        };
        let signatures = signatures.iter().filter(is_of_file).cloned().collect();
        Ok(Self { version: VERSION, spec: rows::write_spec(spec), engines, signatures })
    }

    /// Compresses a package.
    ///
    /// # Errors
    ///
    /// If the compressor fails.
    pub fn pack(&self) -> Result<Vec<u8>, MessageError> {
        let text = serde_json::to_vec(self).map_err(|error| MessageError::Malformed(error.to_string()))?;
        protocol::compress(&text)
    }

    /// Reads a package.
    ///
    /// # Errors
    ///
    /// If it is too large, malformed, or has another version.
    pub fn unpack(packed: &[u8]) -> Result<Self, MessageError> {
        protocol::parse(&protocol::decompress(packed, LARGEST_SPEC)?)
    }

    /// Puts the files of the engines on the server, as far as they are not there.
    pub(crate) async fn upload(&self, store: &ObjectStore) -> Result<(), BrokerError> {
        for file in self.engines.iter().flat_map(|engine| engine.files.files()) {
            let name = object_name(file);
            if store.info(name.as_str()).await.is_ok() {
                continue;
            }
            let path = if file.is_program() {
                program_from(&file.text, Path::new(""))
            } else {
                PathBuf::from(&file.text)
            };
            let what = format!("store `{}`", file.name);
            // A file that was changed after it was hashed is refused by the workers, which check its hash.
            let mut source = File::open(path).await.asked(&what)?;
            store.put(name.as_str(), &mut source).await.asked(&what)?;
        }
        Ok(())
    }
}

/// The name of an engine's file in the store.
pub(crate) fn object_name(file: &EngineFile) -> String {
    format!("sha256-{}", file.sha256)
}

/// Every engine of a run.
fn engines_of(spec: &RunSpec) -> impl Iterator<Item = &EngineSpec> {
    spec.parts.iter().flat_map(|part| part.task.engines())
}

/// Does a wall clock limit a game?
pub(crate) fn is_timed(spec: &RunSpec) -> bool {
    spec.parts.iter().any(|part| match &part.task {
        Task::Match(games) => games.is_on_wall_clocks(),
        Task::Suite(_) => false,
    })
}
