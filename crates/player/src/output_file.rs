//! Output files that users name: checked before the run, then replaced as a whole or appended to.
//!
//! Only a regular file is ever replaced. A device, a pipe or an open descriptor (`/dev/stdout`, `/dev/fd/3`)
//! is written through. A symbolic link is followed: its target is replaced, the link stays.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::Builder;

use crate::system::file_system;

pub use file_system::{is_fifo, open_pipe};

/// What to do with a regular file that exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfThere {
    /// Refuse to write.
    Refuse,
    /// Replace it.
    Replace,
    /// Append to it.
    Append,
}

impl IfThere {
    /// From the flag `--force`.
    pub const fn forced(force: bool) -> Self {
        if force { Self::Replace } else { Self::Refuse }
    }
}

/// Where a path leads.
#[derive(Debug)]
pub enum Target {
    /// A regular file, or a path for one; no part of the path is a link.
    Regular(PathBuf),
    /// A device, a pipe or a descriptor, which is written through.
    Stream(PathBuf),
    /// This process's standard output.
    Stdout,
    /// This process's standard error.
    Stderr,
}

/// Why an output cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// A regular file exists, and `--force` was not given.
    #[error("{}: exists already; give --force to replace it, or name another file", path.display())]
    Exists {
        /// The path of the file.
        path: PathBuf,
    },
    /// Its folder is missing. It is not created, because the path may be a typing error.
    #[error("{}: its folder doesn't exist; make it first, or name another place", path.display())]
    NoFolder {
        /// The path of the file.
        path: PathBuf,
    },
    /// Files exist in a folder for reports, no run wrote them, and `--force` was not given.
    #[error("{}: {}", folder.display(), foreign(files))]
    Foreign {
        /// The path of the folder.
        folder: PathBuf,
        /// The names of the files.
        files: Vec<String>,
    },
    /// A folder for reports is a baseline.
    #[error(
        "{}: is a baseline, which only `threefold regress --accept` writes; name another folder for the reports",
        folder.display()
    )]
    Baseline {
        /// The path of the folder.
        folder: PathBuf,
    },
    /// An error of the system.
    #[error("{}: can't be written: {cause}; name another place", path.display())]
    Unwritable {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        cause: io::Error,
    },
}

/// Says that files are not replaced; names five of them at most.
fn foreign(files: &[String]) -> String {
    const NAMED: usize = 5;
    let names = files.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    let left_out = files.len().saturating_sub(NAMED);
    let more = if left_out > 0 { format!(" and {left_out} more") } else { String::new() };
    let (were, them) = if files.len() == 1 { ("was", "it") } else { ("were", "them") };
    format!(
        "{names}{more} {were} not written by a run, or {were} changed since; give --force to replace {them}, or name \
         another folder"
    )
}

impl OutputError {
    /// From a system error for a path.
    pub fn from_system(path: &Path, cause: io::Error) -> Self {
        Self::Unwritable { path: path.to_owned(), cause }
    }
}

