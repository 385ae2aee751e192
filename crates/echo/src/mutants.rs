//! Mutants: Echo with one known bug seeded on purpose, to prove that a suite can fail.
//!
//! Each bug has one place in the code, which calls [`SeededBug::is`]. Without the cargo feature `mutants` it
//! is a zero-sized type that always answers no, so the compiler removes the check and the bug.

use threefold_named_enum::named_enum;

named_enum! {
    /// A typical engine bug.
    pub enum Mutant {
        /// Repetitions are searched only six plies back.
        ScanStopsEarly = "ScanStopsEarly",
        /// Positions before a null move count as repeated.
        ScanCrossesNull = "ScanCrossesNull",
        /// Repetitions are detected at ply 1 only.
        DrawsNotInTree = "DrawsNotInTree",
        /// One earlier occurrence in the game is a draw under every policy.
        PolicyIgnored = "PolicyIgnored",
        /// Positions repeat regardless of the side to move.
        KeyWithoutSide = "KeyWithoutSide",
        /// Keys have only twenty bits.
        KeyTruncated = "KeyTruncated",
        /// A double step changes the key even if no en passant capture is legal.
        EnPassantAlwaysInKey = "EnPassantAlwaysInKey",
        /// Castling rights do not change the key.
        CastlingNotInKey = "CastlingNotInKey",
        /// The search ignores the fifty-move rule.
        FiftyMovesIgnored = "FiftyMovesIgnored",
        /// The fifty-move rule comes a ply too early.
        FiftyMovesEarly = "FiftyMovesEarly",
        /// Checkmate on the hundredth ply is scored as a draw.
        FiftyMovesBeatMate = "FiftyMovesBeatMate",
        /// Table values from positions far from the fifty-move limit cut nodes near it.
        TableCutsNearFifty = "TableCutsNearFifty",
        /// Draw scores depend on the evaluation with the wrong sign: the better side seeks them.
        DrawSignFlipped = "DrawSignFlipped",
        /// Contempt of half a pawn has the wrong sign: draws are sought.
        ContemptReversed = "ContemptReversed",
        /// Stalemate is scored as a loss.
        StalemateIsMate = "StalemateIsMate",
        /// Insufficient material is not detected.
        DeadIsAlive = "DeadIsAlive",
        /// Two minor pieces against a bare king are a draw.
        MinorsAreDead = "MinorsAreDead",
        /// Mate scores are stored in the hash table with the distance from the root.
        MateNotPlyAdjusted = "MateNotPlyAdjusted",
        /// Mate scores are stored with the ply added twice.
        MateAdjustedTwice = "MateAdjustedTwice",
        /// Mate-distance pruning excludes mates in two.
        MateBoundTight = "MateBoundTight",
        /// Later mates score higher, so none is ever executed.
        DawdlingWins = "DawdlingWins",
        /// Mates found after a null move are accepted.
        NullMoveMates = "NullMoveMates",
        /// Null moves are tried with pawns only.
        NullMoveInZugzwang = "NullMoveInZugzwang",
        /// The side in check may stand pat.
        StandsPatInCheck = "StandsPatInCheck",
        /// The hash table is probed before repetitions are checked.
        TableBeforeHistory = "TableBeforeHistory",
        /// Entries of any depth cut nodes.
        TableDepthIgnored = "TableDepthIgnored",
        /// Lower bounds are read as upper bounds.
        TableBoundsSwapped = "TableBoundsSwapped",
        /// A fail-low value is taken as exact.
        FailLowIsExact = "FailLowIsExact",
        /// With shadow scores, a range that depends on its own node is reset to the score.
        ShadowResetToScore = "ShadowResetToScore",
        /// With shadow scores, the ancestor of the best move counts, not the highest of all moves.
        ShadowOfBestMove = "ShadowOfBestMove",
        /// With guarded scores or twins, entries cut where a repetition can be hidden.
        GuardOpen = "GuardOpen",
        /// With shadow scores, values of the quiescence search do not depend on the path.
        QuiescencePathIgnored = "QuiescencePathIgnored",
        /// Twins have the same key on every path.
        TwinPathIgnored = "TwinPathIgnored",
        /// With the counters in the entries, a value holds for all of them.
        EntryCountersIgnored = "EntryCountersIgnored",
        /// Pawns promote to queens only.
        OnlyQueens = "OnlyQueens",
        /// The search generates no en passant captures.
        EnPassantUnseen = "EnPassantUnseen",
        /// The search generates no castling.
        CastlingUnseen = "CastlingUnseen",
        /// The evaluation knows no endgames: a bishop of the wrong colour wins.
        EndgamesUnknown = "EndgamesUnknown",
        /// With Black to move, the evaluation knows no endgames.
        EndgamesUnknownToBlack = "EndgamesUnknownToBlack",
        /// Perft omits en passant captures.
        PerftMissesEnPassant = "PerftMissesEnPassant",
        /// Perft omits castling.
        PerftMissesCastling = "PerftMissesCastling",
    }
}

/// The seeded bug, if any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SeededBug {
    #[cfg(feature = "mutants")]
    mutant: Option<Mutant>,
}

impl SeededBug {
    /// No bug.
    pub const NONE: Self = Self {
        #[cfg(feature = "mutants")]
        mutant: None,
    };

    /// One bug.
    #[cfg(feature = "mutants")]
    pub const fn new(mutant: Mutant) -> Self {
        Self { mutant: Some(mutant) }
    }

    /// Whether this bug is seeded. Always false without the cargo feature `mutants`.
    #[cfg(feature = "mutants")]
    pub fn is(self, mutant: Mutant) -> bool {
        self.mutant == Some(mutant)
    }

    /// Whether this bug is seeded. Always false without the cargo feature `mutants`.
    #[cfg(not(feature = "mutants"))]
    pub const fn is(self, _: Mutant) -> bool {
        false
    }
}
