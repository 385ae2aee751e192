//! The causes of verdicts: why a case passed, failed, was skipped or is a fault.
//!
//! A cause applies to many cases; the verdict's detail is specific to the case. So reports group by cause,
//! and no reader has to split a text. Each verdict kind has its own type of cause, so a verdict cannot
//! contradict its cause. The names are also used in files. A suite kind that needs another cause adds a row
//! here.

use threefold_named_enum::UnknownName;
use threefold_player::FaultCause;

use super::verdict_kind::VerdictKind;

threefold_named_enum::named_enum! {
    /// Why a case passed.
    pub enum PassCause {
        /// The engine played a move that the case accepts.
        AcceptedMove = "an accepted move",
        /// It found the shortest mate, and its PV shows it.
        BestMate = "best",
        /// It claimed no mate where none is known.
        NoMateClaimed = "no mate claimed",
        /// It reported no mate that is impossible.
        NoFalseMate = "no false mate",
        /// It won a won position.
        Converted = "converted",
        /// It kept a drawn position a draw.
        Held = "held",
        /// It won a drawn position.
        Turned = "turned",
        /// It resisted long enough in a lost position.
        Lasted = "lasted",
        /// It gave the same answer every time.
        SameAnswers = "the same three times",
        /// It scored a position and its reflection alike.
        SameScore = "same score",
        /// It searched the expected number of nodes.
        SameNodes = "same nodes",
        /// It counted the right number of leaves at every depth.
        RightCounts = "right counts",
        /// It gave the move the score that follows from the rules.
        RightScore = "right score",
        /// It scored the repetition as a draw.
        Draw = "draw",
        /// It did not score the repetition as a draw.
        NoDraw = "no draw",
        /// Its move stayed right with any content of the hash table.
        Clean = "clean",
        /// Its best move came with a legal move to ponder on.
        PonderMove = "ponder move",
        /// It did not lose on time in the whole game.
        InTime = "in time",
        /// It met the clause of the protocol.
        ClauseMet = "clause met",
        /// Nothing went wrong in the whole game.
        NoFault = "no fault",
        /// The stronger level scored as much as it should.
        InBounds = "within bounds",
        /// It searched to the required depth.
        DepthReached = "depth reached",
        /// It needed no more nodes than allowed for its depth.
        WithinNodes = "within the nodes",
        /// Its search counted every repetition correctly.
        RightRepetitions = "right repetitions",
        /// It was only measured; nothing was required.
        Measured = "measured",
        /// An earlier version recorded it without a cause.
        Unclassified = "unclassified",
    }
}

