//! Messages as bytes: JSON, compressed by Zstandard.
//!
//! Messages come from other machines: their sizes are bounded before and after decompression, and unknown
//! fields are refused.

use std::io::Read;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{LARGEST_MESSAGE, LARGEST_NOTICE, LARGEST_TEXT, VERSION};
use threefold_player::visible::visible;

/// The level of Zstandard.
const COMPRESSION: i32 = 3;

/// Why a message is refused.
#[derive(Debug, thiserror::Error)]
pub enum MessageError {
    /// It is larger than allowed.
    #[error("the message has {size} bytes, and at most {most} are allowed")]
    TooLarge {
        /// Its size in bytes; after decompression one more than allowed.
        size: u64,
        /// The limit in bytes.
        most: u64,
    },
    /// It is no message of this kind.
    #[error("the message is malformed: {0}")]
    Malformed(String),
    /// It has another version.
    #[error(
        "the message has version {found}, and this program reads version {VERSION}; use the same version of threefold everywhere"
    )]
    OtherVersion {
        /// The protocol version of the message.
        found: u32,
    },
}

/// Compresses a message.
///
/// # Errors
///
/// If it is larger than [`LARGEST_MESSAGE`].
pub fn encode<T: Serialize>(message: &T) -> Result<Vec<u8>, MessageError> {
    let text = serde_json::to_vec(message).map_err(|error| MessageError::Malformed(error.to_string()))?;
    let packed = compress(&text)?;
    if packed.len() > LARGEST_MESSAGE {
        return Err(MessageError::TooLarge { size: packed.len() as u64, most: LARGEST_MESSAGE as u64 });
    }
    Ok(packed)
}

/// Reads a message.
///
/// # Errors
///
/// If it is too large, malformed, or has another version.
pub fn decode<T: DeserializeOwned>(packed: &[u8]) -> Result<T, MessageError> {
    decode_up_to(LARGEST_TEXT, packed)
}

/// The same for a notice in a bucket, of which a coordinator holds all at a time.
///
/// # Errors
///
/// If it is too large, malformed, or has another version.
pub(crate) fn decode_notice<T: DeserializeOwned>(packed: &[u8]) -> Result<T, MessageError> {
    decode_up_to(LARGEST_NOTICE, packed)
}

fn decode_up_to<T: DeserializeOwned>(most: u64, packed: &[u8]) -> Result<T, MessageError> {
    if packed.len() > LARGEST_MESSAGE {
        return Err(MessageError::TooLarge { size: packed.len() as u64, most: LARGEST_MESSAGE as u64 });
    }
    parse(&decompress(packed, most)?)
}

/// Reads a message that is not compressed.
pub(crate) fn parse<T: DeserializeOwned>(text: &[u8]) -> Result<T, MessageError> {
    /// The version alone, so that a later message is called later and not malformed.
    #[derive(Deserialize)]
    struct Versioned {
        version: u32,
    }
    let malformed = |error: serde_json::Error| MessageError::Malformed(error.to_string());
    let Versioned { version } = serde_json::from_slice(text).map_err(malformed)?;
    if version != VERSION {
        return Err(MessageError::OtherVersion { found: version });
    }
    serde_json::from_slice(text).map_err(malformed)
}

/// Compresses bytes.
///
/// # Errors
///
/// If the compressor fails.
pub fn compress(bytes: &[u8]) -> Result<Vec<u8>, MessageError> {
    zstd::encode_all(bytes, COMPRESSION).map_err(|error| MessageError::Malformed(error.to_string()))
}

/// Decompresses at most `most` bytes.
///
/// # Errors
///
/// If there are more, or if the bytes are not compressed.
pub fn decompress(packed: &[u8], most: u64) -> Result<Vec<u8>, MessageError> {
    let malformed = |error: std::io::Error| MessageError::Malformed(error.to_string());
    let mut text = Vec::new();
    // One byte more than allowed shows that there is more. The rest is not decompressed.
    let mut reader = zstd::Decoder::new(packed).map_err(malformed)?.take(most + 1);
    reader.read_to_end(&mut text).map_err(malformed)?;
    if text.len() as u64 > most {
        return Err(MessageError::TooLarge { size: text.len() as u64, most });
    }
    Ok(text)
}

/// The longest text of another machine that is shown, in characters.
const LONGEST_SHOWN: usize = 300;

