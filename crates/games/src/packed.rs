//! Unpacks compressed input: opening books, suites and games are often distributed as archives.
//!
//! The form is recognised by the first bytes, whatever the name. gzip, zstd and zip are read, with a limit on
//! what is unpacked. For any other format the error names the command that unpacks it.

use std::borrow::Cow;
use std::io::{self, BufReader, Cursor, Read};

use zip::ZipArchive;

use crate::bounded::{self, Excess, ReadError};
use crate::foreign_text::{self, decode_line};

/// A compression or archive format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// One compressed file; concatenated members are read as one.
    Gzip,
    /// One file.
    Zstd,
    /// An archive of files.
    Zip,
    /// Recognised, not unpacked.
    Bzip2,
    /// Recognised, not unpacked.
    Xz,
    /// Recognised, not unpacked.
    SevenZip,
    /// Recognised, not unpacked.
    Rar,
}

impl Packing {
    /// The length in bytes of the longest signature.
    pub const HEAD: usize = 6;

    /// The format of data with these first bytes; `None` if the data is not packed.
    pub fn from_first_bytes(head: &[u8]) -> Option<Self> {
        let forms: [(&[u8], Self); 8] = [
            (&[0x1f, 0x8b], Self::Gzip),
            (&[0x28, 0xb5, 0x2f, 0xfd], Self::Zstd),
            (b"PK\x03\x04", Self::Zip),
            // An empty archive has only the record of its end.
            (b"PK\x05\x06", Self::Zip),
            (b"BZh", Self::Bzip2),
            (b"\xfd7zXZ\0", Self::Xz),
            (b"7z\xbc\xaf\x27\x1c", Self::SevenZip),
            (b"Rar!\x1a\x07", Self::Rar),
        ];
        forms.into_iter().find(|(start, _)| head.starts_with(start)).map(|(_, form)| form)
    }

    /// The name of the format, and the command that unpacks a file to standard output.
    const fn name(self) -> (&'static str, &'static str) {
        match self {
            Self::Gzip => ("gzip", "zcat"),
            Self::Zstd => ("zstd", "zstdcat"),
            Self::Zip => ("zip", "unzip -p"),
            Self::Bzip2 => ("bzip2", "bzcat"),
            Self::Xz => ("xz", "xzcat"),
            Self::SevenZip => ("7-Zip", "7z x -so"),
            Self::Rar => ("RAR", "unrar p -inul"),
        }
    }
}

/// Why data can't be unpacked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnpackError {
    /// The data is damaged, or encrypted.
    #[error("the {packing} data is damaged: {cause}; unpack the file, or fetch it again")]
    Damaged {
        /// The name of the format, such as `gzip`.
        packing: &'static str,
        /// The error of the decompressor.
        cause: String,
    },
    /// The unpacked data exceeds a size limit.
    #[error(transparent)]
    Excess(#[from] Excess),
    /// A format that threefold recognises but does not unpack.
    #[error("is packed by {packing}, which is not read here; unpack it first, with `{command} FILE > NEW`")]
    Unsupported {
        /// The name of the format, such as `gzip`.
        packing: &'static str,
        /// The command that unpacks it.
        command: &'static str,
    },
    /// An archive of several files.
    #[error("the zip archive has {number} files: {names}; unpack the one to read")]
    SeveralFiles {
        /// The number of files.
        number: usize,
        /// Some of their names.
        names: String,
    },
    /// An archive without a file.
    #[error("the zip archive has no file")]
    NoFile,
}

impl UnpackError {
    fn damaged(packing: Packing, cause: &impl ToString) -> Self {
        Self::Damaged { packing: packing.name().0, cause: cause.to_string() }
    }

    fn reading(packing: Packing, error: ReadError) -> Self {
        match error {
            ReadError::System(cause) => Self::damaged(packing, &cause),
            ReadError::Excess(excess) => excess.into(),
        }
    }

    const fn unsupported(packing: Packing) -> Self {
        let (packing, command) = packing.name();
        Self::Unsupported { packing, command }
    }
}

/// The bytes of a file after unpacking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpacked<'b> {
    /// The bytes after unpacking.
    pub bytes: Cow<'b, [u8]>,
    /// The name of the file in the archive, if it was in one.
    pub name: Option<String>,
}

