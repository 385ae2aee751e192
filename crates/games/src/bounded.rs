//! Reads files that users name, with a size limit: a device, an endless pipe or a compressed file of zeros
//! must end in an error before memory is exhausted.

use std::io::{self, Read};

use memchr::{memchr_iter, memrchr};

/// The largest file in bytes, decompressed. Books and suites are a hundred times smaller.
pub const MOST: usize = 1 << 30;

/// The longest line in bytes. A file of zeros is one line, and is rejected by this limit.
pub const LONGEST_LINE: usize = 1 << 24;

/// The first bytes of gzip.
pub const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Which limit a file exceeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Excess {
    /// Bytes without a line end.
    #[error("line {line} has more than {} MiB; give a text file", LONGEST_LINE >> 20)]
    Line {
        /// The line, from 1.
        line: usize,
    },
    /// Bytes in total.
    #[error("has more than {} GiB; split it", MOST >> 30)]
    Whole,
}

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// An error of the system or the decompressor.
    #[error(transparent)]
    System(#[from] io::Error),
    /// A limit is exceeded.
    #[error(transparent)]
    Excess(#[from] Excess),
}

/// Reads everything. Lines are limited, too, unless the file is gzip.
///
/// # Errors
/// If it cannot be read, or if a limit is exceeded.
pub fn read_bounded(mut source: impl Read) -> Result<Vec<u8>, ReadError> {
    const PIECE: usize = 1 << 16;
    let (mut bytes, mut piece) = (Vec::new(), vec![0; PIECE]);
    // Where the last checked line begins.
    let mut line = 0;
    loop {
        let read = match source.read(&mut piece) {
            Ok(0) => return Ok(bytes),
            Ok(read) => &piece[..read],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error.into()),
        };
        // Only the new piece is searched, so that the time is linear in the size.
        line = memrchr(b'\n', read).map_or(line, |end| bytes.len() + end + 1);
        bytes.extend_from_slice(read);
        // The limit is checked once a piece, so a line may exceed it by less than `PIECE`.
        if bytes.len() - line > LONGEST_LINE && !bytes.starts_with(&GZIP) {
            return Err(Excess::Line { line: 1 + memchr_iter(b'\n', &bytes).count() }.into());
        }
        if bytes.len() > MOST {
            return Err(Excess::Whole.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_up_to_the_size_limits() {
        let text = b"first\nsecond\n".repeat(50_000);
        assert!(read_bounded(text.as_slice()).expect("bounded") == text);
        let long = Read::chain(b"first\n".as_slice(), io::repeat(0).take(LONGEST_LINE as u64));
        assert_eq!(read_bounded(long).expect("at the bound").len(), LONGEST_LINE + 6);
        let longer = Read::chain(b"first\n".as_slice(), io::repeat(0));
        let error = read_bounded(longer).expect_err("no end").to_string();
        assert_eq!(error, "line 2 has more than 16 MiB; give a text file");
        let packed = Read::chain(GZIP.as_slice(), io::repeat(0).take(2 * LONGEST_LINE as u64));
        assert_eq!(read_bounded(packed).expect("packed data has no lines").len(), 2 * LONGEST_LINE + 2);
    }
}
