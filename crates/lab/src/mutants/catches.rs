//! The suite that should catch each bug, and the causes that name it.

#[cfg_attr(not(test), expect(clippy::enum_glob_use, reason = "the table below names every bug"))]
use threefold_echo::mutants::Mutant::{self, *};
#[cfg_attr(not(test), expect(clippy::enum_glob_use, reason = "the table below names every fault"))]
use threefold_player::BorderFault::{self, *};
use threefold_player::FaultCause;
use threefold_suites::{Cause, FailCause};

use super::Bug;

/// A suite that should catch a bug.
#[derive(Debug, Clone, Copy)]
pub struct Catch {
    /// The seeded bug.
    pub bug: Bug,
    /// The suite's name: its file without the ending.
    pub suite: &'static str,
    /// The causes that name the bug.
    pub causes: &'static [Cause],
}

const fn seeded(mutant: Mutant, suite: &'static str, causes: &'static [Cause]) -> Catch {
    Catch { bug: Bug::Seeded(mutant), suite, causes }
}

const fn border(fault: BorderFault, suite: &'static str, causes: &'static [Cause]) -> Catch {
    Catch { bug: Bug::Border(fault), suite, causes }
}

const fn failed(cause: FailCause) -> Cause {
    Cause::Failed(cause)
}

const WRONG_SCORE: &[Cause] = &[failed(FailCause::WrongScore)];
const OTHER_SCORE: &[Cause] = &[failed(FailCause::OtherScore)];
const OTHER_MOVE: &[Cause] = &[failed(FailCause::AnotherMove), failed(FailCause::NoPoint)];
const HISTORY: &[Cause] = &[failed(FailCause::History)];
const REPETITION: &[Cause] = &[failed(FailCause::History), failed(FailCause::Strength)];
const NO_MATE: &[Cause] = &[failed(FailCause::Missed), failed(FailCause::Longer)];
const FALSE_MATE: &[Cause] =
    &[failed(FailCause::WrongMate), failed(FailCause::BetterMate), failed(FailCause::Longer)];
const ANY_MATE: &[Cause] = &[
    failed(FailCause::Missed),
    failed(FailCause::Longer),
    failed(FailCause::WrongMate),
    failed(FailCause::BetterMate),
    failed(FailCause::BadPv),
];
const WRONG_MOVE: &[Cause] = &[failed(FailCause::WrongScore), failed(FailCause::GivenAway)];
const BAD_PV: &[Cause] = &[failed(FailCause::BadPv)];
const WRONG_COUNT: &[Cause] = &[failed(FailCause::WrongCount)];
const TIME_LOSS: &[Cause] = &[Cause::Fault(FaultCause::TimeLoss)];
const IDLE: &[Cause] = &[failed(FailCause::Idle)];
const TOO_LITTLE: &[Cause] = &[failed(FailCause::TooLittle)];

/// Bugs that no suite shows surely: each acts with one value of `HashScores` or `HashFifty` that is not the
/// default, and mostly on what the hash table stores. The tests of Echo's plain alpha-beta search catch them
/// (`crates/echo/src/search/alpha_beta_tests/mutants.rs`).
pub const CAUGHT_BY_SEARCH_TESTS: &[Mutant] = &[
    ShadowResetToScore,
    ShadowOfBestMove,
    GuardOpen,
    QuiescencePathIgnored,
    TwinPathIgnored,
    EntryCountersIgnored,
];

