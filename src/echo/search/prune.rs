//! What is cut without looking: whole nodes that are far above the window, and moves that can't lift a node
//! into it.
//!
//! Nothing here has a say where the window is about mate: a judgement can't refute a proof.

use cozy_chess::{Color, Piece};

use super::node::{Exit, Node, Search, Window};
use super::order::{Stage, wins_at_least};
use crate::echo::value::Value;

/// What a node knows of itself before its first move.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outlook {
    /// The static evaluation; none in check.
    pub evaluation: Option<Value>,
    /// Does the mover stand better than two plies ago?
    pub improving: bool,
}

const REVERSE_FUTILITY_DEPTH: i32 = 8;
const REVERSE_FUTILITY_MARGIN: i32 = 75;
const NULL_MOVE_DEPTH: i32 = 3;
const FUTILITY_DEPTH: i32 = 7;
const FUTILITY_BASE: i32 = 110;
const FUTILITY_MARGIN: i32 = 85;
const LATE_MOVE_DEPTH: i32 = 7;
const LOSING_DEPTH: i32 = 6;

impl Search<'_> {
    /// Settles a node that is too good to be reached.
    pub(super) fn prune_node(&mut self, node: &Node, window: Window, outlook: Outlook) -> Result<(), Exit> {
        let Some(evaluation) = outlook.evaluation else { return Ok(()) };
        if window.is_wide() || window.beta.is_mate() || node.ply == 0 {
            return Ok(());
        }
        let margin = REVERSE_FUTILITY_MARGIN * (node.depth - i32::from(outlook.improving));
        if node.depth <= REVERSE_FUTILITY_DEPTH && evaluation.raw() - margin >= window.beta.raw() {
            return Err(Exit::Settled(evaluation));
        }
        self.try_null_move(node, window, evaluation)
    }

    /// Who stands well even after passing stands too well. Not where passing may be the best move there is.
    fn try_null_move(&mut self, node: &Node, window: Window, evaluation: Value) -> Result<(), Exit> {
        let passed_before = self.frames[node.ply - 1].moved.is_none();
        if node.depth < NULL_MOVE_DEPTH
            || evaluation < window.beta
            || passed_before
            || pieces(node, node.board.side_to_move()) < 2
        {
            return Ok(());
        }
        let Some(mut after) = self.pass(node) else { return Ok(()) };
        let surplus = (evaluation.raw() - window.beta.raw()) / 200;
        after.depth = node.depth - 3 - node.depth / 4 - surplus.min(3);
        let value = self.visit(&after, Window::above(window.beta.next_below()).turned());
        self.keys.pop();
        let value = -value?;
        if value >= window.beta {
            // A mate found by passing is no proof.
            return Err(Exit::Settled(if value.is_mate() { window.beta } else { value }));
        }
        Ok(())
    }
}

/// A move whose turn has come.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub mv: cozy_chess::Move,
    pub stage: Stage,
    /// From 1.
    pub number: u16,
    pub gives_check: bool,
}

/// May this move be left out? `number` counts from 1, `best` is the best value so far.
pub(super) fn is_hopeless(
    node: &Node,
    window: Window,
    outlook: Outlook,
    candidate: Candidate,
    best: Value,
) -> bool {
    if node.ply == 0 || best.is_loss() || window.is_about_mate() || candidate.gives_check {
        return false;
    }
    let depth = node.depth;
    match candidate.stage {
        Stage::Hash | Stage::Winning => false,
        Stage::Losing => {
            depth <= LOSING_DEPTH && !wins_at_least(&node.board, candidate.mv, -40 * depth * depth)
        }
        Stage::Quiet => {
            let Some(evaluation) = outlook.evaluation else { return false };
            let enough = (3 + depth * depth) / if outlook.improving { 1 } else { 2 };
            if depth <= LATE_MOVE_DEPTH && i32::from(candidate.number) > enough.max(3) {
                return true;
            }
            let reach = evaluation.raw() + FUTILITY_BASE + FUTILITY_MARGIN * depth;
            (depth <= FUTILITY_DEPTH && reach <= window.alpha.raw())
                || (depth <= LOSING_DEPTH && !wins_at_least(&node.board, candidate.mv, -50 * depth))
        }
    }
}

/// Knights, bishops, rooks and queens of one side.
fn pieces(node: &Node, color: Color) -> u32 {
    let board = &node.board;
    (board.colors(color) & !board.pieces(Piece::Pawn) & !board.pieces(Piece::King)).len()
}
