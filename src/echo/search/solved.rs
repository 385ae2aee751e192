//! Nodes of endings that are solved, where right after a capture or pawn move the tables' word is the last one, or
//! known by heart.

use super::node::{Exit, Node, Search, Window};
use super::verdict::Verdict;
use crate::echo::eval;
use crate::echo::range::Range;
use crate::echo::recognise;
use crate::echo::request::Bound;
use crate::echo::syzygy::{self, Outcome};
use crate::echo::table::Entry;
use crate::echo::value::Value;

/// What the tables say is worth more than a search of any depth.
const DEPTH: u8 = 120;

/// A win known by heart may be one of up to 33 moves, which have to come before the fifty-move rule does.
const LATEST: u8 = 30;

impl Search<'_> {
    /// Settles a node that is known by heart, where that is enough for the window; else narrows the window to
    /// what the value can be, and tells it.
    #[inline]
    pub(super) fn recognise(&self, node: &Node, window: &mut Window) -> Result<Range, Exit> {
        if self.recognises { self.look_closely(node, window) } else { Ok(Range::UNKNOWN) }
    }

    #[cold]
    fn look_closely(&self, node: &Node, window: &mut Window) -> Result<Range, Exit> {
        if node.ply == 0 || node.excluded.is_some() || node.board.halfmove_clock() > LATEST {
            return Ok(Range::UNKNOWN);
        }
        let Some(outcome) = recognise::recognise(&node.board) else { return Ok(Range::UNKNOWN) };
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
        if range.low >= window.beta || range.high <= window.alpha {
            return Err(Exit::Settled(Verdict::free(value)));
        }
        (window.alpha, window.beta) = (window.alpha.max(range.low), window.beta.min(range.high));
        Ok(range)
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
            Outcome::Win => self.scoring.won_at(node.ply),
            Outcome::Draw => self.draw(node),
            Outcome::Loss => -self.scoring.won_at(node.ply),
        };
        let entry = Entry {
            best: None,
            range: Range::exactly(value).kept_at(node.ply, self.scoring),
            evaluation: None,
            depth: DEPTH,
            age: 0,
            open: 0,
        };
        self.table.store(node.key, entry);
        Err(Exit::Settled(Verdict::free(value)))
    }
}
