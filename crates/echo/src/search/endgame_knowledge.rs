//! Nodes of endings that are solved, where right after a capture or pawn move the tables' word is the last one, or
//! known by heart.

use super::cutoff::Cutoff;
use super::node::{Node, Search};
use super::node_result::NodeResult;
use super::static_bounds::StaticBounds;
use crate::eval;
use crate::range::ScoreRange;
use crate::recognise;
use crate::syzygy::{self, TablebaseOutcome};
use crate::table::TtEntry;
use crate::value::Value;
use threefold_chess::score::Bound;

/// What the tables say is worth more than a search of any depth.
const DEPTH: u8 = 120;

/// A win known by heart may be one of up to 33 moves, which have to come before the fifty-move rule does.
const LATEST: u8 = 30;

/// With so few reversible moves before it no position of its game stood twice, so that none can stop a win.
const NOTHING_TWICE: usize = 3;

impl<const SHIPPED: bool> Search<'_, SHIPPED> {
    /// Settles a node that is known by heart, where that is enough for the window.
    #[inline]
    pub(super) fn recognise(&self, node: &Node, bounds: &mut StaticBounds) -> Result<(), Cutoff> {
        if self.mode().recognises { self.recognise_ending(node, bounds) } else { Ok(()) }
    }

    #[cold]
    fn recognise_ending(&self, node: &Node, bounds: &mut StaticBounds) -> Result<(), Cutoff> {
        let history = self.repetitions.reach() > NOTHING_TWICE;
        if node.ply == 0 || node.excluded.is_some() || history || is_late(node) {
            return Ok(());
        }
        let Some(outcome) = recognise::recognise(&node.board) else { return Ok(()) };
        let progress = || eval::evaluate(&node.board).raw().abs();
        let value = match outcome {
            recognise::EndgameOutcome::Drawn => {
                return Err(Cutoff::Settled(NodeResult::path_independent(self.draw(node))));
            }
            recognise::EndgameOutcome::Won(side) if side == node.board.side_to_move() => {
                Value::recognised(progress())
            }
            recognise::EndgameOutcome::Won(_) => -Value::recognised(progress()),
        };
        // A win is a lower bound, since there may be a mate, and a loss an upper one.
        let range = if value > Value::DRAW {
            ScoreRange::bounded(value, Bound::Lower)
        } else {
            ScoreRange::bounded(value, Bound::Upper)
        };
        if range.low >= bounds.window.beta || range.high <= bounds.window.alpha {
            return Err(Cutoff::Settled(NodeResult::path_independent(value)));
        }
        bounds.restrict_to(range);
        Ok(())
    }

    /// Is this what was known by heart of the position, when its win was nearer than the fifty-move rule?
    pub(super) fn is_overtaken(&self, node: &Node, value: Value) -> bool {
        self.mode().recognises && value.is_recognised() && is_late(node)
    }

    /// Settles a node that the tables know. Costs one comparison where there are none.
    pub(super) fn probe_tablebases(&mut self, node: &Node) -> Result<(), Cutoff> {
        let Some(endings) = self.endings else { return Ok(()) };
        if node.board.halfmove_clock() != 0
            || node.ply == 0
            || node.excluded.is_some()
            || !syzygy::covers(endings, &node.board)
        {
            return Ok(());
        }
        let Some(outcome) = endings.outcome(&node.board) else { return Ok(()) };
        self.budget.count_tablebase_hit();
        let value = match outcome {
            TablebaseOutcome::Win => self.mode().scoring.won_at(node.ply),
            TablebaseOutcome::Draw => self.draw(node),
            TablebaseOutcome::Loss => -self.mode().scoring.won_at(node.ply),
        };
        let entry = TtEntry {
            best: None,
            range: ScoreRange::exactly(value).to_table(node.ply, self.mode().scoring),
            evaluation: None,
            depth: DEPTH,
            age: 0,
            open: 0,
        };
        self.table.store(node.key, entry);
        Err(Cutoff::Settled(NodeResult::path_independent(value)))
    }
}

/// Has so long gone without progress that a win known by heart may come too late?
fn is_late(node: &Node) -> bool {
    node.board.halfmove_clock() > LATEST
}
