//! Mutants: Echo with one known bug seeded on purpose, to prove that a suite can fail.
//!
//! Each bug has one place in the code, which asks [`SeededBug::is`]. Without the feature `mutants` a seed is a
//! type of no size whose only answer is no, so the compiler drops the question together with the bug.

use threefold_named_enum::named_enum;

named_enum! {
    /// One bug, of the kind that engines have had.
    pub enum Mutant {
        /// Repetitions are looked for six plies back and no further.
        ScanStopsEarly = "ScanStopsEarly",
        /// Positions before a null move count as repeated.
        ScanCrossesNull = "ScanCrossesNull",
        /// Repetitions are seen by the root's moves alone.
        DrawsNotInTree = "DrawsNotInTree",
        /// Whatever the policy, one occurrence in the game makes a draw.
        PolicyIgnored = "PolicyIgnored",
        /// Positions count as repeated whoever is to move.
        KeyWithoutSide = "KeyWithoutSide",
        /// Keys are of twenty bits.
        KeyTruncated = "KeyTruncated",
        /// A double step changes the key even where nobody can capture en passant.
        EnPassantAlwaysInKey = "EnPassantAlwaysInKey",
        /// Rights to castle do not change the key.
        CastlingNotInKey = "CastlingNotInKey",
        /// The search doesn't know the fifty-move rule.
        FiftyMovesIgnored = "FiftyMovesIgnored",
        /// The fifty-move rule comes a ply too early.
        FiftyMovesEarly = "FiftyMovesEarly",
        /// Checkmate on the hundredth ply is a draw.
        FiftyMovesBeatMate = "FiftyMovesBeatMate",
        /// Values from where the fifty-move rule was far off settle nodes where it is near.
        TableCutsNearFifty = "TableCutsNearFifty",
        /// Draws lean on the evaluation with the wrong sign: whoever stands better seeks them.
        DrawSignFlipped = "DrawSignFlipped",
        /// Contempt, of half a pawn, works for the opponent: draws are sought.
        ContemptReversed = "ContemptReversed",
        /// Who can't move has lost.
        StalemateIsMate = "StalemateIsMate",
        /// Positions in which nobody can mate are searched on.
        DeadIsAlive = "DeadIsAlive",
        /// Two minor pieces against a bare king are a draw.
        MinorsAreDead = "MinorsAreDead",
        /// Mates go into the hash table as distances from the root, not from the node.
        MateNotPlyAdjusted = "MateNotPlyAdjusted",
        /// Mates go into the hash table with the distance from the root added twice.
        MateAdjustedTwice = "MateAdjustedTwice",
        /// Mates in two are taken to be out of reach.
        MateBoundTight = "MateBoundTight",
        /// Mates count their distance the wrong way: the later the better, so none ever comes.
        DawdlingWins = "DawdlingWins",
        /// A mate that needs the opponent to pass is a mate.
        NullMoveMates = "NullMoveMates",
        /// With nothing but pawns it passes too.
        NullMoveInZugzwang = "NullMoveInZugzwang",
        /// A side in check may stand pat.
        StandsPatInCheck = "StandsPatInCheck",
        /// The hash table is asked before the history is.
        TableBeforeHistory = "TableBeforeHistory",
        /// Entries of any depth settle nodes.
        TableDepthIgnored = "TableDepthIgnored",
        /// Lower bounds are read as upper ones.
        TableBoundsSwapped = "TableBoundsSwapped",
        /// A value below the window is taken for the value.
        FailLowIsExact = "FailLowIsExact",
        /// Pawns promote to queens only.
        OnlyQueens = "OnlyQueens",
        /// The search never captures en passant.
        EnPassantUnseen = "EnPassantUnseen",
        /// Counting leaves, it overlooks captures en passant.
        PerftMissesEnPassant = "PerftMissesEnPassant",
        /// Counting leaves, it overlooks castling.
        PerftMissesCastling = "PerftMissesCastling",
    }
}

/// Which bug is seeded, if any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SeededBug {
    #[cfg(feature = "mutants")]
    mutant: Option<Mutant>,
}

impl SeededBug {
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
