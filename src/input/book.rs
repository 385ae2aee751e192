//! An opening book, of which only the openings that are used are parsed.
//!
//! A plain file stays on the disk: it is read once to find its entries, and once more where they are wanted.
//! A book of 1,000,000 lines needs 4 MB then.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read as _, Seek as _};
use std::path::Path;
use std::time::SystemTime;

use anyhow::Context;

use crate::files;
use threefold_chess::score::Ply;
use threefold_games::opening::{self, BookFormat, Opening};
use threefold_games::packed::Packing;

/// A book of openings, not read yet.
pub struct Book {
    /// Its name in messages.
    pub name: String,
    /// Its format by its name.
    pub format: BookFormat,
    source: Source,
}

enum Source {
    File(File),
    Bytes(Vec<u8>),
}

/// What shows that a file was written to: its length and its time of change.
type FileState = (u64, Option<SystemTime>);

impl Book {
    /// A book in memory.
    pub fn of_bytes(name: String, bytes: Vec<u8>) -> Self {
        Self { format: BookFormat::of_file(Path::new(&name)), name, source: Source::Bytes(bytes) }
    }

    /// A book in a file. What is packed, or no regular file, such as a pipe, is read into memory.
    pub fn of_file(path: &Path) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        let mut file = files::open(path)?;
        if file.metadata().is_ok_and(|found| found.is_file()) && !is_packed(&mut file).unwrap_or(false) {
            return Ok(Self { format: BookFormat::of_file(path), name, source: Source::File(file) });
        }
        drop(file);
        let (format, bytes) = unpacked(path)?;
        Ok(Self { format, name, source: Source::Bytes(bytes) })
    }

    /// Reads the openings that `select` names by their indices, in its order; it gets the number of openings.
    /// `plies` cuts the moves of a PGN book.
    pub fn read_selected(
        &self,
        format: BookFormat,
        plies: Option<Ply>,
        select: impl FnOnce(usize) -> Vec<usize>,
    ) -> anyhow::Result<Vec<Opening>> {
        match &self.source {
            Source::Bytes(bytes) => Ok(opening::read_selected(Cursor::new(bytes), format, plies, select)?),
            Source::File(file) => {
                // The file is read twice. A change in between would give other openings than those that were
                // selected.
                let before = state(file)?;
                let openings = opening::read_selected(BufReader::new(file), format, plies, select);
                // The change is reported first, since it may be the cause of an error of the parser.
                anyhow::ensure!(
                    state(file)? == before,
                    "changed while it was read; start again when no program writes to it"
                );
                Ok(openings?)
            }
        }
    }
}

/// The format and the bytes of a book, unpacked. The name in an archive says the format, or else that of the
/// file.
pub fn unpacked(path: &Path) -> anyhow::Result<(BookFormat, Vec<u8>)> {
    let bytes = files::bytes(path)?;
    let unpacked = files::unpacked(path, &bytes)?;
    let inner = unpacked.name.as_deref().map(Path::new).filter(|name| name.extension().is_some());
    let format = BookFormat::of_file(inner.unwrap_or(path));
    Ok((format, unpacked.bytes.into_owned()))
}

/// Does a file begin as packed data does? It is read from its beginning afterwards.
fn is_packed(file: &mut File) -> io::Result<bool> {
    let mut head = Vec::new();
    file.take(Packing::HEAD as u64).read_to_end(&mut head)?;
    file.rewind()?;
    Ok(Packing::from_first_bytes(&head).is_some())
}

fn state(file: &File) -> anyhow::Result<FileState> {
    let read =
        || -> io::Result<FileState> { file.metadata().map(|found| (found.len(), found.modified().ok())) };
    read().context("can't be read; check the path")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAWNS: [&str; 3] = [
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/2P5/4K3 w - - 0 1",
    ];

    /// Reads the last and the first opening of a book of three; `meanwhile` happens after the entries are
    /// found.
    fn read(name: &str, bytes: &[u8], meanwhile: &dyn Fn(&Path)) -> anyhow::Result<Vec<String>> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        files::write_whole(&path, bytes).expect("writable");
        let book = Book::of_file(&path)?;
        let openings = book.read_selected(book.format, None, |size| {
            meanwhile(&path);
            if size == 3 { vec![2, 0] } else { Vec::new() }
        })?;
        Ok(openings.iter().map(|opening| opening.history.start.to_string()).collect())
    }

    #[test]
    fn only_wanted_lines_of_a_file_are_checked() {
        let nothing = |_: &Path| {};
        for line_end in ["\n", "\r\n"] {
            let broken = ["# ours", PAWNS[0], "", "hello", PAWNS[2], ""].join(line_end);
            assert_eq!(
                read("book.epd", broken.as_bytes(), &nothing).expect("not wanted"),
                [PAWNS[2], PAWNS[0]]
            );
            let broken = ["# ours", PAWNS[0], "", PAWNS[1], "hello"].join(line_end);
            let error = format!("{:#}", read("book.epd", broken.as_bytes(), &nothing).expect_err("wanted"));
            assert!(error.starts_with("line 5, opening 3: `hello`"), "{error}");
        }
        let error = format!("{:#}", read("none.epd", b"", &|_| {}).expect_err("empty"));
        assert!(error.starts_with("the book is empty"), "{error}");
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the same file is written to, as another program would")]
    fn book_that_changes_while_it_is_read_is_refused() {
        let book = PAWNS.join("\n");
        for change in [&b""[..], b"4k3/8", &book.as_bytes()[..40], format!("{book}\nmore").as_bytes()] {
            let error =
                read("book.epd", book.as_bytes(), &|path| std::fs::write(path, change).expect("writable"));
            let error = error.expect_err("changed").to_string();
            assert!(error.starts_with("changed while it was read"), "{error}");
        }
    }
}
