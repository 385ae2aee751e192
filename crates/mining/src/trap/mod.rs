//! Derives whether a line is a trap, from the line alone.
//!
//! The miner makes lines and keeps those that are traps; the check derives the same again from a file's `fen`
//! and `moves` and compares every other column. So everything in a row is proven twice by the same short
//! code.

mod by_search;
mod by_tables;
pub mod counts;
pub mod csv_file;
pub mod difficulty;
mod judged_line;
mod occurrences;
mod reason;
mod requirements;

use shakmaty::uci::UciMove;

use threefold_chess::position::GamePosition;
use threefold_chess::score::{Centipawns, MateDistance};
use threefold_named_enum::named_enum;
use threefold_oracle::mate_prover::OutOfNodes;
use threefold_oracle::referee::IllegalGame;
use threefold_oracle::threefold_rule::JudgeError;
use threefold_oracle::{Material, ProvenValue, Tables, Wdl};

named_enum! {
    /// The class of a trap.
    pub enum TrapClass {
        /// One move wins, and it leads to a position that occurred once.
        OnlyWinRepeats = "only-win-repeats",
        /// Some moves draw; a losing one leads to a position that occurred once.
        FalseRefuge = "false-refuge",
        /// The quickest win would be a third occurrence; other moves win.
        ThirdAvoid = "third-avoid",
        /// Every move loses except the one that makes a third occurrence.
        ThirdSeek = "third-seek",
        /// The history repeats, and many moves win: a control that no sound policy fails.
        Dawdle = "dawdle",
        /// One move draws, and it leads to a position that occurred once; all others lose.
        OnlyDrawRepeats = "only-draw-repeats",
        /// One check, to a position that occurred once, begins a perpetual; everything else is mated.
        PerpetualFind = "perpetual-find",
        /// A few answers to a check win; all others, one of them to a position that occurred once, allow a
        /// perpetual.
        PerpetualAvoid = "perpetual-avoid",
        /// The best move on the board is too slow: the fifty-move counter decides.
        FiftyMoves = "fifty-moves",
        /// One move wins. The pieces were so twice, but with the other side to move: that is no repetition.
        OtherSide = "other-side",
        /// One move wins: it loses a move by a triangle, and so repeats a zugzwang that occurred once and
        /// that the other side had escaped by losing a move.
        ZugzwangTriangle = "zugzwang-triangle",
        /// A third occurrence to avoid or to seek, although the first one followed a double step: no pawn
        /// could capture it en passant.
        VoidEnPassant = "void-en-passant",
        /// One move wins. It would make a third occurrence if no en passant capture had been legal at the
        /// first.
        LiveEnPassant = "live-en-passant",
        /// Every move is mated except a third occurrence, the first of which followed a double step past a
        /// pinned pawn.
        PinnedEnPassant = "pinned-en-passant",
    }
}

named_enum! {
    /// How an answer is proven.
    pub enum ProofMethod {
        /// Distance-to-mate tables.
        Tablebase = "tablebase",
        /// Exhaustive search.
        Search = "search",
    }
}

/// A line whose history decides, with everything proven about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MinedTrap {
    /// The class of the trap.
    pub class: TrapClass,
    /// The history; the position after it is judged.
    pub position: GamePosition,
    /// Every right move.
    pub best: Vec<UciMove>,
    /// The bait: the wrong move that the class is about, or the wrong move with the best value.
    pub avoid: Vec<UciMove>,
    /// The true result for the side to move.
    pub result: Wdl,
    /// The pieces on the board.
    pub material: Material,
    /// Distance to mate of the best right move, if the result is a win.
    pub mate: Option<MateDistance>,
    /// The value of the bait without the history, for the side that plays it; `None` if it is unknown.
    pub after: Option<ProvenValue>,
    /// The plies of the history, from 1, that were errors by the tables; `None` if no table has them.
    pub history_errors: Option<Vec<usize>>,
    /// How the answer is proven.
    pub proof: ProofMethod,
    /// By how many centipawns the wrong choice looks better in a search of three plies without the history.
    pub bait_score: Centipawns,
    /// Why the answer is right, and which side erred before.
    pub note: String,
}