threefold_named_enum::named_enum! {
    /// Why a case failed.
    pub enum FailCause {
        /// The game's history misled the engine, or the engine does not see it.
        History = "history",
        /// It fails without the history, too.
        Strength = "strength",
        /// A second search does not show why it fails.
        Unsorted = "unsorted",
        /// Its move scores no points.
        NoPoint = "no point",
        /// Its move scores part of the points.
        InPart = "in part",
        /// It played another move than the required one, or than the first move of its PV.
        AnotherMove = "another move",
        /// It reported a mate for the side that is mated.
        WrongMate = "wrong mates",
        /// It reported a mate in 0 moves, or in more moves than any engine reports.
        InvalidMate = "invalid mate scores",
        /// It reported a mate where none is known.
        UnexpectedMate = "unexpected mates",
        /// It reported a shorter mate than the proven one.
        BetterMate = "better mates",
        /// It reported a tablebase win for the side that is mated.
        WrongTablebaseScore = "wrong TB scores",
        /// It reported a tablebase win where no mate is known.
        UnexpectedTablebaseScore = "unexpected TB scores",
        /// Its principal variation does not show the mate.
        BadPv = "bad PVs",
        /// It found no mate.
        Missed = "missed",
        /// It found a longer mate than the shortest.
        Longer = "longer",
        /// The game ended in a draw that it should have won.
        Drawn = "drawn",
        /// It lost the win or the draw.
        GivenAway = "given away",
        /// It was mated sooner than required.
        MatedTooSoon = "mated too soon",
        /// It answered differently after a new game.
        DiffersAfterNewGame = "differs after a new game",
        /// A second process of it answered differently.
        DiffersBetweenPlayers = "differs with another player",
        /// It scored the reflection of a position differently.
        OtherScore = "other score",
        /// It searched another number of nodes than expected.
        OtherNodes = "other nodes",
        /// It printed no count of nodes in time.
        NoNodeCount = "no node count",
        /// It searched other numbers of nodes in other runs.
        RunsDiffer = "runs differ",
        /// It counted a wrong number of leaves.
        WrongCount = "wrong count",
        /// It gave the move another score than follows from the rules.
        WrongScore = "wrong score",
        /// It scored the repetition as a draw, which it is not by the rules.
        Draw = "draw",
        /// It did not score the repetition as a draw, which it is.
        NoDraw = "no draw",
        /// It wrote castling in another notation than the position requires.
        WrongNotation = "wrong notation",
        /// The content of the hash table changed its right answer.
        Polluted = "polluted",
        /// Its best move came without a legal move to ponder on.
        NoPonderMove = "no ponder move",
        /// It replied later than its time limit.
        Late = "late",
        /// It lost a game on time, and lost it again when the game was repeated.
        LostOnTime = "lost on time",
        /// It used less of its time than required.
        Idle = "idle",
        /// It spread its time over the moves more unevenly than allowed.
        Uneven = "uneven",
        /// A move exceeded its own limit by more than allowed.
        Overrun = "overrun",
        /// It reported no nodes, which its clock needs.
        NoNodes = "no nodes reported",
        /// It searched less deep than required.
        TooShallow = "too shallow",
        /// It searched deeper than required.
        TooDeep = "too deep",
        /// It did something else than a clause of the protocol requires.
        ProtocolViolated = "protocol violated",
        /// It used up its nodes before it reached the required depth.
        Explosion = "search explosion",
        /// Its search did not see a repetition.
        Overlooked = "repetitions overlooked",
        /// Its search saw a repetition that does not exist.
        Imagined = "repetitions imagined",
        /// Its search matched the wrong earlier position.
        Misplaced = "repetitions misplaced",
        /// The stronger level scored too little.
        TooLittle = "too little",
        /// The stronger level scored too much.
        TooMuch = "too much",
        /// An earlier version recorded it without a cause.
        Unclassified = "unclassified",
    }
}

threefold_named_enum::named_enum! {
    /// Why a case was skipped.
    pub enum SkipCause {
        /// The engine lacks a feature that the case needs.
        NotSupported = "not supported",
        /// The engine searched far beyond the node limit, so the harness ended the search, at a moment that varies.
        LimitNotKept = "limit not kept",
        /// A busy machine delayed the engine by at least as much as it was late.
        BusyMachine = "busy machine",
        /// Its answers fit both policies.
        Inconclusive = "inconclusive",
        /// It reported no score.
        NoScore = "no score reported",
        /// It reported no depth.
        NoDepth = "no depth reported",
        /// It reported no nodes.
        NoNodes = "no nodes reported",
        /// Nothing is known to compare the answer with.
        NoReference = "nothing to compare with",
        /// Its answer was wrong even with an empty hash table.
        NothingToSpoil = "nothing to spoil",
        /// It gave no answer in time, which another case judges, so there is nothing to judge.
        NoAnswer = "no answer in time",
        /// It failed in one attempt or search, and not in another.
        Flaky = "flaky",
        /// It crashed in one attempt, and answered in the others.
        CrashedOnce = "crashed once",
        /// The plan leaves the case out.
        LeftOut = "left out",
        /// No count of the case is within the suite's limits.
        OutOfLimits = "nothing within the limits",
        /// An earlier version recorded it without a cause.
        Unclassified = "unclassified",
    }
}

/// The cause of a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// Why it passed.
    Passed(PassCause),
    /// Why it failed.
    Failed(FailCause),
    /// Why it was skipped.
    Skipped(SkipCause),
    /// What the engine did wrong.
    Fault(FaultCause),
}

impl Cause {
    /// Did the engine answer the same question differently? Then a difference from another run may be chance.
    pub const fn shows_nondeterminism(self) -> bool {
        matches!(self, Self::Failed(FailCause::DiffersAfterNewGame | FailCause::DiffersBetweenPlayers))
    }

    /// The kind of verdict that it belongs to.
    pub const fn kind(self) -> VerdictKind {
        match self {
            Self::Passed(_) => VerdictKind::Passed,
            Self::Failed(_) => VerdictKind::Failed,
            Self::Skipped(_) => VerdictKind::Skipped,
            Self::Fault(_) => VerdictKind::Fault,
        }
    }

