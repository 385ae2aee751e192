//! Merges the journals of all shards of a run into the journal of the run.
//!
//! The jobs of a run do not depend on who does them, so the merged run has the results of a run on one
//! machine. What a comparison asks after the plan (lost cases again) depends on all results; the merged run
//! asks it as a resumed one does.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::difference::difference;
use super::environment::Environment;
use super::journal::{Journal, JournalContents, JournalError};
use super::pool::RunError;
use super::run_record::RunRecord;
use super::shard::Shard;
use super::{RunSpec, job::RunOrigin, outputs::Outputs};
use threefold_player::EngineBuild;

/// Why journals are not all shards of one run.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A journal can't be read.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A journal is that of a whole run.
    #[error("{0}: is no shard of a run; give journals of `threefold regress --shard`")]
    NoShard(PathBuf),
    /// The shards are of runs that ask for other jobs, or are divided differently.
    #[error("{file}: is a shard of another run than {first}: {what}; give the shards of one run")]
    OtherRun {
        /// The journal.
        file: PathBuf,
        /// The first journal.
        first: PathBuf,
        /// How the runs differ, as a clause.
        what: String,
    },
    /// Two journals are of the same shard.
    #[error("{file}: is shard {shard}, as {earlier} is; give each shard once")]
    Twice {
        /// The journal.
        file: PathBuf,
        /// The journal before it.
        earlier: PathBuf,
        /// The shard of both.
        shard: Shard,
    },
    /// A shard is not there.
    #[error("shard {0} is missing; give the journals of all shards")]
    Missing(Shard),
    /// A shard has jobs left.
    #[error("{file}: shard {shard} is not finished; continue it with `threefold resume {file}`")]
    Unfinished {
        /// The journal.
        file: PathBuf,
        /// The shard.
        shard: Shard,
    },
    /// The shards had different programs.
    #[error(
        "{file}: engine `{engine}` is another build than in {first}: {what}; run all shards with the same program, or give --allow-changed-engine"
    )]
    OtherBuild {
        /// The journal.
        file: PathBuf,
        /// The first journal.
        first: PathBuf,
        /// The engine's spec.
        engine: String,
        /// How the builds differ, as a clause.
        what: String,
    },
}

impl From<JournalError> for MergeError {
    fn from(error: JournalError) -> Self {
        Self::Run(error.into())
    }
}

/// The journals of all shards of a run, by shard.
#[derive(Debug)]
pub struct Shards {
    journals: Vec<JournalContents>,
}

impl Shards {
    /// Reads the journals, in any order.
    ///
    /// # Errors
    /// If they are not all shards of one run, each finished.
    pub fn read(files: &[PathBuf]) -> Result<Self, MergeError> {
        let mut journals: Vec<(Shard, JournalContents)> = Vec::new();
        for file in files {
            let journal = JournalContents::copy_of(file)?;
            let shard = journal.spec().shard.ok_or_else(|| MergeError::NoShard(file.clone()))?;
            if let Some((_, first)) = journals.first() {
                check_same_run(first, &journal)?;
            }
            if let Some((_, earlier)) = journals.iter().find(|(other, _)| *other == shard) {
                let (file, earlier) = (file.clone(), earlier.path().to_owned());
                return Err(MergeError::Twice { file, earlier, shard });
            }
            // This also checks that each result follows from its job.
            if !RunRecord::of_contents(&journal)?.is_shard_done() {
                return Err(MergeError::Unfinished { file: file.clone(), shard });
            }
            journals.push((shard, journal));
        }
        // Sessions and workers are numbered in this order, whatever the order of the arguments was.
        journals.sort_by_key(|(shard, _)| *shard);
        if let Some((first, _)) = journals.first()
            && let Some(missing) = first.all().find(|shard| journals.iter().all(|(known, _)| known != shard))
        {
            return Err(MergeError::Missing(missing));
        }
        Ok(Self { journals: journals.into_iter().map(|(_, journal)| journal).collect() })
    }

