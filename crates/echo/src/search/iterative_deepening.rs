//! Iterative deepening with aspiration windows.

use std::time::Duration;

use cozy_chess::{Board, Move};

use super::node::{Node, Search};
use super::root::RootMove;
use super::window::{DECIDED, Window};
use crate::budget::SearchStopped;
use crate::feature_switches::Feature;
use crate::mutants::Mutant;
use crate::position::Key;
use crate::search_constants::SearchConstant;
use crate::search_counters::SearchCounters;
use crate::search_driver::SearchDriver;
use crate::timeman::{IterationStats, SearchCost};
use crate::value::Value;
use threefold_chess::score::Bound;

/// The deepest iteration. Up to the largest ply there is room for extensions.
const MAX_DEPTH: i32 = 100;
/// The first depth with an aspiration window: values of shallower iterations differ too much.
const ASPIRATION_DEPTH: i32 = 4;
/// A wider window is opened completely.
const ASPIRATION_LIMIT: i32 = 400;
/// Largest depth for a single legal move, if there is a clock.
const ONLY_MOVE_DEPTH: i32 = 6;

/// The goal of a search.
pub(crate) struct SearchGoal {
    /// The depth limit.
    pub depth: Option<u16>,
    /// Stop at a mate in this number of moves.
    pub mate: Option<u32>,
    /// The number of principal variations.
    pub lines: usize,
    /// The depth of the first iteration. Helper threads start at different depths to diversify.
    pub first: i32,
}

impl SearchGoal {
    /// The depth of the last iteration.
    pub(super) fn deepest(&self) -> i32 {
        self.depth.map_or(MAX_DEPTH, |depth| i32::from(depth).clamp(1, MAX_DEPTH))
    }
}

/// The state at the start of an iteration.
#[derive(Debug, Clone, Copy)]
pub(super) struct IterationStart {
    /// The best move and its value.
    front: (Move, Value),
    /// Nodes of this thread.
    own: u64,
}

/// The state of one principal variation.
#[derive(Debug)]
pub(crate) struct IterationInfo<'s> {
    /// The rank, from 1.
    pub rank: usize,
    pub depth: i32,
    pub deepest: usize,
    pub value: Value,
    pub bound: Bound,
    pub nodes: u64,
    pub table_hits: u64,
    pub hashfull: u16,
    pub line: &'s [Move],
    pub elapsed: Duration,
}

/// The result of a completed iteration.
struct CompletedIteration {
    choice: RootMove,
    depth: i32,
    deepest: usize,
}

/// The result of one thread: the principal variation and the cost.
pub(crate) struct ThreadResult {
    pub line: Vec<Move>,
    pub spent: SearchCost,
    pub counters: SearchCounters,
}

