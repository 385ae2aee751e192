//! The match runners whose command lines this program understands, and whether it has the name of one.

use std::ffi::OsStr;
use std::path::Path;

/// A program whose command line is understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// fastchess.
    Fastchess,
    /// cutechess-cli.
    Cutechess,
}

impl Peer {
    /// The name of its program.
    pub const fn program(self) -> &'static str {
        match self {
            Self::Fastchess => "fastchess",
            Self::Cutechess => "cutechess-cli",
        }
    }

    /// The program that a file is called after, such as `fastchess`, `fastchess.exe` or `fastchess-ob`.
    pub fn of_program(stem: &str) -> Option<Self> {
        [Self::Fastchess, Self::Cutechess].into_iter().find(|peer| {
            let rest = stem.strip_prefix(peer.program());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        })
    }

    /// The program that a path names.
    pub fn named(program: &OsStr) -> Option<Self> {
        Self::of_program(&Path::new(program).file_stem()?.to_string_lossy())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_is_recognised_by_its_own_name() {
        for (stem, peer) in [
            ("fastchess", Some(Peer::Fastchess)),
            ("fastchess-ob", Some(Peer::Fastchess)),
            ("cutechess-cli", Some(Peer::Cutechess)),
            ("threefold", None),
            ("fastchess2", None),
            ("cutechess", None),
        ] {
            assert_eq!(Peer::of_program(stem), peer, "{stem}");
        }
    }
}
