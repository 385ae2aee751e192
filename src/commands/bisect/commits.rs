//! The commits between the good and the bad one, with the node counts of `bench` that their messages have.

use std::collections::BTreeMap;

use crate::input::repository::{HistoryCommit, Repository};
use crate::session::commit_builds::short;
use threefold_stats::bisection::{EqualCommits, History};
use threefold_suites::bench_signature;

/// The most commits of a history. The ancestors of each are a set of bits.
const MOST: usize = 20_000;

/// The commits, the good one first, the bad one last, parents before children.
#[derive(Debug)]
pub(super) struct Commits {
    all: Vec<HistoryCommit>,
    history: History,
}

/// Where a node count comes from. Counts of different sources are not compared.
const MESSAGE: &str = "message";
const RUN: &str = "run";

impl Commits {
    /// The commits of a repository.
    ///
    /// # Errors
    /// If a revision is unknown, or the good one is no ancestor of the bad one.
    pub(super) fn read(repository: &Repository, good: &str, bad: &str) -> anyhow::Result<Self> {
        let [first, last] = [good, bad].map(|revision| repository.commit(revision));
        let (first, last) = (first?, last?);
        anyhow::ensure!(first != last, "GOOD `{good}` and BAD `{bad}` are the same commit {}", short(&first));
        if !repository.is_ancestor(&first, &last) {
            let base = repository.merge_base(&first, &last);
            let remedy = if base.as_ref() == Some(&last) {
                "BAD is an ancestor of GOOD: exchange them".to_owned()
            } else if let Some(base) = base {
                format!("if their common ancestor {} is good, give it as GOOD", short(&base))
            } else {
                "they have no common ancestor; give two commits of one history".to_owned()
            };
            anyhow::bail!("GOOD `{good}` is no ancestor of BAD `{bad}`; {remedy}");
        }
        let between = repository.commits_between(&first, &last)?;
        anyhow::ensure!(
            between.len() < MOST,
            "{} commits are between `{good}` and `{bad}`, more than {MOST}; give a later GOOD",
            between.len()
        );
        let message = repository.message(&first)?;
        let good = HistoryCommit { hash: first, parents: Vec::new(), message };
        let all: Vec<HistoryCommit> = std::iter::once(good).chain(between).collect();
        // In a topological order, the bad commit is the only one without a child.
        anyhow::ensure!(
            all.last().is_some_and(|commit| commit.hash == last),
            "git does not list `{bad}` as the last commit of its history"
        );
        let history = history(&all);
        Ok(Self { all, history })
    }

    /// Which are ancestors of which.
    pub(super) const fn history(&self) -> &History {
        &self.history
    }

    /// The number of commits after the good one.
    pub(super) fn after_good(&self) -> usize {
        self.all.len() - 1
    }

    /// The index of the bad commit.
    pub(super) fn bad(&self) -> usize {
        self.history.bad()
    }

    /// The full hash of a commit.
    pub(super) fn hash(&self, index: usize) -> &str {
        &self.all[index].hash
    }

    /// The first digits of its hash.
    pub(super) fn short(&self, index: usize) -> &str {
        short(self.hash(index))
    }

    /// The first line of its message.
    pub(super) fn title(&self, index: usize) -> &str {
        self.all[index].message.lines().next().unwrap_or_default()
    }

    /// The node count of `bench` that its message has.
    pub(super) fn count_in_message(&self, index: usize) -> Option<u64> {
        bench_signature(&self.all[index].message)
    }

    /// The number of messages that have a count.
    pub(super) fn messages_with_count(&self) -> usize {
        (0..self.all.len()).filter(|&index| self.count_in_message(index).is_some()).count()
    }

    /// Neighbours with the same count, in their messages or where `bench` was run.
    pub(super) fn equal(&self, counted: impl Fn(usize) -> Option<u64>) -> EqualCommits {
        let counts = |index| {
            let counts = [(MESSAGE, self.count_in_message(index)), (RUN, counted(index))];
            counts.into_iter().filter_map(|(source, count)| Some((source, count?))).collect()
        };
        let counts: Vec<BTreeMap<&str, u64>> = (0..self.all.len()).map(counts).collect();
        EqualCommits::of_counts(&self.history, &counts)
    }
}

/// The parents by their indices. A parent that is not listed is an ancestor of the good commit.
fn history(all: &[HistoryCommit]) -> History {
    let indices: BTreeMap<&str, usize> =
        all.iter().enumerate().map(|(index, commit)| (commit.hash.as_str(), index)).collect();
    let parents = |commit: &HistoryCommit| {
        commit.parents.iter().filter_map(|parent| indices.get(parent.as_str()).copied()).collect()
    };
    History::new(all.iter().map(parents).collect())
}
