//! What is wrong with a game of a file, and whether it counts all the same.

threefold_named_enum::named_enum! {
    /// What is wrong.
    pub enum IssueKind {
        /// The game has no result yet, `*`.
        Unfinished = "unfinished",
        /// The tag `Result` says one thing, the end of the moves another.
        Contradictory = "contradictory",
        /// The result is none that chess has.
        UnknownResult = "unknown-result",
        /// White or Black has no name.
        MissingPlayer = "missing-player",
        /// White and Black are the same.
        SamePlayer = "same-player",
        /// The moves break off without a result.
        BrokenOff = "broken-off",
        /// A tag that matters has no closing quote, or a quote too many.
        DamagedTag = "damaged-tag",
        /// A name is not UTF-8; it was read as Latin-1, PGN's older encoding.
        Encoding = "encoding",
        /// There are no moves; the tag `Result` alone was believed.
        NoMoves = "no-moves",
        /// There is no tag `Result`; the end of the moves alone was believed.
        NoResultTag = "no-result-tag",
        /// Text that belongs to no game.
        StrayText = "stray-text",
        /// The file can't be read to its end.
        Torn = "torn",
    }
}

/// What a complaint means for the game it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consequence {
    /// The game is set aside.
    SetAside,
    /// The game counts; somebody should look.
    Counted,
    /// It is about no game at all.
    NoGame,
}

impl IssueKind {
    /// What becomes of the game.
    pub const fn consequence(self) -> Consequence {
        match self {
            Self::Unfinished
            | Self::Contradictory
            | Self::UnknownResult
            | Self::MissingPlayer
            | Self::SamePlayer
            | Self::BrokenOff
            | Self::DamagedTag => Consequence::SetAside,
            Self::Encoding | Self::NoMoves | Self::NoResultTag => Consequence::Counted,
            Self::StrayText | Self::Torn => Consequence::NoGame,
        }
    }
}

/// Something wrong in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PgnIssue {
    /// What.
    pub reason: IssueKind,
    /// The game, from 1; for what belongs to no game, the one before it, or 0.
    pub game: u64,
    /// The line on which the game, or the text, begins, from 1.
    pub line: u64,
    /// In words.
    pub what: String,
}
