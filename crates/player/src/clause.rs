//! Clauses of the UCI protocol that an engine's program is tested for.

threefold_named_enum::named_enum! {
    /// A clause of the protocol.
    pub enum Clause {
        /// It gives its name (`id name`) before `uciok`, once, and not before it has read `uci`; its `option` lines have the form of UCI.
        Identification = "identification",
        /// It answers `isready` with `readyok` while it searches, and searches on.
        ReadyWhileSearching = "ready-while-searching",
        /// After `stop` it sends exactly one `bestmove`.
        OneBestMove = "one-bestmove",
        /// A search by `go infinite` does not end before `stop`, not even in a mate in one.
        InfiniteSearch = "infinite-search",
        /// It is ready after `ucinewgame`, and still after a second one.
        NewGame = "new-game",
        /// It ignores an unknown command.
        UnknownCommand = "unknown-command",
        /// It ignores an option that it does not offer.
        UnknownOption = "unknown-option",
        /// It plays the moves of `position … moves …` before it searches.
        PositionWithMoves = "position-with-moves",
        /// It plays the only move of `searchmoves`, and later searches are free again.
        SearchMoves = "searchmoves",
        /// It ends after `quit`.
        Quit = "quit",
        /// It ends after `quit` while it searches.
        QuitWhileSearching = "quit-while-searching",
        /// It ends at the end of its input.
        EndOfInput = "end-of-input",
    }
}
