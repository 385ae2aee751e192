//! Files as every system has them: no named pipes, no modes, and standard streams that are not files.

use std::fs::{File, OpenOptions, Permissions};
use std::io;
use std::ops::Range;
use std::path::Path;

/// The system's own choice.
pub(crate) fn permissions_of_new_files() -> Option<Permissions> {
    None
}

/// Is it a file? Whether it may be executed is seen when it is started.
pub(crate) fn is_program(file: &Path) -> bool {
    file.is_file()
}

/// Fails: no path names standard output.
pub(crate) fn standard_output() -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Fails: no path names standard error.
pub(crate) fn standard_error() -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Other processes' locks are not known.
pub const fn is_locked(_: &Path, _: Range<i64>) -> bool {
    false
}

/// Opens what is written through.
///
/// # Errors
/// If the system refuses.
pub fn open_pipe(pipe: &Path) -> io::Result<Option<File>> {
    OpenOptions::new().append(true).open(pipe).map(Some)
}

/// The file system has no named pipes.
pub fn is_fifo(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn executable_file_is_a_program_and_a_folder_is_not() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("engine");
        File::create(&file).expect("writable");
        assert!(is_program(&file) && !is_fifo(&file));
        assert!(!is_program(folder.path()) && !is_program(&folder.path().join("none")));
    }

    #[test]
    fn descriptor_is_written_at_its_end() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("stream");
        File::create(&file).and_then(|mut file| file.write_all(b"a")).expect("writable");
        let opened = open_pipe(&file).expect("it is there").expect("no reader is needed");
        { opened }.write_all(b"b").expect("writable");
        assert_eq!(file.metadata().expect("there").len(), 2);
        assert!(open_pipe(&folder.path().join("none")).is_err());
    }
}
