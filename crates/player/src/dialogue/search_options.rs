//! The options of an engine on which the judgement of its output depends.

use shakmaty::CastlingMode;

use crate::EngineSpec;

/// The options of an engine on which the judgement of its output depends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SearchOptions {
    /// The option `MultiPV`.
    pub(super) multipv: u32,
    /// The option `Threads`.
    pub(super) threads: u32,
    /// How castling is written: the option `UCI_Chess960`.
    pub(super) castling: CastlingMode,
    /// Has it Syzygy tables?
    pub(super) has_tables: bool,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self { multipv: 1, threads: 1, castling: CastlingMode::Standard, has_tables: false }
    }
}

impl SearchOptions {
    /// Those that a spec sets.
    pub(crate) fn of_spec(spec: &EngineSpec) -> Self {
        let mut options = Self::default();
        spec.options.iter().for_each(|(name, value)| options.set(name, value));
        options
    }

    /// Notes that an option was set. Other options change nothing.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        match name.to_ascii_lowercase().as_str() {
            "multipv" => self.multipv = value.parse().unwrap_or(1),
            "threads" => self.threads = value.parse().unwrap_or(1),
            "uci_chess960" => self.castling = CastlingMode::from_chess960(value == "true"),
            "syzygypath" => self.has_tables = !matches!(value, "" | "<empty>"),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_those_of_the_spec_until_they_are_set_again() {
        let spec: EngineSpec = "./e,multipv=3,Threads=4,SyzygyPath=/tb,Hash=8".parse().expect("a spec");
        let mut options = SearchOptions::of_spec(&spec);
        let expected = SearchOptions { multipv: 3, threads: 4, has_tables: true, ..SearchOptions::default() };
        assert_eq!(options, expected);
        for (name, value) in [("MultiPV", "1"), ("threads", "1"), ("SyzygyPath", "<empty>"), ("Hash", "16")] {
            options.set(name, value);
        }
        assert_eq!(options, SearchOptions::default());
        options.set("UCI_Chess960", "true");
        assert_eq!(options.castling, CastlingMode::Chess960);
    }
}
