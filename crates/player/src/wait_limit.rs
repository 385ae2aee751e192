//! What limits a wait for an engine: the remedy if it is too short depends on it.

/// What limits a wait for an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitLimit {
    /// The timeout for starting and for `isready`.
    Startup,
    /// The player's clock.
    Clock,
    /// The timeout of a search without a clock.
    SearchTimeout,
    /// The time after `stop`, which was sent because the search had passed its node limit.
    Nodes,
    /// None: the engine was ready and idle, so it had ignored the command, twice.
    Ignored,
}

impl WaitLimit {
    /// The remedy in the fault's message.
    pub(super) const fn remedy(self) -> &'static str {
        match self {
            Self::Startup => "; if it needs longer, add startup=SECONDS to its SPEC",
            Self::Clock => "",
            Self::Nodes => "; it had searched beyond its node limit, and did not obey `stop`",
            Self::Ignored => "; it was ready and idle, so it had ignored the command, twice",
            Self::SearchTimeout => "; raise --search-timeout, the limit of searches without a wall clock",
        }
    }
}
