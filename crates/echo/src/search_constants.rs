//! Constants of the search that games can tune.
//!
//! In a build with the cargo feature `lab` every one is an option of Echo, so that `threefold tune` can move
//! it. Without it, [`SearchConstants`] is a zero-sized type that always answers the default, and the compiler
//! removes the question.

use threefold_named_enum::named_enum;

named_enum! {
    /// A constant of the search.
    pub enum SearchConstant {
        /// Margin of razoring, in centipawns.
        RazoringBase = "RazoringBase",
        /// Margin of razoring for each square of the depth, in centipawns.
        RazoringMargin = "RazoringMargin",
        /// Margin of reverse futility pruning per ply, in centipawns.
        ReverseFutilityMargin = "ReverseFutilityMargin",
        /// Centipawns above beta that reduce a null-move search by another ply.
        NullMoveSurplus = "NullMoveSurplus",
        /// Margin above beta of ProbCut, in centipawns.
        ProbCutMargin = "ProbCutMargin",
        /// Margin by which a singular move is extended twice, in centipawns.
        DoubleExtensionMargin = "DoubleExtensionMargin",
        /// Half of the first aspiration window, in centipawns.
        AspirationMargin = "AspirationMargin",
        /// Margin of futility pruning, in centipawns.
        FutilityBase = "FutilityBase",
        /// Margin of futility pruning per ply, in centipawns.
        FutilityMargin = "FutilityMargin",
        /// Margin of futility pruning of captures, in centipawns.
        CaptureFutilityBase = "CaptureFutilityBase",
        /// Margin of futility pruning of captures per ply, in centipawns.
        CaptureFutilityMargin = "CaptureFutilityMargin",
        /// History score per ply below zero under which quiet moves are pruned.
        HistoryMargin = "HistoryMargin",
        /// Loss of a quiet move that is still searched for each square of the depth, in centipawns.
        QuietExchangeMargin = "QuietExchangeMargin",
        /// Loss of a capture that is still searched per ply, in centipawns.
        CaptureExchangeMargin = "CaptureExchangeMargin",
    }
}

impl SearchConstant {
    /// The value, and the smallest and the largest that a tune may try.
    pub const fn range(self) -> [i32; 3] {
        match self {
            Self::RazoringBase => [189, 0, 600],
            Self::RazoringMargin => [103, 0, 400],
            Self::ReverseFutilityMargin => [54, 20, 250],
            Self::NullMoveSurplus => [166, 50, 500],
            Self::ProbCutMargin => [155, 50, 500],
            Self::DoubleExtensionMargin => [26, 0, 100],
            Self::AspirationMargin => [17, 4, 60],
            Self::FutilityBase => [99, 0, 400],
            Self::FutilityMargin => [74, 20, 250],
            Self::CaptureFutilityBase => [185, 0, 600],
            Self::CaptureFutilityMargin => [210, 40, 500],
            Self::HistoryMargin => [3_252, 1_000, 15_000],
            Self::QuietExchangeMargin => [32, 4, 90],
            Self::CaptureExchangeMargin => [83, 20, 300],
        }
    }
}

/// The constants of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SearchConstants {
    /// The values less the defaults.
    #[cfg(any(test, feature = "lab"))]
    changes: [i32; SearchConstant::ALL.len()],
}

impl SearchConstants {
    /// The defaults.
    pub const USUAL: Self = Self {
        #[cfg(any(test, feature = "lab"))]
        changes: [0; SearchConstant::ALL.len()],
    };

    /// A constant. Always the default without the cargo feature `lab`.
    #[cfg(any(test, feature = "lab"))]
    pub const fn get(&self, constant: SearchConstant) -> i32 {
        constant.range()[0] + self.changes[constant as usize]
    }

    /// A constant. Always the default without the cargo feature `lab`.
    #[cfg(not(any(test, feature = "lab")))]
    pub const fn get(&self, constant: SearchConstant) -> i32 {
        constant.range()[0]
    }

    /// Changes a constant.
    #[cfg(any(test, feature = "lab"))]
    pub(super) const fn set(&mut self, constant: SearchConstant, value: i32) {
        self.changes[constant as usize] = value - constant.range()[0];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_change_one_by_one_and_have_room_on_both_sides() {
        for &changed in SearchConstant::ALL {
            let [usual, least, most] = changed.range();
            assert!(least < usual && usual < most, "{changed}");
            let mut constants = SearchConstants::USUAL;
            constants.set(changed, most);
            for &constant in SearchConstant::ALL {
                let expected = if constant == changed { most } else { constant.range()[0] };
                assert_eq!(constants.get(constant), expected, "{constant}");
            }
        }
    }
}
