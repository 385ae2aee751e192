//! The faults that can be injected between the harness and a player.

use threefold_named_enum::named_enum;

named_enum! {
    /// A known fault of an engine's interface. What the engine itself computes stays sound.
    pub enum BorderFault {
        /// The position is sent without the moves that led to it.
        ForgetHistory = "ForgetHistory",
        /// The moves are left out for games that do not begin at the usual start position.
        HistoryLostWithFen = "HistoryLostWithFen",
        /// The fifty-move counter of the start position is sent as zero.
        FiftyMoveCounterLost = "FiftyMoveCounterLost",
        /// A search to depth N is asked for as one to depth N - 1.
        DepthShort = "DepthShort",
        /// `searchmoves` is not passed on.
        SearchMovesIgnored = "SearchMovesIgnored",
        /// Both clocks are sent ten times too long.
        ClockInWrongUnit = "ClockInWrongUnit",
        /// The two sides' clocks are sent the wrong way round.
        OpponentsClock = "OpponentsClock",
        /// Increments are not passed on.
        IncrementIgnored = "IncrementIgnored",
        /// `movestogo` is not passed on.
        MovesToGoIgnored = "MovesToGoIgnored",
        /// The move overhead is ignored: the mover's clock is sent 10 ms too high, and `Move Overhead` is
        /// sent as 0 to Echo and to any engine whose spec sets it.
        OverheadIgnored = "OverheadIgnored",
        /// Options are not passed on.
        OptionsIgnored = "OptionsIgnored",
        /// `UCI_LimitStrength` and `UCI_Elo` are not passed on.
        StrengthIgnored = "StrengthIgnored",
        /// `ucinewgame` is not passed on: what the engine remembers of a game affects the next.
        NewGameIgnored = "NewGameIgnored",
        /// A legal move other than the best one is played.
        OtherMovePlayed = "OtherMovePlayed",
        /// The move played is illegal.
        IllegalMovePlayed = "IllegalMovePlayed",
        /// Reported principal variations end with an illegal move.
        PvIllegal = "PvIllegal",
        /// Reported principal variations are cut after their first move.
        PvTruncated = "PvTruncated",
        /// The move to ponder on is not passed on.
        PonderMoveLost = "PonderMoveLost",
        /// Mates are reported for the other side.
        MateSignFlipped = "MateSignFlipped",
        /// Mates are reported in plies instead of moves.
        MateInPlies = "MateInPlies",
        /// Scores are reported from White's view.
        ScoreFromWhite = "ScoreFromWhite",
        /// Leaves are counted to depth N - 1 instead of N.
        PerftShort = "PerftShort",
    }
}