/// Unpacks a file in memory; bytes that are not packed stay as they are.
///
/// # Errors
/// If the data is damaged or too large, of a form that is not read, or an archive of several files.
pub fn unpack(bytes: &[u8]) -> Result<Unpacked<'_>, UnpackError> {
    let Some(packing) = Packing::from_first_bytes(bytes) else {
        return Ok(Unpacked { bytes: Cow::Borrowed(bytes), name: None });
    };
    let unpacked = |source: &mut dyn Read| {
        let bytes = bounded::read_bounded(source).map_err(|error| UnpackError::reading(packing, error))?;
        Ok(Unpacked { bytes: Cow::Owned(bytes), name: None })
    };
    match packing {
        Packing::Gzip => unpacked(&mut flate2::read::MultiGzDecoder::new(bytes)),
        Packing::Zstd => {
            let mut source =
                zstd::Decoder::new(bytes).map_err(|error| UnpackError::damaged(packing, &error))?;
            unpacked(&mut source)
        }
        Packing::Zip => {
            let mut archive = ZipFiles::open(bytes)?;
            let Some(name) = archive.only_file()? else { return Err(UnpackError::NoFile) };
            let bytes = archive.unpack(name.0)?;
            Ok(Unpacked { bytes: Cow::Owned(bytes), name: Some(name.1) })
        }
        Packing::Bzip2 | Packing::Xz | Packing::SevenZip | Packing::Rar => {
            Err(UnpackError::unsupported(packing))
        }
    }
}

/// A stream of plain text from a stream of any form: all files of an archive, one after the other. UTF-16
/// becomes UTF-8.
///
/// # Errors
/// If the stream can't be read, or has a form that is not read.
pub fn stream(mut source: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    let mut head = Vec::new();
    source.by_ref().take(Packing::HEAD as u64).read_to_end(&mut head)?;
    let packing = Packing::from_first_bytes(&head);
    let is_utf16 = foreign_text::is_utf16(&head);
    let whole = Cursor::new(head).chain(source);
    Ok(match packing {
        Some(Packing::Gzip) => Box::new(flate2::read::MultiGzDecoder::new(BufReader::new(whole))),
        Some(Packing::Zstd) => Box::new(zstd::Decoder::new(whole)?),
        Some(Packing::Zip) => {
            // The directory of a zip archive is at its end, so the stream is read to the end first.
            let bytes = bounded::read_bounded(whole).map_err(io::Error::other)?;
            let archive = ZipFiles::open(bytes).map_err(io::Error::other)?;
            let files = archive.files().into_iter();
            Box::new(ZipStream { archive, files, current: Cursor::default() })
        }
        Some(other) => return Err(io::Error::other(UnpackError::unsupported(other))),
        None if is_utf16 => {
            let bytes = bounded::read_bounded(whole).map_err(io::Error::other)?;
            let (text, _) = foreign_text::decode(&bytes).map_err(io::Error::other)?;
            Box::new(Cursor::new(text.into_owned().into_bytes()))
        }
        None => Box::new(whole),
    })
}

/// The files of a zip archive in memory.
struct ZipFiles<B: AsRef<[u8]>>(ZipArchive<Cursor<B>>);

/// The index and the name of a file in an archive.
type NamedFile = (usize, String);

impl<B: AsRef<[u8]>> ZipFiles<B> {
    fn open(bytes: B) -> Result<Self, UnpackError> {
        let archive = ZipArchive::new(Cursor::new(bytes));
        archive.map(Self).map_err(|error| UnpackError::damaged(Packing::Zip, &error))
    }

    /// Its files without folders and without what systems add: those of games or positions, or else all.
    fn files(&self) -> Vec<NamedFile> {
        let names = self.0.file_names_raw().map(|name| decode_line(name).0.into_owned());
        let is_file = |(_, name): &NamedFile| {
            let hidden = name.split('/').any(|part| part.starts_with('.') || part == "__MACOSX");
            !name.ends_with('/') && !hidden
        };
        let files: Vec<NamedFile> = names.enumerate().filter(is_file).collect();
        let has_name = |(_, name): &NamedFile| {
            let name = name.to_ascii_lowercase();
            [".epd", ".pgn", ".fen"].iter().any(|end| name.ends_with(end))
        };
        let positions: Vec<NamedFile> = files.iter().filter(|file| has_name(file)).cloned().collect();
        if positions.is_empty() { files } else { positions }
    }

    /// The only file of the archive; `None` if the archive is empty. Several files are an error.
    fn only_file(&self) -> Result<Option<NamedFile>, UnpackError> {
        const SHOWN: usize = 3;
        let mut files = self.files();
        if files.len() > 1 {
            let more = if files.len() > SHOWN { ", …" } else { "" };
            let names: Vec<&str> = files.iter().take(SHOWN).map(|(_, name)| name.as_str()).collect();
            return Err(UnpackError::SeveralFiles { number: files.len(), names: names.join(", ") + more });
        }
        Ok(files.pop())
    }

    fn unpack(&mut self, index: usize) -> Result<Vec<u8>, UnpackError> {
        let file = self.0.by_index(index).map_err(|error| UnpackError::damaged(Packing::Zip, &error))?;
        bounded::read_bounded(file).map_err(|error| UnpackError::reading(Packing::Zip, error))
    }
}

