//! Who sent a message of results: each worker has a key of its own and signs what it sends.
//!
//! A name or a number in a message is no proof: every client with a worker's credentials could write
//! another's. The key is known by the number that the server gave its public half. What is signed says which
//! run it is for.

use nkeys::{KeyPair, KeyPairType};

use crate::protocol::{LARGEST_MESSAGE, MessageError, RunId};

/// The characters of a public key.
const KEY: usize = 56;
/// The bytes of an Ed25519 signature.
const SIGNATURE: usize = 64;

/// The key of a worker.
#[derive(Clone)]
pub struct WorkerKey {
    pair: std::sync::Arc<KeyPair>,
}

impl WorkerKey {
    /// The key of these bytes, which must be random or derived from a secret; `None` for a new random key.
    ///
    /// # Errors
    ///
    /// If they make no key.
    pub fn new(bytes: Option<[u8; 32]>) -> Result<Self, MessageError> {
        let pair = match bytes {
            Some(bytes) => KeyPair::new_from_raw(KeyPairType::User, bytes)
                .map_err(|error| MessageError::Malformed(error.to_string()))?,
            None => KeyPair::new_user(),
        };
        Ok(Self { pair: pair.into() })
    }

    /// The public half as text, one word of a subject.
    pub fn public(&self) -> String {
        self.pair.public_key()
    }

    /// The message with the public key and a signature before it.
    ///
    /// # Errors
    ///
    /// If it becomes too large.
    pub fn sign(&self, run: &RunId, message: &[u8]) -> Result<Vec<u8>, MessageError> {
        let size = KEY + SIGNATURE + message.len();
        if size > LARGEST_MESSAGE {
            return Err(MessageError::TooLarge { size: size as u64, most: LARGEST_MESSAGE as u64 });
        }
        let signature = self
            .pair
            .sign(&signed(run, message))
            .map_err(|error| MessageError::Malformed(error.to_string()))?;
        Ok([self.public().as_bytes(), &signature, message].concat())
    }
}

impl std::fmt::Debug for WorkerKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("WorkerKey").field(&self.public()).finish()
    }
}

/// The public key of the sender, and the message.
///
/// # Errors
///
/// If the message is not signed by that key for this run.
pub fn opened<'m>(run: &RunId, signed_message: &'m [u8]) -> Result<(String, &'m [u8]), MessageError> {
    let wrong = || MessageError::Malformed("it is not signed by a worker for this run".to_owned());
    let (key, rest) = signed_message.split_at_checked(KEY).ok_or_else(wrong)?;
    let (signature, message) = rest.split_at_checked(SIGNATURE).ok_or_else(wrong)?;
    let key = std::str::from_utf8(key).map_err(|_| wrong())?;
    let pair = KeyPair::from_public_key(key).map_err(|_| wrong())?;
    if pair.key_pair_type() != KeyPairType::User {
        return Err(wrong());
    }
    pair.verify(&signed(run, message), signature).map_err(|_| wrong())?;
    Ok((pair.public_key(), message))
}

fn signed(run: &RunId, message: &[u8]) -> Vec<u8> {
    [format!("threefold results v2 {run}\n").as_bytes(), message].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signature_binds_message_key_and_run() {
        let [run, other] = [5, 6].map(|begun| RunId::new("spec", begun));
        let key = WorkerKey::new(Some([7; 32])).expect("a key");
        assert_eq!(WorkerKey::new(Some([7; 32])).expect("a key").public(), key.public());
        let sent = key.sign(&run, b"results").expect("small");
        assert_eq!(opened(&run, &sent).expect("signed"), (key.public(), &b"results"[..]));
        assert!(opened(&other, &sent).is_err(), "another run");
        for byte in [0, KEY, KEY + SIGNATURE] {
            let mut changed = sent.clone();
            changed[byte] ^= 1;
            assert!(opened(&run, &changed).is_err(), "byte {byte}");
        }
        // The key of another worker before a message of this one.
        let honest = WorkerKey::new(None).expect("a key");
        let mut framed = sent.clone();
        framed[..KEY].copy_from_slice(honest.public().as_bytes());
        assert!(opened(&run, &framed).is_err());
        for short in [0, KEY, KEY + SIGNATURE - 1] {
            assert!(opened(&run, &sent[..short]).is_err());
        }
        assert!(key.sign(&run, &vec![0; LARGEST_MESSAGE]).is_err(), "too large");
    }
}
