//! What is known of a value: the numbers that it lies between.

use std::ops::Neg;

use super::scoring::Scoring;
use super::value::Value;
use threefold_chess::score::Bound;

/// The least and the greatest that a value can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ScoreRange {
    /// No less than this; minus infinity where nothing is known.
    pub low: Value,
    /// No more than this; infinity where nothing is known.
    pub high: Value,
}

impl ScoreRange {
    /// Anything.
    pub(super) const UNKNOWN: Self = Self { low: Value::MINUS_INFINITE, high: Value::INFINITE };

    /// This very value.
    pub(super) const fn exactly(value: Value) -> Self {
        Self { low: value, high: value }
    }

    /// As a bound says it.
    pub(super) const fn bounded(value: Value, bound: Bound) -> Self {
        match bound {
            Bound::Exact => Self::exactly(value),
            Bound::Lower => Self { low: value, ..Self::UNKNOWN },
            Bound::Upper => Self { high: value, ..Self::UNKNOWN },
        }
    }

    /// What a search that asked between `alpha` and `beta` has shown by this answer.
    pub(super) fn from_search(value: Value, alpha: Value, beta: Value) -> Self {
        Self::bounded(value, Self::bound_from_search(value, alpha, beta))
    }

    /// Which bound the answer is.
    pub(super) fn bound_from_search(value: Value, alpha: Value, beta: Value) -> Bound {
        if value >= beta {
            Bound::Lower
        } else if value <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }

    /// Is the value known?
    pub(super) fn is_exact(self) -> bool {
        self.low == self.high
    }

    /// The side of which something is known, where it is but one number that is; of two, the lower bound.
    pub(super) fn bound(self) -> Option<(Value, Bound)> {
        if self.is_exact() {
            Some((self.low, Bound::Exact))
        } else if !self.low.is_infinite() {
            Some((self.low, Bound::Lower))
        } else if !self.high.is_infinite() {
            Some((self.high, Bound::Upper))
        } else {
            None
        }
    }

    /// The numbers that both allow; nothing but the second where they contradict each other.
    pub(super) fn and(self, later: Self) -> Self {
        let both = Self { low: self.low.max(later.low), high: self.high.min(later.high) };
        if both.low <= both.high { both } else { later }
    }

    /// As the hash table keeps it, of a node so many plies below the root.
    pub(super) fn to_table(self, ply: usize, scoring: Scoring) -> Self {
        Self { low: scoring.least_in_table(self.low, ply), high: scoring.most_in_table(self.high, ply) }
    }

    /// The inverse of [`Self::to_table`].
    pub(super) fn read_from_table(self, ply: usize, scoring: Scoring) -> Self {
        Self { low: scoring.from_table(self.low, ply), high: scoring.from_table(self.high, ply) }
    }
}

/// As the opponent sees it.
impl Neg for ScoreRange {
    type Output = Self;

    fn neg(self) -> Self {
        Self { low: -self.high, high: -self.low }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value() -> impl Strategy<Value = Value> {
        (-16_000..=16_000_i32).prop_map(Value::from_raw)
    }

    proptest! {
        #[test]
        fn what_a_window_shows_holds_the_value_from_both_sides(
            truth in value(), one in value(), other in value(),
        ) {
            let (alpha, beta) = (one.min(other), one.max(other).next_above());
            // An answer outside of the window is a bound, however far it goes.
            let answer = truth;
            let shown = ScoreRange::from_search(answer, alpha, beta);
            prop_assert!(shown.low <= truth && truth <= shown.high);
            prop_assert_eq!(shown.is_exact(), alpha < truth && truth < beta);
            let turned = ScoreRange::from_search(-answer, -beta, -alpha);
            prop_assert_eq!(turned, -shown);
            prop_assert_eq!(-turned, shown);
        }

        #[test]
        fn two_ranges_narrow_each_other(truth in value(), below in 0..99_i32, above in 0..99_i32) {
            let low = ScoreRange::bounded(Value::from_raw(truth.raw() - below), Bound::Lower);
            let high = ScoreRange::bounded(Value::from_raw(truth.raw() + above), Bound::Upper);
            let both = low.and(high);
            prop_assert!(both.low <= truth && truth <= both.high && both.is_exact() == (below + above == 0));
            prop_assert_eq!(ScoreRange::UNKNOWN.and(both), both);
            // Bounds that can't both be true: the later one stands.
            let beyond = ScoreRange::bounded(both.high.next_above(), Bound::Lower);
            prop_assert_eq!(both.and(beyond), beyond);
        }
    }
}
