//! The keys of a spec: the harness's own, or UCI options.
//!
//! Keys are distinguished from options once, when the text is parsed. After that a key is an enum.

use threefold_chess::clock::LimitKey;
use threefold_echo::options::current_name;
use threefold_named_enum::named_enum;

named_enum! {
    /// The harness's own keys.
    pub enum HarnessKey {
        /// Name in reports [default: the source with its options and limits]
        Name = "name",
        /// Working folder of the program
        Dir = "dir",
        /// Arguments of the program, separated by spaces
        Args = "args",
        /// Time control, as in cutechess: 40/60+0.5, 8+0.08, inf
        Tc = "tc",
        /// Fixed time for each move, in seconds
        St = "st",
        /// Node limit of each move
        Nodes = "nodes",
        /// Depth limit of each move, in plies; `plies` is the same key
        Depth = "depth",
        /// `on` starts a new process for every game
        Restart = "restart",
        /// Tolerance for time losses, in milliseconds
        TimeMargin = "timemargin",
        /// Clock in games: `wall` or `virtual:NPS`
        Clock = "clock",
        /// Protocol: only `uci`
        Proto = "proto",
        /// `off` exempts the engine from warnings about its output
        Warnings = "warnings",
        /// `on` ends a game when the engine reports a mate score
        Trust = "trust",
        /// `on` for an engine whose scores and `wdl` are from White's view: they are reversed when it plays Black
        WhitePov = "whitepov",
        /// Time limit for the engine to start, and to get ready for a game, in seconds [default: that of
        /// `--startup`]
        Startup = "startup",
        /// Lines that the engine is sent before `uci`; `\n` separates them
        Init = "init",
        /// `on` sends `debug on` after the engine's start
        Debug = "debug",
        /// File to which the engine's standard error is appended
        Stderr = "stderr",
        /// `on` lets the engine think on the opponent's time
        Ponder = "ponder",
        /// Polyglot book (`.bin`) that the engine's first moves are taken from
        Book = "book",
        /// Number of full moves of a game in which the book is used [default: 1000]
        BookDepth = "bookdepth",
        /// Fault to inject into the UCI interface, such as ScoreFromWhite
        Fault = "fault",
    }
}

impl HarnessKey {
    /// The exact spelling only: `Nodes` would be a UCI option.
    fn with_name(text: &str) -> Option<Self> {
        let text = if text == "plies" { Self::Depth.name() } else { text };
        Self::ALL.iter().copied().find(|key| key.name() == text)
    }

    /// The syntax of its value.
    pub const fn value_syntax(self) -> &'static str {
        match self {
            Self::Name => "NAME",
            Self::Dir => "DIR",
            Self::Init => "LINES",
            Self::Args => "WORDS",
            Self::Tc => "TC",
            Self::St | Self::Startup => "SECONDS",
            Self::Nodes | Self::BookDepth => "N",
            Self::Depth => "PLIES",
            Self::Restart | Self::Warnings | Self::Trust | Self::WhitePov | Self::Debug | Self::Ponder => {
                "on|off"
            }
            Self::TimeMargin => "MS",
            Self::Clock => "CLOCK",
            Self::Proto => "uci",
            Self::Book | Self::Stderr => "FILE",
            Self::Fault => "FAULT",
        }
    }

    /// The limit that it sets, if any.
    pub(super) const fn limit(self) -> Option<LimitKey> {
        match self {
            Self::Tc => Some(LimitKey::Tc),
            Self::St => Some(LimitKey::St),
            Self::Nodes => Some(LimitKey::Nodes),
            Self::Depth => Some(LimitKey::Depth),
            Self::TimeMargin => Some(LimitKey::TimeMargin),
            Self::Name
            | Self::Dir
            | Self::Args
            | Self::Restart
            | Self::Clock
            | Self::Warnings
            | Self::Trust
            | Self::WhitePov
            | Self::Startup
            | Self::Init
            | Self::Debug
            | Self::Stderr
            | Self::Ponder
            | Self::Book
            | Self::BookDepth
            | Self::Proto
            | Self::Fault => None,
        }
    }

    /// Is it a time limit?
    pub(super) const fn is_clock(self) -> bool {
        matches!(self, Self::Tc | Self::St)
    }

    /// Does it distinguish players, and so belong to the default name?
    const fn distinguishes_players(self) -> bool {
        match self {
            Self::Tc
            | Self::St
            | Self::Nodes
            | Self::Depth
            | Self::Clock
            | Self::Ponder
            | Self::Book
            | Self::BookDepth
            | Self::Fault => true,
            Self::Name
            | Self::Dir
            | Self::Args
            | Self::Restart
            | Self::TimeMargin
            | Self::Proto
            | Self::Warnings
            | Self::WhitePov
            | Self::Startup
            | Self::Init
            | Self::Debug
            | Self::Stderr
            | Self::Trust => false,
        }
    }
}

/// The key of a setting.
#[derive(Debug, Clone)]
pub enum SpecKey {
    /// One of the harness's own keys.
    Harness(HarnessKey),
    /// A UCI option. UCI option names are case-insensitive, so two that differ only in case are equal.
    Option(String),
}

impl SpecKey {
    /// The key as written.
    pub fn name(&self) -> &str {
        match self {
            Self::Harness(key) => key.name(),
            Self::Option(name) => name,
        }
    }

    /// Does it distinguish players?
    pub(super) const fn distinguishes_players(&self) -> bool {
        match self {
            Self::Harness(key) => key.distinguishes_players(),
            Self::Option(_) => true,
        }
    }
}

impl PartialEq for SpecKey {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Harness(key), Self::Harness(other)) => key == other,
            (Self::Option(name), Self::Option(other)) => {
                // A former name of an option of Echo is the same key as the present name.
                current_name(name).to_lowercase() == current_name(other).to_lowercase()
            }
            (Self::Harness(_), Self::Option(_)) | (Self::Option(_), Self::Harness(_)) => false,
        }
    }
}

impl Eq for SpecKey {}

impl From<HarnessKey> for SpecKey {
    fn from(key: HarnessKey) -> Self {
        Self::Harness(key)
    }
}

/// An exact key of the harness, or else an option.
impl From<&str> for SpecKey {
    fn from(written: &str) -> Self {
        HarnessKey::with_name(written).map_or_else(|| Self::Option(written.to_owned()), Self::Harness)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limit_keys_have_the_names_of_the_limits() {
        for key in HarnessKey::ALL {
            assert!(key.limit().is_none_or(|limit| limit.name() == key.name()), "{key}");
        }
        assert_eq!(HarnessKey::ALL.iter().filter_map(|key| key.limit()).count(), LimitKey::ALL.len());
    }
}
