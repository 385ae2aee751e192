//! The areas of evaluation knowledge, which a player below full strength learns one after another.
//!
//! Every term names its area, and [`super::knowledge`] scales the terms of an area together.

use threefold_named_enum::named_enum;

named_enum! {
    /// The areas of knowledge besides material, in the order in which they are learnt.
    pub enum EvalArea {
        /// Passed pawns and their passage.
        PassedPawns = "passed pawns",
        /// Attacks on the king, and its pawn shelter.
        KingSafety = "king safety",
        /// Piece-square tables.
        Location = "piece location",
        /// Mobility, and the right to move.
        Mobility = "mobility",
        /// Pawn structure, and closed positions.
        PawnStructure = "pawn structure",
        /// Threats.
        Threats = "threats",
        /// Knights and bishops, and the pair of bishops.
        MinorPieces = "minor pieces",
        /// Rooks and queens, and imbalances.
        MajorPieces = "major pieces",
        /// Endgame knowledge.
        Endgames = "endgames",
    }
}
