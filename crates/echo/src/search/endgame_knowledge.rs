//! Tablebase probes after captures and pawn moves, and recognised endings.

use super::cutoff::Cutoff;
use super::node::{Node, Search};
use super::node_result::NodeResult;
use super::static_bounds::StaticBounds;
use crate::eval;
use crate::range::ScoreRange;
use crate::recognise;
use crate::syzygy::{self, TablebaseOutcome};
use crate::table::{FiftyRange, TtEntry};
use crate::value::Value;
use threefold_chess::score::Bound;

/// The stored depth of tablebase results, above that of any search.
const DEPTH: u8 = 120;

/// A recognised win may take up to 33 moves, which must fit before the fifty-move limit.
const LATEST: u8 = 30;

/// With this number of reversible moves no position has occurred twice, so no repetition can prevent a win.
const NOTHING_TWICE: usize = 3;

impl<const DEFAULT_OPTIONS: bool> Search<'_, DEFAULT_OPTIONS> {
    /// Returns a cutoff for a recognised ending if its value is outside the window.
    #[inline]
    pub(super) fn recognise(&mut self, node: &Node, bounds: &mut StaticBounds) -> Result<(), Cutoff> {
        if self.mode().recognises { self.recognise_ending(node, bounds) } else { Ok(()) }
    }

    #[cold]
    fn recognise_ending(&mut self, node: &Node, bounds: &mut StaticBounds) -> Result<(), Cutoff> {
        let history = self.repetitions.reach() > NOTHING_TWICE;
        if self.mode().hash_fifty.keeps_fifty_range() {
            // The ending is recognised for all counters on one side of `LATEST`, and for none on the other.
            let same = if is_late(node) { FiftyRange::above(LATEST) } else { FiftyRange::up_to(LATEST) };
            self.fifty_range = self.fifty_range.and(same);
        }
        // The root needs a move, and without the excluded move the outcome may be another.
        if node.ply == 0 || node.excluded.is_some() || history || is_late(node) {
            return Ok(());
        }
        let Some(outcome) = recognise::recognise(&node.board) else { return Ok(()) };
        let known_win = || Value::recognised(eval::evaluate(&node.board).raw().abs());
        let value = match outcome {
            recognise::EndgameOutcome::Drawn => {
                return Err(Cutoff::Settled(NodeResult::path_independent(self.draw(node))));
            }
            recognise::EndgameOutcome::Won(side) if side == node.board.side_to_move() => known_win(),
            recognise::EndgameOutcome::Won(_) => -known_win(),
        };
        // A win is a lower bound, since there may be a mate; a loss is an upper bound.
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

    /// Whether this may be the value of a recognised win that is now too late for the fifty-move rule. A win
    /// that follows a capture is not: it resets the counter.
    pub(super) fn is_overtaken(&self, node: &Node, value: Value) -> bool {
        self.mode().recognises
            && value.may_be_recognised()
            && is_late(node)
            && recognise::has_recognised_material(&node.board)
    }

    /// Probes the tablebases and returns a cutoff for a known position. Costs one comparison without tables.
    pub(super) fn probe_tablebases(&mut self, node: &Node) -> Result<(), Cutoff> {
        let Some(endings) = self.endings else { return Ok(()) };
        // The tables' results hold for a fifty-move counter of 0 only.
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
        if self.mode().hash_fifty.keeps_fifty_range() {
            self.fifty_range = FiftyRange::ZERO;
        }
        self.store_entry(self.table_key(&node.board, node.key), entry);
        Err(Cutoff::Settled(NodeResult::path_independent(value)))
    }
}

/// Whether the fifty-move counter is too high for a recognised win.
fn is_late(node: &Node) -> bool {
    node.board.halfmove_clock() > LATEST
}
