//! The owner of a run: identifiers of the machine and the user.
//!
//! A journal names programs to start and files to write, so a journal from elsewhere needs `resume --trust`.

use std::path::Path;

use sha2::{Digest, Sha256};

use super::files;
use threefold_harness::run::job::RunOwner;

/// The unique machine id of systemd.
const MACHINE_ID: &str = "/etc/machine-id";

/// The current user on this machine.
///
/// The machine id is confidential, so only a hash of it is stored.
pub fn present() -> RunOwner {
    let number = files::text_if_there(Path::new(MACHINE_ID)).ok().flatten();
    let number = number.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let digest = Sha256::digest(format!("threefold {}", number.unwrap_or_else(host)));
    let machine = digest.iter().take(16).fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
    RunOwner { machine, user: user() }
}

#[cfg(all(unix, not(feature = "portable")))]
fn host() -> String {
    nix::unistd::gethostname().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(all(unix, not(feature = "portable")))]
fn user() -> String {
    nix::unistd::getuid().to_string()
}

#[cfg(not(all(unix, not(feature = "portable"))))]
fn host() -> String {
    first_of(["COMPUTERNAME", "HOSTNAME"])
}

#[cfg(not(all(unix, not(feature = "portable"))))]
fn user() -> String {
    first_of(["USERNAME", "USER"])
}

/// The first of these environment variables that is set: the first on Windows, the second elsewhere.
#[cfg(not(all(unix, not(feature = "portable"))))]
fn first_of(names: [&str; 2]) -> String {
    names.into_iter().find_map(std::env::var_os).unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owner_is_a_stable_checksum() {
        let owner = present();
        assert!(
            owner.machine.len() == 32 && owner.machine.chars().all(|digit| digit.is_ascii_hexdigit()),
            "{owner:?}"
        );
        assert_eq!(present(), owner);
    }
}
