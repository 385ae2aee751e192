//! The git repository of the current folder: its root, its commits, and worktrees of commits.
//!
//! The program `git` does the work, so that every repository that it understands is understood here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::Context;

/// A git repository.
#[derive(Debug, Clone)]
pub struct Repository {
    root: PathBuf,
}

/// `log.showSignature` in the user's configuration would add lines to the output.
const NO_SIGNATURES: &str = "--no-show-signature";

/// The message of a commit.
#[derive(Debug, Clone)]
pub struct CommitMessage {
    /// The shortened hash of the commit.
    pub hash: String,
    /// Its text.
    pub message: String,
}

/// A commit of a history, with its parents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryCommit {
    /// Its full hash.
    pub hash: String,
    /// The full hashes of its parents.
    pub parents: Vec<String>,
    /// Its message.
    pub message: String,
}

impl Repository {
    /// The repository of the current folder.
    ///
    /// # Errors
    /// If the folder is in no repository, or `git` cannot be started.
    pub fn here() -> anyhow::Result<Self> {
        let root = run(Path::new("."), &["rev-parse", "--show-toplevel"])
            .context("this needs a git repository; change to one")?;
        Ok(Self { root: PathBuf::from(root) })
    }

    /// The absolute path of its root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The full hash of a commit.
    ///
    /// # Errors
    /// If the clone has no such commit.
    pub fn commit(&self, revision: &str) -> anyhow::Result<String> {
        // A tag is resolved to its commit, and a revision that begins with a dash is not taken for an option.
        let name = format!("{revision}^{{commit}}");
        let found = run(&self.root, &["rev-parse", "--verify", "--quiet", "--end-of-options", &name]);
        // Git gives no reason.
        found.ok().with_context(|| {
            format!(
                "this clone has no commit `{revision}`; fetch it (`git fetch origin {revision}`; in CI, check out with \
                 the full history: `fetch-depth: 0`)"
            )
        })
    }

    /// Does a commit have the same tracked files as the working tree?
    pub fn is_checked_out(&self, commit: &str) -> bool {
        run(&self.root, &["diff", "--quiet", commit, "--"]).is_ok()
    }

    /// The messages of the last commits, the last one first.
    pub fn messages(&self, number: usize) -> anyhow::Result<Vec<CommitMessage>> {
        let limit = format!("--max-count={number}");
        let text = run(&self.root, &["log", &limit, NO_SIGNATURES, "--format=%h%n%B%x00"])?;
        Ok(commit_messages(&text))
    }

    /// The commits that are ancestors of `bad` (itself included) and not of `good`, parents first.
    pub fn commits_between(&self, good: &str, bad: &str) -> anyhow::Result<Vec<HistoryCommit>> {
        let range = format!("{good}..{bad}");
        let words = ["log", "--topo-order", "--reverse", NO_SIGNATURES, "--format=%H%n%P%n%B%x00", &range];
        let text = run(&self.root, &words)?;
        let commit = |text: &str| {
            let mut lines = text.trim_start().splitn(3, '\n');
            let hash = lines.next().filter(|hash| !hash.is_empty())?.to_owned();
            let parents = lines.next()?.split_whitespace().map(str::to_owned).collect();
            Some(HistoryCommit { hash, parents, message: lines.next()?.trim().to_owned() })
        };
        Ok(text.split('\0').filter_map(commit).collect())
    }

    /// The message of a commit.
    pub fn message(&self, commit: &str) -> anyhow::Result<String> {
        run(&self.root, &["log", "--max-count=1", NO_SIGNATURES, "--format=%B", commit])
    }

    /// Author and date of a commit, and its message, indented, as `git log` prints them.
    pub fn description(&self, commit: &str) -> anyhow::Result<String> {
        let format = "--format=Author: %an <%ae>%nDate:   %ad%n%n%w(0,4,4)%B";
        run(&self.root, &["log", "--max-count=1", NO_SIGNATURES, format, commit])
    }

    /// Is a commit an ancestor of another one, or the same?
    pub fn is_ancestor(&self, ancestor: &str, commit: &str) -> bool {
        run(&self.root, &["merge-base", "--is-ancestor", ancestor, commit]).is_ok()
    }

    /// The last common ancestor of two commits; `None` if there is none.
    pub fn merge_base(&self, one: &str, other: &str) -> Option<String> {
        run(&self.root, &["merge-base", one, other]).ok()
    }

    /// Checks out a commit into a new folder, with its submodules.
    pub fn add_worktree(&self, folder: &Path, commit: &str) -> anyhow::Result<()> {
        // Git refuses a folder whose worktree was deleted by hand and is still registered.
        run(&self.root, &["worktree", "prune"])?;
        run(&self.root, &["worktree", "add", "--detach", "--force", &text(folder)?, commit])?;
        if folder.join(".gitmodules").exists() {
            run(folder, &["submodule", "update", "--init", "--recursive"])?;
        }
        Ok(())
    }

    /// Removes a worktree, if there is one, with everything in it.
    pub fn remove_worktree(&self, folder: &Path) -> anyhow::Result<()> {
        if folder.exists() {
            std::fs::remove_dir_all(folder)
                .with_context(|| format!("{}: can't be removed", folder.display()))?;
        }
        run(&self.root, &["worktree", "prune"]).map(|_| ())
    }

    /// The files of the working tree that git does not ignore, relative to the root; those that are not tracked
    /// yet, too.
    ///
    /// # Errors
    /// If git does not list them.
    pub fn files(&self) -> anyhow::Result<Vec<PathBuf>> {
        let others = run(&self.root, &["ls-files", "--others", "--exclude-standard", "-z"])?;
        Ok(self.tracked_files()?.into_iter().chain(listed(&others)).collect())
    }

