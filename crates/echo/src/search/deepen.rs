//! Iterative deepening: one ply deeper each time, around the value found before, until it is enough.

use std::time::Duration;

use cozy_chess::{Board, Move};

use super::node::{DECIDED, Node, Search, Window};
use super::root::RootMove;
use crate::budget::Stopped;
use crate::census::Census;
use crate::lab::Feature;
use crate::mutants::Mutant;
use crate::position::Key;
use crate::search_driver::SearchDriver;
use crate::timeman::{Iteration, Spent};
use crate::value::Value;
use threefold_chess::score::Bound;

/// The deepest iteration.
const MAX_DEPTH: i32 = 100;
/// From this depth on the window is narrow at first.
const ASPIRATION_DEPTH: i32 = 4;
/// Half its width, in centipawns; it grows by half each time the value falls outside.
const ASPIRATION_MARGIN: i32 = 14;
/// Wider than this, it may as well be open.
const ASPIRATION_LIMIT: i32 = 400;
/// An only move is played without thinking deeper than this, if there is a clock.
const ONLY_MOVE_DEPTH: i32 = 6;

/// What to look for and how far.
pub(crate) struct Aim {
    /// Deepest iteration wanted.
    pub depth: Option<u16>,
    /// Enough is a mate in so many moves.
    pub mate: Option<u32>,
    /// Lines of play to report.
    pub lines: usize,
    /// Depth of the first iteration. Threads that help begin at different ones, so as not to do the same.
    pub first: i32,
}

impl Aim {
    /// The last iteration that may be needed.
    pub(super) fn deepest(&self) -> i32 {
        self.depth.map_or(MAX_DEPTH, |depth| i32::from(depth).clamp(1, MAX_DEPTH))
    }
}

/// How things stood when an iteration began.
#[derive(Debug, Clone, Copy)]
pub(super) struct Before {
    /// The front move and its value.
    front: (Move, Value),
    /// Nodes of this thread.
    own: u64,
}

/// One line of play as it stands.
#[derive(Debug)]
pub(crate) struct Insight<'s> {
    /// From 1, the best.
    pub rank: usize,
    pub depth: i32,
    pub deepest: usize,
    pub value: Value,
    pub bound: Bound,
    pub nodes: u64,
    pub table_hits: u64,
    pub fullness: u16,
    pub line: &'s [Move],
    pub elapsed: Duration,
}

/// The best move of an iteration that came to its end.
struct Settled {
    choice: RootMove,
    depth: i32,
    deepest: usize,
}

/// What the search came to: the line to play, and what was spent.
pub(crate) struct Conclusion {
    pub line: Vec<Move>,
    pub spent: Spent,
    pub census: Census,
}

