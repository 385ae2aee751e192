//! What a bisection knows of its commits: `bisect.json` in its folder. The games and cases are in journals in the same
//! folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::files;
use crate::input::repository::Repository;
use threefold_run::journal;
use threefold_run::regress::baseline::CaseName;

/// The folder of bisections, relative to the root of the repository.
const FOLDER: &str = ".threefold/bisect";

/// The name of the file.
const FILE: &str = "bisect.json";

/// The digits of the checksum in the name of a folder.
const DIGITS: usize = 8;

/// The version of the file.
const VERSION: u32 = 1;

/// The checksum of a question: the commits, the engine with its build, and the cases or the games.
pub(super) fn checksum(question: &str) -> String {
    Sha256::digest(question).iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// What a bisection knows.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct State {
    version: u32,
    /// The checksum of what is bisected: another question is another bisection.
    question: String,
    /// The commits, by hash.
    commits: BTreeMap<String, CommitState>,
    /// The cases that the bad commit lost, once they are known, as suite and id.
    pub(super) lost: Option<Vec<(String, String)>>,
    /// The commit that was played last.
    pub(super) playing: Option<String>,
    /// Does `ENGINE bench` count nothing?
    #[serde(default)]
    pub(super) lacks_bench: bool,
    /// The wall time of all sessions, in seconds.
    pub(super) seconds: f64,
}

/// What is known of a commit.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CommitState {
    /// Was it built by this bisection?
    #[serde(default)]
    pub(super) is_built: bool,
    /// Is it bad?
    pub(super) is_bad: Option<bool>,
    /// Why it was skipped.
    pub(super) skipped: Option<String>,
    /// The node count that `bench` printed.
    pub(super) bench: Option<u64>,
    /// What its cases showed.
    #[serde(default)]
    pub(super) cases: Vec<CaseEvidence>,
    /// Has it no further distinct pairs?
    #[serde(default)]
    pub(super) is_used_up: bool,
}

/// What a case of a commit showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CaseEvidence {
    /// Its suite.
    pub(super) suite: String,
    /// Its id.
    pub(super) id: String,
    /// The verdict with its reason.
    pub(super) verdict: String,
    /// Is it lost? `None` if it was skipped.
    pub(super) is_lost: Option<bool>,
}

/// A state with its file.
#[derive(Debug)]
pub(super) struct StateFile {
    folder: PathBuf,
    pub(super) state: State,
    /// Was it there already?
    pub(super) is_continued: bool,
}

impl StateFile {
    /// Opens the state of a question, or begins it.
    ///
    /// # Errors
    /// If the folder holds another bisection, or can't be written.
    pub(super) fn open(
        repository: &Repository,
        given: Option<&Path>,
        question: &str,
        name: &str,
    ) -> anyhow::Result<Self> {
        let folder = folder(repository, given, question, name);
        let file = folder.join(FILE);
        let text = files::text_if_there(&file)?;
        let is_continued = text.is_some();
        let state = match text {
            Some(text) => {
                let state: State = serde_json::from_str(&text)
                    .with_context(|| format!("{}: can't be read; start over with --fresh", file.display()))?;
                anyhow::ensure!(
                    state.version == VERSION,
                    "{}: has version {}, and this program reads {VERSION}; start over with --fresh",
                    file.display(),
                    state.version
                );
                anyhow::ensure!(
                    state.question == question,
                    "{}: holds another bisection; start over with --fresh, or give another folder with --out",
                    folder.display()
                );
                state
            }
            None => State::new(question),
        };
        Ok(Self { folder, state, is_continued })
    }

    /// Begins the state of a question. What the folder holds of a bisection is removed.
    ///
    /// # Errors
    /// If the folder can't be written.
    pub(super) fn replaced(
        repository: &Repository,
        given: Option<&Path>,
        question: &str,
        name: &str,
    ) -> anyhow::Result<Self> {
        let folder = folder(repository, given, question, name);
        let begun = Self { folder, state: State::new(question), is_continued: false };
        if begun.folder.join(FILE).exists() {
            let entries = fs::read_dir(&begun.folder).into_iter().flatten().filter_map(Result::ok);
            // Journals are named by commits, so the games of another question would count for this one.
            let is_journal = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "sqlite");
            for path in entries.map(|entry| entry.path()).filter(is_journal) {
                journal::remove(&path).with_context(|| format!("{}: can't be removed", path.display()))?;
            }
        }
        begun.write()?;
        Ok(begun)
    }

    /// Writes the state.
    pub(super) fn write(&self) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(&self.state).context("the state can't be written")?;
        // Git does not report the folder as untracked.
        files::write_whole(&self.folder.join(".gitignore"), b"*\n")?;
        files::write_whole(&self.folder.join(FILE), format!("{text}\n").as_bytes())
    }

    /// The folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The journal of a commit.
    pub(super) fn journal(&self, hash: &str) -> PathBuf {
        self.folder.join(format!("{hash}.sqlite"))
    }
}

/// The folder that is given, or one of the question's own.
fn folder(repository: &Repository, given: Option<&Path>, question: &str, name: &str) -> PathBuf {
    let own = || repository.root().join(FOLDER).join(format!("{name}-{}", &question[..DIGITS]));
    given.map_or_else(own, Path::to_owned)
}

impl State {
    fn new(question: &str) -> Self {
        Self {
            version: VERSION,
            question: question.to_owned(),
            commits: BTreeMap::new(),
            lost: None,
            playing: None,
            lacks_bench: false,
            seconds: 0.0,
        }
    }

    /// What is known of a commit.
    pub(super) fn commit(&self, hash: &str) -> Option<&CommitState> {
        self.commits.get(hash)
    }

    /// The same, to change it.
    pub(super) fn commit_mut(&mut self, hash: &str) -> &mut CommitState {
        self.commits.entry(hash.to_owned()).or_default()
    }

    /// Everything known.
    pub(super) fn commits(&self) -> impl Iterator<Item = (&String, &CommitState)> {
        self.commits.iter()
    }

    /// The cases that the bad commit lost, by name.
    pub(super) fn lost_cases(&self) -> Option<Vec<CaseName>> {
        let name = |(suite, id): &(String, String)| CaseName { suite: suite.clone(), id: id.clone() };
        Some(self.lost.as_ref()?.iter().map(name).collect())
    }
}