/// The text of all files of an archive. Each is unpacked into memory when it is reached.
struct ZipStream {
    archive: ZipFiles<Vec<u8>>,
    files: std::vec::IntoIter<NamedFile>,
    current: Cursor<Vec<u8>>,
}

impl Read for ZipStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.current.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let Some((index, name)) = self.files.next() else { return Ok(0) };
            let unpacked = self.archive.unpack(index);
            let mut bytes = unpacked.map_err(|error| io::Error::other(format!("{name}: {error}")))?;
            // A file may lack its last line end; the next file must start on a new line.
            bytes.push(b'\n');
            self.current = Cursor::new(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in files {
            writer.start_file(*name, SimpleFileOptions::default()).expect("memory");
            writer.write_all(bytes).expect("memory");
        }
        writer.finish().expect("memory").into_inner()
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(bytes).expect("memory");
        packer.finish().expect("memory")
    }

    fn read_stream(bytes: Vec<u8>) -> io::Result<String> {
        let mut text = String::new();
        stream(Box::new(Cursor::new(bytes)))?.read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn packed_files_are_read_in_memory_and_as_streams() {
        let text = b"1. e4 e5 *\n";
        let zstd = zstd::encode_all(&text[..], 1).expect("memory");
        let in_folder =
            zip(&[("a/", b""), ("__MACOSX/book.pgn", b"x"), ("a/book.pgn", text), ("README", b"y")]);
        let table = [
            (text.to_vec(), None),
            (gzip(text), None),
            (zstd, None),
            (zip(&[("book", text)]), Some("book")),
            (in_folder, Some("a/book.pgn")),
        ];
        for (bytes, name) in table {
            let unpacked = unpack(&bytes).expect("sound");
            assert_eq!((&*unpacked.bytes, unpacked.name.as_deref()), (&text[..], name));
            assert_eq!(read_stream(bytes).expect("sound").trim_end(), "1. e4 e5 *");
        }
        let two = zip(&[("1.pgn", b"1. e4 *"), ("2.pgn", b"1. d4 *"), ("README", b"x")]);
        assert_eq!(read_stream(two).expect("sound"), "1. e4 *\n1. d4 *\n");
        assert_eq!(read_stream(b"\xff\xfea\0\xe9\0".to_vec()).expect("sound"), "aé");
    }

    #[test]
    fn data_that_is_not_unpacked_says_why() {
        let (sound, torn) = (zip(&[("a.epd", b"x".repeat(99).as_slice())]), gzip(b"1. e4 e5 *\n"));
        let table: [(&[u8], &str); 7] = [
            (
                b"BZh91AY&SY",
                "is packed by bzip2, which is not read here; unpack it first, with `bzcat FILE > NEW`",
            ),
            (
                b"\xfd7zXZ\0",
                "is packed by xz, which is not read here; unpack it first, with `xzcat FILE > NEW`",
            ),
            (b"7z\xbc\xaf\x27\x1c", "is packed by 7-Zip, which is not read here; "),
            (&torn[..15], "the gzip data is damaged: "),
            (&sound[..40], "the zip data is damaged: "),
            (&zip(&[("a/", b"")]), "the zip archive has no file"),
            (
                &zip(&[("a.epd", b""), ("b.epd", b""), ("c.epd", b""), ("d.epd", b"")]),
                "the zip archive has 4 files: a.epd, b.epd, c.epd, …; unpack the one to read",
            ),
        ];
        for (bytes, start) in table {
            let error = unpack(bytes).expect_err(start).to_string();
            assert!(error.starts_with(start), "{error}");
        }
        let error = read_stream(b"BZh91AY&SY".to_vec()).expect_err("bzip2").to_string();
        assert!(error.starts_with("is packed by bzip2"), "{error}");
    }

    #[test]
    fn unpacked_size_is_limited() {
        let zeros = vec![0; bounded::LONGEST_LINE + 1];
        for bytes in
            [zip(&[("a.epd", &zeros)]), gzip(&zeros), zstd::encode_all(&zeros[..], 1).expect("memory")]
        {
            assert!(bytes.len() < zeros.len() / 100);
            assert_eq!(unpack(&bytes), Err(UnpackError::Excess(Excess::Line { line: 1 })));
        }
    }

    proptest! {
        #[test]
        fn damaged_archives_never_panic(at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<prop::sample::Index>()) {
            for mut bytes in [zip(&[("a.epd", b"4k3/8/8/8/8/8/4P3/4K3 w - -")]), gzip(b"4k3/8")] {
                let index = at.index(bytes.len());
                bytes[index] = byte;
                let _ = unpack(&bytes);
                let _ = read_stream(bytes[..cut.index(bytes.len())].to_vec());
            }
        }
    }
}
