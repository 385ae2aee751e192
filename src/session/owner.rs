//! The owner of a run: identifiers of the machine and the user, and a proof that this user has begun it.
//!
//! A journal names programs to start and files to write, so a journal from elsewhere needs `resume --trust`.
//! The identifiers are no secret: who has seen one journal can copy them. So what a run starts and writes is
//! sealed with a secret of the user.

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::files;
use crate::session::user_secret::UserSecret;
use threefold_run::job::{RunOrigin, RunOwner};
use threefold_run::{RunSpec, tune};

/// The unique machine id of systemd.
const MACHINE_ID: &str = "/etc/machine-id";

/// The purpose of the seal of a run.
const PURPOSE: &str = "threefold journal 1";

/// Why a run is not known to be one of this user.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotOwn {
    /// It has no owner.
    #[error("does not say who started it on which machine")]
    NoOwner,
    /// It has another owner.
    #[error("was started on another machine or by another user")]
    OtherOwner,
    /// It has no seal.
    #[error(
        "has no proof that you started it (versions before 0.3 wrote none, and none is written without a home folder)"
    )]
    NoSeal,
    /// It was sealed by somebody else, or with other programs and files.
    #[error("names other programs or files than a run that you started")]
    OtherSeal,
    /// The secret that would show it can't be read.
    #[error("can't be shown to be yours: {0}")]
    NoSecret(String),
}

/// The same run, sealed with the secret of this user. Without a secret it has no seal, and is resumed with
/// `--trust` only.
pub fn sealed(spec: &RunSpec) -> RunSpec {
    let seal = UserSecret::present().ok().map(|secret| secret.seal(PURPOSE, &effects(spec)));
    let owner = spec.origin.owner.clone().map(|owner| RunOwner { seal, ..owner });
    RunSpec { origin: RunOrigin { owner, ..spec.origin.clone() }, ..spec.clone() }
}

/// Checks that this user began the run on this machine, with these programs and files.
pub fn check(spec: &RunSpec) -> Result<(), NotOwn> {
    let RunOwner { machine, user, seal } = spec.origin.owner.as_ref().ok_or(NotOwn::NoOwner)?;
    let current = present();
    if (machine, user) != (&current.machine, &current.user) {
        return Err(NotOwn::OtherOwner);
    }
    let seal = seal.as_ref().ok_or(NotOwn::NoSeal)?;
    let secret = UserSecret::present().map_err(|error| NotOwn::NoSecret(error.to_string()))?;
    if secret.is_seal(PURPOSE, &effects(spec), seal) { Ok(()) } else { Err(NotOwn::OtherSeal) }
}

/// What a run starts and writes: its engines with all their settings, the folder of relative paths, and its
/// outputs. The text stays the same when the run is continued: in later rounds of a tournament, in a longer run, and in the test
/// of a tune's result.
fn effects(spec: &RunSpec) -> String {
    let mut engines: Vec<&str> = spec.engines().map(|engine| tune::engine_text(spec, engine)).collect();
    // Later rounds add parts with the same engines, which must not change the seal.
    engines.sort_unstable();
    engines.dedup();
    let folder = spec.origin.folder.as_ref().map(|folder| folder.display().to_string());
    let places = spec.outputs.places().map(|place| format!("writes {}", place.display()));
    let engines = engines.into_iter().map(|text| format!("runs {text}"));
    let lines = folder.into_iter().map(|folder| format!("in {folder}")).chain(engines).chain(places);
    // Each line begins with its length, so a line end in a name cannot imitate another line.
    lines.map(|line| format!("{}:{line}\n", line.len())).collect::<Vec<_>>().concat()
}

/// The current user on this machine.
///
/// The machine id is confidential, so only a hash of it is stored.
pub fn present() -> RunOwner {
    let number = files::text_if_there(Path::new(MACHINE_ID)).ok().flatten();
    let number = number.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let digest = Sha256::digest(format!("threefold {}", number.unwrap_or_else(host)));
    let machine = digest.iter().take(16).fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
    RunOwner { machine, user: user(), seal: None }
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
    fn machine_of_the_owner_is_a_stable_hash() {
        let owner = present();
        assert!(
            owner.machine.len() == 32 && owner.machine.chars().all(|digit| digit.is_ascii_hexdigit()),
            "{owner:?}"
        );
        assert_eq!(present(), owner);
    }
}