/// Why a line is not a trap of a class.
#[derive(Debug, thiserror::Error)]
pub enum NotATrap {
    /// Its moves cannot be judged.
    #[error(transparent)]
    JudgeError(#[from] JudgeError),
    /// It is not a legal line.
    #[error(transparent)]
    Illegal(#[from] IllegalGame),
    /// The prover's budget was exhausted.
    #[error(transparent)]
    OutOfNodes(#[from] OutOfNodes),
    /// It misses a requirement of its class.
    #[error("no trap of class {class}: {lacking}")]
    Lacking {
        /// The class asked for.
        class: TrapClass,
        /// The requirement of the class that the position does not meet.
        lacking: &'static str,
    },
}

impl TrapClass {
    /// How the answers of this class are proven.
    pub const fn proof(self) -> ProofMethod {
        match self {
            Self::PerpetualFind | Self::PerpetualAvoid | Self::PinnedEnPassant => ProofMethod::Search,
            Self::OnlyWinRepeats
            | Self::FalseRefuge
            | Self::ThirdAvoid
            | Self::ThirdSeek
            | Self::Dawdle
            | Self::OnlyDrawRepeats
            | Self::FiftyMoves
            | Self::OtherSide
            | Self::ZugzwangTriangle
            | Self::VoidEnPassant
            | Self::LiveEnPassant => ProofMethod::Tablebase,
        }
    }
}

/// Derives a trap of a class from a line; the tables must have its material and every material that it
/// converts to.
pub fn derive(tables: &Tables, class: TrapClass, position: &GamePosition) -> Result<MinedTrap, NotATrap> {
    match class.proof() {
        ProofMethod::Search => by_search::derive(class, position),
        ProofMethod::Tablebase => by_tables::derive(tables, class, position),
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;

    #[test]
    fn unsuitable_trap_is_refused_with_the_reason() {
        let mut tables = Tables::new(NonZeroUsize::MIN);
        tables.make(&["KPK".parse().expect("a material")], &mut |_| {}).expect("few pieces");
        // A rook moves there and back, once and twice; almost everything wins.
        let rook = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
        let (once, twice) = ("a1a2 e8e7 a2a1 e7e8", "a1a2 e8e7 a2a1 e7e8 a1a2 e8d8 a2a3 d8e8");
        let table = [
            (TrapClass::OnlyWinRepeats, rook, once, "there is a wrong move"),
            // The king's only way to the pawn, but nothing has been repeated.
            (
                TrapClass::OnlyWinRepeats,
                "4k3/8/8/8/3K4/4P3/8/8 w - - 0 1",
                "",
                "the only winning move leads to",
            ),
            (TrapClass::FalseRefuge, rook, once, "the position is drawn"),
            (TrapClass::ThirdAvoid, rook, once, "one to three moves win"),
            (TrapClass::ThirdSeek, rook, once, "there is a wrong move"),
            (TrapClass::Dawdle, rook, once, "a win on the board that is not the quickest"),
            (TrapClass::OnlyDrawRepeats, rook, once, "there is a wrong move"),
            (TrapClass::FiftyMoves, "4k3/8/8/8/8/8/8/R3K3 w - - 20 20", "", "there is a wrong move"),
            (TrapClass::OtherSide, rook, once, "there is a wrong move"),
            (TrapClass::ZugzwangTriangle, rook, once, "there is a wrong move"),
            (TrapClass::VoidEnPassant, rook, twice, "one to three moves win"),
            (TrapClass::LiveEnPassant, rook, once, "there is a wrong move"),
            (TrapClass::PerpetualFind, rook, once, "exactly one check keeps a perpetual"),
            (TrapClass::PerpetualAvoid, rook, once, "every move wins soon, loses soon"),
            (TrapClass::PinnedEnPassant, rook, once, "exactly one move makes a third occurrence"),
        ];
        for (class, fen, moves, lacking) in table {
            let history = GamePosition::parse(fen, moves).expect("sound");
            let error = derive(&tables, class, &history).expect_err(class.name()).to_string();
            assert!(error.starts_with(&format!("no trap of class {class}: {lacking}")), "{class}: {error}");
        }
    }
}
