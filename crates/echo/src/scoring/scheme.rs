//! The schemes to choose from: of mates, of draws, and of how fine a judgement is.

use threefold_named_enum::named_enum;

named_enum! {
    /// How a mate counts its distance.
    pub enum MateScore {
        /// In plies from the root; what the hash table keeps counts from the node.
        PlyAdjusted = "PlyAdjusted",
        /// Whatever is worse than standing still is a point better for every move that it is put off (micro-Max).
        DelayedLoss = "DelayedLoss",
    }
}

named_enum! {
    /// What a draw is worth.
    pub enum DrawScore {
        /// Nothing.
        Zero = "Zero",
        /// Less than nothing to the side that thinks, by the option `Contempt`.
        Contempt = "Contempt",
        /// The more the later it comes, and never as much as a judgement (Cray Blitz).
        CrayBlitz = "CrayBlitz",
    }
}

named_enum! {
    /// What the evaluation computes with.
    pub enum EvalArithmetic {
        /// Whole numbers.
        Fixed = "Fixed",
        /// 32-bit floating point.
        Float = "Float",
    }
}

named_enum! {
    /// How fine a judgement is.
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
    /// Centipawns between two judgements.
    pub const fn centipawns(self) -> i32 {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
            Self::Eight => 8,
            Self::Sixteen => 16,
        }
    }

    /// The nearest judgement; halfway it is the one further from nothing, on both sides.
    pub const fn round(self, centipawns: i32) -> i32 {
        let grain = self.centipawns();
        if grain == 1 {
            return centipawns;
        }
        centipawns.signum() * ((centipawns.abs() + grain / 2) / grain) * grain
    }
}
