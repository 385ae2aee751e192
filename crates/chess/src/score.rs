//! Scores as reported by a search.
//!
//! Echo packs values into an `i16` internally; everything else uses [`Score`], so that centipawns, plies to
//! mate and full moves to mate cannot be confused.

use std::cmp::Ordering;
use std::fmt;

/// Hundredths of a pawn, from the side to move's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Centipawns(pub i32);

/// Half-moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ply(pub u16);

/// Plies to mate. Odd: the side to move mates; even: it is mated.
///
/// ```
/// use threefold_chess::score::MateDistance;
///
/// let mate = MateDistance::from_moves(3).expect("in range");
/// assert_eq!(mate.plies().0, 5);
/// assert!(mate.is_win());
///
/// let mated = MateDistance::from_moves(-2).expect("in range");
/// assert_eq!((mated.plies().0, mated.moves()), (4, -2));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MateDistance(Ply);

impl MateDistance {
    /// From plies to mate. Odd: the side to move mates; even (0 is checkmate on the board): it is mated.
    pub const fn from_plies(plies: Ply) -> Self {
        Self(plies)
    }

    /// From UCI's `score mate` in full moves. Positive: the side to move mates; zero or negative: it is
    /// mated. `None` out of range.
    pub fn from_moves(moves: i32) -> Option<Self> {
        let plies = if moves > 0 { moves.checked_mul(2)? - 1 } else { moves.checked_mul(-2)? };
        u16::try_from(plies).ok().map(|plies| Self(Ply(plies)))
    }

    /// Plies to mate.
    pub const fn plies(self) -> Ply {
        self.0
    }

    /// Full moves as UCI counts them: positive, the side to move mates.
    pub fn moves(self) -> i32 {
        let plies = i32::from(self.0.0);
        if self.is_win() { (plies + 1) / 2 } else { -plies / 2 }
    }

    /// Is it `mate 0`: checkmate on the board? As the score of a position with a move it has no meaning.
    pub const fn is_none(self) -> bool {
        self.0.0 == 0
    }

    /// Whether the side to move mates.
    pub const fn is_win(self) -> bool {
        self.0.0 % 2 == 1
    }
}

/// A score from the side to move's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Score {
    /// An evaluation.
    Cp(Centipawns),
    /// A forced mate.
    Mate(MateDistance),
}

impl Score {
    /// The score from the other side's view, as UCI writes it: a mate in 3 moves becomes being mated in 3.
    /// `mate 0` has no sign and stays.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Cp(Centipawns(centipawns)) => Self::Cp(Centipawns(centipawns.saturating_neg())),
            Self::Mate(mate) => {
                let Ply(plies) = mate.plies();
                // The largest number of plies is odd; the next even one is out of range.
                let other = if mate.is_win() {
                    plies.checked_add(1).unwrap_or(plies - 1)
                } else {
                    plies.saturating_sub(1)
                };
                Self::Mate(MateDistance::from_plies(Ply(other)))
            }
        }
    }

    /// Is it `mate 0`, which has no meaning for a position with a move?
    pub const fn is_mate_zero(self) -> bool {
        matches!(self, Self::Mate(mate) if mate.is_none())
    }

    /// The order: quick wins, slow wins, evaluations, slow losses, quick losses.
    fn rank(self) -> (i8, i32) {
        match self {
            Self::Mate(mate) if mate.is_win() => (1, -i32::from(mate.0.0)),
            Self::Cp(centipawns) => (0, centipawns.0),
            Self::Mate(mate) => (-1, i32::from(mate.0.0)),
        }
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// As UCI writes it after `score`: `cp 31`, `mate -4`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cp(centipawns) => write!(f, "cp {}", centipawns.0),
            Self::Mate(mate) => write!(f, "mate {}", mate.moves()),
        }
    }
}

/// Whether a score is exact or a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The score itself.
    Exact,
    /// At least this.
    Lower,
    /// At most this.
    Upper,
}

impl Bound {
    /// The bound of the reversed score.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Exact => Self::Exact,
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reversed_score_has_the_other_sign_and_the_same_number_of_moves() {
        for moves in [-40, -2, -1, 1, 2, 40, 32_767] {
            let mate = MateDistance::from_moves(moves).expect("in range");
            let Score::Mate(other) = Score::Mate(mate).reversed() else { panic!("{moves}") };
            assert_eq!(other.moves(), -moves);
        }
        let longest = Score::Mate(MateDistance::from_plies(Ply(u16::MAX)));
        assert_eq!(longest.reversed(), Score::Mate(MateDistance::from_plies(Ply(u16::MAX - 1))));
        let mated = Score::Mate(MateDistance::from_plies(Ply(0)));
        assert_eq!(mated.reversed(), mated);
        assert_eq!(Score::Cp(Centipawns(-31)).reversed(), Score::Cp(Centipawns(31)));
        assert_eq!(Bound::Lower.reversed(), Bound::Upper);
    }

    fn mate(moves: i32) -> Score {
        Score::Mate(MateDistance::from_moves(moves).expect("small"))
    }

    #[test]
    fn scores_are_ordered_by_preference() {
        let cp = |n| Score::Cp(Centipawns(n));
        let ascending = [mate(0), mate(-1), mate(-5), cp(-900), cp(0), cp(31), mate(9), mate(1)];
        assert!(ascending.is_sorted());
        assert!(ascending.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn moves_and_plies_convert_both_ways() {
        // UCI's moves, plies
        for (moves, plies) in [(1, 1), (2, 3), (8, 15), (0, 0), (-1, 2), (-4, 8)] {
            let distance = MateDistance::from_moves(moves).expect("small");
            assert_eq!((distance.plies(), distance.moves()), (Ply(plies), moves));
        }
        assert_eq!(MateDistance::from_moves(i32::MAX), None);
        assert_eq!(MateDistance::from_moves(i32::MIN), None);
    }
}
