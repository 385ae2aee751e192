//! The principal-variation search (Marsland and Campbell 1982): the first move is searched with the full
//! window, later ones with a zero window, and re-searched if they exceed alpha.
//!
//! `search_node` names the steps of a node in their order. `docs/src/research/features.md` has what each of
//! them is worth in Elo.

use cozy_chess::Move;

use super::cutoff::Cutoff;
use super::move_ordering::{Killers, MovePicker, OrderingHints, Stage, victim_of};
use super::move_pruning::PruneDecision;
use super::node::{Node, Search};
use super::node_eval::NodeEval;
use super::node_result::{NodeOutcome, NodeResult};
use super::search_move::{CandidateMove, MoveContext};
use super::static_bounds::StaticBounds;
use super::update_histories::TriedMoves;
use super::window::Window;
use crate::budget::SearchStopped;
use crate::feature_switches::Feature;
use crate::mutants::Mutant;
use crate::table::{FiftyRange, TtEntry};
use crate::value::Value;

/// The smallest depth of internal iterative reductions: below, there is too little to save.
const INTERNAL_REDUCTION_DEPTH: i32 = 4;

/// The parameters of a node's move loop.
#[derive(Clone, Copy)]
struct MoveLoop<'a> {
    bounds: &'a StaticBounds,
    eval: NodeEval,
    /// The hash move; legal.
    hash: Option<Move>,
    /// The extension of the hash move in plies.
    extension: i32,
}