/// Follows a path to its target.
///
/// # Errors
/// If a folder of it is missing or cannot be read, or if it is a folder itself.
pub fn target(path: &Path) -> io::Result<Target> {
    /// The most links followed, as in Linux.
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?.to_owned();
        let folder = fs::canonicalize(parent(&path))?;
        path = folder.join(&name);
        if holds_descriptors(&folder) {
            let ours =
                folder.starts_with("/dev") || folder.starts_with(format!("/proc/{}", std::process::id()));
            return Ok(match name.to_str() {
                Some("1") if ours => Target::Stdout,
                Some("2") if ours => Target::Stderr,
                _ => Target::Stream(path),
            });
        }
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_symlink() => path = folder.join(fs::read_link(&path)?),
            Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(found) if found.is_file() => return Ok(Target::Regular(path)),
            Ok(_) => return Ok(Target::Stream(path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Target::Regular(path)),
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

fn parent(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."))
}

/// Is this a folder of a process's open descriptors?
fn holds_descriptors(folder: &Path) -> bool {
    folder == Path::new("/dev/fd") || (folder.starts_with("/proc") && folder.ends_with("fd"))
}

/// Checks that a file can be written later, without leaving a trace. A missing folder will be created.
///
/// # Errors
/// If it could not be written, or if a regular file there must not be replaced.
pub fn check(path: &Path, if_there: IfThere) -> Result<(), OutputError> {
    match check_in_folder(path, if_there) {
        Err(OutputError::NoFolder { .. }) => check_folder(parent(path)),
        checked => checked.map(drop),
    }
}

/// Checks a file in a folder that must exist. Returns the number of bytes that stay.
///
/// # Errors
/// If the file cannot be written or must not be replaced, and if the folder is missing.
pub fn check_in_folder(path: &Path, if_there: IfThere) -> Result<u64, OutputError> {
    let refused = |cause: io::Error| OutputError::from_system(path, cause);
    let target = target(path).map_err(|cause| match cause.kind() {
        io::ErrorKind::NotFound => OutputError::NoFolder { path: path.to_owned() },
        _ => refused(cause),
    })?;
    match target {
        Target::Stdout | Target::Stderr => Ok(0),
        Target::Stream(stream) => {
            // Opening a pipe would wait for its reader, and closing it again would end the reader.
            if !is_fifo(&stream) {
                open_stream(&stream).map_err(refused)?;
            }
            Ok(0)
        }
        Target::Regular(file) => match fs::metadata(&file) {
            Ok(_) if if_there == IfThere::Refuse => Err(OutputError::Exists { path: path.to_owned() }),
            Ok(found) => {
                OpenOptions::new().write(true).open(&file).map_err(refused)?;
                Ok(if if_there == IfThere::Append { found.len() } else { 0 })
            }
            Err(_) => tempfile::tempfile_in(parent(&file)).map(|_| 0).map_err(refused),
        },
    }
}

/// Checks a folder for outputs; a missing one will be created.
///
/// # Errors
/// If it cannot be created, or if no file can be created in it.
pub fn check_folder(folder: &Path) -> Result<(), OutputError> {
    let refused = |cause| OutputError::from_system(folder, cause);
    let mut existing = folder;
    loop {
        match fs::metadata(existing) {
            Ok(found) if found.is_dir() => break,
            Ok(_) => return Err(refused(io::ErrorKind::NotADirectory.into())),
            Err(error) if error.kind() == io::ErrorKind::NotFound && !existing.is_symlink() => {
                existing = parent(existing);
            }
            Err(error) => return Err(refused(error)),
        }
    }
    tempfile::tempfile_in(existing).map(drop).map_err(refused)
}

/// Writes a whole file. A regular file is written to a temporary file and renamed, so that no reader sees
/// half of it.
///
/// # Errors
/// If the system reports an error; a regular file is then unchanged.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_stream(path, &mut |out| out.write_all(bytes)).map(|_| ())
}

/// Replaces a file by what `write` writes in pieces. Returns the number of bytes.
///
/// # Errors
/// If the system or `write` reports an error; a regular file is then unchanged.
pub fn write_stream(path: &Path, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<u64> {
    let file = match target(path)? {
        Target::Regular(file) => file,
        stream => return written(&open(&stream)?, write),
    };
    let mut draft = Builder::new();
    draft.prefix(".").suffix(".part");
    if let Some(permissions) = file_system::permissions_of_new_files() {
        draft.permissions(permissions);
    }
    let draft = draft.tempfile_in(parent(&file))?;
    let length = written(draft.as_file(), write)?;
    if let Ok(found) = fs::metadata(&file) {
        draft.as_file().set_permissions(found.permissions())?;
    }
    // Before the rename: after a crash of the system the name must not lead to an incomplete file.
    draft.as_file().sync_all()?;
    draft.persist(&file).map_err(|error| error.error)?;
    Ok(length)
}

/// Writes to a file through a buffer; returns the number of bytes.
fn written(file: &File, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<u64> {
    let mut out = Counted { out: BufWriter::new(file), length: 0 };
    write(&mut out)?;
    out.out.flush()?;
    Ok(out.length)
}

/// Counts the bytes that are written.
struct Counted<W> {
    out: W,
    length: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.out.write(bytes)?;
        self.length += length as u64;
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Opens a target for writing. A regular file can also be read, and is not truncated.
///
/// # Errors
/// If the system reports an error.
pub fn open(target: &Target) -> io::Result<File> {
    match target {
        Target::Regular(file) => {
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(file)
        }
        Target::Stream(stream) => open_stream(stream),
        Target::Stdout => {
            io::stdout().flush()?;
            file_system::standard_output()
        }
        Target::Stderr => file_system::standard_error(),
    }
}

/// A descriptor of a regular file is written at the file's end; other streams have no position.
fn open_stream(stream: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).open(stream)
}

#[cfg(all(test, unix))]
#[expect(clippy::disallowed_methods, reason = "what is written is looked at here")]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a temporary folder")
    }

    #[test]
    fn symbolic_link_stays_and_its_target_is_replaced() {
        let folder = folder();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("real")).expect("a folder");
        fs::write(at("real/old"), "old").expect("a file");
        symlink("real/old", at("link")).expect("a link");
        symlink("link", at("second")).expect("a link");
        symlink("real/new", at("dangling")).expect("a link");
        for (link, real) in [("link", "real/old"), ("second", "real/old"), ("dangling", "real/new")] {
            write_whole(&at(link), link.as_bytes()).expect("writable");
            assert!(at(link).is_symlink(), "{link}");
            assert_eq!(fs::read_to_string(at(real)).expect("written"), link);
        }
        symlink("loop", at("loop")).expect("a link");
        assert!(write_whole(&at("loop"), b"").is_err());
    }

    #[cfg(not(feature = "portable"))]
    #[test]
    fn named_pipe_is_not_replaced() {
        let folder = folder();
        let pipe = folder.path().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
        check(&pipe, IfThere::Refuse).expect("writable");
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).expect("readable")
        });
        write_whole(&pipe, b"hello").expect("writable");
        assert_eq!(reader.join().expect("it ends"), "hello");
        assert!(is_fifo(&pipe));
    }

    #[test]
    fn special_files_are_not_replaced() {
        let folder = folder();
        // The machine's own devices are only looked at: a mistake here would destroy them.
        assert!(matches!(target(Path::new("/dev/null")), Ok(Target::Stream(_))));
        assert!(matches!(target(Path::new("/dev/stdout")), Ok(Target::Stdout)));
        assert!(matches!(target(Path::new("/dev/fd/2")), Ok(Target::Stderr)));
        symlink("/dev/null", folder.path().join("null")).expect("a link");
        assert!(matches!(target(&folder.path().join("null")), Ok(Target::Stream(_))));
    }

    #[test]
    fn replaced_file_keeps_its_permissions_and_leaves_no_temporary_file() {
        let folder = folder();
        let file = folder.path().join("list.csv");
        write_whole(&file, b"a").expect("writable");
        let fresh = fs::metadata(&file).expect("written").permissions().mode();
        let plain = folder.path().join("plain");
        fs::write(&plain, "").expect("writable");
        if file_system::permissions_of_new_files().is_some() {
            assert_eq!(fresh, fs::metadata(&plain).expect("written").permissions().mode());
        }
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("ours");
        write_whole(&file, b"b").expect("writable");
        assert_eq!(fs::metadata(&file).expect("written").permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
    }

    #[test]
    fn checked_output_paths_leave_no_file() {
        let folder = folder();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("there"), "1234").expect("writable");
        let table = [
            ("there", IfThere::Refuse, Err("exists already; give --force to replace it")),
            ("there", IfThere::Replace, Ok(0)),
            ("there", IfThere::Append, Ok(4)),
            ("new", IfThere::Refuse, Ok(0)),
            ("new", IfThere::Append, Ok(0)),
            ("nodir/new", IfThere::Replace, Err("its folder doesn't exist; make it first")),
            ("there/new", IfThere::Replace, Err("can't be written: Not a directory")),
            (".", IfThere::Replace, Err("can't be written: is a directory")),
        ];
        for (name, if_there, expected) in table {
            let found = check_in_folder(&at(name), if_there).map_err(|error| error.to_string());
            match (expected, found) {
                (Ok(expected), Ok(found)) => assert_eq!(expected, found, "{name}"),
                (Err(part), Err(error)) => assert!(error.contains(part), "{name}: {error}"),
                (_, found) => panic!("{name}: {found:?}"),
            }
        }
        assert!(check(&at("nodir/new"), IfThere::Refuse).is_ok());
        assert!(check(&at("there/nodir/new"), IfThere::Refuse).is_err());
        for (name, sound) in [(".", true), ("a/b", true), ("there", false), ("there/a", false)] {
            assert_eq!(check_folder(&at(name)).is_ok(), sound, "{name}");
        }
        assert!(check_folder(Path::new("/proc/nope")).is_err());
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing is left behind");
        assert_eq!(fs::read_to_string(at("there")).expect("there"), "1234");
    }
}
