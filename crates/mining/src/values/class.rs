//! The classes of positions with an exact value, by the rule that decides.

use threefold_named_enum::named_enum;

named_enum! {
    /// The rule that decides the value.
    pub enum ValueClass {
        /// One ply before the fifty-move rule no move mates: every move draws.
        FiftyDrawn = "fifty-drawn",
        /// One ply before the fifty-move rule the bare king moves and draws, though a pawn could move next.
        FiftyRefuge = "fifty-refuge",
        /// Two plies before the fifty-move rule the bare king moves, and the pawn moves in time.
        FiftyNotYet = "fifty-not-yet",
        /// One ply before the fifty-move rule only a promotion wins.
        FiftyPromotion = "fifty-promotion",
        /// One ply before the fifty-move rule only a pawn's step wins.
        FiftyPawnMove = "fifty-pawn-move",
        /// One ply before the fifty-move rule only a capture wins.
        FiftyCapture = "fifty-capture",
        /// One ply before the fifty-move rule the king can castle, which is no exception: every move draws.
        FiftyCastling = "fifty-castling",
        /// Mate on the hundredth ply wins.
        FiftyMate = "fifty-mate",
        /// The bare king is mated on the hundredth ply.
        FiftyMated = "fifty-mated",
        /// The bare king draws by a third occurrence; the first is the start of the history.
        Third = "third",
        /// The bare king draws by a third occurrence; the first is twenty or more plies before.
        ThirdLong = "third-long",
        /// The bare king draws by a third occurrence; the first is right after a capture.
        ThirdAfterCapture = "third-after-capture",
        /// The bare king loses: the pieces stood so twice before, but with a castling right.
        LookAlike = "look-alike",
        /// The position is a draw by a third occurrence or the fifty-move rule already; only false mates fail.
        DrawnAlready = "drawn-already",
        /// The bare king draws by the capture of the last piece.
        LastPiece = "last-piece",
        /// The pawn is lost, or its king stalemates: a draw within a few plies.
        PawnDraw = "pawn-draw",
        /// One or two pawns on one file win, whatever is moved first.
        PawnWin = "pawn-win",
        /// A queen, a rook or a pawn wins, and one of the moves stalemates.
        StalemateNear = "stalemate-near",
        /// Two pawns on a rook's file win, whatever is moved first.
        RookPawnsWin = "rook-pawns-win",
        /// Two pawns on a rook's file only draw.
        RookPawnsDraw = "rook-pawns-draw",
        /// A bishop and a rook's pawn win, whatever is moved first: the bishop guards the square of the promotion.
        RightBishop = "right-bishop",
        /// A bishop and a rook's pawn only draw: the bishop cannot drive the king out of the corner.
        WrongBishop = "wrong-bishop",
    }
}

impl ValueClass {
    /// The endings from which its positions are drawn.
    pub(super) const fn endings(self) -> &'static [&'static str] {
        match self {
            Self::FiftyRefuge
            | Self::FiftyNotYet
            | Self::FiftyPromotion
            | Self::FiftyPawnMove
            | Self::PawnDraw => &["KPK"],
            Self::FiftyCapture => &["KQKR", "KQKN", "KRKN", "KRKB", "KQKP", "KRKP"],
            Self::PawnWin => &["KPK", "KPPK"],
            Self::StalemateNear => &["KQK", "KRK", "KPK"],
            Self::RookPawnsWin | Self::RookPawnsDraw => &["KPPK"],
            Self::RightBishop | Self::WrongBishop => &["KBPK"],
            Self::LookAlike => &["KRRK"],
            _ => &["KQK", "KRK"],
        }
    }

    /// The fifty-move counters of positions without a history.
    pub(super) const fn counters(self) -> &'static [u32] {
        match self {
            Self::FiftyNotYet | Self::FiftyMated => &[98],
            Self::DrawnAlready => &[100, 101, 120],
            Self::LastPiece
            | Self::PawnDraw
            | Self::PawnWin
            | Self::StalemateNear
            | Self::RookPawnsWin
            | Self::RookPawnsDraw
            | Self::RightBishop
            | Self::WrongBishop => &[0],
            _ => &[99],
        }
    }
}
