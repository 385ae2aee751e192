//! What the owner of a worker allows it to run.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use nkeys::{KeyPair, KeyPairType};

use super::program_format::{Machine, ProgramKind};
use super::signature::Signature;
use super::{EngineFiles, FileHash, FileRole};

/// The public key of a user's nkey (`U…`), whose signatures the owner of a worker trusts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SigningKey(String);

/// Why a text is no public key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidKey {
    /// It is a seed. The message does not repeat it.
    #[error("this is a seed, which is secret; give the public key that belongs to it, which begins with `U`")]
    Seed,
    /// It can't be read, or is of another type.
    #[error("`{0}` is no public key of a user; give the 56 characters that begin with `U`")]
    Text(String),
}

/// The files that a worker's owner allows: each is named by its hash, or signed by a key that the owner
/// trusts. Nothing is allowed by default but the built-in Echo, which has no files.
#[derive(Debug, Clone, Default)]
pub struct EnginePermissions {
    /// The hashes of allowed files (`--allow-engine`).
    pub hashes: BTreeSet<FileHash>,
    /// The keys whose signatures allow a file (`--trust-key`).
    pub keys: BTreeSet<SigningKey>,
}

/// Why a worker does not run an engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A file is neither named nor signed.
    #[error(
        "`{name}` (SHA-256 {sha256}) is not allowed on this worker; its owner can allow it with `--allow-engine {sha256}`, or the coordinator can send a signature by a key that the owner trusts with `--trust-key`"
    )]
    NotAllowed {
        /// The file's name.
        name: String,
        /// The SHA-256 of the file.
        sha256: FileHash,
    },
    /// A file has a signature, but none by a trusted key.
    #[error(
        "`{name}` (SHA-256 {sha256}) is not allowed on this worker, and no key that its owner trusts has made its signature; the owner can allow it with `--allow-engine {sha256}`, or trust the signer with `--trust-key`"
    )]
    NotTrusted {
        /// The file's name.
        name: String,
        /// The SHA-256 of the file.
        sha256: FileHash,
    },
    /// The program is for other machines.
    #[error(
        "`{name}` (SHA-256 {sha256}) is a program in the format {kind}, and this machine runs {machine}; submit a build for this machine, or leave the run to other workers"
    )]
    OtherMachine {
        /// The program's name.
        name: String,
        /// The SHA-256 of the file.
        sha256: FileHash,
        /// What it needs.
        kind: ProgramKind,
        /// This machine.
        machine: Machine,
    },
}

impl EnginePermissions {
    /// May this machine run an engine with these files? Each of them must be named or signed. Its program
    /// must be for this machine.
    ///
    /// # Errors
    ///
    /// The first file that may not be used, and the remedy.
    pub fn check(
        &self,
        files: &EngineFiles,
        signatures: &[Signature],
        machine: Machine,
    ) -> Result<(), Refusal> {
        let keys: Vec<KeyPair> = self.keys.iter().filter_map(SigningKey::pair).collect();
        for file in files.files() {
            let (name, sha256) = (file.name.clone(), file.sha256.clone());
            let of_file: Vec<&Signature> =
                signatures.iter().filter(|signature| *signature.sha256() == sha256).collect();
            let is_signed = || of_file.iter().any(|signature| keys.iter().any(|key| signature.is_by(key)));
            if !self.hashes.contains(&sha256) && !is_signed() {
                return Err(if of_file.is_empty() {
                    Refusal::NotAllowed { name, sha256 }
                } else {
                    Refusal::NotTrusted { name, sha256 }
                });
            }
            match &file.role {
                FileRole::Program(kind) if !kind.runs_on(machine) => {
                    return Err(Refusal::OtherMachine { name, sha256, kind: kind.clone(), machine });
                }
                FileRole::Program(_) | FileRole::Data => {}
            }
        }
        Ok(())
    }
}

impl SigningKey {
    /// The key for verifying; `None` never happens, since the text was checked when it was read.
    fn pair(&self) -> Option<KeyPair> {
        KeyPair::from_public_key(&self.0).ok()
    }
}

impl FromStr for SigningKey {
    type Err = InvalidKey;

    fn from_str(text: &str) -> Result<Self, InvalidKey> {
        if text.starts_with('S') {
            return Err(InvalidKey::Seed);
        }
        let invalid = || InvalidKey::Text(text.chars().take(64).collect());
        let pair = KeyPair::from_public_key(text).map_err(|_| invalid())?;
        if pair.key_pair_type() == KeyPairType::User { Ok(Self(text.to_owned())) } else { Err(invalid()) }
    }
}

impl fmt::Display for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}
