//! Nodes of solved endings: right after a capture or pawn move the tables' word is the last one.

use super::node::{Exit, Node, Search};
use crate::echo::request::Bound;
use crate::echo::syzygy::{self, Outcome};
use crate::echo::table::Entry;
use crate::echo::value::Value;

/// What the tables say is worth more than a search of any depth.
const DEPTH: u8 = 120;

impl Search<'_> {
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
            Outcome::Win => Value::won_at(node.ply),
            Outcome::Draw => self.draw(node),
            Outcome::Loss => -Value::won_at(node.ply),
        };
        let entry = Entry {
            best: None,
            value: value.to_table(node.ply, self.seed),
            evaluation: None,
            depth: DEPTH,
            bound: Bound::Exact,
            age: 0,
        };
        self.table.store(node.key, entry);
        Err(Exit::Settled(value))
    }
}
