//! A secret of the user on this machine: 32 random bytes in a file that only the user can read.
//!
//! A journal names programs to start. A checksum with this secret shows that this user has begun the run,
//! which no copied name of a user or a machine can show.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::user_folders;

/// The length in bytes.
const LENGTH: usize = 32;

/// Why there is no secret.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// No folder for it.
    #[error("there is no folder for the secret of this user; set HOME or XDG_STATE_HOME")]
    NoFolder,
    /// It can't be read or written.
    #[error("{file}: the secret of this user can't be kept: {cause}; check the folder and its permissions")]
    Unusable {
        /// The file.
        file: PathBuf,
        /// The error of the system.
        cause: io::Error,
    },
    /// Others may know it.
    #[error("{file}: others can read the secret of this user; remove the file, and a new one is made")]
    Exposed {
        /// The file.
        file: PathBuf,
    },
}

/// The secret.
pub struct UserSecret([u8; LENGTH]);

impl UserSecret {
    /// The secret of this user, which is made if there is none.
    ///
    /// # Errors
    ///
    /// If there is no folder for it, if it can't be read or written, or if others can read it.
    pub fn present() -> Result<Self, SecretError> {
        Self::in_file(&user_folders::state().ok_or(SecretError::NoFolder)?.join("threefold").join("secret"))
    }

    /// A secret of this process alone.
    ///
    /// # Errors
    ///
    /// If the system gives no random bytes.
    pub fn of_process() -> io::Result<Self> {
        let mut bytes = [0; LENGTH];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        Ok(Self(bytes))
    }

    fn in_file(file: &Path) -> Result<Self, SecretError> {
        let unusable = |cause| SecretError::Unusable { file: file.to_owned(), cause };
        let opened = match File::open(file) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                create(file).map_err(unusable)?;
                // Opened by its name: the secret there may be that of a process that was quicker.
                File::open(file)
            }
            opened => opened,
        };
        let opened = opened.map_err(unusable)?;
        // The open file is checked, not its name, which may lead to another file by now.
        if is_exposed(&opened).map_err(unusable)? {
            return Err(SecretError::Exposed { file: file.to_owned() });
        }
        let mut bytes = [0; LENGTH];
        (&opened).read_exact(&mut bytes).map_err(unusable)?;
        Ok(Self(bytes))
    }

    /// The keyed checksum of a text, in hexadecimal. `purpose` keeps checksums of different kinds apart.
    pub fn seal(&self, purpose: &str, text: &str) -> String {
        let bytes = self.keyed(purpose, text).finalize().into_bytes();
        bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
    }

    /// Secret bytes for a purpose of their own, always the same for the same purpose and name.
    pub fn derived(&self, purpose: &str, name: &str) -> [u8; LENGTH] {
        self.keyed(purpose, name).finalize().into_bytes().into()
    }

    /// Is this the checksum of the text? The time taken does not depend on where they differ.
    pub fn is_seal(&self, purpose: &str, text: &str, seal: &str) -> bool {
        let digits = |at: usize| seal.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
        let bytes: Option<Vec<u8>> = (0..seal.len()).step_by(2).map(digits).collect();
        bytes.is_some_and(|bytes| self.keyed(purpose, text).verify_slice(&bytes).is_ok())
    }

    fn keyed(&self, purpose: &str, text: &str) -> Hmac<Sha256> {
        let mut keyed = Hmac::<Sha256>::new_from_slice(&self.0).expect("a key of any length is allowed");
        keyed.update(purpose.as_bytes());
        // The separator keeps different pairs of purpose and text from having the same bytes.
        keyed.update(b"\0");
        keyed.update(text.as_bytes());
        keyed
    }
}

/// Writes a new secret under another name, then gives it its name. Another process may have been quicker: its
/// secret stays.
fn create(file: &Path) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let draft = folder.join(format!("secret.{}", process::id()));
    let UserSecret(bytes) = UserSecret::of_process()?;
    let named = private_file(&draft).and_then(|mut written| {
        written.write_all(&bytes)?;
        // Written to the disk before it gets its name: a crash of the system must not leave an empty secret
        // under it.
        written.sync_all()?;
        // A link fails if the name exists; a rename would replace the secret of a process that was quicker.
        match fs::hard_link(&draft, file) {
            // File systems without hard links, such as FAT, report these errors.
            Err(error) if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::Unsupported) => {
                fs::rename(&draft, file)
            }
            linked => linked,
        }
    });
    // After linking, the draft is not needed any more; after a rename it is gone, which is no error.
    _ = fs::remove_file(&draft);
    match named {
        // Without the file, the error is about a draft that a killed process with the same number left.
        Err(error) if error.kind() == ErrorKind::AlreadyExists && file.exists() => Ok(()),
        named => named,
    }
}

#[cfg(unix)]
fn private_file(file: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(file)
}

#[cfg(not(unix))]
fn private_file(file: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(file)
}

#[cfg(unix)]
fn is_exposed(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(file.metadata()?.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_exposed(_: &File) -> io::Result<bool> {
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secret_is_made_once_and_seals_a_text_for_one_purpose() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("state").join("secret");
        let secret = UserSecret::in_file(&file).expect("a writable folder");
        let again = UserSecret::in_file(&file).expect("it is there");
        let seal = secret.seal("journal", "text");
        assert!(seal.len() == 64 && again.is_seal("journal", "text", &seal));
        let other = UserSecret::in_file(&folder.path().join("other")).expect("a writable folder");
        for (secret, purpose, text, seal) in [
            (&secret, "journal", "texts", seal.as_str()),
            (&secret, "jobs", "text", &seal),
            (&other, "journal", "text", &seal),
            (&secret, "journal", "text", &seal[..62]),
            (&secret, "journal", "text", ""),
            (&secret, "journal", "text", "é"),
        ] {
            assert!(!secret.is_seal(purpose, text, seal), "{purpose} {text} {seal}");
        }
        assert!(fs::read_dir(file.parent().expect("a folder")).expect("readable").count() == 1, "no draft");
    }

    #[cfg(unix)]
    #[test]
    fn secret_that_others_can_read_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("secret");
        UserSecret::in_file(&file).expect("a writable folder");
        let mode = |mode| fs::set_permissions(&file, fs::Permissions::from_mode(mode)).expect("its own file");
        assert_eq!(fs::metadata(&file).expect("there").permissions().mode() & 0o777, 0o600);
        mode(0o640);
        assert!(matches!(UserSecret::in_file(&file), Err(SecretError::Exposed { .. })));
        mode(0o600);
        assert!(UserSecret::in_file(&file).is_ok());
    }
}
