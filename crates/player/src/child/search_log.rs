//! The record of an engine's reports during a search.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::node_limit::NodeLimit;
pub(super) use crate::line_pattern::LineQuotes;
use crate::{Answer, LimitEnforcedBy, ScoredInfo, SearchReports};
use threefold_chess::clock::TimeReport;
use threefold_chess::score::Ply;
use threefold_chess::uci::{BestMove, Info};

/// The most infos kept of one search, for the first line and for the others. The latest are kept.
const MOST_INFOS: usize = 1000;

/// How a search ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum SearchEnd {
    /// With a move.
    Move(BestMove),
    /// With this text in its place.
    NoMove(String),
}

/// The record of an engine's reports during a search.
#[derive(Debug, Default)]
pub(super) struct SearchLog {
    pub(super) infos: VecDeque<ScoredInfo>,
    pub(super) other_lines: VecDeque<ScoredInfo>,
    pub(super) nodes: u64,
    pub(super) account: Option<TimeReport>,
    pub(super) limit: Option<NodeLimit>,
    /// Does wall time limit the search?
    pub(super) is_timed: bool,
    pub(super) is_stopped: bool,
    /// A move that may be a second copy of the one before, and when it came.
    pub(super) repeated: Option<(BestMove, Instant)>,
    /// Are the scores and the chances (`wdl`) from the opponent's view?
    pub(super) is_reversed: bool,
    pub(super) reported: SearchReports,
    /// The lines to quote.
    pub(super) quotes: LineQuotes,
}

impl SearchLog {
    pub(super) fn record(&mut self, info: Info, line: String) {
        let info = if self.is_reversed { info.reversed() } else { info };
        self.nodes = info.nodes.unwrap_or(self.nodes);
        if let Some(account) = info.text.as_ref().and_then(|text| text.parse().ok()) {
            self.account = Some(account);
        }
        if info.multipv.unwrap_or(1) == 1 && !self.has_passed() {
            self.reported.update(&info);
        }
        let Some((score, bound)) = info.score else { return };
        // Reports beyond the node limit depend on the moment of `stop`. Only the first report of a search
        // counts even so.
        if !self.infos.is_empty() && self.has_passed() {
            return;
        }
        let multipv = info.multipv.unwrap_or(1);
        let kept = if multipv == 1 { &mut self.infos } else { &mut self.other_lines };
        if kept.len() == MOST_INFOS {
            kept.pop_front();
        }
        let depth = info.depth.unwrap_or(Ply(0));
        kept.push_back(ScoredInfo {
            score,
            bound,
            multipv,
            depth,
            nodes: info.nodes,
            pv: info.pv,
            line: Some(line),
        });
    }

    fn has_passed(&self) -> bool {
        self.limit.is_some_and(|limit| limit.is_broken_by(self.nodes))
    }

    pub(super) fn is_over_limit(&self) -> bool {
        // After `stop` further reports are expected until the engine ends the search.
        !self.is_stopped && self.limit.is_some_and(|limit| limit.requires_stop(self.nodes))
    }

    pub(super) fn answer(self, end: SearchEnd, elapsed: Duration) -> Answer {
        let (best, ponder, in_place_of_move) = match end {
            SearchEnd::Move(BestMove { best, ponder }) => (Some(best), ponder, None),
            SearchEnd::NoMove(text) => (None, None, Some(text)),
        };
        let (infos, others) = (self.infos.into(), self.other_lines.into());
        let (nodes, account) = (self.nodes, self.account);
        let keeper = match self.limit {
            Some(_) if self.is_stopped => LimitEnforcedBy::Harness,
            _ => LimitEnforcedBy::Engine,
        };
        let answer = Answer {
            best,
            in_place_of_move,
            ponder,
            infos,
            other_lines: others,
            nodes,
            nodes_at_end: nodes,
            elapsed,
            limit_enforced_by: keeper,
            account,
            reported: self.reported,
            quotes: self.quotes.into_lines(),
            ..Answer::silent()
        };
        match self.limit {
            Some(limit) => limit.truncate(answer),
            None => answer,
        }
    }
}
