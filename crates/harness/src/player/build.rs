//! Which build of an engine answers: its files with their checksums, and what it says of itself.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::OnceLock;

use sha2::{Digest, Sha256};

use super::launch::program_path;
use super::{EngineId, EngineSource, EngineSpec};

/// Where Linux has the file that this process runs, also after another one has taken its name.
const OWN_FILE: &str = "/proc/self/exe";

/// A build of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineBuild {
    /// The engine's spec, as it was written.
    pub engine: String,
    /// What it says of itself.
    pub engine_id: EngineId,
    /// The program, and after it every argument that names a file: of `sh engine.sh` the script as well. For the built-in
    /// Echo it is the program that is running. What can't be read is left out.
    pub files: Vec<EngineFile>,
}

/// A file that an engine consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineFile {
    /// Where it is, from the root.
    pub path: String,
    /// In bytes.
    pub size: u64,
    /// Its SHA-256, in hexadecimal digits.
    pub sha256: String,
}

impl EngineBuild {
    /// The build that a spec names now. Reads the files in full.
    pub fn of(spec: &EngineSpec, introduction: EngineId) -> Self {
        let files = match &spec.source {
            EngineSource::Echo => own_file().into_iter().cloned().collect(),
            EngineSource::Command { program, args, dir } => {
                let folder = dir.as_deref().unwrap_or(Path::new(""));
                let arguments = args.iter().map(|argument| folder.join(argument));
                let arguments = arguments.filter(|path| path.is_file());
                let paths = std::iter::once(program_path(program)).chain(arguments);
                paths.filter_map(|path| EngineFile::read(&path, &path).ok()).collect()
            }
        };
        Self { engine: spec.text.clone(), engine_id: introduction, files }
    }

    /// What is different from another build of the same engine, a clause each; nothing where they are the same.
    ///
    /// The built-in Echo is the same wherever its program is.
    pub fn changes(&self, now: &Self) -> Vec<String> {
        let mut changes = Vec::new();
        let is_built_in = self.engine.parse().is_ok_and(|spec: EngineSpec| spec.source == EngineSource::Echo);
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

    /// Name and checksums in short, as a tag of PGN. The built-in Echo is known by its version: games that are the same
    /// are to be the same text, whatever program they come from.
    pub fn tag(&self) -> Option<String> {
        let is_built_in = self.engine.parse().is_ok_and(|spec: EngineSpec| spec.source == EngineSource::Echo);
        let sums: Vec<&str> = self.files.iter().map(EngineFile::short_sha256).collect();
        let sums = (!is_built_in && !sums.is_empty()).then(|| format!("sha256:{}", sums.join("+")));
        let parts: Vec<String> = self.engine_id.name.clone().into_iter().chain(sums).collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    }
}

impl EngineFile {
    /// Hexadecimal digits that are shown.
    const SHORT: usize = 12;

    /// Reads a file that is known by this path.
    fn read(place: &Path, path: &Path) -> io::Result<Self> {
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

/// The file of this process. It is read once: a process doesn't change.
fn own_file() -> Option<&'static EngineFile> {
    static OWN: OnceLock<Option<EngineFile>> = OnceLock::new();
    let read = || {
        let path = std::env::current_exe().ok()?;
        let running = Path::new(OWN_FILE);
        EngineFile::read(if running.exists() { running } else { &path }, &path).ok()
    };
    OWN.get_or_init(read).as_ref()
}
