//! The folder of a queue: its file, its page, and a folder for each test.
//!
//! Every change of the file is made under a lock, so that tests can be added while others run. A second lock is
//! held by the process that runs the tests.

mod contents;

use std::env;
use std::fs::{self, File, TryLockError};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use anyhow::Context;

pub(crate) use self::contents::{NewTest, QueueContents, StoredFile, StoredTest, check_name};
use super::repository::Repository;
use crate::files;
use threefold_report::words::rerun::shell_word;

/// The folder of a queue, relative to the root of the repository.
const FOLDER: &str = ".threefold/queue";

/// The file with the tests.
const FILE: &str = "queue.json";

/// The level of a queue, where the user gives none.
pub(crate) const LEVEL: f64 = 0.05;

/// The number of expected tests, where the user gives none.
pub(crate) const EXPECTED_TESTS: NonZeroU32 = NonZeroU32::new(10).expect("not zero");

/// The folder of a queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QueueFolder {
    /// Its absolute path.
    root: PathBuf,
    /// As it is given on the command line.
    given: Option<PathBuf>,
}

impl QueueFolder {
    /// The folder that is given, or that of the repository or of the current folder. It need not exist.
    ///
    /// # Errors
    /// If the current folder is not known.
    pub(crate) fn of(given: Option<&Path>) -> anyhow::Result<Self> {
        let given = given.map(Path::to_owned);
        let root = match &given {
            Some(folder) => folder.clone(),
            None => match Repository::here() {
                Ok(repository) => repository.root().join(FOLDER),
                Err(_) => PathBuf::from(FOLDER),
            },
        };
        let here = env::current_dir().context("the current folder can't be found")?;
        // Absolute, since `queue run` changes the current folder for each test.
        Ok(Self { root: here.join(root), given })
    }

    /// The command of the queue with this name: `threefold queue run`, with the folder if one is given.
    pub(crate) fn command(&self, name: &str) -> String {
        let folder = self
            .given
            .as_ref()
            .map(|folder| format!(" --queue {}", shell_word(&folder.display().to_string())));
        format!("threefold queue {name}{}", folder.unwrap_or_default())
    }

    /// Its path.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The page of the queue.
    pub(crate) fn page(&self) -> PathBuf {
        self.root.join("index.html")
    }

    /// The folder of a test, relative to that of the queue.
    pub(crate) fn of_test(number: u32) -> PathBuf {
        Path::new("tests").join(number.to_string())
    }

    /// The journal of a test.
    pub(crate) fn journal(&self, number: u32) -> PathBuf {
        self.root.join(Self::of_test(number)).join("run.sqlite")
    }

    /// The contents of the queue; `None` if there is none.
    ///
    /// # Errors
    /// If the file is damaged.
    pub(crate) fn read(&self) -> anyhow::Result<Option<QueueContents>> {
        let file = self.root.join(FILE);
        let Some(text) = files::text_if_there(&file)? else { return Ok(None) };
        let contents = QueueContents::parse(&text).with_context(|| {
            format!(
                "{}: is damaged; correct it, or move {} away and add the tests again",
                file.display(),
                self.root.display()
            )
        })?;
        Ok(Some(contents))
    }

    /// The contents of a queue that must exist.
    ///
    /// # Errors
    /// If there is none, or if its file is damaged.
    pub(crate) fn read_existing(&self) -> anyhow::Result<QueueContents> {
        self.read()?.with_context(|| {
            format!(
                "{}: there is no queue; `{} -- sprt …` begins one",
                self.root.display(),
                self.command("add")
            )
        })
    }

    /// Changes the file under its lock. A missing queue is `None`.
    ///
    /// # Errors
    /// If the file is damaged or can't be written, or what `change` returns.
    pub(crate) fn change<T>(
        &self,
        change: impl FnOnce(&mut Option<QueueContents>) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        fs::create_dir_all(&self.root)
            .with_context(|| format!("{}: can't be created", self.root.display()))?;
        // A file of its own: each change replaces the queue's file, and a lock would stay with the old one.
        let lock = self.lock_file("file.lock")?;
        // Not every file system has locks.
        _ = lock.lock();
        let mut contents = self.read()?;
        let changed = change(&mut contents)?;
        if let Some(contents) = &contents {
            // Git does not report the folder as untracked.
            files::write_whole(&self.root.join(".gitignore"), b"*\n")?;
            files::write_whole(&self.root.join(FILE), contents.text()?.as_bytes())?;
        }
        Ok(changed)
    }

    /// Changes a test, if it is still there.
    ///
    /// # Errors
    /// As [`Self::change`].
    pub(crate) fn change_test(
        &self,
        number: u32,
        change: impl FnOnce(&mut StoredTest),
    ) -> anyhow::Result<()> {
        self.change(|contents| {
            if let Some(test) = contents.as_mut().and_then(|contents| contents.test_mut(number)) {
                change(test);
            }
            Ok(())
        })
    }

    /// The lock of the process that runs the tests. It ends with the process.
    ///
    /// # Errors
    /// If another process has it.
    pub(crate) fn lock_run(&self) -> anyhow::Result<File> {
        let lock = self.lock_file("run.lock")?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => anyhow::bail!(
                "{}: another `queue run` runs these tests, and takes up those that are added; `{}` shows them",
                self.root.display(),
                self.command("list")
            ),
            Ok(()) | Err(TryLockError::Error(_)) => Ok(lock),
        }
    }

    fn lock_file(&self, name: &str) -> anyhow::Result<File> {
        let path = self.root.join(name);
        File::create(&path).with_context(|| format!("{}: can't be written", path.display()))
    }
}
