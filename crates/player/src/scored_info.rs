//! A report of a search with a score.

use std::fmt;

use shakmaty::uci::UciMove;

use threefold_chess::score::{Bound, Ply, Score};
use threefold_chess::uci::Info;

/// The most characters of an `info` line in a warning.
const LONGEST_INFO: usize = 4000;

/// One scored report of a search (`info … score …`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoredInfo {
    /// From the side to move's view.
    pub score: Score,
    /// Exact or a bound.
    pub bound: Bound,
    /// The rank of its line, from 1; above 1 only with the option `MultiPV`.
    pub multipv: u32,
    /// Depth reached.
    pub depth: Ply,
    /// Nodes searched so far, if the engine reports them.
    pub nodes: Option<u64>,
    /// The principal variation.
    pub pv: Vec<UciMove>,
    /// The line as the engine wrote it; `None` if it wrote none.
    pub line: Option<String>,
}

impl ScoredInfo {
    /// The line as the engine wrote it, without control characters and at most 4,000 characters of it. An
    /// engine without lines has one as UCI writes it.
    pub fn own_line(&self) -> String {
        let text = self.line.clone().unwrap_or_else(|| self.to_string());
        let printable = |letter: char| if letter.is_control() { ' ' } else { letter };
        let text: String = text.chars().take(LONGEST_INFO).map(printable).collect();
        text.trim().to_owned()
    }
}

/// The line as UCI writes it.
impl fmt::Display for ScoredInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { score, bound, multipv, depth, nodes, pv, line: _ } = self.clone();
        let (depth, multipv) = (Some(depth), (multipv > 1).then_some(multipv));
        Info { depth, multipv, score: Some((score, bound)), nodes, pv, ..Info::default() }.fmt(f)
    }
}
