//! What makes a line a trap, derived from the line alone.
//!
//! The miner makes lines and keeps those that turn out to be traps; a check derives the same again from a
//! file's `fen` and `moves` and holds every other column against it. So a row says nothing that isn't proven
//! twice by the same few lines, and those are short enough to read.

mod by_search;
mod by_tables;
pub mod census;
mod demands;
pub mod difficulty;
mod past;
mod reason;
pub mod sheet;

use shakmaty::uci::UciMove;

use threefold_chess::position::GamePosition;
use threefold_chess::score::{Centipawns, MateDistance};
use threefold_named_enum::named_enum;
use threefold_oracle::mate_prover::OutOfNodes;
use threefold_oracle::referee::IllegalGame;
use threefold_oracle::threefold_rule::JudgeError;
use threefold_oracle::{Material, ProvenValue, Tables, Wdl};

named_enum! {
    /// What sort of trap.
    pub enum TrapClass {
        /// One move wins, and it leads to a position that stood on the board once.
        OnlyWinRepeats = "only-win-repeats",
        /// Some moves draw; a losing one leads to a position that stood on the board once.
        FalseRefuge = "false-refuge",
        /// The quickest win would be a third occurrence; others win.
        ThirdAvoid = "third-avoid",
        /// Every move loses but the one that makes a third occurrence.
        ThirdSeek = "third-seek",
        /// The history repeats, and many moves win: a control that no sound policy fails.
        Dawdle = "dawdle",
        /// One move draws, and it leads to a position that stood on the board once; all others lose.
        OnlyDrawRepeats = "only-draw-repeats",
        /// One check, to a position that stood on the board once, begins a perpetual; all else is mated.
        PerpetualFind = "perpetual-find",
        /// A few answers to a check win; all others, one of them to a position that stood on the board once,
        /// let the checks go on for ever.
        PerpetualAvoid = "perpetual-avoid",
        /// What is best on the board comes too late: the fifty-move counter decides.
        FiftyMoves = "fifty-moves",
        /// One move wins; its men stood so twice, but with the other side to move: that repeats nothing.
        OtherSide = "other-side",
        /// One move wins: it loses a move on a triangle, and so repeats a zugzwang that stood on the board once
        /// and had been let go by losing a move.
        ZugzwangTriangle = "zugzwang-triangle",
        /// A third occurrence to avoid or to seek, though the first followed a double step: no pawn could
        /// capture it en passant.
        VoidEnPassant = "void-en-passant",
        /// One move wins; it would make a third occurrence, had no capture en passant been legal at the first.
        LiveEnPassant = "live-en-passant",
        /// Every move is mated but a third occurrence, the first of which followed a double step past a pawn
        /// that is pinned.
        PinnedEnPassant = "pinned-en-passant",
    }
}

named_enum! {
    /// What an answer is proven by.
    pub enum Proof {
        /// Distance-to-mate tables.
        Tablebase = "tablebase",
        /// Exhaustive search.
        Search = "search",
    }
}

/// A line in which the history decides, and what is proven of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trap {
    /// What sort of trap.
    pub class: TrapClass,
    /// The history; the position after it is judged.
    pub line: GamePosition,
    /// Every right move.
    pub best: Vec<UciMove>,
    /// The wrong move that baits: the one that the class is about, or the one that looks best.
    pub avoid: Vec<UciMove>,
    /// The true result for the side to move.
    pub result: Wdl,
    /// What stands on the board.
    pub material: Material,
    /// Distance to mate of the best right move, where the result is a win.
    pub mate: Option<MateDistance>,
    /// What the bait is worth on the board, the history forgotten, for who makes it; `None`: nobody knows.
    pub after: Option<ProvenValue>,
    /// The plies of the history, from 1, that were errors by the tables; `None`: no table holds it.
    pub erred: Option<Vec<usize>>,
    /// What the answer is proven by.
    pub proof: Proof,
    /// By how much the wrong choice looks better in a search of three plies that forgets the game.
    pub pull: Centipawns,
    /// Why the answer is right, and who erred on the way.
    pub note: String,
}

/// Why a line is no trap of a class.
#[derive(Debug, thiserror::Error)]
pub enum NoTrap {
    /// Its moves can't be judged.
    #[error(transparent)]
    JudgeError(#[from] JudgeError),
    /// It can't have been played.
    #[error(transparent)]
    Illegal(#[from] IllegalGame),
    /// The prover's budget ended.
    #[error(transparent)]
    OutOfNodes(#[from] OutOfNodes),
    /// It lacks what its class demands.
    #[error("no trap of class {class}: {lacking}")]
    Lacking {
        /// The class asked for.
        class: TrapClass,
        /// What is not so.
        lacking: &'static str,
    },
}

impl TrapClass {
    /// What the answers of this class are proven by.
    pub const fn proof(self) -> Proof {
        match self {
            Self::PerpetualFind | Self::PerpetualAvoid | Self::PinnedEnPassant => Proof::Search,
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
            | Self::LiveEnPassant => Proof::Tablebase,
        }
    }
}

/// Derives a trap of a class from a line; the tables must hold its material and all that comes of it.
pub fn derive(tables: &Tables, class: TrapClass, line: &GamePosition) -> Result<Trap, NoTrap> {
    match class.proof() {
        Proof::Search => by_search::derive(class, line),
        Proof::Tablebase => by_tables::derive(tables, class, line),
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;

    #[test]
    fn a_line_that_lacks_what_its_class_demands_is_told_what() {
        let mut tables = Tables::new(NonZeroUsize::MIN);
        tables.make(&["KPK".parse().expect("a material")], &mut |_| {}).expect("few men");
        // A rook's moves to and fro, once and twice; almost everything wins.
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
            let line = GamePosition::parse(fen, moves).expect("sound");
            let error = derive(&tables, class, &line).expect_err(class.name()).to_string();
            assert!(error.starts_with(&format!("no trap of class {class}: {lacking}")), "{class}: {error}");
        }
    }
}
