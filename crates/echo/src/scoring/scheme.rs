//! The scoring schemes of mates, draws and evaluations.

use threefold_named_enum::named_enum;

named_enum! {
    /// The scheme of mate distances.
    pub enum MateScore {
        /// Plies from the root; in the hash table from the node.
        PlyAdjusted = "PlyAdjusted",
        /// A value below the static one is a point better for every move of delay (micro-Max).
        DelayedLoss = "DelayedLoss",
    }
}

named_enum! {
    /// The value of draws.
    pub enum DrawScore {
        /// Zero.
        Zero = "Zero",
        /// Negative for the searching side, by the option `Contempt`.
        Contempt = "Contempt",
        /// Increasing with its distance, but less than any evaluation (Cray Blitz).
        CrayBlitz = "CrayBlitz",
    }
}

named_enum! {
    /// The arithmetic of the evaluation.
    pub enum EvalArithmetic {
        /// Integers.
        Fixed = "Fixed",
        /// 32-bit floating point.
        Float = "Float",
    }
}

named_enum! {
    /// The granularity of evaluations.
    pub enum EvalGrain {
        /// To the centipawn.
        One = "1",
        /// To 2 centipawns.
        Two = "2",
        /// To 4 centipawns.
        Four = "4",
        /// To 8 centipawns.
        Eight = "8",
        /// To 16 centipawns.
        Sixteen = "16",
    }
}

impl EvalGrain {
    /// The step in centipawns.
    pub const fn centipawns(self) -> i32 {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
            Self::Eight => 8,
            Self::Sixteen => 16,
        }
    }

    /// The nearest multiple; halves are rounded away from 0.
    pub const fn round(self, centipawns: i32) -> i32 {
        let grain = self.centipawns();
        if grain == 1 {
            return centipawns;
        }
        // By magnitude, so that swapped colours give the opposite sign: a shift would round negative numbers
        // down.
        centipawns.signum() * ((centipawns.abs() + grain / 2) / grain) * grain
    }
}
