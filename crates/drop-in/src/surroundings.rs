//! What a command line is read with besides its words.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::SystemTime;

use super::error::ReadError;

/// The machine, the time, and the files.
pub struct Surroundings<'s> {
    /// The CPU cores.
    pub cores: NonZeroUsize,
    /// The time of day, for names of files.
    pub now: SystemTime,
    /// Reads a text file.
    pub read: &'s dyn Fn(&Path) -> Result<String, ReadError>,
}

#[cfg(test)]
impl Surroundings<'_> {
    /// One core, the beginning of time, and no files.
    pub(super) const fn for_tests() -> Self {
        Self {
            cores: NonZeroUsize::MIN,
            now: SystemTime::UNIX_EPOCH,
            read: &|file| Err(file.display().to_string().into()),
        }
    }
}
