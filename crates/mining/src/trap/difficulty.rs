//! The difficulty of a trap: how strongly it tempts, and how deep the right answer is.
//!
//! Both numbers are derived from the line alone. The *bait score* is by how many centipawns the wrong choice
//! looks better in a search of three plies without the history. The *solving depth* is the smallest depth at
//! which the [reference search] makes the right choice and keeps it one ply deeper. A trap for a repetition
//! policy may have a small solving depth and still catch a strong engine with that policy: then its bait
//! score matters.
//!
//! [reference search]: crate::reference_search

use std::fmt;

use super::MinedTrap;
use crate::reference_search::solving_depth;
use threefold_chess::score::{Centipawns, Ply};
use threefold_named_enum::named_enum;
use threefold_oracle::referee::IllegalGame;

/// The largest depth of the reference search, in plies.
pub const DEEPEST: Ply = Ply(6);

/// Below this bait score an engine avoids the trap by a tie as often as by knowledge.
pub const WEAK_BAIT: Centipawns = Centipawns(15);

/// From this bait score on, engines with the wrong policy do not escape by luck.
pub const STRONG_BAIT: Centipawns = Centipawns(100);

/// Up to this depth an answer is shallow.
const SHALLOW: Ply = Ply(2);

/// Beyond this depth an answer is deep.
const DEEP: Ply = Ply(4);

named_enum! {
    /// The difficulty of a trap for an engine without a wrong policy.
    pub enum Grade {
        /// Solved within two plies, with a bait score that is not strong.
        Easy = "easy",
        /// Solved within two plies with a strong bait score, or within four plies.
        Fair = "fair",
        /// Not solved within four plies.
        Hard = "hard",
    }
}

/// The smallest depth at which the reference search finds the answer; `None`: more than [`DEEPEST`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SolvingDepth(pub Option<Ply>);

/// A trap with its difficulty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GradedTrap {
    /// The trap that was graded.
    pub trap: MinedTrap,
    /// The depth at which it is solved.
    pub solving_depth: SolvingDepth,
}

impl GradedTrap {
    /// Determines the solving depth.
    pub fn new(trap: MinedTrap) -> Result<Self, IllegalGame> {
        let solving_depth = SolvingDepth(solving_depth(&trap.position, &trap.best, DEEPEST)?);
        Ok(Self { trap, solving_depth })
    }

    /// The difficulty class, from the solving depth.
    pub fn grade(&self) -> Grade {
        self.solving_depth.grade(self.trap.bait_score)
    }
}

impl SolvingDepth {
    fn grade(self, bait_score: Centipawns) -> Grade {
        match self.0 {
            Some(depth) if depth <= SHALLOW && bait_score < STRONG_BAIT => Grade::Easy,
            Some(depth) if depth <= DEEP => Grade::Fair,
            Some(_) | None => Grade::Hard,
        }
    }
}

impl fmt::Display for SolvingDepth {
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
    fn depth_and_pull_determine_the_grade() {
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
        for (depth, bait_score, written, grade) in table {
            let solving_depth = SolvingDepth(depth.map(Ply));
            assert_eq!(
                (solving_depth.to_string().as_str(), solving_depth.grade(Centipawns(bait_score))),
                (written, grade)
            );
        }
    }
}
