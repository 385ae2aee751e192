//! Nodes of endings that are solved, where right after a capture or pawn move the tables' word is the last one, or
//! known by heart.

use super::ahead::Ahead;
use super::exit::Exit;
use super::node::{Node, Search};
use super::verdict::Verdict;
use crate::eval;
use crate::range::Range;
use crate::recognise;
use crate::syzygy::{self, Outcome};
use crate::table::Entry;
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
    pub(super) fn recognise(&self, node: &Node, ahead: &mut Ahead) -> Result<(), Exit> {
        if self.mode().recognises { self.look_closely(node, ahead) } else { Ok(()) }
    }

    #[cold]
    fn look_closely(&self, node: &Node, ahead: &mut Ahead) -> Result<(), Exit> {
        let history = self.repetitions.reach() > NOTHING_TWICE;
        if node.ply == 0 || node.excluded.is_some() || history || is_late(node) {
            return Ok(());
        }
        let Some(outcome) = recognise::recognise(&node.board) else { return Ok(()) };
        let progress = || eval::evaluate(&node.board).raw().abs();
        let value = match outcome {
            recognise::Outcome::Drawn => return Err(Exit::Settled(Verdict::free(self.draw(node)))),
            recognise::Outcome::Won(side) if side == node.board.side_to_move() => {
                Value::recognised(progress())
            }
            recognise::Outcome::Won(_) => -Value::recognised(progress()),
        };
        // A win is a lower bound, since there may be a mate, and a loss an upper one.
        let range = if value > Value::DRAW {
            Range::bounded(value, Bound::Lower)
        } else {
            Range::bounded(value, Bound::Upper)
        };
        if range.low >= ahead.window.beta || range.high <= ahead.window.alpha {
            return Err(Exit::Settled(Verdict::free(value)));
        }
        ahead.know_by_heart(range);
        Ok(())
    }

    /// Is this what was known by heart of the position, when its win was nearer than the fifty-move rule?
    pub(super) fn is_overtaken(&self, node: &Node, value: Value) -> bool {
        self.mode().recognises && value.is_recognised() && is_late(node)
    }

    /// Settles a node that the tables know. Costs one comparison where there are none.
    pub(super) fn look_up(&mut self, node: &Node) -> Result<(), Exit> {
        let Some(endings) = self.endings else { return Ok(()) };
        if node.board.halfmove_clock() != 0
            || node.ply == 0
            || node.excluded.is_some()
            || !syzygy::may_know(endings, &node.board)
        {
            return Ok(());
        }
        let Some(outcome) = endings.outcome(&node.board) else { return Ok(()) };
        self.budget.hit();
        let value = match outcome {
            Outcome::Win => self.mode().scoring.won_at(node.ply),
            Outcome::Draw => self.draw(node),
            Outcome::Loss => -self.mode().scoring.won_at(node.ply),
        };
        let entry = Entry {
            best: None,
            range: Range::exactly(value).kept_at(node.ply, self.mode().scoring),
            evaluation: None,
            depth: DEPTH,
            age: 0,
            open: 0,
        };
        self.table.store(node.key, entry);
        Err(Exit::Settled(Verdict::free(value)))
    }
}

/// Has so long gone without progress that a win known by heart may come too late?
fn is_late(node: &Node) -> bool {
    node.board.halfmove_clock() > LATEST
}
