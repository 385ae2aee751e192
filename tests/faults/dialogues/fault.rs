//! The faults of dialogues.

faults! {
    /// Nothing.
    Sound = "sound",
    /// `stop` is lost while it searches.
    StopLost = "stop-lost",
    /// After `stop` without a search, the next search brings no move.
    KeepsStop = "keeps-stop",
    /// `isready` is answered after the search.
    ReadyAfterSearch = "ready-after-search",
    /// A second `uci` is not answered.
    IntroducesItselfOnce = "introduces-itself-once",
    /// `quit` is lost while it searches.
    QuitLost = "quit-lost",
    /// It aborts at `quit`.
    AbortsAtQuit = "aborts-at-quit",
    /// It goes on when its input ends.
    OutlivesInput = "outlives-input",
    /// `go infinite` ends by itself.
    InfiniteEnds = "infinite-ends",
    /// `go` without a word is lost.
    BareGoLost = "bare-go-lost",
    /// It ends at a line with odd spaces.
    EndsAtSpaces = "ends-at-spaces",
    /// It ends at a carriage return.
    EndsAtCarriageReturn = "ends-at-carriage-return",
    /// A search on the opponent's time is one on its own time.
    PonderIsGo = "ponder-is-go",
    /// `ponderhit` is lost.
    PonderhitLost = "ponderhit-lost",
    /// It ends at `ponderhit` without a search.
    EndsAtPonderhit = "ends-at-ponderhit",
    /// After a search on the opponent's time that was stopped, the next `go` is lost.
    LosesGoAfterPonder = "loses-go-after-ponder",
    /// Commands between `stop` and the move are lost.
    DeafAfterStop = "deaf-after-stop",
    /// `go nodes` has no end.
    NodesIgnored = "nodes-ignored",
    /// `go depth` has no end.
    DepthIgnored = "depth-ignored",
    /// `go movetime` has no end.
    MovetimeIgnored = "movetime-ignored",
    /// A clock is no limit.
    ClockIgnored = "clock-ignored",
    /// A search with a large limit ends long before it.
    EndsEarly = "ends-early",
    /// `go depth N` searches to depth N + 1.
    OnePlyDeeper = "one-ply-deeper",
    /// At the end of a search by nodes it reports the next depth with the line of the last one.
    CountsUnfinished = "counts-unfinished",
    /// Its iterations are counted in thousands.
    CountsOn = "counts-on",
    /// The smallest limits bring no move.
    NoMoveAtOnce = "no-move-at-once",
    /// It sends the move of the search before.
    OldMove = "old-move",
    /// It ends where no move is legal.
    EndsWithoutMoves = "ends-without-moves",
    /// It ends where one move is legal.
    EndsAtOnlyMove = "ends-at-only-move",
    /// It ends where more than two hundred moves are legal.
    EndsAtManyMoves = "ends-at-many-moves",
    /// It ends at a depth of 64 or more.
    EndsAtGreatDepth = "ends-at-great-depth",
    /// It ends at a depth of 9 or more in a search on a clock.
    EndsAtDepthOnClock = "ends-at-depth-on-clock",
    /// It ends at a limit of zero, or below.
    EndsAtOddLimit = "ends-at-odd-limit",
    /// It sends another legal move than the best.
    OtherMove = "other-move",
    /// It writes castling as the king takes the rook, and a knight for a queen.
    WrongLetters = "wrong-letters",
    /// It sends an illegal move, unless `searchmoves` has one move.
    IllegalMove = "illegal-best-move",
    /// `searchmoves` counts only with `depth`.
    SearchMovesWithDepthOnly = "searchmoves-with-depth-only",
    /// It ends at `moves` without a move.
    EndsAtEmptyMoves = "ends-at-empty-moves",
    /// It ends at a FEN with moves.
    EndsAtFenWithMoves = "ends-at-fen-with-moves",
    /// It ends at a game of 256 plies.
    EndsAtLongGame = "ends-at-long-game",
    /// It ends at a FEN without counters.
    EndsAtShortFen = "ends-at-short-fen",
    /// It ends at a position or a move that is none.
    EndsAtInvalidPosition = "ends-at-invalid-position",
    /// It ends at `go` without `position`.
    EndsWithoutPosition = "ends-without-position",
    /// It ends at an option that it lacks.
    EndsAtUnknownOption = "ends-at-unknown-option",
    /// It ends at a value that is none.
    EndsAtBadValue = "ends-at-bad-value",
    /// It ends at an option after the first search.
    EndsAtLateOption = "ends-at-late-option",
    /// It opens `<empty>`, and the folder that does not exist, and ends.
    EndsAtPath = "ends-at-path",
    /// It ends in a search after it has found the file of an endgame table.
    EndsAtTables = "ends-at-tables",
    /// `UCI_Chess960` cannot be switched off.
    KeepsChess960 = "keeps-chess960",
    /// In Chess960 it takes a step of the king to where castling brings it for castling, and the other way round.
    StepIsCastling = "step-is-castling",
    /// It ends at `UCI_LimitStrength`.
    EndsAtLimitedStrength = "ends-at-limited-strength",
    /// It ends at the second `ucinewgame`.
    EndsAtSecondGame = "ends-at-second-game",
    /// It ends at a second `go` in a search.
    EndsAtGoInSearch = "ends-at-go-in-search",
    /// The hash table is empty at each search after 255 searches.
    ForgetsAfter255 = "forgets-after-255",
    /// The hash table is empty at each search after ten searches with `movetime`.
    ForgetsWhenFull = "forgets-when-full",
    /// The hash table is empty at each search.
    Forgets = "forgets",
    /// The hash table is empty at each search of a position that a FEN gives.
    ForgetsAtFen = "forgets-at-fen",
    /// It searches twice the nodes if a FEN gives the position.
    OtherKeyByFen = "other-key-by-fen",
    /// It reports an empty hash table after 255 searches.
    EmptyAfter255 = "empty-after-255",
    /// The selective depth is that of all searches so far.
    KeepsSeldepth = "keeps-seldepth",
    /// With several threads it sends no move.
    ThreadsHang = "threads-hang",
    /// Lines end with an illegal move.
    IllegalLines = "illegal-lines",
    /// Lines go on after the end of the game.
    LongLines = "long-lines",
    /// Lines are written in capitals.
    CapitalLines = "capital-lines",
    /// Nodes and time fall back in every second line.
    CountersFall = "counters-fall",
    /// It ignores options that are written in another way than usual.
    ExactOptions = "exact-options",
    /// Mates are written in centipawns.
    MatesInCentipawns = "mates-in-centipawns",
    /// The speed is shown in thousands of nodes per second.
    SpeedInThousands = "speed-in-thousands",
    /// Nodes are those of all searches.
    NodesOfAllSearches = "nodes-of-all-searches",
    /// Two spaces stand before a score.
    WideScores = "wide-scores",
    /// It prints a word of its own.
    ForeignWord = "foreign-word",
    /// It prints a line after its move.
    LateLine = "late-line",
    /// It expects an illegal move.
    IllegalPonder = "illegal-ponder",
    /// The first line of a search with a clock says that it is mated.
    MatedOnClock = "mated-on-clock",
    /// Mates are one move too short.
    MatesShort = "mates-short",
    /// Every other score is a mate.
    MatesClaimed = "mates-claimed",
    /// Claimed chances sum to 1001.
    ChancesSum = "chances-sum",
    /// Claimed chances are from White's view.
    ChancesOfWhite = "chances-of-white",
    /// It shows no chances.
    NoChances = "no-chances",
    /// It shows no line.
    NoLines = "no-lines",
    /// It shows its lines before its move.
    LinesHeldBack = "lines-held-back",
    /// It shows eight lines at a time.
    LinesInBlocks = "lines-in-blocks",
    /// Of several lines it shows the first.
    OneLine = "one-line",
    /// Of several lines each is the first.
    SameLines = "same-lines",
    /// It takes the opponent's clock for its own.
    OpponentsClock = "opponents-clock",
    /// A clock of one side is none.
    OneClockIsNone = "one-clock-is-none",
    /// It uses most of its time for one move.
    MostOfTheTime = "most-of-the-time",
    /// It sees only whole seconds of elapsed time.
    WholeSeconds = "whole-seconds",
    /// It uses its clock to the end, whatever the lag.
    ReserveIgnored = "reserve-ignored",
    /// It thinks longer than its clock allows.
    Oversteps = "oversteps",
    /// No search has an end but those on a clock, and those that are stopped.
    ClocksAlone = "clocks-alone",
    /// It ends at a clock of days.
    EndsAtDays = "ends-at-days",
}
