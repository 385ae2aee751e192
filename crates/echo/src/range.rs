//! A range of scores: what is known of a value.

use std::ops::Neg;

use super::scoring::Scoring;
use super::value::Value;
use threefold_chess::score::Bound;

/// A lower and an upper bound of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ScoreRange {
    /// The lower bound; minus infinity if unknown.
    pub low: Value,
    /// The upper bound; infinity if unknown.
    pub high: Value,
}

impl ScoreRange {
    /// The unknown range.
    pub(super) const UNKNOWN: Self = Self { low: Value::MINUS_INFINITE, high: Value::INFINITE };

    /// An exact value.
    pub(super) const fn exactly(value: Value) -> Self {
        Self { low: value, high: value }
    }

    /// The range of a bound.
    pub(super) const fn bounded(value: Value, bound: Bound) -> Self {
        match bound {
            Bound::Exact => Self::exactly(value),
            Bound::Lower => Self { low: value, ..Self::UNKNOWN },
            Bound::Upper => Self { high: value, ..Self::UNKNOWN },
        }
    }

    /// The range shown by the result of a search with this window.
    pub(super) fn from_search(value: Value, alpha: Value, beta: Value) -> Self {
        Self::bounded(value, Self::bound_from_search(value, alpha, beta))
    }

    /// The bound type of the result.
    pub(super) fn bound_from_search(value: Value, alpha: Value, beta: Value) -> Bound {
        if value >= beta {
            Bound::Lower
        } else if value <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }

    /// Whether the value is exact.
    pub(super) fn is_exact(self) -> bool {
        self.low == self.high
    }

    /// The value and bound type, if one bound is known; the lower bound if both are.
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

    /// The intersection; the second range if they contradict each other.
    pub(super) fn and(self, later: Self) -> Self {
        let both = Self { low: self.low.max(later.low), high: self.high.min(later.high) };
        if both.low <= both.high { both } else { later }
    }

    /// Converts mate distances for the hash table, from a node at this ply.
    pub(super) fn to_table(self, ply: usize, scoring: Scoring) -> Self {
        Self { low: scoring.least_in_table(self.low, ply), high: scoring.most_in_table(self.high, ply) }
    }

    /// The inverse of [`Self::to_table`].
    pub(super) fn read_from_table(self, ply: usize, scoring: Scoring) -> Self {
        Self { low: scoring.from_table(self.low, ply), high: scoring.from_table(self.high, ply) }
    }
}

/// From the opponent's side.
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
        fn range_from_search_contains_the_value(
            truth in value(), one in value(), other in value(),
        ) {
            let (alpha, beta) = (one.min(other), one.max(other).next_above());
            // A result outside the window is a bound.
            let answer = truth;
            let shown = ScoreRange::from_search(answer, alpha, beta);
            prop_assert!(shown.low <= truth && truth <= shown.high);
            prop_assert_eq!(shown.is_exact(), alpha < truth && truth < beta);
            let turned = ScoreRange::from_search(-answer, -beta, -alpha);
            prop_assert_eq!(turned, -shown);
            prop_assert_eq!(-turned, shown);
        }

        #[test]
        fn ranges_intersect(truth in value(), below in 0..99_i32, above in 0..99_i32) {
            let low = ScoreRange::bounded(Value::from_raw(truth.raw() - below), Bound::Lower);
            let high = ScoreRange::bounded(Value::from_raw(truth.raw() + above), Bound::Upper);
            let both = low.and(high);
            prop_assert!(both.low <= truth && truth <= both.high && both.is_exact() == (below + above == 0));
            prop_assert_eq!(ScoreRange::UNKNOWN.and(both), both);
            // For contradictory bounds the later one is used.
            let beyond = ScoreRange::bounded(both.high.next_above(), Bound::Lower);
            prop_assert_eq!(both.and(beyond), beyond);
        }
    }
}
