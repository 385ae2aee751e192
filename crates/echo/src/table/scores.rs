//! What the hash table may keep of values that hang on a repetition.
//!
//! Such a value is true on the line of play that it was found on. Kept and told elsewhere it is the
//! graph-history interaction's pollution (Palay 1983, Campbell 1985).

use crate::range::ScoreRange;
use crate::value::Value;
use threefold_named_enum::named_enum;

named_enum! {
    /// What the hash table keeps of values that hang on a repetition above.
    pub enum HashScores {
        /// The value, as if it hung on nothing.
        Real = "Real",
        /// No value, only the move.
        Untainted = "Untainted",
        /// What it shows of the position alone (Muller's shadow score).
        Shadow = "Shadow",
        /// The same, and values cut only where no repetition can be hidden below: slow, and exact where nothing
        /// is reduced, extended or left out.
        Guarded = "Guarded",
    }
}

/// How far a value of the hash table may be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CutoffPermission {
    /// It may settle the node if it is of a search as deep or deeper, or a mate.
    None,
    /// It may settle the node if it is of a search of the very depth, so that the value is the one that would
    /// be found.
    SameDepth,
    /// It may not.
    Closed,
}

/// The shortest way back to a position, in plies.
const SHORTEST_CYCLE: usize = 4;

/// What bears on whether a repetition of something above a node can be found below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CycleRoom {
    /// How many plies back the node's position may have stood.
    pub reach: usize,
    /// Plies searched below the node before the horizon.
    pub depth: i32,
    /// What is searched beyond it.
    pub beyond: HorizonSearch,
    /// Is a repetition seen a ply before it is made?
    pub sees_upcoming: bool,
}

/// What is searched beyond the horizon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HorizonSearch {
    /// Nothing.
    Nothing,
    /// Captures from this node on, none of which can be taken back.
    Captures,
    /// Every move out of a check, as this is one.
    Evasions,
}

/// How far a kept value may be trusted, under [`HashScores::Guarded`]: where a cycle through something above fits
/// below the node, the value of elsewhere could hide it.
pub(crate) const fn guard(outlet: CycleRoom) -> CutoffPermission {
    let CycleRoom { reach, depth, beyond, sees_upcoming } = outlet;
    let plies = (if depth > 0 { depth.unsigned_abs() as usize } else { 0 }) + sees_upcoming as usize;
    let nothing_hidden = reach == 0
        || match beyond {
            HorizonSearch::Nothing => plies == 0 || plies + reach < SHORTEST_CYCLE,
            // From a horizon further down, one check after the other may be fled from.
            HorizonSearch::Captures => depth < 1 && (!sees_upcoming || reach + 1 < SHORTEST_CYCLE),
            HorizonSearch::Evasions => false,
        };
    if nothing_hidden { CutoffPermission::SameDepth } else { CutoffPermission::Closed }
}

impl HashScores {
    /// What is kept of a value that hangs on something above the node, which was asked about between these
    /// bounds: out of what the value would say by itself, and of what it shows of the position.
    pub(crate) fn kept(
        self,
        naive: ScoreRange,
        shadow: ScoreRange,
        (alpha, beta): (Value, Value),
        keeps_both: bool,
    ) -> ScoreRange {
        match self {
            Self::Real => naive,
            Self::Untainted => ScoreRange::UNKNOWN,
            Self::Shadow | Self::Guarded => {
                let upper_is_of_use = shadow.low < beta && shadow.high <= alpha;
                if upper_is_of_use && !keeps_both && !shadow.is_exact() {
                    ScoreRange { low: ScoreRange::UNKNOWN.low, ..shadow }
                } else {
                    shadow
                }
            }
        }
    }

    /// Does it matter to what is kept which positions of the game count as drawn?
    pub(crate) const fn depends_on_game(self) -> bool {
        !matches!(self, Self::Real)
    }
}