impl<const DEFAULT_OPTIONS: bool> Search<'_, DEFAULT_OPTIONS> {
    /// Searches a position. The principal variation is empty if no move is allowed.
    pub(crate) fn think(
        mut self,
        board: &Board,
        key: Key,
        allowed: impl Fn(Move) -> bool,
        goal: &SearchGoal,
        on_info: &mut dyn FnMut(&IterationInfo<'_>),
    ) -> ThreadResult {
        let mut root = Node::root(board, key);
        let mut moves = self.root_moves(&root, allowed);
        if moves.is_empty() {
            // A seeded bug may hide the only allowed moves.
            return ThreadResult {
                line: Vec::new(),
                spent: self.budget.into_cost(),
                counters: self.counters,
            };
        }
        if let Some(error_margin) = self.error_margin(&root) {
            return self.think_below_full_strength(error_margin, root, moves, goal, on_info);
        }
        let lines = goal.lines.min(moves.len());
        let deepest = goal.deepest();
        let mut iteration = IterationStats::default();
        let mut completed: Option<CompletedIteration> = None;
        for depth in goal.first.min(deepest)..=deepest {
            let before = self.begin_iteration(&mut root, &mut moves, depth);
            if self.iterate(&root, &mut moves, lines, on_info).is_err() {
                // A stopped search has not taken all its moves back.
                self.repetitions.return_to_root();
                if depth == 1 {
                    self.value_unsearched(&root, &mut moves);
                    self.report_lines(&moves[..lines], on_info);
                } else {
                    self.interrupted_result(&mut moves, completed, on_info);
                }
                break;
            }
            // A mate found remains valid, though a deeper iteration may find a longer one first.
            if let Some(before) = completed.as_ref().map(|completed| &completed.choice)
                && moves[0].value.is_win()
                && moves[0].value < before.value
            {
                put_first(&mut moves, before.clone());
            }
            self.report_lines(&moves[..lines], on_info);
            completed = Some(CompletedIteration { choice: moves[0].clone(), depth, deepest: self.deepest });
            self.budget.end_iteration();
            self.limit_speed();
            iteration = self.review(&moves, depth, before, &iteration);
            if self.is_enough(&moves, goal, depth) || !self.budget.allows_another(&iteration) {
                break;
            }
        }
        let line = moves.swap_remove(0).line;
        ThreadResult { line, spent: self.budget.into_cost(), counters: self.counters }
    }

    /// Starts an iteration of this depth.
    pub(super) fn begin_iteration(
        &mut self,
        root: &mut Node,
        moves: &mut [RootMove],
        depth: i32,
    ) -> IterationStart {
        let before =
            IterationStart { front: (moves[0].line[0], moves[0].value), own: self.budget.own_nodes() };
        for choice in moves {
            choice.before = choice.nodes;
        }
        root.depth = depth;
        self.iteration = depth;
        self.deepest = 0;
        before
    }

    /// Statistics of a completed iteration, for the time manager.
    pub(super) fn review(
        &self,
        moves: &[RootMove],
        depth: i32,
        IterationStart { front, own: begun }: IterationStart,
        last: &IterationStats,
    ) -> IterationStats {
        let own = self.budget.own_nodes();
        // The nodes of this thread, scaled to those of all threads.
        let shared = self.budget.nodes() as f64 / own.max(1) as f64;
        let spent = |choice: &RootMove| shared * (choice.nodes - choice.before) as f64;
        IterationStats {
            depth,
            share: (100 * moves[0].nodes / own.max(1)) as u32,
            settled: if front.0 == moves[0].line[0] { last.settled + 1 } else { 0 },
            fallen: if depth > 1 { (front.1.raw() - moves[0].value.raw()).max(0) } else { 0 },
            nodes: [shared * (own - begun) as f64, last.nodes[0]],
            best: spent(&moves[0]),
            least: moves[1..].iter().map(spent).min_by(f64::total_cmp),
        }
    }

    /// One iteration: searches the best line, then the next best lines (MultiPV).
    fn iterate(
        &mut self,
        root: &Node,
        moves: &mut [RootMove],
        lines: usize,
        on_info: &mut dyn FnMut(&IterationInfo<'_>),
    ) -> Result<(), SearchStopped> {
        for rank in 0..lines {
            self.search_with_aspiration(root, moves, rank, on_info)?;
        }
        // A later line may have the larger value, because each has a search of its own.
        moves[..lines].sort_by_key(|choice| std::cmp::Reverse(choice.value));
        Ok(())
    }

    /// Searches the moves from `rank` on with an aspiration window, widened until the value is inside.
    fn search_with_aspiration(
        &mut self,
        root: &Node,
        moves: &mut [RootMove],
        rank: usize,
        on_info: &mut dyn FnMut(&IterationInfo<'_>),
    ) -> Result<(), SearchStopped> {
        if self.mode().driver == SearchDriver::Mtdf {
            return self.converge(root, moves, rank);
        }
        let expected = moves[rank].value;
        // Half the width of the window grows by half after each fail.
        let mut margin = self.constants.get(SearchConstant::AspirationMargin);
        let open = root.depth < ASPIRATION_DEPTH
            || expected.raw().abs() >= DECIDED
            || !self.features.has(Feature::Aspiration);
        let mut window = if open { Window::open() } else { Window::around(expected, margin) };
        loop {
            let value = self.search_root(root, moves, rank, window)?;
            if self.bug.is(Mutant::FailLowIsExact) && value <= window.alpha {
                return Ok(());
            }
            if window.alpha < value && value < window.beta {
                return Ok(());
            }
            if rank == 0 {
                self.report_lines(&moves[..1], on_info);
            }
            margin += margin / 2;
            // A mate has no neighbourhood of likely values.
            let far = margin > ASPIRATION_LIMIT || value.is_mate();
            if value <= window.alpha {
                // After a fail low the value is hardly near the old beta; a lower beta gives more cutoffs.
                if !far && window.alpha != Value::MINUS_INFINITE && !window.beta.is_mate() {
                    window.beta = Value::from_raw(i32::midpoint(window.alpha.raw(), window.beta.raw()));
                }
                window.alpha =
                    if far { Value::MINUS_INFINITE } else { Value::from_raw(value.raw() - margin) };
            } else {
                window.beta = if far { Value::INFINITE } else { Value::from_raw(value.raw() + margin) };
            }
        }
    }

    /// After an interrupted iteration: selects and reports the best known move, by its value rather than by a
    /// bound.
    fn interrupted_result(
        &mut self,
        moves: &mut [RootMove],
        completed: Option<CompletedIteration>,
        on_info: &mut dyn FnMut(&IterationInfo<'_>),
    ) {
        let begun = &mut moves[0];
        let is_unchanged = completed.as_ref().is_some_and(|completed| {
            let choice = &completed.choice;
            begun.bound == choice.bound && begun.value == choice.value && begun.line == choice.line
        });
        // The result of the last iteration has been reported already.
        if is_unchanged || begun.value == Value::MINUS_INFINITE {
            return;
        }
        if begun.bound == Bound::Exact && begun.value.is_loss() {
            // A move not searched yet may delay the mate.
            begun.bound = Bound::Lower;
        }
        if let Some(CompletedIteration { choice, depth, deepest }) = completed {
            let same_move = begun.line[0] == choice.line[0];
            let outdone = match begun.bound {
                // An incomplete iteration refutes no mate and no move that is still first.
                Bound::Exact => begun.value < choice.value && (same_move || choice.value.is_win()),
                // A move above alpha is better even if its value is only a bound.
                Bound::Lower => same_move,
                Bound::Upper => true,
            };
            if outdone {
                (self.iteration, self.deepest) = (depth, deepest);
                put_first(moves, choice);
            }
        }
        self.report_lines(&moves[..1], on_info);
    }

    pub(super) fn report_lines(&self, choices: &[RootMove], on_info: &mut dyn FnMut(&IterationInfo<'_>)) {
        for (index, choice) in choices.iter().enumerate() {
            on_info(&IterationInfo {
                rank: index + 1,
                depth: self.iteration,
                deepest: self.deepest.max(choice.line.len()),
                value: choice.value,
                bound: choice.bound,
                nodes: self.budget.nodes(),
                table_hits: self.budget.tablebase_hits(),
                hashfull: self.table.hashfull(),
                line: &choice.line,
                elapsed: self.budget.elapsed(),
            });
        }
    }

    /// Whether the goal has been reached.
    pub(super) fn is_enough(&mut self, moves: &[RootMove], goal: &SearchGoal, depth: i32) -> bool {
        let mated_in = self.mode().scoring.plies_to_mate(moves[0].value, 0);
        // For either side: the side to move may be the one that is mated.
        // A mate in n moves takes 2n - 1 plies, being mated in n moves takes 2n.
        if goal.mate.is_some_and(|requested| mated_in.is_some_and(|plies| plies <= 2 * requested as usize)) {
            return true;
        }
        let only = moves.len() == 1 && depth >= ONLY_MOVE_DEPTH;
        // Four plies deeper than the mate is long, a shorter one would have been found.
        let proven = mated_in.is_some_and(|plies| depth as usize >= plies + 4);
        // Without a game clock the requested depth, nodes or time are used in full.
        let clear = self.budget.is_clocked() && (only || proven);
        if clear {
            self.budget.end_without_choice();
        }
        clear
    }
}

/// Moves a root move to the front, with an earlier result.
fn put_first(moves: &mut [RootMove], choice: RootMove) {
    let same = |other: &RootMove| other.line[0] == choice.line[0];
    let at = moves.iter().position(same).expect("no root move is ever lost");
    moves[at] = choice;
    moves[..=at].rotate_right(1);
}
