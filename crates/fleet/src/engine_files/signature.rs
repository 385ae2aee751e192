//! Signatures of engine files.
//!
//! The signed text says what it is for, so a signature that the same key made for another purpose is worth
//! nothing here.

use std::fmt;
use std::str::FromStr;

use data_encoding::BASE64;
use nkeys::{KeyPair, KeyPairType};
use serde::{Deserialize, Serialize};

use super::file_hash::{FileHash, InvalidHash};

/// The bytes of an Ed25519 signature.
const BYTES: usize = 64;

/// A signature of a file: `SHA256 SIGNATURE`, with the 64 bytes of an Ed25519 signature in base64.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Signature {
    sha256: FileHash,
    bytes: [u8; BYTES],
}

/// Why a text is no signature.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSignature {
    /// Its first word is no hash.
    #[error("a signature begins with the SHA-256 of its file: {0}")]
    Hash(#[from] InvalidHash),
    /// Its second word is missing, or is no signature.
    #[error(
        "a signature is `SHA256 SIGNATURE`, with 88 characters of base64 after one space; sign the file again"
    )]
    Text,
}

/// Why a file can't be signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignError {
    /// The seed can't be read. The message does not repeat it.
    #[error("the seed is no nkey; give the whole text that begins with `SU`, as `nk -gen user` prints it")]
    Seed,
    /// The seed is of another type.
    #[error("the seed is not that of a user; make one with `nk -gen user`")]
    NotUser,
}

/// Signs a file with the seed of a user's nkey (`SU…`).
///
/// # Errors
///
/// If the seed can't be read, or is not that of a user.
pub fn sign(seed: &str, sha256: &FileHash) -> Result<Signature, SignError> {
    let pair = KeyPair::from_seed(seed.trim()).map_err(|_| SignError::Seed)?;
    if pair.key_pair_type() != KeyPairType::User {
        return Err(SignError::NotUser);
    }
    let bytes = pair.sign(signed_text(sha256).as_bytes()).map_err(|_| SignError::Seed)?;
    Ok(Signature { sha256: sha256.clone(), bytes: bytes.try_into().map_err(|_| SignError::Seed)? })
}

/// What is signed.
fn signed_text(sha256: &FileHash) -> String {
    format!("threefold engine v1 {sha256}")
}

impl Signature {
    /// The hash of the file that it is for.
    pub fn sha256(&self) -> &FileHash {
        &self.sha256
    }

    /// Was it made with the seed of this public key?
    pub(super) fn is_by(&self, key: &KeyPair) -> bool {
        key.verify(signed_text(&self.sha256).as_bytes(), &self.bytes).is_ok()
    }
}

impl FromStr for Signature {
    type Err = InvalidSignature;

    fn from_str(text: &str) -> Result<Self, InvalidSignature> {
        let (sha256, encoded) = text.split_once(' ').ok_or(InvalidSignature::Text)?;
        let decoded = BASE64.decode(encoded.as_bytes()).map_err(|_| InvalidSignature::Text)?;
        Ok(Self { sha256: sha256.parse()?, bytes: decoded.try_into().map_err(|_| InvalidSignature::Text)? })
    }
}

impl TryFrom<String> for Signature {
    type Error = InvalidSignature;

    fn try_from(text: String) -> Result<Self, InvalidSignature> {
        text.parse()
    }
}

impl From<Signature> for String {
    fn from(signature: Signature) -> Self {
        signature.to_string()
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.sha256, BASE64.encode(&self.bytes))
    }
}
