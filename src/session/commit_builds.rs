//! The engine at other commits of its repository.
//!
//! A commit is checked out and built once, in `.threefold/cache/COMMIT` of the repository. The program runs
//! there, so that the files next to it, such as networks, are those of its version.

use std::env;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context;

use crate::input::repository::Repository;
use crate::machine::processor;
use crate::{files, streams};
use threefold_player::spec::HarnessKey;
use threefold_player::{EngineSource, EngineSpec};

/// The folder of built commits, relative to the root of the repository.
const CACHE: &str = ".threefold/cache";

/// The number of digits that name a commit in reports.
const SHORT: usize = 8;

/// The number of lines of a failed build that are printed.
const LAST_LINES: usize = 20;

/// The engine at the commits of a repository.
#[derive(Debug)]
pub struct CommitBuilds {
    repository: Repository,
    build: String,
    engine: EngineSpec,
}

/// Why a commit has no engine.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BuildFailure(String);

/// The first digits of a commit.
pub fn short(hash: &str) -> &str {
    &hash[..SHORT.min(hash.len())]
}

impl CommitBuilds {
    /// For an engine of this repository that is built by this command; `{out}` in it is the program to write.
    pub fn new(repository: Repository, build: &str, engine: &EngineSpec) -> Self {
        Self { repository, build: build.to_owned(), engine: engine.clone() }
    }

    /// The repository.
    pub const fn repository(&self) -> &Repository {
        &self.repository
    }

    /// The folder of all builds.
    pub fn cache(&self) -> PathBuf {
        self.repository.root().join(CACHE)
    }

    /// The engine at a commit, by its full hash. It is built if that has not been done. `what` names the version in
    /// messages.
    ///
    /// # Errors
    /// The inner error says why it does not build. The outer one is that of git or of the disk.
    pub fn engine(&self, hash: &str, what: &str) -> anyhow::Result<Result<EngineSpec, BuildFailure>> {
        let EngineSource::Command { program: path, dir, .. } = &self.engine.source else {
            anyhow::bail!("Echo can't be built from a commit");
        };
        let folder = self.cache().join(hash);
        let out = folder.join(".threefold-engine");
        let has_place = self.build.contains("{out}");
        let program = if has_place { out.clone() } else { folder.join(inside(&self.repository, path)?) };
        if !self.is_built(&folder) || !program.exists() {
            let command = self.build.replace("{out}", &out.display().to_string());
            if let Err(failure) = self.check_out_and_build(hash, &folder, &command, what)? {
                return Ok(Err(failure));
            }
            if !program.exists() {
                return Ok(Err(BuildFailure(format!(
                    "the build of {what} {} wrote no {}; `build` must write the program that `engine` names, or to `{{out}}`",
                    short(hash),
                    program.display()
                ))));
            }
            // The marker is written last: a build that was interrupted has none, and is done again.
            files::write_whole(&marker(&folder), self.origin().as_bytes())?;
        }
        let dir = dir.as_ref().filter(|dir| dir.is_relative()).map(|dir| folder.join(dir));
        with_program(&self.engine, &program, dir.as_deref()).map(Ok)
    }

    /// The text of the marker. A CI service may restore the folder on another machine, where a program built with
    /// `-march=native` does not run.
    fn origin(&self) -> String {
        format!("{}\n{}\n", self.build, processor::model())
    }

    fn is_built(&self, folder: &Path) -> bool {
        files::text_if_there(&marker(folder)).is_ok_and(|text| text == Some(self.origin()))
    }

    fn check_out_and_build(
        &self,
        hash: &str,
        folder: &Path,
        command: &str,
        what: &str,
    ) -> anyhow::Result<Result<(), BuildFailure>> {
        self.repository.remove_worktree(folder)?;
        let cache = self.cache();
        // Git does not report the folder as untracked.
        files::write_whole(&cache.join(".gitignore"), b"*\n")?;
        self.repository.add_worktree(folder, hash)?;
        let log = cache.join(format!("{hash}.log"));
        let short = short(hash);
        streams::notice(&format!("building {what} {short}: {command}; its output is in {}", log.display()));
        let output =
            fs::File::create(&log).with_context(|| format!("{}: can't be written", log.display()))?;
        // Both streams share one file offset, so their lines do not overwrite each other.
        let also = output.try_clone().with_context(|| format!("{}: can't be written", log.display()))?;
        let status = shell(command)
            .current_dir(folder)
            // A build that asks a question must not wait for an answer.
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(also)
            .status()
            .context("can't start a shell for `build`")?;
        if status.success() {
            return Ok(Ok(()));
        }
        let text = files::bytes(&log)?;
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text.lines().collect();
        let last = lines[lines.len().saturating_sub(LAST_LINES)..].join("\n  ");
        Ok(Err(BuildFailure(format!(
            "{what} can't be built ({status}): `{command}` in {}; its output is in {}. The last lines:\n  {last}",
            folder.display(),
            log.display()
        ))))
    }
}

/// The file that says by which command, and for which processor, a worktree was built.
fn marker(folder: &Path) -> PathBuf {
    folder.join(".threefold-build")
}

/// The path of a program from the root of its repository. The program need not be built here.
fn inside(repository: &Repository, program: &str) -> anyhow::Result<PathBuf> {
    let path = Path::new(program);
    let found = path.canonicalize().ok().or_else(|| {
        // Without the file, `..` can't be resolved: the folder before it may be a symbolic link.
        let is_simple = path.is_relative() && !path.components().any(|part| part == Component::ParentDir);
        let folder = env::current_dir().ok()?.canonicalize().ok()?;
        let parts = path.components().filter(|part| *part != Component::CurDir);
        is_simple.then(|| folder.join(parts.collect::<PathBuf>()))
    });
    let root = repository.root().canonicalize().ok();
    let relative = found.zip(root).and_then(|(found, root)| Some(found.strip_prefix(root).ok()?.to_owned()));
    relative.with_context(|| {
        format!(
            "`{program}` is not a file inside the repository, so the program of another commit can't be found; let `build` \
             write to `{{out}}`"
        )
    })
}

/// A command line for the shell of the system.
pub fn shell(command: &str) -> Command {
    let (program, option) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut shell = Command::new(program);
    shell.arg(option).arg(command);
    shell
}

/// The same engine with another program.
fn with_program(engine: &EngineSpec, program: &Path, dir: Option<&Path>) -> anyhow::Result<EngineSpec> {
    let program =
        program.to_str().with_context(|| format!("{}: its name is not UTF-8", program.display()))?;
    let moved = engine.with_program(program)?;
    let Some(dir) = dir else { return Ok(moved) };
    let dir = dir.to_str().with_context(|| format!("{}: its name is not UTF-8", dir.display()))?;
    Ok(moved.with(&[(HarnessKey::Dir, dir)])?)
}