/// A text of another machine for display: on one line, with visible characters only, cut at a maximum length.
pub(crate) fn one_line(text: &str) -> String {
    let shown = text.char_indices().nth(LONGEST_SHOWN).map_or(text, |(end, _)| &text[..end]);
    let ellipsis = if shown.len() < text.len() { "…" } else { "" };
    visible(shown) + ellipsis
}

/// The SHA-256 of bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes in hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    use crate::package::RunPackage;
    use crate::protocol::{HandedJob, JobMessage, ProgressNotice, ResultMessage, RunNotice, WorkerNotice};

    fn message(version: u32) -> JobMessage {
        let job = |part, job| HandedJob { part, job, token: "0f".repeat(16), options: Vec::new() };
        JobMessage { version, jobs: vec![job(0, 1), job(2, 3)] }
    }

    #[test]
    fn messages_are_read_back() {
        let packed = encode(&message(VERSION)).expect("small");
        assert_eq!(decode::<JobMessage>(&packed).expect("sound"), message(VERSION));
    }

    #[test]
    fn foreign_text_is_shown_on_one_line() {
        assert_eq!(one_line("a\nfake line\u{1b}[2J"), "a␊fake line␛[2J");
        let long = one_line(&"é".repeat(5_000_000));
        assert!(long.chars().count() == LONGEST_SHOWN + 1 && long.ends_with("é…"), "{long}");
    }

    #[test]
    fn foreign_messages_are_refused() {
        let error = |packed: &[u8]| decode::<JobMessage>(packed).expect_err("foreign").to_string();
        assert!(error(&encode(&message(VERSION + 1)).expect("small")).contains("use the same version"));
        assert!(error(b"{}").contains("malformed"));
        assert!(
            error(&compress(b"{\"version\":2,\"jobs\":[],\"x\":1}").expect("small"))
                .contains("unknown field")
        );
        assert!(error(&vec![0; LARGEST_MESSAGE + 1]).contains("bytes"));
        // A small message that would fill the memory.
        let bomb = compress(&vec![b' '; LARGEST_TEXT as usize + 1]).expect("small");
        assert!(bomb.len() < LARGEST_MESSAGE, "{}", bomb.len());
        assert!(error(&bomb).contains("at most 67108864 are allowed"));
        let notice = compress(&vec![b' '; LARGEST_NOTICE as usize + 1]).expect("small");
        let error = decode_notice::<WorkerNotice>(&notice).expect_err("too large").to_string();
        assert!(error.contains("at most 65536 are allowed"), "{error}");
    }

    #[test]
    fn package_of_another_version_is_called_so() {
        let package = RunPackage {
            version: VERSION,
            spec: "{}".to_owned(),
            engines: Vec::new(),
            signatures: Vec::new(),
        };
        assert_eq!(RunPackage::unpack(&package.pack().expect("small")).expect("sound"), package);
        let later = RunPackage { version: VERSION + 1, ..package };
        let error = RunPackage::unpack(&later.pack().expect("small")).expect_err("a later version");
        assert!(matches!(error, MessageError::OtherVersion { found } if found == VERSION + 1), "{error}");
    }

    /// Reads bytes as each kind of message: none may panic.
    fn read_all(packed: &[u8]) -> usize {
        let read = [
            decode::<JobMessage>(packed).is_ok(),
            decode::<ResultMessage>(packed).is_ok(),
            decode::<RunNotice>(packed).is_ok(),
            decode::<WorkerNotice>(packed).is_ok(),
            decode::<ProgressNotice>(packed).is_ok(),
        ];
        read.iter().filter(|&&read| read).count()
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..4096), text in ".{0,200}") {
            prop_assert_eq!(read_all(&bytes), 0);
            prop_assert_eq!(read_all(&compress(&bytes).expect("small")), 0);
            let result = format!("{{\"version\":2,\"jobs\":{text}}}");
            prop_assert!(read_all(&compress(result.as_bytes()).expect("small")) <= 1);
        }

        #[test]
        fn changed_message_is_refused_or_read(place in any::<prop::sample::Index>(), bit in 0..8_u32) {
            let mut packed = encode(&message(VERSION)).expect("small");
            let place = place.index(packed.len());
            packed[place] ^= 1 << bit;
            prop_assert!(read_all(&packed) <= 1);
        }
    }
}
