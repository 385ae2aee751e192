//! What the hash table stores of path-dependent values.
//!
//! Such a value is valid only on the path on which it was found. Stored and used elsewhere it is the
//! graph-history interaction problem (Palay 1983, Campbell 1985).

use crate::range::ScoreRange;
use crate::value::Value;
use threefold_named_enum::named_enum;

named_enum! {
    /// What the hash table stores of values that depend on a repetition above the node.
    pub enum HashScores {
        /// The value, as if it were path-independent.
        Real = "Real",
        /// No value, only the move.
        Untainted = "Untainted",
        /// The path-independent range (Muller's shadow score).
        Shadow = "Shadow",
        /// As `Shadow`, and values cut only if no repetition can be hidden below: slow, but exact without
        /// reductions, extensions and pruning.
        Guarded = "Guarded",
    }
}

/// Which cutoffs a table value allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CutoffPermission {
    /// Cutoff if the entry is deep enough, or a mate.
    None,
    /// Cutoff only at equal depth, so that the value equals that of a search.
    SameDepth,
    /// No cutoff.
    Closed,
}

/// The length of the shortest cycle, in plies.
const SHORTEST_CYCLE: usize = 4;

/// What determines whether a repetition of an ancestor can be found below a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CycleRoom {
    /// The largest distance, in plies, at which the node's position may have occurred.
    pub reach: usize,
    /// The remaining depth.
    pub depth: i32,
    /// The search beyond the horizon.
    pub beyond: HorizonSearch,
    /// Whether upcoming repetitions are detected.
    pub sees_upcoming: bool,
}

/// The search beyond the horizon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HorizonSearch {
    /// Nothing.
    Nothing,
    /// Captures only, which are irreversible.
    Captures,
    /// All evasions, since the node is in check.
    Evasions,
}

/// The cutoffs allowed under [`HashScores::Guarded`]: none that could hide a cycle through an ancestor within
/// the remaining depth.
pub(crate) const fn guard(outlet: CycleRoom) -> CutoffPermission {
    let CycleRoom { reach, depth, beyond, sees_upcoming } = outlet;
    let plies = (if depth > 0 { depth.unsigned_abs() as usize } else { 0 }) + sees_upcoming as usize;
    let nothing_hidden = reach == 0
        || match beyond {
            HorizonSearch::Nothing => plies == 0 || plies + reach < SHORTEST_CYCLE,
            // Beyond a deeper horizon a series of checks may have to be evaded.
            HorizonSearch::Captures => depth < 1 && (!sees_upcoming || reach + 1 < SHORTEST_CYCLE),
            HorizonSearch::Evasions => false,
        };
    if nothing_hidden { CutoffPermission::SameDepth } else { CutoffPermission::Closed }
}

impl HashScores {
    /// The stored range of a path-dependent value with this window, from its naive range and its
    /// path-independent range.
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

    /// Whether the stored values depend on the game's history.
    pub(crate) const fn depends_on_game(self) -> bool {
        !matches!(self, Self::Real)
    }
}
