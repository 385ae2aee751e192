//! The folder of a pair on disk.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::list::CommitPair;
use super::record::PairRecord;

/// The record of a pair.
const RECORD: &str = "record.json";

/// The folder of a pair: its record, and the reports and output of each step.
#[derive(Debug, Clone)]
pub struct PairFolder(PathBuf);

impl PairFolder {
    /// The folder of a pair below the folder of an experiment.
    pub fn new(experiment: &Path, pair: &CommitPair) -> Self {
        Self(experiment.join(&pair.id))
    }

    /// A file or folder in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Makes it empty: an interrupted measurement may have left files.
    pub(super) fn clear(&self) -> anyhow::Result<()> {
        if self.0.exists() {
            fs::remove_dir_all(&self.0).with_context(|| format!("{}: can't be removed", self.0.display()))?;
        }
        fs::create_dir_all(&self.0).with_context(|| format!("{}: can't be made", self.0.display()))
    }

    /// The record, if the pair was measured.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn record(&self) -> anyhow::Result<Option<PairRecord>> {
        let file = self.path(RECORD);
        let Some(text) = threefold::files::text_if_there(&file)? else { return Ok(None) };
        let record = serde_json::from_str(&text);
        record
            .map(Some)
            .with_context(|| format!("{}: remove this file to measure the pair again", file.display()))
    }

    /// Writes the record, which makes the pair finished.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn write(&self, record: &PairRecord) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(record)? + "\n";
        threefold::files::write_whole(&self.path(RECORD), text.as_bytes())
    }
}
