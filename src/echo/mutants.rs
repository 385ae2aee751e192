//! Mutants: Echo with one known bug seeded on purpose, to prove that a suite can fail.
//!
//! Each bug has one place in the code, which asks [`Seed::is`]. Without the feature `mutants` a seed is a
//! type of no size whose only answer is no, so the compiler drops the question together with the bug.

use crate::closed_set;

closed_set! {
    /// One bug that engines really had.
    pub enum Mutant {
        /// Positions of the game before the root are forgotten.
        ForgetHistory = "ForgetHistory",
        /// Mates go into the hash table as distances from the root, not from the node.
        MateNotPlyAdjusted = "MateNotPlyAdjusted",
        /// Positions count as repeated whoever is to move.
        KeyWithoutSide = "KeyWithoutSide",
        /// A double step changes the key even where nobody can capture en passant.
        EnPassantAlwaysInKey = "EnPassantAlwaysInKey",
        /// The search doesn't know the fifty-move rule.
        FiftyMovesIgnored = "FiftyMovesIgnored",
        /// Draws lean on the evaluation with the wrong sign: whoever stands better seeks them.
        DrawSignFlipped = "DrawSignFlipped",
        /// Clocks are read ten times too long.
        ClockInWrongUnit = "ClockInWrongUnit",
        /// Pawns promote to queens only.
        OnlyQueens = "OnlyQueens",
        /// Reported lines of play end with an illegal move.
        PvIllegal = "PvIllegal",
        /// Counting leaves, it overlooks captures en passant.
        PerftMissesEnPassant = "PerftMissesEnPassant",
        /// Mates count their distance the wrong way: the later the better, so none ever comes.
        DawdlingWins = "DawdlingWins",
        /// The hash table is asked before the history is.
        TableBeforeHistory = "TableBeforeHistory",
        /// A new game finds the hash table of the last one.
        TableOutlivesGame = "TableOutlivesGame",
    }
}

/// Which bug is seeded, if any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Seed {
    #[cfg(feature = "mutants")]
    mutant: Option<Mutant>,
}

impl Seed {
    /// Sound, without any bug seeded.
    pub const NONE: Self = Self {
        #[cfg(feature = "mutants")]
        mutant: None,
    };

    /// With one bug.
    #[cfg(feature = "mutants")]
    pub const fn of(mutant: Mutant) -> Self {
        Self { mutant: Some(mutant) }
    }

    /// Is this bug seeded?
    #[cfg(feature = "mutants")]
    pub fn is(self, mutant: Mutant) -> bool {
        self.mutant == Some(mutant)
    }

    /// Is this bug seeded? Never, in a build without mutants.
    #[cfg(not(feature = "mutants"))]
    pub const fn is(self, _: Mutant) -> bool {
        false
    }
}
