//! Switches of search features beyond plain alpha-beta.
//!
//! In a build with the cargo feature `lab` every feature is an option of Echo, so that a match of Echo
//! against itself measures its Elo. Without it, [`FeatureSwitches`] is a zero-sized type that always answers
//! yes, and the compiler removes the checks.

use threefold_named_enum::named_enum;

named_enum! {
    /// One feature of the search.
    pub enum Feature {
        /// Aspiration windows: iterations begin with a narrow window around the last value.
        Aspiration = "Aspiration",
        /// Transposition table cutoffs.
        TableCut = "TableCut",
        /// A bound in the transposition table improves the static evaluation.
        TableEstimate = "TableEstimate",
        /// Correction history: the static evaluation is corrected by its past errors in similar positions.
        Correction = "Correction",
        /// Internal iterative reduction: nodes without a hash move are searched with less depth.
        InternalReduction = "InternalReduction",
        /// Razoring: nodes far below the window drop into the quiescence search.
        Razoring = "Razoring",
        /// Reverse futility pruning: nodes far above the window return their evaluation.
        ReverseFutility = "ReverseFutility",
        /// Null-move pruning.
        NullMove = "NullMove",
        /// ProbCut: nodes where a capture exceeds the window by a margin in a shallow search are cut.
        ProbCut = "ProbCut",
        /// Singular extensions of the hash move.
        Singular = "Singular",
        /// Check extensions.
        CheckExtension = "CheckExtension",
        /// Late-move reductions.
        LateMoveReduction = "LateMoveReduction",
        /// A reduced move is re-searched with a depth that depends on its value.
        Deepening = "Deepening",
        /// Late-move pruning of quiet moves.
        LateMovePruning = "LateMovePruning",
        /// Futility pruning.
        Futility = "Futility",
        /// History pruning of quiet moves.
        HistoryPruning = "HistoryPruning",
        /// Pruning of moves that lose material by static exchange evaluation.
        ExchangePruning = "ExchangePruning",
        /// Capture history.
        CaptureHistory = "CaptureHistory",
        /// Continuation history.
        ContinuationHistory = "ContinuationHistory",
        /// Pawn history.
        PawnHistory = "PawnHistory",
        /// Quiescence search.
        Quiescence = "Quiescence",
        /// Delta pruning in the quiescence search.
        DeltaPruning = "DeltaPruning",
        /// Pruning of quiet evasions in the quiescence search, once one move is not mated.
        EvasionPruning = "EvasionPruning",
    }
}

/// The set of active features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FeatureSwitches {
    #[cfg(any(test, feature = "lab"))]
    off: u64,
    #[cfg(any(test, feature = "lab"))]
    counting: bool,
}

impl FeatureSwitches {
    /// All features.
    pub const FULL: Self = Self {
        #[cfg(any(test, feature = "lab"))]
        off: 0,
        #[cfg(any(test, feature = "lab"))]
        counting: false,
    };

    /// Plain alpha-beta.
    #[cfg(test)]
    pub(super) const PLAIN: Self = Self { off: u64::MAX, counting: false };

    /// Whether the search counts events. Always false without the cargo feature `lab`.
    #[cfg(any(test, feature = "lab"))]
    pub const fn counts(self) -> bool {
        self.counting
    }

    /// Whether the search counts events. Always false without the cargo feature `lab`.
    #[cfg(not(any(test, feature = "lab")))]
    pub const fn counts(self) -> bool {
        false
    }

    /// Switches the counters on or off.
    #[cfg(any(test, feature = "lab"))]
    pub(super) const fn count_events(&mut self, on: bool) {
        self.counting = on;
    }

    /// Whether this feature is on. Always true without the cargo feature `lab`.
    #[cfg(any(test, feature = "lab"))]
    pub const fn has(self, feature: Feature) -> bool {
        self.off >> feature as u64 & 1 == 0
    }

    /// Whether this feature is on. Always true without the cargo feature `lab`.
    #[cfg(not(any(test, feature = "lab")))]
    pub const fn has(self, _: Feature) -> bool {
        true
    }

    /// Switches a feature on or off.
    #[cfg(any(test, feature = "lab"))]
    pub(super) const fn switch(&mut self, feature: Feature, on: bool) {
        let bit = 1 << feature as u64;
        self.off = if on { self.off & !bit } else { self.off | bit };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_affect_their_own_feature_only() {
        for &switched in Feature::ALL {
            let mut lab = FeatureSwitches::FULL;
            lab.switch(switched, false);
            for &feature in Feature::ALL {
                assert_eq!(lab.has(feature), feature != switched, "{feature}");
            }
            lab.switch(switched, true);
            assert_eq!(lab, FeatureSwitches::FULL);
        }
    }
}
