//! The laboratory: what the search does beyond plain alpha-beta, each feature with a switch of its own.
//!
//! In a build with the feature `lab` every row is an option of Echo, so that a match of Echo against itself
//! prices it. Without it, [`FeatureSwitches`] is a type of no size whose only answer is yes, and the compiler drops the
//! question.

use threefold_named_enum::named_enum;

named_enum! {
    /// One feature of the search.
    pub enum Feature {
        /// Iterations begin with a narrow window around the last value.
        Aspiration = "Aspiration",
        /// Values of the hash table settle nodes.
        TableCut = "TableCut",
        /// A bound of the hash table is taken for a better static evaluation.
        TableEstimate = "TableEstimate",
        /// The static evaluation is corrected by what it was wrong by in like positions.
        Correction = "Correction",
        /// Nodes without a hash move are searched less deep.
        InternalReduction = "InternalReduction",
        /// Nodes far below the window go to the quiescence search at once.
        Razoring = "Razoring",
        /// Nodes far above the window are settled by their evaluation.
        ReverseFutility = "ReverseFutility",
        /// Nodes above the window even after passing are settled.
        NullMove = "NullMove",
        /// Nodes where a capture lands far above the window in a shallow search are settled.
        ProbCut = "ProbCut",
        /// A hash move that no other comes near is searched deeper.
        Singular = "Singular",
        /// Checks are searched deeper.
        CheckExtension = "CheckExtension",
        /// Late moves are searched less deep at first.
        LateMoveReduction = "LateMoveReduction",
        /// A reduced move is searched again deeper the better it turned out.
        Deepening = "Deepening",
        /// Late quiet moves are left out.
        LateMovePruning = "LateMovePruning",
        /// Moves that can't lift the evaluation to the window are left out.
        Futility = "Futility",
        /// Quiet moves that never worked are left out.
        HistoryPruning = "HistoryPruning",
        /// Moves that lose material are left out.
        ExchangePruning = "ExchangePruning",
        /// Captures are ordered by how well they did elsewhere, too.
        CaptureHistory = "CaptureHistory",
        /// Quiet moves are ordered by how well they did after the last moves.
        ContinuationHistory = "ContinuationHistory",
        /// Quiet moves are ordered by how well they did in this pawn structure.
        PawnHistory = "PawnHistory",
        /// At the horizon captures are followed.
        Quiescence = "Quiescence",
        /// The quiescence search leaves out captures that can't reach the window.
        DeltaPruning = "DeltaPruning",
        /// The quiescence search leaves out quiet evasions once one move holds.
        EvasionPruning = "EvasionPruning",
    }
}

/// Which features are on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FeatureSwitches {
    #[cfg(any(test, feature = "lab"))]
    off: u64,
    #[cfg(any(test, feature = "lab"))]
    census: bool,
}

impl FeatureSwitches {
    /// Every feature is on.
    pub const FULL: Self = Self {
        #[cfg(any(test, feature = "lab"))]
        off: 0,
        #[cfg(any(test, feature = "lab"))]
        census: false,
    };

    /// Nothing but alpha-beta is on.
    #[cfg(test)]
    pub(super) const PLAIN: Self = Self { off: u64::MAX, census: false };

    /// Does the search count what it meets?
    #[cfg(any(test, feature = "lab"))]
    pub const fn counts(self) -> bool {
        self.census
    }

    /// Does the search count what it meets? Never, in a build without the laboratory.
    #[cfg(not(any(test, feature = "lab")))]
    pub const fn counts(self) -> bool {
        false
    }

    /// Switches the census on or off.
    #[cfg(any(test, feature = "lab"))]
    pub(super) const fn take_census(&mut self, on: bool) {
        self.census = on;
    }

    /// Is this feature on?
    #[cfg(any(test, feature = "lab"))]
    pub const fn has(self, feature: Feature) -> bool {
        self.off >> feature as u64 & 1 == 0
    }

    /// Is this feature on? Always, in a build without the laboratory.
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
    fn each_switch_moves_its_own_feature_alone() {
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
