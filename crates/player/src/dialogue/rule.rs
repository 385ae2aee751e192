//! Rules of the output of a search.

threefold_named_enum::named_enum! {
    /// A rule of the output of a search.
    pub enum OutputRule {
        /// `bestmove` has a legal move, or none exactly where no move is legal.
        BestMove = "best-move",
        /// The ponder move is legal after the best move.
        PonderMove = "ponder-move",
        /// Nothing about a search comes between `bestmove` and the next `go`.
        LateOutput = "late-output",
        /// Every move of a principal variation is legal.
        LegalPv = "legal-pv",
        /// Moves are written as UCI requires: lower case, the letter of a promotion, castling.
        MoveNotation = "move-notation",
        /// No principal variation goes on after a draw by repetition or the fifty-move rule.
        PvEnd = "pv-end",
        /// The best move begins the last principal variation.
        PvStart = "pv-start",
        /// A mate score agrees with the mate that its principal variation shows, and is not written in centipawns.
        MateScore = "mate-score",
        /// No score says that a side is mated that has a legal move.
        Mated = "mated",
        /// A search that ends within an iteration does not show the line of the one before with its depth.
        SearchedDepth = "searched-depth",
        /// Depth, nodes and time do not run backwards, and no number is out of its range.
        Counters = "counters",
        /// The speed that a line shows (`nps`) is that of its nodes and its time, within a factor of two.
        Nps = "nps",
        /// With `MultiPV` there are as many lines as moves allow, with different moves, the best first.
        Lines = "lines",
        /// Claimed chances (`wdl`) are three numbers that sum to 1000, and favour the side that the score favours.
        Wdl = "wdl",
        /// Between `go` and `bestmove` there is no line that UCI does not define.
        Words = "words",
        /// One space stands between two words of a line: some programs split lines at each space.
        Spaces = "spaces",
    }
}

impl OutputRule {
    /// The rules of every dialogue. What breaks them ends a game.
    pub const BASIC: [Self; 3] = [Self::BestMove, Self::PonderMove, Self::LateOutput];

    /// With several searches: if no more than this number break it, it is flaky, and not broken. Where that depends on what a
    /// search happens to see, a single one may be chance, since another version of the engine sees something else.
    pub const fn most_flaky(self) -> usize {
        match self {
            Self::LegalPv | Self::PvEnd | Self::PvStart | Self::MateScore => 1,
            // Engines with this fault show it in a sixth of such searches and more, and others in none. In between is chance.
            Self::SearchedDepth => 3,
            _ => 0,
        }
    }
}
