//! The SHA-256 of a file, by which the fleet names it.

use std::fmt;
use std::io::{self, Read, Write};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The number of hexadecimal digits.
const DIGITS: usize = 64;

/// The SHA-256 of a file: 64 hexadecimal digits in lower case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FileHash(String);

/// Why a text is no SHA-256.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{given}` is no SHA-256; give its 64 hexadecimal digits in lower case, as `sha256sum FILE` prints them"
)]
pub struct InvalidHash {
    /// The first characters of the text.
    given: String,
}

impl FileHash {
    /// The hash of what `source` has left, and the number of its bytes. At most `most` bytes and one more are
    /// read, so a size above `most` means that the source has more than that.
    ///
    /// # Errors
    ///
    /// If `source` can't be read.
    pub fn hash_of(source: impl Read, most: u64) -> io::Result<(Self, u64)> {
        Self::copying(source, io::sink(), most)
    }

    /// Hashes up to `most` bytes of `source`, and writes them to `target`.
    ///
    /// # Errors
    ///
    /// If `source` can't be read, or `target` can't be written.
    pub(super) fn copying(source: impl Read, target: impl Write, most: u64) -> io::Result<(Self, u64)> {
        let mut hashing = Hashing { target, digest: Sha256::new() };
        let size = io::copy(&mut source.take(most.saturating_add(1)), &mut hashing)?;
        hashing.target.flush()?;
        let digits =
            hashing.digest.finalize().iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
        Ok((Self(digits), size))
    }

    /// The 64 digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A writer that hashes what it passes on.
struct Hashing<W> {
    target: W,
    digest: Sha256,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.target.write(bytes)?;
        self.digest.update(bytes.get(..written).unwrap_or(bytes));
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.target.flush()
    }
}

impl FromStr for FileHash {
    type Err = InvalidHash;

    fn from_str(text: &str) -> Result<Self, InvalidHash> {
        let is_hash =
            text.len() == DIGITS && text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
        if is_hash {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidHash { given: text.chars().take(DIGITS).collect() })
        }
    }
}

impl TryFrom<String> for FileHash {
    type Error = InvalidHash;

    fn try_from(text: String) -> Result<Self, InvalidHash> {
        text.parse()
    }
}

impl From<FileHash> for String {
    fn from(hash: FileHash) -> Self {
        hash.0
    }
}

impl fmt::Display for FileHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 180-4's example.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn hash_is_that_of_the_standard_and_counts_bytes() {
        let (hash, size) = FileHash::hash_of(b"abc".as_slice(), 3).expect("a slice is readable");
        assert_eq!((hash.as_str(), size), (ABC, 3));
        assert_eq!(FileHash::hash_of(b"abcdef".as_slice(), 3).expect("a slice is readable").1, 4);
    }

    #[test]
    fn text_that_is_no_hash_is_refused() {
        assert!(ABC.parse::<FileHash>().is_ok());
        for wrong in [
            "",
            &ABC[1..],
            &format!("{ABC}0"),
            &ABC.to_uppercase(),
            &ABC.replace('b', "/"),
            &ABC.replace('b', "g"),
        ] {
            assert!(wrong.parse::<FileHash>().is_err(), "{wrong}");
        }
        let error = serde_json::from_str::<FileHash>("\"../../etc/passwd\"").expect_err("refused");
        assert!(error.to_string().contains("sha256sum"), "{error}");
    }
}
