//! A folder for the reports of runs, and the list of the files that runs wrote to it.
//!
//! A report has fixed file names, and a user may name a folder that has files of these names already. The
//! list [`LIST`] in the folder says what a run wrote, with checksums: only such a file, unchanged, is
//! replaced without `--force`. The list has the form of `sha256sum`, so that `sha256sum -c` checks it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::regress::baseline;
use threefold_player::output_file::{self, IfThere, OutputError};

/// The file name of the list.
pub const LIST: &str = ".threefold-reports";

/// In place of the checksum of a file while it is written: a run that was killed then leaves its own file.
const UNFINISHED: &str = "unfinished";

/// A folder for reports.
#[derive(Debug)]
pub struct OutputFolder {
    folder: PathBuf,
    /// The checksums of the files that runs wrote; of a file that is being written, [`UNFINISHED`].
    written: BTreeMap<String, String>,
}

impl OutputFolder {
    /// A folder with the list of what runs wrote. It need not exist.
    pub fn open(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), written: read_list(&folder.join(LIST)).unwrap_or_default() }
    }

    /// Checks that files of these names can be written.
    ///
    /// # Errors
    /// If the folder is a baseline, or if it has a file of such a name that no run wrote and that must not be
    /// replaced.
    pub fn check(&self, names: &[&str], if_there: IfThere) -> Result<(), OutputError> {
        // Not even `--force` replaces a baseline, since only `regress --accept` writes one.
        if [baseline::CASES, baseline::FIGURES].iter().all(|name| self.folder.join(name).exists()) {
            return Err(OutputError::Baseline { folder: self.folder.clone() });
        }
        let foreign = |name: &&&str| if_there == IfThere::Refuse && self.is_foreign(name);
        let files: Vec<String> = names.iter().filter(foreign).map(|name| (*name).to_owned()).collect();
        if files.is_empty() {
            return Ok(());
        }
        Err(OutputError::Foreign { folder: self.folder.clone(), files })
    }

    /// Is there a file that no run wrote, or that was changed since?
    fn is_foreign(&self, name: &str) -> bool {
        let path = self.folder.join(name);
        // What is no regular file is written through, not replaced.
        if !path.is_file() {
            return false;
        }
        match self.written.get(name) {
            None => true,
            Some(sum) if sum == UNFINISHED => false,
            // A file that can't be read may have been changed.
            Some(sum) => checksum(&path).map_or(true, |found| found != *sum),
        }
    }

    /// Removes the files of these names that runs wrote.
    ///
    /// # Errors
    /// For the first file that can't be removed; the others are removed.
    pub fn remove_own(&self, names: &[&str]) -> Result<(), OutputError> {
        let mut removed = Ok(());
        for name in names.iter().filter(|name| self.written.contains_key(**name) && !self.is_foreign(name)) {
            let path = self.folder.join(name);
            if path.exists()
                && let Err(cause) = fs::remove_file(&path)
            {
                removed = removed.and(Err(OutputError::from_system(&path, cause)));
            }
        }
        removed
    }

    /// Creates the folder, and notes that files of these names are about to be written.
    ///
    /// # Errors
    /// If the system reports an error.
    pub fn begin(&mut self, names: &[&str]) -> Result<(), OutputError> {
        fs::create_dir_all(&self.folder).map_err(|cause| OutputError::from_system(&self.folder, cause))?;
        self.written.extend(names.iter().map(|&name| (name.to_owned(), UNFINISHED.to_owned())));
        self.save()
    }

    /// Writes a file in pieces. A file without bytes is removed. Returns whether there is a file.
    ///
    /// # Errors
    /// If the system or `write` reports an error.
    pub fn write(
        &mut self,
        name: &str,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<bool, OutputError> {
        let path = self.folder.join(name);
        let mut digest = Sha256::new();
        let refused = |cause| OutputError::from_system(&path, cause);
        let length = output_file::write_stream(&path, &mut |out| {
            digest = Sha256::new();
            write(&mut Hashed { out, digest: &mut digest })
        })
        .map_err(refused)?;
        if length == 0 {
            // A pipe or a device is not removed.
            if path.is_file() {
                fs::remove_file(&path).map_err(refused)?;
            }
            self.written.remove(name);
            return Ok(false);
        }
        self.written.insert(name.to_owned(), hexadecimal(digest));
        Ok(true)
    }

    /// Writes the list, after the last file.
    ///
    /// # Errors
    /// If the system reports an error.
    pub fn save(&self) -> Result<(), OutputError> {
        let list = self.folder.join(LIST);
        let lines: Vec<String> = self.written.iter().map(|(name, sum)| format!("{sum}  {name}\n")).collect();
        let text = lines.concat();
        output_file::write_whole(&list, text.as_bytes())
            .map_err(|cause| OutputError::from_system(&list, cause))
    }
}

