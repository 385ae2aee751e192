//! How hard a trap is: by how much it tempts, and how deep one must look to see through it.
//!
//! Two numbers, both derived from the line alone. The *pull* says by how many centipawns the wrong choice
//! looks better to a hurried player, who forgets the game and looks three plies ahead. The *sight* is the shallowest depth at which the [plain search] makes the
//! right choice and keeps to it one ply deeper. A policy's trap may lie shallow and still catch an engine of
//! any strength that has the policy: then its pull decides.
//!
//! [plain search]: crate::plain

use std::fmt;

use super::Trap;
use crate::plain::first_sight;
use threefold_chess::score::{Centipawns, Ply};
use threefold_named_enum::named_enum;
use threefold_oracle::referee::IllegalGame;

/// So deep the plain search looks for the truth, in plies.
pub const DEEPEST: Ply = Ply(6);

/// Below this there is hardly a pull: an engine escapes by a tie as often as by knowledge.
pub const WEAK: Centipawns = Centipawns(15);

/// From here a pull is strong: engines that fall for it don't escape by luck.
pub const STRONG: Centipawns = Centipawns(100);

/// Within so many plies a truth lies shallow.
const SHALLOW: Ply = Ply(2);

/// Beyond so many plies a truth lies deep.
const DEEP: Ply = Ply(4);

named_enum! {
    /// How hard a trap is for who has no wrong policy.
    pub enum Grade {
        /// A plain search sees the truth within two plies, and no strong pull speaks against it.
        Easy = "easy",
        /// It sees it within two plies against a strong pull, or within four plies.
        Fair = "fair",
        /// It does not see it within four plies.
        Hard = "hard",
    }
}

/// The shallowest depth at which a plain search sees the truth; `None`: deeper than [`DEEPEST`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sight(pub Option<Ply>);

/// A trap, and how hard it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graded {
    /// The trap.
    pub trap: Trap,
    /// How deep one must look.
    pub sight: Sight,
}

impl Graded {
    /// Searches for the truth.
    pub fn of(trap: Trap) -> Result<Self, IllegalGame> {
        let sight = Sight(first_sight(&trap.line, &trap.best, DEEPEST)?);
        Ok(Self { trap, sight })
    }

    /// How hard it is.
    pub fn grade(&self) -> Grade {
        self.sight.grade(self.trap.pull)
    }
}

impl Sight {
    fn grade(self, pull: Centipawns) -> Grade {
        match self.0 {
            Some(depth) if depth <= SHALLOW && pull < STRONG => Grade::Easy,
            Some(depth) if depth <= DEEP => Grade::Fair,
            Some(_) | None => Grade::Hard,
        }
    }
}

impl fmt::Display for Sight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(depth) => write!(f, "{}", depth.0),
            None => write!(f, ">{}", DEEPEST.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_and_pull_make_the_grade() {
        let table = [
            // depth, pull, as the file writes the depth, grade
            (Some(1), 0, "1", Grade::Easy),
            (Some(2), 99, "2", Grade::Easy),
            (Some(2), 100, "2", Grade::Fair),
            (Some(3), -300, "3", Grade::Fair),
            (Some(4), 900, "4", Grade::Fair),
            (Some(5), -300, "5", Grade::Hard),
            (None, -300, ">6", Grade::Hard),
        ];
        for (depth, pull, written, grade) in table {
            let sight = Sight(depth.map(Ply));
            assert_eq!((sight.to_string().as_str(), sight.grade(Centipawns(pull))), (written, grade));
        }
    }
}