impl<const DEFAULT_OPTIONS: bool> Search<'_, DEFAULT_OPTIONS> {
    /// Searches a node, and returns its result as its parent uses it.
    pub(super) fn search(&mut self, node: &Node, window: Window) -> Result<NodeResult, SearchStopped> {
        if node.depth <= 0 {
            return self.quiescence(node, window);
        }
        self.with_result_for_parent(node, window, Self::result_of)
    }

    /// Converts the result that `find` has for a node into the one that its parent uses.
    pub(super) fn with_result_for_parent(
        &mut self,
        node: &Node,
        mut window: Window,
        find: impl FnOnce(&mut Self, &Node, Window) -> Result<NodeResult, Cutoff>,
    ) -> Result<NodeResult, SearchStopped> {
        let static_eval = self.mode().scoring.delays_losses().then(|| self.evaluate(&node.board));
        if let Some(static_eval) = static_eval {
            (window.alpha, window.beta) =
                self.mode().scoring.before_delay((window.alpha, window.beta), static_eval);
        }
        // The parent's counters must hold, too, but one ply earlier than the node's.
        let keeps_fifty_range = self.mode().hash_fifty.keeps_fifty_range();
        let of_parent = if keeps_fifty_range { self.fifty_range } else { FiftyRange::ALL };
        if keeps_fifty_range {
            self.fifty_range = FiftyRange::ALL;
        }
        let result = Cutoff::or_result(find(self, node, window))?;
        if keeps_fifty_range {
            self.fifty_range = of_parent.and(self.fifty_range.before_move(node.board.halfmove_clock()));
        }
        if self.features.counts() {
            self.counters.anchored += u64::from(result.dependence.is_above(node.ply));
        }
        // A value that depends on the node itself, but on nothing above, is as good as an independent one for
        // its parent: every path through the parent's move has this node.
        let result = if self.mode().tracks_path_dependence {
            let window = self.bug.window_of_range(result, node.ply - 1, window);
            result.with_range_at(node.ply - 1, window)
        } else {
            NodeResult::path_independent(result.value)
        };
        Ok(static_eval.map_or(result, |static_eval| result.delayed(self.mode().scoring, static_eval)))
    }

    /// The result of a node from the outcome of its moves.
    pub(super) fn conclude(&self, node: &Node, requested: Window, outcome: &NodeOutcome) -> NodeResult {
        if self.mode().tracks_path_dependence {
            outcome.result(node.ply, requested)
        } else {
            NodeResult::path_independent(outcome.best)
        }
    }

    /// The result of a node for itself, without conversion for the parent.
    pub(super) fn result_of(&mut self, node: &Node, requested: Window) -> Result<NodeResult, Cutoff> {
        if self.bug.is(Mutant::TableBeforeHistory) {
            self.probe_table(node, requested)?;
        }
        // The rules come first: nothing that is known of a position outlives the end of the game.
        self.enter(node)?;
        let mut bounds = StaticBounds::new(self.bound_by_mate_distance(node, requested)?);
        self.search_node(node, &mut bounds).map_err(|exit| bounds.apply_to(exit))
    }

    /// The steps of a node, after the rules have been applied. What is known precedes what is estimated, and
    /// what is cheap precedes what is expensive: most nodes end before a move is generated.
    fn search_node(&mut self, node: &Node, bounds: &mut StaticBounds) -> Result<NodeResult, Cutoff> {
        // A repetition that the side to move can force is a property of the path, which table entries do not
        // know. So it comes before them; and it raises alpha for all other steps.
        self.upcoming_repetition(node, bounds)?;
        // The transposition table ends more nodes than any other step, and the steps below need its move and
        // its evaluation.
        let known = self.probe_table(node, bounds.window)?;
        // Endgame tables are exact, but a probe reads a file. Results are kept in the transposition table.
        self.probe_tablebases(node)?;
        // A recognised ending has bounds only, so the tables, which know more, are asked first.
        self.recognise(node, bounds)?;
        // From here on cutoffs are estimates. All of them need the static evaluation, and it is needed only
        // now.
        let window = bounds.window;
        let eval = self.static_eval(node, known);
        // A node far outside the window needs no moves.
        self.prune_node(node, window, eval, known)?;
        // The singular search is the most expensive step before the moves: it searches all but the hash move.
        let hash = hash_move(node, known);
        let extension = self.singular_extension(node, window, known, hash)?;
        let lead = MoveLoop { bounds, eval, hash, extension };
        if self.reduces_internally(node, window, hash) {
            let shallower = node.again(node.depth - 1, node.cut, None);
            return Ok(self.search_and_store(&shallower, lead)?);
        }
        Ok(self.search_and_store(node, lead)?)
    }

    /// Internal iterative reduction (Schröder 2020): without a hash move the order of moves is a guess, so a
    /// full search costs more and is worth less. The shallower one finds a hash move for the next iteration.
    fn reduces_internally(&self, node: &Node, window: Window, hash: Option<Move>) -> bool {
        self.features.has(Feature::InternalReduction)
            && hash.is_none()
            && node.depth >= INTERNAL_REDUCTION_DEPTH
            && (node.cut || window.is_wide())
            && node.excluded.is_none()
    }

    /// Searches the moves and stores the result. The result without the excluded move is not the node's.
    fn search_and_store(&mut self, node: &Node, lead: MoveLoop<'_>) -> Result<NodeResult, SearchStopped> {
        let outcome = self.try_moves(node, lead)?;
        if node.excluded.is_none() {
            self.store_result(node, lead.bounds.requested, lead.eval, &outcome);
        }
        Ok(self.conclude(node, lead.bounds.requested, &outcome))
    }

    /// Searches the moves in order until one is worth at least beta.
    fn try_moves(&mut self, node: &Node, lead: MoveLoop<'_>) -> Result<NodeOutcome, SearchStopped> {
        let mut window = lead.bounds.window;
        let mut picker = self.begin_moves(node, lead.hash);
        let hash_takes = lead.hash.is_some_and(|mv| victim_of(&node.board, mv).is_some());
        let mut outcome = self.begin(lead.bounds);
        let mut tried = TriedMoves::new();
        let mut number: u16 = 0;
        while let Some((mv, stage)) =
            picker.next(&mut self.thread.move_stack, &node.board, &self.thread.histories)
        {
            if node.excluded == Some(mv) {
                continue;
            }
            // Pruned moves have numbers, too: what counts is how late a move is in the order.
            number += 1;
            let mut candidate = self.candidate(node, mv, stage, number);
            match self.prune_move(node, window, lead.eval, candidate, outcome.best) {
                PruneDecision::Search => {}
                PruneDecision::Prune => continue,
                PruneDecision::PruneQuiets => {
                    picker.skip_quiets();
                    continue;
                }
            }
            if stage == Stage::Hash {
                candidate.extension = lead.extension;
            }
            let context = MoveContext { window, eval: lead.eval, best: outcome.best, hash_takes };
            let result = self.play_out(node, candidate, context)?;
            if self.mode().tracks_path_dependence && self.bug.counts_for_range(result.value, outcome.best) {
                outcome.add_move(result);
            }
            tried.push(mv);
            self.take_best(node, &mut window, &mut outcome, result.value, mv);
            if result.value >= window.beta {
                outcome.record_cutoff();
                self.stack[node.ply].refuted += 1;
                self.update_histories(node, mv, &tried);
                break;
            }
            self.store_progress(node, lead.eval.raw, &outcome);
        }
        picker.end(&mut self.thread.move_stack);
        self.finish(lead.bounds, &mut outcome);
        if number == 0 {
            outcome.set_exact(self.value_without_moves(node, window));
        }
        Ok(outcome)
    }

    /// Prepares the move loop: the context of the histories, and the memory that siblings two plies below
    /// share.
    fn begin_moves(&mut self, node: &Node, hash: Option<Move>) -> MovePicker {
        self.stack[node.ply].history_context = self.history_context(node);
        // The nodes two plies below share their killers; those that other subtrees left there refuted other
        // moves.
        self.stack[node.ply + 2].killers = Killers::default();
        self.stack[node.ply + 2].refuted = 0;
        let frame = &self.stack[node.ply];
        let hints = OrderingHints { hash, killers: frame.killers, history_context: frame.history_context };
        MovePicker::all(&self.thread.move_stack, hints, self.bug)
    }

    /// The value without searched moves: mate, stalemate, or alpha if only the excluded move exists.
    pub(super) fn value_without_moves(&self, node: &Node, window: Window) -> Value {
        if node.excluded.is_some() {
            window.alpha
        } else if node.in_check() || self.bug.is(Mutant::StalemateIsMate) {
            self.mode().scoring.mated_at(node.ply)
        } else {
            self.draw(node)
        }
    }

    /// Makes a move, searches it, and takes it back.
    fn play_out(
        &mut self,
        node: &Node,
        candidate: CandidateMove,
        context: MoveContext,
    ) -> Result<NodeResult, SearchStopped> {
        let after = self.play(node, candidate.mv);
        let result = self.search_move(node, after, candidate, context);
        self.repetitions.pop();
        result
    }

    /// Takes a move's value if it is the best so far. A move up to alpha is not the best move: its value is
    /// only an upper bound.
    pub(super) fn take_best(
        &mut self,
        node: &Node,
        window: &mut Window,
        outcome: &mut NodeOutcome,
        value: Value,
        mv: Move,
    ) {
        if value > outcome.best {
            outcome.best = value;
            if value > window.alpha {
                self.raise_alpha(node, window, value, mv);
                outcome.mv = Some(mv);
            }
        }
    }

    /// Raises alpha; in PV nodes the principal variation continues with this move.
    fn raise_alpha(&mut self, node: &Node, window: &mut Window, value: Value, mv: Move) {
        if window.is_wide() {
            self.thread.lines.extend(node.ply, mv);
        }
        window.alpha = value;
    }

    /// Mate-distance pruning: the value is between being mated now and mating with the next move. If a
    /// shorter mate is known elsewhere, nothing here can matter.
    fn bound_by_mate_distance(&self, node: &Node, window: Window) -> Result<Window, Cutoff> {
        let earliest_mate = node.ply + self.bug.plies_to_earliest_mate();
        let alpha = window.alpha.max(self.mode().scoring.mated_at(node.ply));
        let beta = window.beta.min(-self.mode().scoring.mated_at(earliest_mate));
        if alpha >= beta {
            Err(Cutoff::Settled(NodeResult::path_independent(alpha)))
        } else {
            Ok(Window { alpha, beta })
        }
    }
}

/// The hash move, if legal. A key collision or a torn write may give another position's move.
pub(super) fn hash_move(node: &Node, known: Option<TtEntry>) -> Option<Move> {
    known.and_then(|entry| entry.best).filter(|&mv| node.board.is_legal(mv))
}
