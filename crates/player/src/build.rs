//! The build of an engine: its files with their checksums, its UCI id, and its compiler.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use sha2::{Digest, Sha256};

use super::compiler;
use super::program_path::program_path;
use super::{EngineId, EngineSource, EngineSpec};

/// Linux's path to the file of this process, valid even after another file has taken its name.
const OWN_FILE: &str = "/proc/self/exe";

/// The build of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineBuild {
    /// The engine's spec, as it was written.
    pub engine: String,
    /// What it answered to `uci`.
    pub engine_id: EngineId,
    /// The program, every argument that names a file (for `sh engine.sh`, the script too), and its book. For
    /// the built-in Echo, the running program. Unreadable files are left out.
    pub files: Vec<EngineFile>,
    /// The commit that was checked out in the repository of the program when the run started, with `-dirty`
    /// if a tracked file had been changed; `None` if it is in no repository. The program may be older than
    /// that.
    pub commit: Option<String>,
    /// The compiler, if `id name` or the program names it. It is not known of a program that another one runs.
    pub compiler: Option<String>,
}

/// A file of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineFile {
    /// Its absolute path.
    pub path: String,
    /// In bytes.
    pub size: u64,
    /// Its SHA-256 in hexadecimal.
    pub sha256: String,
}

/// The files of engines that have been read, by their paths; `None` for those that can't be read.
#[derive(Debug, Default)]
pub struct EngineFiles(BTreeMap<PathBuf, Option<EngineFile>>);

impl EngineFiles {
    /// The files of an engine. Those that have not been read yet are read in full.
    pub fn read(&mut self, spec: &EngineSpec) -> Vec<EngineFile> {
        let (program, arguments) = match &spec.source {
            EngineSource::Echo => (own_file().cloned(), Vec::new()),
            EngineSource::Command { program, args, dir } => {
                (self.file(program_path(program)), files_of_arguments(args, dir.as_deref()))
            }
        };
        let others = arguments.into_iter().chain(spec.book.clone());
        program.into_iter().chain(others.filter_map(|path| self.file(path))).collect()
    }

    fn file(&mut self, path: PathBuf) -> Option<EngineFile> {
        let read = |path: &PathBuf| EngineFile::read_file(path, path).ok();
        self.0.entry(path).or_insert_with_key(read).clone()
    }
}

/// The arguments that name a file.
fn files_of_arguments(arguments: &[String], folder: Option<&Path>) -> Vec<PathBuf> {
    let folder = folder.unwrap_or(Path::new(""));
    arguments.iter().map(|argument| folder.join(argument)).filter(|path| path.is_file()).collect()
}

impl EngineBuild {
    /// The present builds of the engines of specs. Reads each of their files once, in full.
    pub fn of_all(engines: &[(EngineSpec, EngineId)]) -> Vec<Self> {
        Self::with_files(engines, EngineFiles::default())
    }

    /// The same where some of the files have been read.
    pub fn with_files(engines: &[(EngineSpec, EngineId)], mut files: EngineFiles) -> Vec<Self> {
        engines.iter().map(|(spec, id)| Self::new(spec, id.clone(), files.read(spec))).collect()
    }

    fn new(spec: &EngineSpec, introduction: EngineId, files: Vec<EngineFile>) -> Self {
        let program = match &spec.source {
            EngineSource::Echo => Some(own_place()),
            // `sh engine.sh` names the compiler of the shell.
            EngineSource::Command { program, args, dir } => {
                files_of_arguments(args, dir.as_deref()).is_empty().then(|| program_path(program))
            }
        };
        let named = introduction.name.as_deref().and_then(compiler::in_name);
        let compiler = named.or_else(|| compiler::of_program(program.as_deref()?));
        Self { engine: spec.text.clone(), engine_id: introduction, files, commit: None, compiler }
    }

    /// Adds the commit of the first file that has one. The built-in Echo is identified by its version.
    #[must_use]
    pub fn with_commit(self, mut commit: impl FnMut(&Path) -> Option<String>) -> Self {
        let mut found = || self.files.iter().find_map(|file| commit(Path::new(&file.path)));
        let commit = if self.is_built_in() { None } else { found() };
        Self { commit, ..self }
    }

    fn is_built_in(&self) -> bool {
        self.engine.parse().is_ok_and(|spec: EngineSpec| spec.source == EngineSource::Echo)
    }