/// The list of a folder; `None` if there is none, or if it is none of ours.
fn read_list(list: &Path) -> Option<BTreeMap<String, String>> {
    /// In bytes. A folder has about twenty files.
    const LONGEST: u64 = 1 << 20;
    let mut text = String::new();
    File::open(list).ok()?.take(LONGEST).read_to_string(&mut text).ok()?;
    let entry = |line: &str| line.split_once("  ").map(|(sum, name)| (name.to_owned(), sum.to_owned()));
    text.lines().map(entry).collect()
}

fn checksum(path: &Path) -> io::Result<String> {
    let mut digest = Sha256::new();
    let mut none = io::sink();
    io::copy(&mut File::open(path)?, &mut Hashed { out: &mut none, digest: &mut digest })?;
    Ok(hexadecimal(digest))
}

fn hexadecimal(digest: Sha256) -> String {
    digest.finalize().iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// Hashes the bytes that are written.
struct Hashed<'h> {
    out: &'h mut dyn Write,
    digest: &'h mut Sha256,
}

impl Write for Hashed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.out.write(bytes)?;
        self.digest.update(&bytes[..length]);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "what is written is looked at here")]
mod tests {
    use super::*;

    const NAMES: &[&str] = &["games.pgn", "index.html"];

    /// Writes both files, as a run does.
    fn run(folder: &Path, text: &str) -> Result<(), OutputError> {
        let mut out = OutputFolder::open(folder);
        out.check(NAMES, IfThere::Refuse)?;
        out.begin(NAMES)?;
        for name in NAMES {
            out.write(name, &mut |out| out.write_all(text.as_bytes()))?;
        }
        out.save()
    }

    #[test]
    fn files_of_an_earlier_run_are_replaced_and_others_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let at = folder.path();
        for text in ["first", "second"] {
            run(at, text).expect("its own files");
            assert_eq!(fs::read_to_string(at.join("games.pgn")).expect("written"), text);
        }
        // A run ignores files of other names.
        fs::write(at.join("notes.txt"), "mine").expect("writable");
        run(at, "third").expect("its own files");
        fs::write(at.join("games.pgn"), "third and my comment").expect("writable");
        let error = run(at, "fourth").expect_err("changed").to_string();
        let expected = ": games.pgn was not written by a run, or was changed since; give --force to replace it, \
            or name another folder";
        assert!(error.ends_with(expected), "{error}");
        assert_eq!(fs::read_to_string(at.join("index.html")).expect("written"), "third");
        assert!(OutputFolder::open(at).check(NAMES, IfThere::Replace).is_ok());
    }

    #[test]
    fn files_of_a_run_that_was_killed_are_its_own() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut out = OutputFolder::open(folder.path());
        out.begin(NAMES).expect("writable");
        out.write("games.pgn", &mut |out| out.write_all(b"a part")).expect("writable");
        drop(out);
        run(folder.path(), "whole").expect("its own files");
    }

    #[test]
    fn baseline_is_refused_even_by_force() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in [baseline::CASES, baseline::FIGURES] {
            fs::write(folder.path().join(name), "").expect("writable");
        }
        for if_there in [IfThere::Refuse, IfThere::Replace] {
            let error =
                OutputFolder::open(folder.path()).check(&[], if_there).expect_err("a baseline").to_string();
            assert!(
                error.contains("is a baseline, which only `threefold regress --accept` writes"),
                "{error}"
            );
        }
    }

    #[test]
    fn only_files_of_runs_are_removed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        run(folder.path(), "text").expect("writable");
        fs::write(folder.path().join("games.pgn"), "mine").expect("writable");
        OutputFolder::open(folder.path()).remove_own(NAMES).expect("removable");
        let exists = NAMES.iter().map(|name| folder.path().join(name).exists());
        assert_eq!(exists.collect::<Vec<_>>(), [true, false]);
    }
}
