//! Options of engines that differ from game to game.

use super::job::JobKey;
use threefold_suites::OptionOverrides;

/// The UCI options of each engine of a match in one game, in addition to those of its spec, in the order of
/// the engines. Empty if games have no options of their own.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GameOptions(pub Vec<OptionOverrides>);

impl GameOptions {
    /// Those of an engine.
    pub fn of(&self, engine: usize) -> OptionOverrides {
        self.0.get(engine).cloned().unwrap_or_default()
    }
}

/// A job that can be done now, with what its engines need besides the specification of the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadyJob {
    /// The job.
    pub key: JobKey,
    /// The options of its engines.
    pub options: GameOptions,
}

impl From<JobKey> for ReadyJob {
    fn from(key: JobKey) -> Self {
        Self { key, options: GameOptions::default() }
    }
}
