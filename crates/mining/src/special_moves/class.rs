//! The classes of positions that castling, en passant captures, promotions and check evasions decide.

use shakmaty::CastlingMode;
use threefold_named_enum::named_enum;

named_enum! {
    /// The special move, and what depends on it.
    pub enum SpecialMove {
        /// Only castling mates at once.
        Castling = "castling",
        /// Only castling mates at once; the game has lost the other right.
        CastlingOneRight = "castling-one-right",
        /// Castling out of check or through an attacked square would mate, but is illegal.
        CastlingAttacked = "castling-attacked",
        /// Castling would mate, but its king or rook has moved before or the rook was captured.
        CastlingLost = "castling-lost",
        /// Only an en passant capture mates at once.
        EnPassant = "en-passant",
        /// An en passant capture is the only legal move.
        EnPassantEvasion = "en-passant-evasion",
        /// A check that only an en passant capture answers is no mate.
        EnPassantAnswer = "en-passant-answer",
        /// The only mate in one is a double step: the pawn that could capture it is pinned.
        EnPassantPinned = "en-passant-pinned",
        /// An en passant capture would mate, but it comes a move too late.
        EnPassantExpired = "en-passant-expired",
        /// Only a promotion to a queen mates at once.
        QueenPromotion = "promotion-queen",
        /// Only a promotion to a knight mates at once.
        KnightPromotion = "promotion-knight",
        /// Only a capture that promotes to a knight mates at once.
        KnightPromotionByCapture = "promotion-knight-capture",
        /// Only a promotion out of check mates at once.
        PromotionEvasion = "promotion-evasion",
        /// A check that only promotions answer is no mate.
        PromotionAnswer = "promotion-answer",
        /// Only the piece that a pawn has just become mates at once; it is no queen.
        PromotedPiece = "promoted-piece",
        /// In double check only a king's move is legal, though a checking piece is attacked.
        DoubleCheck = "double-check",
        /// Two pawns can capture en passant, and only one of the captures mates at once.
        EnPassantOfTwo = "en-passant-of-two",
        /// Chess960: only castling mates at once.
        Castling960 = "960-castling",
        /// Chess960: only castling mates at once; the king goes away from where its rook was.
        KingAway = "960-king-away",
        /// Chess960: only castling mates at once; the king stays on its square.
        KingStays = "960-king-stays",
        /// Chess960: only castling mates at once; the rook stays on its square.
        RookStays = "960-rook-stays",
        /// Chess960: only castling mates at once; king and rook are neighbours.
        Neighbours = "960-neighbours",
        /// Chess960: only castling mates at once; another rook of this side stands outside of the castling rook.
        InnerRook = "960-inner-rook",
        /// Chess960: only castling mates at once; an opponent's rook stands outside of the castling rook.
        OpponentsRook = "960-opponents-rook",
        /// Chess960: only castling mates at once, from the squares of normal chess; the other castling rook is elsewhere.
        HomeSquares = "960-home-squares",
        /// Chess960: castling out of check or through an attacked square would mate, but is illegal.
        Attacked960 = "960-attacked",
        /// Chess960: castling would mate, but its rook shields the king from a check along the rank.
        ShieldingRook = "960-shielding-rook",
        /// Chess960: only the rook that has just castled mates at once.
        CastledRook = "960-castled-rook",
        /// Chess960: only a rook mates at once whose king has just stepped to the square where castling would take it.
        SteppedKing = "960-stepped-king",
    }
}

/// How the special move decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    /// It is the only mate in one.
    OnlyMate,
    /// It is the only legal move.
    OnlyMove,
    /// With it, or without it, there would be a mate in one, and there is none.
    NoMate,
}

impl SpecialMove {
    /// The rules of castling, and its notation. The classes of Chess960 are the last ones.
    pub(super) const fn castling(self) -> CastlingMode {
        CastlingMode::from_chess960(self as u8 >= Self::Castling960 as u8)
    }

    pub(super) const fn decision(self) -> Decision {
        match self {
            Self::EnPassantEvasion | Self::DoubleCheck => Decision::OnlyMove,
            Self::CastlingAttacked
            | Self::CastlingLost
            | Self::EnPassantAnswer
            | Self::EnPassantExpired
            | Self::PromotionAnswer
            | Self::Attacked960
            | Self::ShieldingRook => Decision::NoMate,
            _ => Decision::OnlyMate,
        }
    }
}
