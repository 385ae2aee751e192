//! The principal-variation search: the first move is searched with the full window, later ones with a zero
//! window, and re-searched if they exceed alpha.

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

/// The smallest depth of internal iterative reductions.
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
    /// Searches a node for its parent and returns its value; the other parts of its result are
    /// [`Self::last_result`] until the next node is searched.
    pub(super) fn search(&mut self, node: &Node, window: Window) -> Result<Value, SearchStopped> {
        if node.depth <= 0 {
            return self.quiescence(node, window);
        }
        self.with_result_for_parent(node, window, Self::result_of)
    }

    /// Converts a node's result for its parent, and stores it.
    pub(super) fn with_result_for_parent(
        &mut self,
        node: &Node,
        mut window: Window,
        find: impl FnOnce(&mut Self, &Node, Window) -> Result<NodeResult, Cutoff>,
    ) -> Result<Value, SearchStopped> {
        let static_eval = self.mode().scoring.delays_losses().then(|| self.evaluate(&node.board));
        if let Some(static_eval) = static_eval {
            (window.alpha, window.beta) =
                self.mode().scoring.before_delay((window.alpha, window.beta), static_eval);
        }
        let keeps_fifty_range = self.mode().hash_fifty.keeps_fifty_range();
        let fifty_range = if keeps_fifty_range { self.fifty_range } else { FiftyRange::ALL };
        if keeps_fifty_range {
            self.fifty_range = FiftyRange::ALL;
        }
        let result = Cutoff::or_result(find(self, node, window))?;
        if keeps_fifty_range {
            self.fifty_range = fifty_range.and(self.fifty_range.before_move(node.board.halfmove_clock()));
        }
        if self.features.counts() {
            self.counters.anchored += u64::from(result.dependence.is_above(node.ply));
        }
        if !self.mode().tracks_path_dependence && static_eval.is_none() {
            return Ok(result.value);
        }
        let reset = self.bug.is(Mutant::ShadowResetToScore) && !result.dependence.is_above(node.ply - 1);
        let window = if reset { Window::open() } else { window };
        let result = result.for_parent(node.ply - 1, window);
        let result =
            static_eval.map_or(result, |static_eval| result.delayed(self.mode().scoring, static_eval));
        self.last_range = (result.range, result.dependence);
        Ok(result.value)
    }

    /// The full result of the last node, which had this value.
    pub(super) const fn last_result(&self, value: Value) -> NodeResult {
        if self.mode().tracks_path_dependence {
            NodeResult { value, range: self.last_range.0, dependence: self.last_range.1 }
        } else {
            NodeResult::path_independent(value)
        }
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
        self.enter(node)?;
        let mut bounds = StaticBounds::new(self.bound_by_mate_distance(node, requested)?);
        self.search_node(node, &mut bounds).map_err(|exit| bounds.apply_to(exit))
    }

    fn search_node(&mut self, node: &Node, bounds: &mut StaticBounds) -> Result<NodeResult, Cutoff> {
        self.upcoming_repetition(node, bounds)?;
        let known = self.probe_table(node, bounds.window)?;
        self.probe_tablebases(node)?;
        self.recognise(node, bounds)?;
        let window = bounds.window;
        let eval = self.static_eval(node, known);
        self.prune_node(node, window, eval, known)?;
        let hash = hash_move(node, known);
        let unsure = hash.is_none()
            && node.depth >= INTERNAL_REDUCTION_DEPTH
            && (node.cut || window.is_wide())
            && node.excluded.is_none()
            && self.features.has(Feature::InternalReduction);
        let extension = self.singular_extension(node, window, known, hash)?;
        let lead = MoveLoop { bounds, eval, hash, extension };
        if unsure {
            let shallower = node.again(node.depth - 1, node.cut, None);
            return Ok(self.search_and_store(&shallower, lead)?);
        }
        Ok(self.search_and_store(node, lead)?)
    }

    /// Searches the moves and stores the result.
    fn search_and_store(&mut self, node: &Node, lead: MoveLoop<'_>) -> Result<NodeResult, SearchStopped> {
        let outcome = self.try_moves(node, lead)?;
        if node.excluded.is_none() {
            self.store_result(node, lead.bounds.requested, lead.eval, &outcome);
        }
        Ok(self.conclude(node, lead.bounds.requested, &outcome))
    }

    fn try_moves(&mut self, node: &Node, lead: MoveLoop<'_>) -> Result<NodeOutcome, SearchStopped> {
        let mut window = lead.bounds.window;
        self.stack[node.ply].history_context = self.history_context(node);
        self.stack[node.ply + 2].killers = Killers::default();
        self.stack[node.ply + 2].refuted = 0;
        let frame = &self.stack[node.ply];
        let hints =
            OrderingHints { hash: lead.hash, killers: frame.killers, history_context: frame.history_context };
        let hash_takes = lead.hash.is_some_and(|mv| victim_of(&node.board, mv).is_some());
        let mut picker = MovePicker::all(&self.thread.move_stack, hints, self.bug);
        let mut outcome = self.begin(lead.bounds);
        let mut tried = TriedMoves::new();
        let mut number: u16 = 0;
        while let Some((mv, stage)) =
            picker.next(&mut self.thread.move_stack, &node.board, &self.thread.histories)
        {
            if node.excluded == Some(mv) {
                continue;
            }
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
            let value = result.value;
            let counts = value > outcome.best || !self.bug.is(Mutant::ShadowOfBestMove);
            if self.mode().tracks_path_dependence && counts {
                outcome.take(result);
            }
            tried.push(mv);
            if value > outcome.best {
                outcome.best = value;
                if value > window.alpha {
                    self.raise_alpha(node, &mut window, value, mv);
                    outcome.mv = Some(mv);
                }
            }
            if value >= window.beta {
                outcome.cut();
                self.stack[node.ply].refuted += 1;
                self.update_histories(node, mv, &tried);
                break;
            }
            self.store_progress(node, lead.eval.raw, &outcome);
        }
        picker.end(&mut self.thread.move_stack);
        self.finish(lead.bounds, &mut outcome);
        if number == 0 {
            outcome.settle(self.value_without_moves(node, window));
        }
        Ok(outcome)
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

    fn play_out(
        &mut self,
        node: &Node,
        candidate: CandidateMove,
        context: MoveContext,
    ) -> Result<NodeResult, SearchStopped> {
        let after = self.play(node, candidate.mv);
        let value = self.search_move(node, after, candidate, context);
        self.repetitions.pop();
        Ok(-self.last_result(-value?))
    }

    /// Raises alpha; in PV nodes the principal variation continues with this move.
    pub(super) fn raise_alpha(&mut self, node: &Node, window: &mut Window, value: Value, mv: Move) {
        if window.beta.raw() - window.alpha.raw() > 1 {
            self.thread.lines.extend(node.ply, mv);
        }
        window.alpha = value;
    }

    /// Mate-distance pruning: the value is between being mated now and mating with the next move.
    fn bound_by_mate_distance(&self, node: &Node, window: Window) -> Result<Window, Cutoff> {
        let alpha = window.alpha.max(self.mode().scoring.mated_at(node.ply));
        let soonest = if self.bug.is(Mutant::MateBoundTight) { 5 } else { 1 };
        let beta = window.beta.min(-self.mode().scoring.mated_at(node.ply + soonest));
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