impl<const SHIPPED: bool> Search<'_, SHIPPED> {
    /// Thinks about a position. The line is empty where no legal move is allowed.
    pub(crate) fn think(
        mut self,
        board: &Board,
        key: Key,
        allowed: impl Fn(Move) -> bool,
        aim: &Aim,
        heard: &mut dyn FnMut(&Insight<'_>),
    ) -> Conclusion {
        let mut root = Node::root(board, key);
        let mut moves = self.root_moves(&root, allowed);
        if moves.is_empty() {
            // Moves that a seeded bug doesn't know of may be the only ones allowed.
            return Conclusion { line: Vec::new(), spent: self.budget.spent(), census: self.census };
        }
        if let Some(lapse) = self.lapse(&root) {
            return self.think_handicapped(lapse, root, moves, aim, heard);
        }
        let lines = aim.lines.min(moves.len());
        let deepest = aim.deepest();
        let mut iteration = Iteration::default();
        let mut settled: Option<Settled> = None;
        for depth in aim.first.min(deepest)..=deepest {
            let before = self.begin_iteration(&mut root, &mut moves, depth);
            if self.iterate(&root, &mut moves, lines, heard).is_err() {
                self.repetitions.return_to_root();
                self.fall_back(&mut moves, settled, heard);
                break;
            }
            // A mate once shown stays one, though a deeper look may find a longer one first.
            if let Some(before) = settled.as_ref().map(|settled| &settled.choice)
                && moves[0].value.is_win()
                && moves[0].value < before.value
            {
                put_first(&mut moves, before.clone());
            }
            self.tell(&moves[..lines], heard);
            settled = Some(Settled { choice: moves[0].clone(), depth, deepest: self.deepest });
            self.hold_back();
            iteration = self.review(&moves, depth, before, &iteration);
            if self.is_enough(&moves, aim, depth) || !self.budget.allows_another(&iteration) {
                break;
            }
        }
        let line = moves.swap_remove(0).line;
        Conclusion { line, spent: self.budget.spent(), census: self.census }
    }

    /// An iteration of this depth begins.
    pub(super) fn begin_iteration(&mut self, root: &mut Node, moves: &mut [RootMove], depth: i32) -> Before {
        let before = Before { front: (moves[0].line[0], moves[0].value), own: self.budget.own_nodes() };
        for choice in moves {
            choice.before = choice.nodes;
        }
        root.depth = depth;
        self.iteration = depth;
        self.deepest = 0;
        before
    }

    /// An iteration has come to its end: how the search stands.
    pub(super) fn review(
        &self,
        moves: &[RootMove],
        depth: i32,
        Before { front, own: begun }: Before,
        last: &Iteration,
    ) -> Iteration {
        let own = self.budget.own_nodes();
        // What this thread spent, as a measure of what all did.
        let crew = self.budget.nodes() as f64 / own.max(1) as f64;
        let spent = |choice: &RootMove| crew * (choice.nodes - choice.before) as f64;
        Iteration {
            depth,
            share: (100 * moves[0].nodes / own.max(1)) as u32,
            settled: if front.0 == moves[0].line[0] { last.settled + 1 } else { 0 },
            fallen: if depth > 1 { (front.1.raw() - moves[0].value.raw()).max(0) } else { 0 },
            nodes: [crew * (own - begun) as f64, last.nodes[0]],
            best: spent(&moves[0]),
            least: moves[1..].iter().map(spent).min_by(f64::total_cmp),
        }
    }

    /// One iteration: the best line, then the best of the rest, as many as are to be reported.
    fn iterate(
        &mut self,
        root: &Node,
        moves: &mut [RootMove],
        lines: usize,
        heard: &mut dyn FnMut(&Insight<'_>),
    ) -> Result<(), Stopped> {
        for rank in 0..lines {
            self.aspire(root, moves, rank, heard)?;
        }
        moves[..lines].sort_by_key(|choice| std::cmp::Reverse(choice.value));
        Ok(())
    }

    /// Searches the moves from `rank` on with a window around the value of before, widened until it fits.
    fn aspire(
        &mut self,
        root: &Node,
        moves: &mut [RootMove],
        rank: usize,
        heard: &mut dyn FnMut(&Insight<'_>),
    ) -> Result<(), Stopped> {
        if self.mode().driver == SearchDriver::Mtdf {
            return self.converge(root, moves, rank);
        }
        let expected = moves[rank].value;
        let mut margin = ASPIRATION_MARGIN;
        let open = root.depth < ASPIRATION_DEPTH
            || expected.raw().abs() >= DECIDED
            || !self.lab.has(Feature::Aspiration);
        let mut window = if open { Window::open() } else { Window::around(expected, margin) };
        loop {
            let value = self.search_root(root, &mut moves[rank..], window)?;
            let taken = self.seed.is(Mutant::FailLowIsExact) && value <= window.alpha;
            if taken || (window.alpha < value && value < window.beta) {
                return Ok(());
            }
            if rank == 0 {
                self.tell(&moves[..1], heard);
            }
            margin += margin / 2;
            let far = margin > ASPIRATION_LIMIT || value.is_mate();
            if value <= window.alpha {
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

    /// Called off in the middle of an iteration: what is to be played, and what is last said of it, is the best
    /// that is known, by its value rather than by a bound.
    fn fall_back(
        &mut self,
        moves: &mut [RootMove],
        settled: Option<Settled>,
        heard: &mut dyn FnMut(&Insight<'_>),
    ) {
        let begun = &mut moves[0];
        let stands = settled.as_ref().is_some_and(|settled| {
            let choice = &settled.choice;
            begun.bound == choice.bound && begun.value == choice.value && begun.line == choice.line
        });
        if stands || begun.value == Value::MINUS_INFINITE {
            return;
        }
        if begun.bound == Bound::Exact && begun.value.is_loss() {
            // A move not looked at yet may put the mate off.
            begun.bound = Bound::Lower;
        }
        if let Some(Settled { choice, depth, deepest }) = settled {
            let same_move = begun.line[0] == choice.line[0];
            let outdone = match begun.bound {
                // A deeper look that is not through refutes no mate, and no move that still stands first.
                Bound::Exact => begun.value < choice.value && (same_move || choice.value.is_win()),
                // A better move is the one to play even before it is known how good it is.
                Bound::Lower => same_move,
                Bound::Upper => true,
            };
            if outdone {
                (self.iteration, self.deepest) = (depth, deepest);
                put_first(moves, choice);
            }
        }
        self.tell(&moves[..1], heard);
    }

    pub(super) fn tell(&self, choices: &[RootMove], heard: &mut dyn FnMut(&Insight<'_>)) {
        for (index, choice) in choices.iter().enumerate() {
            heard(&Insight {
                rank: index + 1,
                depth: self.iteration,
                deepest: self.deepest.max(choice.line.len()),
                value: choice.value,
                bound: choice.bound,
                nodes: self.budget.nodes(),
                table_hits: self.budget.hits(),
                fullness: self.table.fullness(),
                line: &choice.line,
                elapsed: self.budget.elapsed(),
            });
        }
    }

    /// Would going on change nothing that was asked for?
    pub(super) fn is_enough(&mut self, moves: &[RootMove], aim: &Aim, depth: i32) -> bool {
        let mated_in = self.mode().scoring.plies_to_mate(moves[0].value, 0);
        // Either way: who looks for a mate may be the one to be mated.
        if aim.mate.is_some_and(|asked| mated_in.is_some_and(|plies| plies <= 2 * asked as usize)) {
            return true;
        }
        let only = moves.len() == 1 && depth >= ONLY_MOVE_DEPTH;
        let proven = mated_in.is_some_and(|plies| depth as usize >= plies + 4);
        let clear = self.budget.is_clocked() && (only || proven);
        if clear {
            self.budget.clear();
        }
        clear
    }
}

/// A root move comes to the front as it once was.
fn put_first(moves: &mut [RootMove], choice: RootMove) {
    let same = |other: &RootMove| other.line[0] == choice.line[0];
    let at = moves.iter().position(same).expect("no root move is ever lost");
    moves[at] = choice;
    moves[..=at].rotate_right(1);
}