    /// The differences from a later build of the same engine, one clause each; empty if there are none.
    ///
    /// The built-in Echo is the same wherever its program is.
    pub fn changes(&self, now: &Self) -> Vec<String> {
        let mut changes = Vec::new();
        let is_built_in = self.is_built_in();
        // Files are compared by their place in the command, since a path may be what has changed.
        for (file, now) in self.files.iter().zip(&now.files) {
            let mut change = |what, earlier: &str, now: &str| {
                if earlier != now {
                    changes.push(format!("{what} was {earlier}, and is {now}"));
                }
            };
            if !is_built_in {
                change("its path".to_owned(), &file.path, &now.path);
            }
            change(format!("the size of {}", now.path), &bytes(file.size), &bytes(now.size));
            change(format!("the SHA-256 of {}", now.path), &file.sha256, &now.sha256);
        }
        for missing in self.files.iter().skip(now.files.len()) {
            changes.push(format!("{} is not there any more, or can't be read", missing.path));
        }
        for added in now.files.iter().skip(self.files.len()) {
            changes.push(format!("{} was not there, or could not be read", added.path));
        }
        if self.engine_id.name != now.engine_id.name {
            let name = |build: &Self| build.engine_id.name.clone().unwrap_or_else(|| "not given".to_owned());
            changes.push(format!("its `id name` was {}, and is {}", name(self), name(now)));
        }
        changes
    }

    /// The differences from a build of the same engine on another machine, where its files may have other
    /// paths.
    pub fn changed_contents(&self, other: &Self) -> Vec<String> {
        let mut here = other.clone();
        for (file, known) in here.files.iter_mut().zip(&self.files) {
            file.path.clone_from(&known.path);
        }
        self.changes(&here)
    }

    /// Name and shortened checksums, as a PGN tag. The built-in Echo is identified by its version: identical
    /// games must have identical text, whatever the program file.
    pub fn tag(&self) -> Option<String> {
        let sums: Vec<&str> = self.files.iter().map(EngineFile::short_sha256).collect();
        let sums = (!self.is_built_in() && !sums.is_empty()).then(|| format!("sha256:{}", sums.join("+")));
        let parts: Vec<String> = self.engine_id.name.clone().into_iter().chain(sums).collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    }
}

/// A commit with the first digits of its hash: `0123456789-dirty`.
pub fn short_commit(commit: &str) -> String {
    /// The number of hexadecimal digits shown.
    const SHORT: usize = 10;
    let (hash, suffix) = commit.split_at(commit.find('-').unwrap_or(commit.len()));
    format!("{}{suffix}", hash.get(..SHORT).unwrap_or(hash))
}

impl EngineFile {
    /// The number of hexadecimal digits shown.
    const SHORT: usize = 12;

    /// Reads a file; `path` is its recorded path.
    fn read_file(place: &Path, path: &Path) -> io::Result<Self> {
        let (mut digest, mut size) = (Sha256::new(), 0);
        let mut file = BufReader::with_capacity(1 << 16, File::open(place)?);
        loop {
            let bytes = file.fill_buf()?;
            if bytes.is_empty() {
                break;
            }
            digest.update(bytes);
            let taken = bytes.len();
            size += taken as u64;
            file.consume(taken);
        }
        let sha256 = digest.finalize().iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
        let path = std::path::absolute(path)?.to_string_lossy().into_owned();
        Ok(Self { path, size, sha256 })
    }

    /// The first digits of its SHA-256.
    pub fn short_sha256(&self) -> &str {
        self.sha256.get(..Self::SHORT).unwrap_or(&self.sha256)
    }
}

fn bytes(size: u64) -> String {
    format!("{size} bytes")
}

/// A path to the file of this process that can be read.
fn own_place() -> PathBuf {
    let running = Path::new(OWN_FILE);
    if running.exists() { running.to_owned() } else { std::env::current_exe().unwrap_or_default() }
}

/// The file of this process. It is read once, since it does not change.
fn own_file() -> Option<&'static EngineFile> {
    static OWN: OnceLock<Option<EngineFile>> = OnceLock::new();
    let read = || {
        let path = std::env::current_exe().ok()?;
        EngineFile::read_file(&own_place(), &path).ok()
    };
    OWN.get_or_init(read).as_ref()
}