    /// The files that git tracks, those of submodules included, relative to the root.
    ///
    /// # Errors
    /// If git does not list them.
    pub fn tracked_files(&self) -> anyhow::Result<BTreeSet<PathBuf>> {
        Ok(listed(&run(&self.root, &["ls-files", "--cached", "--recurse-submodules", "-z"])?).collect())
    }

    /// Those of these files that `.gitignore` hides, whether they exist or not; relative to the root.
    pub fn ignored(&self, files: &[&str]) -> Vec<String> {
        let words: Vec<&str> = ["check-ignore", "--"].iter().chain(files).copied().collect();
        // An error means that none is hidden.
        let ignored = run(&self.root, &words).unwrap_or_default();
        ignored.lines().map(str::to_owned).collect()
    }

    /// The URL of the remote `origin`; `None` if there is none.
    pub fn origin(&self) -> Option<String> {
        run(&self.root, &["remote", "get-url", "origin"]).ok()
    }
}

/// The messages of a list in which each ends with a zero byte.
fn commit_messages(text: &str) -> Vec<CommitMessage> {
    let message = |text: &str| {
        let (hash, message) = text.split_once('\n').unwrap_or((text, ""));
        CommitMessage { hash: hash.to_owned(), message: message.trim().to_owned() }
    };
    text.split('\0').map(str::trim).filter(|text| !text.is_empty()).map(message).collect()
}

/// The paths of a list that zero bytes separate.
fn listed(text: &str) -> impl Iterator<Item = PathBuf> {
    text.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from)
}

/// The commit that is checked out in the repository of a file, with `-dirty` if a tracked file was changed;
/// `None` if the file is in no repository.
pub fn commit_of(file: &Path) -> Option<String> {
    let folder = file.parent()?;
    let commit = run(folder, &["rev-parse", "--verify", "--quiet", "HEAD"]).ok()?;
    let is_clean = run(folder, &["diff", "--quiet", "HEAD", "--"]).is_ok();
    Some(if is_clean { commit } else { format!("{commit}-dirty") })
}

/// A version of a file.
pub struct FileVersion {
    /// The commit that made it.
    pub commit: String,
    /// The time of the commit, in seconds since 1970.
    pub time: i64,
}

/// The versions of a file in the history of the current commit, the last one first, at most this many of
/// them. The folder of the file need not exist any more.
pub fn versions(file: &Path, most: Option<usize>) -> anyhow::Result<Vec<FileVersion>> {
    let limit = most.map(|most| format!("--max-count={most}"));
    let (folder, name) = in_its_folder(file);
    let name = text(name)?;
    let words =
        ["log", NO_SIGNATURES, "--format=%H %ct"].into_iter().chain(limit.as_deref()).chain(["--", &name]);
    let log = run(folder, &words.collect::<Vec<_>>())?;
    let version = |line: &str| {
        let (commit, time) = line.split_once(' ')?;
        Some(FileVersion { commit: commit.to_owned(), time: time.parse().ok()? })
    };
    Ok(log.lines().filter_map(version).collect())
}

/// The text of a file in a commit. The folder of the file need not exist any more.
pub fn text_of_version(commit: &str, file: &Path) -> anyhow::Result<String> {
    let (folder, name) = in_its_folder(file);
    run(folder, &["show", &format!("{commit}:./{}", text(name)?)])
}

/// The folder of a file, with its name there; the current folder if that one is gone.
fn in_its_folder(file: &Path) -> (&Path, &Path) {
    let folder = file.parent().filter(|folder| folder.is_dir());
    folder.zip(file.file_name()).map_or((Path::new("."), file), |(folder, name)| (folder, Path::new(name)))
}

/// The names of the tags of this folder's repository, by their commits; none outside a repository.
pub fn tags() -> BTreeMap<String, String> {
    // An annotated tag has a hash of its own; `*objectname` is that of its commit.
    let commit = "%(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end)";
    let format = format!("--format={commit} %(refname:short)");
    let tags = run(Path::new("."), &["for-each-ref", &format, "refs/tags"]).unwrap_or_default();
    let tag = |line: &str| line.split_once(' ').map(|(commit, name)| (commit.to_owned(), name.to_owned()));
    tags.lines().filter_map(tag).collect()
}

fn text(path: &Path) -> anyhow::Result<String> {
    Ok(path.to_str().with_context(|| format!("{}: its name is not UTF-8", path.display()))?.to_owned())
}

/// The output of a git command, trimmed.
fn run(folder: &Path, words: &[&str]) -> anyhow::Result<String> {
    let started = Command::new("git").arg("-C").arg(folder).args(words).output();
    let Output { status, stdout, stderr } = started.context("can't start `git`; install it")?;
    if status.success() {
        return Ok(String::from_utf8_lossy(&stdout).trim().to_owned());
    }
    let said = String::from_utf8_lossy(&stderr);
    anyhow::bail!("`git {}` failed ({status}): {}", words.join(" "), said.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_as_many_as_the_commits() {
        let found = commit_messages("a1\nTitle\n\nBench: 5\n\n\0\nb2\n\n\0");
        let found: Vec<(&str, &str)> =
            found.iter().map(|commit| (commit.hash.as_str(), commit.message.as_str())).collect();
        assert_eq!(found, [("a1", "Title\n\nBench: 5"), ("b2", "")]);
        assert!(commit_messages("").is_empty());
    }
}