    /// Checks that the engines of all shards are the same programs. Their files may have other paths.
    ///
    /// # Errors
    /// If they are not, or if a journal can't be read.
    pub fn check_builds(&self) -> Result<(), MergeError> {
        let Some((first, others)) = self.journals.split_first() else { return Ok(()) };
        others.iter().try_for_each(|other| check_same_builds(first, other))
    }

    /// The specification of the whole run; `None` without a shard.
    pub fn spec(&self) -> Option<RunSpec> {
        let spec = (**self.journals.first()?.spec()).clone();
        Some(RunSpec { shard: None, ..spec })
    }

    /// The environment of the shards together.
    pub fn environment(&self) -> Environment {
        let known = self.journals.iter().map(|journal| journal.spec().origin.environment.clone());
        known.reduce(|all, one| all.joined(&one)).unwrap_or_default()
    }

    /// The specifications of the shards, with their journals.
    pub fn specs(&self) -> impl Iterator<Item = (&Path, &RunSpec)> {
        self.journals.iter().map(|journal| (journal.path(), &**journal.spec()))
    }

    /// When the first of them began.
    ///
    /// # Errors
    /// If a journal can't be read.
    pub fn begun(&self) -> Result<SystemTime, JournalError> {
        let begun = self.journals.iter().map(JournalContents::begun).collect::<Result<Vec<i64>, _>>()?;
        let first = begun.into_iter().min().and_then(|first| u64::try_from(first).ok()).unwrap_or_default();
        Ok(SystemTime::UNIX_EPOCH + Duration::from_secs(first))
    }

    /// Adds their results to the journal of the whole run.
    ///
    /// # Errors
    /// If a journal can't be read or written.
    pub fn add_to(&self, journal: &mut Journal) -> Result<(), JournalError> {
        self.journals.iter().try_for_each(|shard| journal.add_results(shard))
    }
}

/// Checks that two journals are of runs with the same jobs, which decide by the same rules.
fn check_same_run(first: &JournalContents, other: &JournalContents) -> Result<(), MergeError> {
    let counts = [first, other].map(|journal| journal.spec().shard.map_or(1, Shard::count));
    let what = if counts[0] == counts[1] {
        difference(first.spec(), other.spec()).or_else(|| {
            (decided_by(first.spec()) != decided_by(other.spec()))
                .then(|| "its baseline, fault limit or rules are others".to_owned())
        })
    } else {
        Some(format!("it is divided into {} shards, not {}", counts[1], counts[0]))
    };
    what.map_or(Ok(()), |what| {
        let (file, first) = (other.path().to_owned(), first.path().to_owned());
        Err(MergeError::OtherRun { file, first, what })
    })
}

/// A specification with what decides on the results alone.
fn decided_by(spec: &RunSpec) -> RunSpec {
    RunSpec {
        title: String::new(),
        origin: RunOrigin::default(),
        parts: Vec::new(),
        outputs: Outputs::default(),
        tournament: None,
        shard: None,
        ..spec.clone()
    }
}

/// Checks that the engines of two journals are the same programs.
fn check_same_builds(first: &JournalContents, other: &JournalContents) -> Result<(), MergeError> {
    let builds = |journal: &JournalContents| Ok::<_, JournalError>(journal.sessions()?.concat());
    let known: Vec<EngineBuild> = builds(first)?;
    for build in builds(other)? {
        let earlier = known.iter().find(|earlier| earlier.engine == build.engine);
        let what = earlier.map(|earlier| earlier.changed_contents(&build)).unwrap_or_default();
        if !what.is_empty() {
            return Err(MergeError::OtherBuild {
                file: other.path().to_owned(),
                first: first.path().to_owned(),
                engine: build.engine,
                what: what.join("; "),
            });
        }
    }
    Ok(())
}