/// At least one row for each other bug. Suites with the prefix `mutants-` are for foreign engines.
pub const CATCHES: &[Catch] = &[
    seeded(ScanStopsEarly, "value", WRONG_SCORE),
    seeded(ScanStopsEarly, "repetition", REPETITION),
    seeded(ScanCrossesNull, "detector", &[failed(FailCause::Imagined)]),
    seeded(DrawsNotInTree, "perpetual", WRONG_SCORE),
    seeded(PolicyIgnored, "repetition", REPETITION),
    seeded(PolicyIgnored, "root-return", &[failed(FailCause::Draw)]),
    seeded(KeyWithoutSide, "repetition", HISTORY),
    seeded(KeyTruncated, "mate", ANY_MATE),
    seeded(EnPassantAlwaysInKey, "repetition", HISTORY),
    seeded(CastlingNotInKey, "value", WRONG_SCORE),
    seeded(CastlingNotInKey, "rule", WRONG_SCORE),
    seeded(FiftyMovesIgnored, "value", WRONG_SCORE),
    seeded(FiftyMovesIgnored, "repetition", REPETITION),
    seeded(FiftyMovesEarly, "value", WRONG_SCORE),
    seeded(FiftyMovesEarly, "rule", WRONG_SCORE),
    seeded(FiftyMovesBeatMate, "value", WRONG_SCORE),
    seeded(FiftyMovesBeatMate, "rule", WRONG_SCORE),
    seeded(TableCutsNearFifty, "rule", WRONG_SCORE),
    seeded(DrawSignFlipped, "repetition", REPETITION),
    seeded(DrawSignFlipped, "elementary", &[failed(FailCause::Drawn)]),
    seeded(ContemptReversed, "rule", WRONG_SCORE),
    seeded(StalemateIsMate, "rule", WRONG_SCORE),
    seeded(StalemateIsMate, "mate-game", FALSE_MATE),
    seeded(StalemateIsMate, "value", FALSE_MATE),
    seeded(DeadIsAlive, "mate", ANY_MATE),
    seeded(MinorsAreDead, "mate", NO_MATE),
    seeded(MateNotPlyAdjusted, "mate", ANY_MATE),
    seeded(MateNotPlyAdjusted, "mate-game", FALSE_MATE),
    seeded(MateAdjustedTwice, "mate", ANY_MATE),
    seeded(MateBoundTight, "mate", ANY_MATE),
    seeded(DawdlingWins, "mate", ANY_MATE),
    seeded(NullMoveMates, "perpetual", WRONG_SCORE),
    seeded(NullMoveInZugzwang, "mate", NO_MATE),
    seeded(StandsPatInCheck, "horizon", NO_MATE),
    seeded(TableBeforeHistory, "perpetual-shallow", WRONG_SCORE),
    seeded(TableDepthIgnored, "repetition", REPETITION),
    seeded(TableBoundsSwapped, "mate", ANY_MATE),
    seeded(FailLowIsExact, "mate", ANY_MATE),
    seeded(OnlyQueens, "mate", NO_MATE),
    seeded(OnlyQueens, "special-moves", WRONG_MOVE),
    seeded(EnPassantUnseen, "rule", WRONG_SCORE),
    seeded(EnPassantUnseen, "special-moves", WRONG_MOVE),
    seeded(CastlingUnseen, "special-moves", WRONG_MOVE),
    seeded(EndgamesUnknown, "value", WRONG_SCORE),
    seeded(EndgamesUnknown, "ending-value", WRONG_SCORE),
    seeded(EndgamesUnknownToBlack, "symmetry", OTHER_SCORE),
    seeded(PerftMissesEnPassant, "perft", WRONG_COUNT),
    seeded(PerftMissesCastling, "perft", WRONG_COUNT),
    border(ForgetHistory, "repetition", HISTORY),
    border(HistoryLostWithFen, "repetition", HISTORY),
    border(FiftyMoveCounterLost, "rule", WRONG_SCORE),
    border(DepthShort, "depth-limit", &[failed(FailCause::TooShallow)]),
    border(SearchMovesIgnored, "rule", OTHER_MOVE),
    border(ClockInWrongUnit, "time-control", TIME_LOSS),
    border(ClockInWrongUnit, "mutants-clock", TIME_LOSS),
    border(OpponentsClock, "time-control", TIME_LOSS),
    border(OpponentsClock, "mutants-clock", TIME_LOSS),
    border(IncrementIgnored, "time-control", IDLE),
    border(IncrementIgnored, "mutants-clock", IDLE),
    border(MovesToGoIgnored, "time-control", IDLE),
    border(MovesToGoIgnored, "mutants-clock", IDLE),
    border(OverheadIgnored, "time-control", TIME_LOSS),
    border(OverheadIgnored, "mutants-clock", TIME_LOSS),
    border(OptionsIgnored, "calibration", TOO_LITTLE),
    border(OptionsIgnored, "mutants-strength", TOO_LITTLE),
    border(StrengthIgnored, "calibration", TOO_LITTLE),
    border(StrengthIgnored, "mutants-strength", TOO_LITTLE),
    border(NewGameIgnored, "determinism", &[failed(FailCause::DiffersAfterNewGame)]),
    border(OtherMovePlayed, "repetition", REPETITION),
    border(IllegalMovePlayed, "rule", OTHER_MOVE),
    border(PvIllegal, "mate", BAD_PV),
    border(PvIllegal, "mutants-mate", BAD_PV),
    border(PvTruncated, "mate", BAD_PV),
    border(PvTruncated, "mutants-mate", BAD_PV),
    border(MateSignFlipped, "mate", FALSE_MATE),
    border(MateSignFlipped, "mutants-mate", FALSE_MATE),
    border(MateInPlies, "mate", ANY_MATE),
    border(MateInPlies, "mutants-mate", ANY_MATE),
    border(ScoreFromWhite, "rule", WRONG_SCORE),
    border(PonderMoveLost, "ponder-move", &[failed(FailCause::NoPonderMove)]),
    border(PerftShort, "perft", WRONG_COUNT),
    // Every kind of suite with failures catches a bug.
    seeded(DrawSignFlipped, "conversion", &[failed(FailCause::Drawn), failed(FailCause::GivenAway)]),
    seeded(DawdlingWins, "defence", &[failed(FailCause::MatedTooSoon)]),
    seeded(DrawSignFlipped, "best-move", &[failed(FailCause::NoPoint), failed(FailCause::InPart)]),
    border(ForgetHistory, "hash-pollution", &[failed(FailCause::Polluted)]),
    border(IllegalMovePlayed, "smoke", &[Cause::Fault(FaultCause::IllegalMove)]),
    seeded(TableBeforeHistory, "signature", &[failed(FailCause::OtherNodes)]),
];
