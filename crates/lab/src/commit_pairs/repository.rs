//! The repository of a pair: a git repository whose commits have one program each.
//!
//! A tracked file has the path of the program, and the build of the plan copies it. So both versions can be
//! built as those of any engine, and no program is stored in git.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use tempfile::TempDir;

/// The engine that `init` is given.
pub(crate) const ENGINE: &str = "./engine";
/// The tracked file with the path of the program.
const PATH_FILE: &str = "program.path";
/// The build of the plan.
pub(crate) const BUILD: &str = "cp \"$(cat program.path)\" {out}";

/// A git repository in a temporary folder.
pub(crate) struct PairRepository {
    folder: TempDir,
}

impl PairRepository {
    /// An empty repository.
    pub(crate) fn new() -> anyhow::Result<Self> {
        let repository = Self { folder: tempfile::tempdir().context("a temporary folder can't be made")? };
        repository.git(&["init", "--quiet"])?;
        repository.write(".gitignore", "/engine\n")?;
        Ok(repository)
    }

    /// Its folder.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Commits this program and all other files, and builds it.
    pub(crate) fn commit_program(
        &self,
        program: &Path,
        subject: &str,
        bench: Option<&str>,
    ) -> anyhow::Result<()> {
        let program =
            program.canonicalize().with_context(|| format!("{}: can't be read", program.display()))?;
        self.write(PATH_FILE, &format!("{}\n", program.display()))?;
        let engine = self.path().join(ENGINE);
        fs::copy(&program, &engine).with_context(|| format!("{}: can't be copied", program.display()))?;
        let bench = bench.map(|count| format!("\n\nBench: {count}")).unwrap_or_default();
        self.commit(&format!("{subject}{bench}"))
    }

    /// Commits all files.
    pub(crate) fn commit(&self, message: &str) -> anyhow::Result<()> {
        self.git(&["add", "--all"])?;
        // Independent of the user's settings, which may have no name or require a signature.
        let author = ["-c", "user.name=threefold-lab", "-c", "user.email=lab@localhost"];
        let words =
            ["-c", "commit.gpgsign=false", "commit", "--quiet", "--allow-empty", "--message", message];
        self.git(&[&author[..], &words[..]].concat())
    }

    /// Copies a file or a folder of it, if there is one.
    pub(crate) fn copy_to(&self, name: &str, target: &Path) -> anyhow::Result<()> {
        let source = self.path().join(name);
        if source.exists() {
            copy(&source, target).with_context(|| format!("{}: can't be written", target.display()))?;
        }
        Ok(())
    }

    fn git(&self, words: &[&str]) -> anyhow::Result<()> {
        let output = Command::new("git").arg("-C").arg(self.path()).args(words).output();
        let output = output.context("can't start `git`; install it")?;
        let text = String::from_utf8_lossy(&output.stderr);
        anyhow::ensure!(output.status.success(), "`git {}`: {}", words.join(" "), text.trim());
        Ok(())
    }

    /// Writes a file.
    #[expect(clippy::disallowed_methods, reason = "the files of the repository are this experiment's own")]
    pub(crate) fn write(&self, name: &str, text: &str) -> anyhow::Result<()> {
        let path = self.path().join(name);
        fs::write(&path, text).with_context(|| format!("{}: can't be written", path.display()))
    }

    /// Reads a file.
    #[expect(clippy::disallowed_methods, reason = "the files of the repository are this experiment's own")]
    pub(crate) fn read(&self, name: &str) -> anyhow::Result<String> {
        let path = self.path().join(name);
        fs::read_to_string(&path).with_context(|| format!("{}: can't be read", path.display()))
    }
}

fn copy(source: &Path, target: &Path) -> io::Result<()> {
    if !source.is_dir() {
        return fs::copy(source, target).map(drop);
    }
    fs::create_dir_all(target)?;
    for entry in fs::read_dir(source)? {
        let entry = entry?;
        let into: PathBuf = target.join(entry.file_name());
        copy(&entry.path(), &into)?;
    }
    Ok(())
}
