//! Problems of the games in a PGN file, and whether the game counts nevertheless.

threefold_named_enum::named_enum! {
    /// What is wrong.
    pub enum IssueKind {
        /// The game has no result yet, `*`.
        Unfinished = "unfinished",
        /// The tag `Result` and the end of the moves disagree.
        Contradictory = "contradictory",
        /// The result is not a result of chess.
        UnknownResult = "unknown-result",
        /// White or Black has no name.
        MissingPlayer = "missing-player",
        /// White and Black are the same player.
        SamePlayer = "same-player",
        /// The tag `Variant` names another game than chess or Chess960.
        OtherVariant = "other-variant",
        /// The moves end without a result, and the tag `Result` has one: the file may have been cut off. Reported only if such
        /// games are ignored.
        BrokenOff = "broken-off",
        /// A tag that decides whether or how the game counts, such as a name or the result, has a missing or an extra quote.
        DamagedTag = "damaged-tag",
        /// A move of the game is illegal, or can't be read.
        IllegalMove = "illegal-move",
        /// A name is not UTF-8; it was read as Latin-1, PGN's older encoding.
        Encoding = "encoding",
        /// There are no moves; the tag `Result` was used.
        NoMoves = "no-moves",
        /// The moves end without a result, and such games count: the tag `Result` was used.
        NoResultToken = "no-result-token",
        /// There is no tag `Result`; the end of the moves was used.
        NoResultTag = "no-result-tag",
        /// Text outside of any game.
        StrayText = "stray-text",
        /// The file cannot be read to its end.
        Unreadable = "unreadable",
    }
}

/// Whether the game with the issue counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consequence {
    /// The game is left out.
    Excluded,
    /// The game counts; the issue is a warning.
    Counted,
    /// The issue concerns no game.
    NoGame,
}

impl IssueKind {
    /// Whether the game counts.
    pub const fn consequence(self) -> Consequence {
        match self {
            Self::Unfinished
            | Self::Contradictory
            | Self::UnknownResult
            | Self::MissingPlayer
            | Self::SamePlayer
            | Self::OtherVariant
            | Self::BrokenOff
            | Self::DamagedTag
            | Self::IllegalMove => Consequence::Excluded,
            Self::Encoding | Self::NoMoves | Self::NoResultToken | Self::NoResultTag => Consequence::Counted,
            Self::StrayText | Self::Unreadable => Consequence::NoGame,
        }
    }
}

/// A problem in a PGN file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PgnIssue {
    /// What is wrong with the game.
    pub reason: IssueKind,
    /// The number of the game, from 1. For text outside of games: that of the game before it, or 0. For the unreadable rest of a
    /// file: 0.
    pub game: u64,
    /// The line where the game or the text begins, from 1; 1 for the unreadable rest of a file.
    pub line: u64,
    /// The text of the problem, for people.
    pub what: String,
}
