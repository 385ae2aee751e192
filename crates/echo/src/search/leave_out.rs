//! Moves that are left out, since they can hardly lift a node into its window.
//!
//! Nothing is left out before one move is known not to lose by mate, nor where the window is about mate.

use super::attempt::Candidate;
use super::node::{Node, Search, Window};
use super::order::{Stage, price, wins_at_least};
use super::outlook::Outlook;
use super::reduce;
use crate::lab::Feature;
use crate::value::Value;

const LATE_MOVE_DEPTH: i32 = 8;
const FUTILITY_DEPTH: i32 = 8;
const FUTILITY_BASE: i32 = 100;
const FUTILITY_MARGIN: i32 = 85;
const CAPTURE_FUTILITY_DEPTH: i32 = 6;
const CAPTURE_FUTILITY_BASE: i32 = 220;
const CAPTURE_FUTILITY_MARGIN: i32 = 180;
const HISTORY_DEPTH: i32 = 4;
const HISTORY_MARGIN: i32 = -5_000;
const EXCHANGE_DEPTH: i32 = 8;
const QUIET_EXCHANGE_MARGIN: i32 = -24;
const CAPTURE_EXCHANGE_MARGIN: i32 = -90;

/// What is to be done about a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is tried.
    Try,
    /// It is left out.
    LeaveOut,
    /// It is left out, and so are all quiet moves after it.
    LeaveOutQuiets,
}

impl<const SHIPPED: bool> Search<'_, SHIPPED> {
    /// May this move be left out? `best` is the best value so far.
    pub(super) fn fate(
        &self,
        node: &Node,
        window: Window,
        outlook: Outlook,
        candidate: Candidate,
        best: Value,
    ) -> Fate {
        if node.ply == 0 || best.is_loss() || window.is_about_mate() || candidate.gives_check {
            return Fate::Try;
        }
        match candidate.stage {
            Stage::Hash => Fate::Try,
            Stage::Winning | Stage::Losing => self.fate_of_capture(node, window, outlook, candidate),
            Stage::Quiet => self.fate_of_quiet(node, window, outlook, candidate),
        }
    }

    fn fate_of_quiet(&self, node: &Node, window: Window, outlook: Outlook, candidate: Candidate) -> Fate {
        let Some(evaluation) = outlook.evaluation else { return Fate::Try };
        let enough = (4 + node.depth * node.depth) / if outlook.improving { 1 } else { 2 };
        if node.depth <= LATE_MOVE_DEPTH
            && i32::from(candidate.number) > enough
            && self.lab.has(Feature::LateMovePruning)
        {
            return Fate::LeaveOutQuiets;
        }
        let depth = (node.depth - reduce::late_move(node.depth, candidate.number) / reduce::PLY).max(0);
        let reach = evaluation.raw() + FUTILITY_BASE + FUTILITY_MARGIN * depth + candidate.history / 200;
        if depth <= FUTILITY_DEPTH && reach <= window.alpha.raw() && self.lab.has(Feature::Futility) {
            return Fate::LeaveOutQuiets;
        }
        if depth <= HISTORY_DEPTH
            && candidate.history < HISTORY_MARGIN * (depth + 1)
            && self.lab.has(Feature::HistoryPruning)
        {
            return Fate::LeaveOut;
        }
        if depth <= EXCHANGE_DEPTH
            && self.lab.has(Feature::ExchangePruning)
            && !wins_at_least(&node.board, candidate.mv, QUIET_EXCHANGE_MARGIN * depth * depth)
        {
            return Fate::LeaveOut;
        }
        Fate::Try
    }

    fn fate_of_capture(&self, node: &Node, window: Window, outlook: Outlook, candidate: Candidate) -> Fate {
        let depth = node.depth;
        let reach = outlook.evaluation.map(|evaluation| {
            let victim = candidate.victim.map_or(0, price) + candidate.mv.promotion.map_or(0, price);
            let margin = CAPTURE_FUTILITY_BASE + CAPTURE_FUTILITY_MARGIN * depth;
            evaluation.raw() + margin + victim + candidate.history / 100
        });
        if depth <= CAPTURE_FUTILITY_DEPTH
            && reach.is_some_and(|reach| reach <= window.alpha.raw())
            && self.lab.has(Feature::Futility)
        {
            return Fate::LeaveOut;
        }
        if candidate.stage == Stage::Losing
            && depth <= EXCHANGE_DEPTH
            && self.lab.has(Feature::ExchangePruning)
            && !wins_at_least(&node.board, candidate.mv, CAPTURE_EXCHANGE_MARGIN * depth)
        {
            return Fate::LeaveOut;
        }
        Fate::Try
    }
}
