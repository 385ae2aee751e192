//! What the transposition table stores of path-dependent values.
//!
//! A value that depends on a repetition is valid only on the path on which it was found. Using it on other
//! paths is the graph-history interaction problem (Palay 1983, Campbell 1985).

use crate::range::ScoreRange;
use crate::value::Value;
use threefold_named_enum::named_enum;

named_enum! {
    /// What the transposition table stores of values that depend on a repetition above the node.
    pub enum HashScores {
        /// The value, as if it were path-independent.
        Real = "Real",
        /// No value, only the move.
        Untainted = "Untainted",
        /// The path-independent range (Muller's shadow score).
        Shadow = "Shadow",
        /// As `Shadow`, but an entry is updated after every move of its node, and a repetition has the bounds
        /// of the repeated node's entry (Muller's progressive bounds). A few entries are wrong.
        Progressive = "Progressive",
        /// As `Shadow`, but a stored value gives a cutoff only if no repetition can be hidden below the node.
        /// Slow; exact without reductions, extensions and pruning.
        Guarded = "Guarded",
        /// As `Guarded`, and where a repetition can be hidden, the value in a second entry (twin) for this
        /// path gives a cutoff (Breuker; Kishimoto and Müller). Exact as `Guarded`, with more cutoffs.
        BaseTwin = "BaseTwin",
    }
}

/// When a stored value may give a cutoff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CutoffPermission {
    /// If the entry is deep enough, or a proven mate.
    SufficientDepth,
    /// Only at equal depth: the value then equals that of a search.
    SameDepth,
    /// Never.
    Never,
}

/// The length of the shortest cycle, in plies.
const SHORTEST_CYCLE: usize = 4;

/// The data that decide whether a search below a node can reach a repetition of an ancestor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CycleRoom {
    /// The largest distance, in plies, to an earlier position that can still recur.
    pub reach: usize,
    /// The remaining depth.
    pub depth: i32,
    /// The search beyond the remaining depth.
    pub beyond: HorizonSearch,
    /// Whether upcoming repetitions are detected.
    pub sees_upcoming: bool,
}

/// The moves that are searched beyond the remaining depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HorizonSearch {
    /// None.
    Nothing,
    /// Captures only. They are irreversible.
    Captures,
    /// All evasions, because the node is in check.
    Evasions,
}

/// The cutoffs by path-independent entries that are allowed under [`HashScores::Guarded`] and
/// [`HashScores::BaseTwin`]. No cutoff may hide a cycle through an ancestor that the search could reach
/// within the remaining depth.
pub(crate) const fn guarded_cutoff(room: CycleRoom) -> CutoffPermission {
    let CycleRoom { reach, depth, beyond, sees_upcoming } = room;
    // Cycle detection finds a repetition one ply before it is on the board.
    let plies = (if depth > 0 { depth.unsigned_abs() as usize } else { 0 }) + sees_upcoming as usize;
    let nothing_hidden = reach == 0
        || match beyond {
            // A cycle has at least four plies, of which at most `reach` are above the node.
            HorizonSearch::Nothing => plies == 0 || plies + reach < SHORTEST_CYCLE,
            // With more remaining depth, the leaves may be in check, and evasions may repeat positions.
            HorizonSearch::Captures => depth < 1 && (!sees_upcoming || reach + 1 < SHORTEST_CYCLE),
            HorizonSearch::Evasions => false,
        };
    if nothing_hidden { CutoffPermission::SameDepth } else { CutoffPermission::Never }
}

impl HashScores {
    /// The range to store for a path-dependent value of a search with this window: its naive range, its
    /// path-independent range (`shadow`), or nothing.
    pub(crate) fn stored_range(
        self,
        naive: ScoreRange,
        shadow: ScoreRange,
        (alpha, beta): (Value, Value),
        stores_both_bounds: bool,
    ) -> ScoreRange {
        match self {
            Self::Real => naive,
            Self::Untainted => ScoreRange::UNKNOWN,
            Self::Shadow | Self::Progressive | Self::Guarded | Self::BaseTwin => {
                // An entry with room for one bound has the lower one, but here only the upper one gives a
                // cutoff.
                let upper_bound_is_useful = shadow.low < beta && shadow.high <= alpha;
                if upper_bound_is_useful && !stores_both_bounds && !shadow.is_exact() {
                    ScoreRange { low: ScoreRange::UNKNOWN.low, ..shadow }
                } else {
                    shadow
                }
            }
        }
    }

    /// Whether a path-independent entry gives no cutoff where a repetition could be hidden.
    pub(crate) const fn is_guarded(self) -> bool {
        matches!(self, Self::Guarded | Self::BaseTwin)
    }

    /// Whether the stored values depend on the game's history.
    pub(crate) const fn depends_on_game(self) -> bool {
        !matches!(self, Self::Real)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guarded_cutoff_needs_a_tree_too_short_for_a_cycle() {
        use HorizonSearch::{Captures, Evasions, Nothing};
        let allowed = |reach, depth, beyond, sees_upcoming| {
            guarded_cutoff(CycleRoom { reach, depth, beyond, sees_upcoming }) == CutoffPermission::SameDepth
        };
        let table = [
            // reach, depth, search beyond it, upcoming repetitions are seen; cutoff allowed
            (0, 20, Evasions, true, true),
            (1, 2, Nothing, false, true),
            (1, 3, Nothing, false, false),
            (1, 2, Nothing, true, false),
            (9, 0, Nothing, false, true),
            (2, 0, Nothing, true, true),
            (3, 0, Nothing, true, false),
            (9, 0, Captures, false, true),
            (9, 1, Captures, false, false),
            (2, 0, Captures, true, true),
            (3, 0, Captures, true, false),
            (1, 0, Evasions, false, false),
        ];
        for (reach, depth, beyond, sees_upcoming, expected) in table {
            let found = allowed(reach, depth, beyond, sees_upcoming);
            assert_eq!(found, expected, "{reach} {depth} {beyond:?} {sees_upcoming}");
        }
    }
}
