//! Warnings about what an engine prints during its searches: wrong principal variations, wrong mate scores,
//! no score.
//!
//! A warning never changes a game. The report counts warnings for each engine and rule, with the first
//! occurrence and the moves that lead to it.

mod checker;
mod limits;
mod policy;
mod pv_path;
#[cfg(test)]
mod tests;

use shakmaty::Color;
use shakmaty::uci::UciMove;

use threefold_named_enum::named_enum;
use threefold_oracle::referee::RuleEnd;

pub(super) use checker::WarningChecker;
pub use policy::WarningPolicy;

named_enum! {
    /// What an engine does wrong in its output.
    pub enum WarningRule {
        /// A move of a principal variation is illegal
        IllegalPvMove = "illegal-pv-move",
        /// A principal variation goes on after checkmate
        PvAfterCheckmate = "pv-after-checkmate",
        /// A principal variation goes on after stalemate
        PvAfterStalemate = "pv-after-stalemate",
        /// A principal variation goes on after the third occurrence of a position
        PvAfterThreefold = "pv-after-threefold",
        /// A principal variation goes on after fifty moves without capture or pawn move
        PvAfterFiftyMoves = "pv-after-fifty-moves",
        /// A principal variation goes on although neither side can mate any more
        PvAfterInsufficientMaterial = "pv-after-insufficient-material",
        /// The best move is not the first move of the last exact principal variation
        BestMoveNotInPv = "bestmove-not-in-pv",
        /// Both engines claim a mate for themselves, or both claim to be mated, in consecutive moves
        MateSigns = "mate-signs",
        /// The principal variation of an exact mate score is shorter than the mate
        ShortMatePv = "short-mate-pv",
        /// The principal variation of an exact mate score is longer than the mate
        LongMatePv = "long-mate-pv",
        /// The principal variation of an exact mate score has the right length and does not end in checkmate
        MatePvWithoutMate = "mate-pv-without-mate",
        /// The claimed chances (`wdl`) are not three numbers that sum to 1000, or favour the other side than the score
        WrongWdl = "wrong-wdl",
        /// The move to ponder on is illegal after the best move
        IllegalPonderMove = "illegal-ponder-move",
        /// The engine moves without having reported a score
        NoScore = "no-score",
        /// The engine's last score of a move is `mate 0`, which has no meaning there and counts for nothing
        MateZero = "mate-zero",
        /// The engine searches more nodes than its limit, a tenth of it and 1,024 more
        NodesOverLimit = "nodes-over-limit",
        /// The engine reports a greater depth than its limit
        DepthOverLimit = "depth-over-limit",
        /// The engine searches longer than its time for a move, by more than a tenth of it and 50 ms
        MovetimeOverLimit = "movetime-over-limit",
        /// The engine reports or moves between its searches, after `bestmove` and before the next `go`
        OutputBetweenSearches = "output-between-searches",
        /// The engine needs more than a second for `ucinewgame` and `isready`
        SlowReady = "slow-ready",
    }
}

impl WarningRule {
    /// Is it about a limit of the search? Such warnings happen at most once for each move and rule.
    pub const fn is_about_a_limit(self) -> bool {
        matches!(self, Self::NodesOverLimit | Self::DepthOverLimit | Self::MovetimeOverLimit)
    }

    /// The rule for a principal variation that goes on after this end of the game.
    const fn after(end: RuleEnd) -> Self {
        match end {
            RuleEnd::Checkmate => Self::PvAfterCheckmate,
            RuleEnd::Stalemate => Self::PvAfterStalemate,
            RuleEnd::Threefold => Self::PvAfterThreefold,
            RuleEnd::FiftyMoves => Self::PvAfterFiftyMoves,
            RuleEnd::InsufficientMaterial => Self::PvAfterInsufficientMaterial,
        }
    }
}

/// The warnings of one rule about one side in one game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameWarning {
    /// The rule that the output breaks.
    pub rule: WarningRule,
    /// The side whose engine is warned about.
    pub side: Color,
    /// How often it happened in the game: once for each `info` line, and at most once for each move by the
    /// other rules.
    pub count: u32,
    /// The number of moves played after the opening when it first happened.
    pub ply: usize,
    /// What happened then: the wrong move, and the `info` line without times, so that equal games have equal
    /// warnings.
    pub detail: String,
    /// The line itself; `None` if the rule is about no line, and in a warning from a journal, which does not
    /// keep it.
    pub line: Option<WarnedLine>,
}

/// An `info` line that is warned about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WarnedLine {
    /// The move that is wrong in it, if one is.
    pub mv: Option<UciMove>,
    /// The line as the engine wrote it.
    pub text: String,
}
