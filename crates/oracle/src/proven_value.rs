//! The proven value of a position: its result and, if decisive, the distance to mate.

use threefold_chess::score::{MateDistance, Ply};
use threefold_named_enum::named_enum;

named_enum! {
    /// A result, from the side to move's view.
    pub enum Wdl {
        /// The side to move wins.
        Win = "win",
        /// Neither side can force a win.
        Draw = "draw",
        /// The side to move loses.
        Loss = "loss",
    }
}

/// A position's game-theoretic value. Best play mates as soon as possible and is mated as late as possible;
/// the fifty-move rule and repetitions are ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProvenValue {
    /// Neither side can force mate.
    Draw,
    /// One side mates at this distance.
    Mate(MateDistance),
}

impl ProvenValue {
    /// A mate in this many plies. Odd: the side to move mates; even: it is mated.
    pub const fn mate_in(plies: u16) -> Self {
        Self::Mate(MateDistance::from_plies(Ply(plies)))
    }

    /// The result, for the side to move.
    pub const fn wdl(self) -> Wdl {
        match self {
            Self::Draw => Wdl::Draw,
            Self::Mate(mate) if mate.is_win() => Wdl::Win,
            Self::Mate(_) => Wdl::Loss,
        }
    }

    /// The distance to mate, if there is one.
    pub const fn mate(self) -> Option<MateDistance> {
        match self {
            Self::Draw => None,
            Self::Mate(mate) => Some(mate),
        }
    }

    /// Plies to mate, if there is one.
    pub const fn plies(self) -> Option<u16> {
        match self {
            Self::Draw => None,
            Self::Mate(mate) => Some(mate.plies().0),
        }
    }

    /// The value of a position one ply earlier.
    #[must_use]
    pub const fn one_ply_earlier(self) -> Self {
        match self {
            Self::Draw => Self::Draw,
            Self::Mate(mate) => Self::mate_in(mate.plies().0 + 1),
        }
    }

    /// A rank: greater is better for the side to move. Quick wins, slow wins, draws, slow losses, quick
    /// losses.
    pub const fn rank(self) -> i32 {
        match self {
            Self::Draw => 0,
            Self::Mate(mate) => {
                let plies = mate.plies().0 as i32;
                if mate.is_win() { 0x1_0000 - plies } else { plies - 0x1_0000 }
            }
        }
    }

    /// The value of a position from those after its moves, each for the side to move there. `None` without a
    /// move.
    pub fn best_of(successors: impl IntoIterator<Item = Self>) -> Option<Self> {
        successors.into_iter().map(Self::one_ply_earlier).max_by_key(|fact| fact.rank())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_value_mates_soonest_or_is_mated_latest() {
        let table = [
            // values after the moves, in plies (none: draw), value before
            (&[Some(0), Some(4)][..], ProvenValue::mate_in(1)),
            (&[None, Some(4), Some(3)], ProvenValue::mate_in(5)),
            (&[None, Some(3)], ProvenValue::Draw),
            (&[Some(1), Some(7), Some(5)], ProvenValue::mate_in(8)),
        ];
        for (after, before) in table {
            let after = after.iter().map(|plies| plies.map_or(ProvenValue::Draw, ProvenValue::mate_in));
            assert_eq!(ProvenValue::best_of(after), Some(before));
        }
        assert_eq!(ProvenValue::best_of([]), None);
    }
}