    /// Every cause of a verdict kind.
    pub fn with_kind(kind: VerdictKind) -> Box<dyn Iterator<Item = Self>> {
        match kind {
            VerdictKind::Passed => Box::new(PassCause::ALL.iter().copied().map(Self::Passed)),
            VerdictKind::Failed => Box::new(FailCause::ALL.iter().copied().map(Self::Failed)),
            VerdictKind::Skipped => Box::new(SkipCause::ALL.iter().copied().map(Self::Skipped)),
            VerdictKind::Fault => Box::new(FaultCause::ALL.iter().copied().map(Self::Fault)),
        }
    }

    /// Its name in files and reports, unique within its verdict kind.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Passed(cause) => cause.name(),
            Self::Failed(cause) => cause.name(),
            Self::Skipped(cause) => cause.name(),
            Self::Fault(cause) => cause.name(),
        }
    }

    /// Its meaning, in one sentence.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Passed(cause) => cause.summary(),
            Self::Failed(cause) => cause.summary(),
            Self::Skipped(cause) => cause.summary(),
            Self::Fault(cause) => cause.summary(),
        }
    }

    /// The cause with this name among those of a verdict kind.
    pub fn named(kind: VerdictKind, name: &str) -> Result<Self, UnknownName> {
        match kind {
            VerdictKind::Passed => name.parse().map(Self::Passed),
            VerdictKind::Failed => name.parse().map(Self::Failed),
            VerdictKind::Skipped => name.parse().map(Self::Skipped),
            VerdictKind::Fault => name.parse().map(Self::Fault),
        }
    }

    /// The cause of a verdict that an earlier version recorded without one.
    pub const fn unclassified(kind: VerdictKind) -> Self {
        match kind {
            VerdictKind::Passed => Self::Passed(PassCause::Unclassified),
            VerdictKind::Failed => Self::Failed(FailCause::Unclassified),
            VerdictKind::Skipped => Self::Skipped(SkipCause::Unclassified),
            VerdictKind::Fault => Self::Fault(FaultCause::Unclassified),
        }
    }

    /// The cause with a detail, in one line: `longer: #5 instead of #3`. An unclassified detail is given as
    /// it is.
    pub fn with_detail(self, detail: &str) -> String {
        let is_unclassified = self == Self::unclassified(self.kind());
        match detail {
            "" => self.name().to_owned(),
            detail if is_unclassified => detail.to_owned(),
            detail => format!("{}: {detail}", self.name()),
        }
    }
}

impl From<PassCause> for Cause {
    fn from(cause: PassCause) -> Self {
        Self::Passed(cause)
    }
}

impl From<FailCause> for Cause {
    fn from(cause: FailCause) -> Self {
        Self::Failed(cause)
    }
}

impl From<SkipCause> for Cause {
    fn from(cause: SkipCause) -> Self {
        Self::Skipped(cause)
    }
}

impl From<FaultCause> for Cause {
    fn from(cause: FaultCause) -> Self {
        Self::Fault(cause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_parse_back_with_their_verdict() {
        for (kind, cause) in
            VerdictKind::ALL.iter().flat_map(|&kind| Cause::with_kind(kind).map(move |cause| (kind, cause)))
        {
            assert_eq!(cause.kind(), kind);
            assert_eq!(Cause::named(kind, cause.name()), Ok(cause));
            assert!(cause.summary().ends_with('.'), "{cause:?}");
            // The name is at the start of a line and ends before a colon.
            assert!(!cause.name().contains([':', ';']), "{cause:?}");
        }
        assert!(Cause::named(VerdictKind::Passed, "missed").is_err(), "a cause belongs to one kind");
        assert!(Cause::named(VerdictKind::Failed, "an accepted move").is_err());
    }

    #[test]
    fn reason_has_cause_and_detail() {
        let longer = Cause::from(FailCause::Longer);
        assert_eq!(longer.with_detail("#5 instead of #3"), "longer: #5 instead of #3");
        assert_eq!(longer.with_detail(""), "longer");
        let old = Cause::unclassified(VerdictKind::Failed);
        assert_eq!(
            (old.with_detail("by an old text").as_str(), old.with_detail("").as_str()),
            ("by an old text", "unclassified")
        );
    }
}
