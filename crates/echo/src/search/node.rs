//! A node of the search: the position, where it stands in the tree, and the window it is asked about.

use cozy_chess::{Board, Color, Move, Piece};

use super::cutoff::Cutoff;
use super::move_ordering::{BEFORE, CorrectionKeys, HistoryContext, Killers, PieceTo};
use super::node_result::NodeResult;
use super::search_mode::SearchMode;
use super::thread_data::ThreadData;
use crate::budget::SearchBudget;
use crate::eval;
use crate::feature_switches::{Feature, FeatureSwitches};
use crate::mutants::{Mutant, SeededBug};
use crate::options::Settings;
use crate::position::{Key, key_of};
use crate::range::ScoreRange;
use crate::repetition::{Path, PathDependence, Repetitions};
use crate::scoring::EvalArithmetic;
use crate::search_counters::SearchCounters;
use crate::strength::Handicap;
use crate::syzygy::EndgameTables;
use crate::table::{self, CutoffPermission, CycleRoom, HashScores, HorizonSearch, TranspositionTable};
use crate::value::{MAX_PLY, Value};

/// A position of the tree.
pub(super) struct Node {
    pub board: Board,
    pub key: Key,
    /// Half-moves below the root.
    pub ply: usize,
    /// Half-moves still to look ahead; at 0 the quiescence search takes over.
    pub depth: i32,
    /// Is it expected to be refuted, as every second node off the line of play is?
    pub cut: bool,
    /// A move that is not to be tried, to see what the others are worth.
    pub excluded: Option<Move>,
}

impl Node {
    /// Where a search begins.
    pub(super) fn root(board: &Board, key: Key) -> Self {
        Self { board: board.clone(), key, ply: 0, depth: 0, cut: false, excluded: None }
    }

    /// The same position to be looked at again, so deep, without one of its moves or with all.
    pub(super) fn again(&self, depth: i32, cut: bool, excluded: Option<Move>) -> Self {
        Self { board: self.board.clone(), key: self.key, ply: self.ply, depth, cut, excluded }
    }

    pub(super) fn in_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }
}

/// Between which bounds a value matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    pub alpha: Value,
    pub beta: Value,
}

impl Window {
    /// Every value matters.
    pub(super) const fn open() -> Self {
        Self { alpha: Value::MINUS_INFINITE, beta: Value::INFINITE }
    }

    /// Only whether a value is above this one matters.
    pub(super) fn above(alpha: Value) -> Self {
        Self { alpha, beta: alpha.next_above() }
    }

    /// So many centipawns to both sides of a value.
    pub(super) fn around(value: Value, margin: i32) -> Self {
        Self { alpha: Value::from_raw(value.raw() - margin), beta: Value::from_raw(value.raw() + margin) }
    }

    /// As the opponent sees it.
    pub(super) fn negated(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// Is the value itself asked for, not only on which side of a bound it lies?
    pub(super) fn is_wide(self) -> bool {
        self.beta.raw() - self.alpha.raw() > 1
    }

    /// Is it about mate? Judgements have no say there: not where it is asked how fast one side mates, nor where
    /// the game is decided and only mate can still surprise.
    pub(super) fn is_about_mate(self) -> bool {
        self.alpha.raw() >= DECIDED || self.beta.raw() <= -DECIDED
    }
}

/// From this advantage on, in centipawns, all that is left to find is the mate.
pub(super) const DECIDED: i32 = 1500;

/// What is remembered of each ply of the line that is searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct SearchStackEntry {
    /// The static evaluation; none in check.
    pub evaluation: Option<Value>,
    /// The move that leads on from here; none for a null move.
    pub moved: Option<PieceTo>,
    pub killers: Killers,
    /// Who moves here, after what.
    pub history_context: HistoryContext,
    /// How often children of this ply were refuted since the ply was entered from two plies above.
    pub refuted: u32,
}

impl SearchStackEntry {
    /// Nothing is known yet.
    fn empty() -> Self {
        let history_context = HistoryContext { side: Color::White, after: [None; 3], structure: None };
        Self { evaluation: None, moved: None, killers: Killers::default(), history_context, refuted: 0 }
    }
}

/// One search, from the question to the answer: in any mode, or compiled for the one that is shipped.
pub(crate) struct Search<'a, const SHIPPED: bool> {
    pub(super) table: &'a TranspositionTable,
    pub(super) thread: &'a mut ThreadData,
    pub(super) budget: SearchBudget<'a>,
    /// Tables to be asked below the root, if there are any.
    pub(super) endings: Option<&'a dyn EndgameTables>,
    pub(super) repetitions: Repetitions<'a>,
    mode: SearchMode,
    /// How it falls short of its full strength, if it does, and the seed of its luck.
    handicap: Option<Handicap>,
    pub(super) error_sampler: u32,
    /// What the value of the node that was visited last shows of its position, and what it hangs on, where anybody
    /// asks.
    pub(super) last_range: (ScoreRange, PathDependence),
    pub(super) seed: SeededBug,
    pub(super) features: FeatureSwitches,
    pub(super) stack: Vec<SearchStackEntry>,
    pub(super) deepest: usize,
    /// Depth of the present iteration.
    pub(super) iteration: i32,
    pub(super) census: SearchCounters,
    /// Who judges positions in place of the evaluation.
    #[cfg(test)]
    pub(super) oracle: Option<fn(&Board) -> Value>,
    /// No null move is tried above this ply, while one is being verified.
    pub(super) no_null_before: usize,
}

impl<'a, const SHIPPED: bool> Search<'a, SHIPPED> {
    /// `path` ends with the root's position.
    pub(crate) fn new(
        table: &'a TranspositionTable,
        thread: &'a mut ThreadData,
        budget: SearchBudget<'a>,
        endings: Option<&'a dyn EndgameTables>,
        path: Path,
        settings: &Settings,
    ) -> Self {
        let mode = SearchMode::of(settings);
        debug_assert!(!SHIPPED || mode == SearchMode::SHIPPED, "compiled for other choices");
        thread.move_stack.clear();
        Self {
            table,
            thread,
            budget,
            endings,
            repetitions: Repetitions::new(path, settings.repetition_detector, table),
            mode,
            handicap: settings.handicap(),
            error_sampler: settings.strength.seed,
            last_range: (ScoreRange::UNKNOWN, PathDependence::NONE),
            census: SearchCounters::default(),
            seed: settings.seed,
            features: settings.features,
            stack: vec![SearchStackEntry::empty(); MAX_PLY + 3],
            deepest: 0,
            iteration: 0,
            #[cfg(test)]
            oracle: None,
            no_null_before: 0,
        }
    }

    /// What the search keeps to.
    #[inline]
    pub(super) const fn mode(&self) -> SearchMode {
        if SHIPPED { SearchMode::SHIPPED } else { self.mode }
    }

    /// How it falls short of its full strength, if it does.
    pub(super) const fn handicap(&self) -> Option<Handicap> {
        if self.mode().rating.is_some() { self.handicap } else { None }
    }

    /// Counts a node and settles it if the rules do.
    pub(super) fn enter(&mut self, node: &Node) -> Result<(), Cutoff> {
        self.budget.spend()?;
        self.thread.lines.clear(node.ply);
        self.deepest = self.deepest.max(node.ply);
        if self.features.counts() {
            self.census.nodes += 1;
        }
        if let Some(dependence) = self.drawn(node) {
            return Err(Cutoff::Settled(NodeResult::path_dependent(self.draw(node), dependence)));
        }
        if node.ply >= MAX_PLY - 1 {
            return Err(Cutoff::Settled(NodeResult::path_independent(self.evaluate_leaf(&node.board))));
        }
        Ok(())
    }

    /// Plays a move; the path follows.
    pub(super) fn play(&mut self, node: &Node, mv: Move) -> Node {
        if node.ply < 2 {
            self.budget.record_move(node.ply, Some(mv));
        }
        let piece = node.board.piece_on(mv.from).expect("a legal move moves a piece");
        self.stack[node.ply].moved = Some(PieceTo { piece, to: mv.to });
        let mut after = Node {
            board: node.board.clone(),
            key: node.key,
            ply: node.ply + 1,
            depth: node.depth - 1,
            cut: !node.cut,
            excluded: None,
        };
        after.board.play_unchecked(mv);
        after.key = key_of(&after.board, self.seed);
        self.table.prefetch(after.key);
        self.repetitions.push(&after.board, after.key, mv);
        after
    }

    /// Lets the opponent move again, unless the side to move is in check.
    pub(super) fn pass(&mut self, node: &Node) -> Option<Node> {
        let board = node.board.null_move()?;
        if node.ply < 2 {
            self.budget.record_move(node.ply, None);
        }
        self.stack[node.ply].moved = None;
        let key = key_of(&board, self.seed);
        self.table.prefetch(key);
        self.repetitions.push_null(&board, key);
        Some(Node { board, key, ply: node.ply + 1, depth: node.depth - 1, cut: !node.cut, excluded: None })
    }

    /// The move that was made so many plies ago.
    pub(super) fn moved(&self, node: &Node, back: usize) -> Option<PieceTo> {
        node.ply.checked_sub(back).and_then(|ply| self.stack[ply].moved)
    }

    /// Who moves, after which moves, among which pawns.
    pub(super) fn history_context(&self, node: &Node) -> HistoryContext {
        let after = if self.features.has(Feature::ContinuationHistory) {
            BEFORE.map(|back| self.moved(node, back))
        } else {
            [None; 3]
        };
        let structure =
            self.features.has(Feature::PawnHistory).then(|| HistoryContext::structure_of(&node.board));
        HistoryContext { side: node.board.side_to_move(), after, structure }
    }

    /// What the position is like, for corrections.
    pub(super) fn correction_keys(&self, node: &Node) -> CorrectionKeys {
        CorrectionKeys::of(&node.board, [1, 2].map(|back| self.moved(node, back)))
    }

    /// On what a draw by material, by fifty moves without progress, or by a repetition that the policy counts
    /// hangs; `None` where it is none.
    fn drawn(&mut self, node: &Node) -> Option<PathDependence> {
        if self.is_dead(&node.board) || self.is_fifty_moves(node) {
            return Some(PathDependence::NONE);
        }
        if self.seed.is(Mutant::DrawsNotInTree) && node.ply > 1 {
            return None;
        }
        if !self.repetitions.may_repeat() && !self.features.counts() {
            return None;
        }
        let seen = self.repetitions.occurrences();
        #[cfg(any(test, feature = "lab"))]
        if self.features.counts() {
            self.census.compare(seen, self.repetitions.true_occurrences());
        }
        self.mode().policy.draw(seen)
    }

    /// Can nobody mate any more?
    fn is_dead(&self, board: &Board) -> bool {
        if self.seed.is(Mutant::MinorsAreDead) && board.occupied().len() == 4 {
            let minors = board.pieces(Piece::Knight) | board.pieces(Piece::Bishop);
            return minors.len() == 2;
        }
        eval::is_insufficient(board) && !self.seed.is(Mutant::DeadIsAlive)
    }

    /// A checkmate on the hundredth ply still counts.
    fn is_fifty_moves(&self, node: &Node) -> bool {
        let limit = if self.seed.is(Mutant::FiftyMovesEarly) { 99 } else { 100 };
        node.board.halfmove_clock() >= limit
            && !self.seed.is(Mutant::FiftyMovesIgnored)
            && (!node.in_check()
                || node.board.generate_moves(|_| true)
                || self.seed.is(Mutant::FiftyMovesBeatMate))
    }

    /// How far the hash table may be trusted here. Where nothing is detected, nothing can be hidden.
    pub(super) fn guard(&self, node: &Node) -> CutoffPermission {
        if self.mode().hash_scores != HashScores::Guarded || !self.repetitions.are_detected() {
            return CutoffPermission::None;
        }
        let beyond = if !self.features.has(Feature::Quiescence) {
            HorizonSearch::Nothing
        } else if node.in_check() {
            HorizonSearch::Evasions
        } else {
            HorizonSearch::Captures
        };
        let (reach, sees_upcoming) = (self.repetitions.reach(), self.mode().sees_repetitions_coming);
        table::guard(CycleRoom { reach, depth: node.depth, beyond, sees_upcoming })
    }

    /// What a position is worth by itself.
    pub(super) fn evaluate(&mut self, board: &Board) -> Value {
        #[cfg(test)]
        if let Some(oracle) = self.oracle {
            return oracle(board);
        }
        if let Some(Handicap { knowledge, .. }) = self.handicap()
            && !knowledge.is_complete()
        {
            return knowledge.evaluate(board);
        }
        match self.mode().arithmetic {
            EvalArithmetic::Fixed => eval::evaluate_with(board, &mut self.thread.pawns),
            EvalArithmetic::Float => eval::float::evaluate_with(board, &mut self.thread.pawns),
        }
    }

    /// The same where the search ends, as its judgements are.
    pub(super) fn evaluate_leaf(&mut self, board: &Board) -> Value {
        let value = self.evaluate(board);
        self.mode().scoring.judged(value.raw())
    }

    /// What a draw is worth.
    pub(super) fn draw(&self, node: &Node) -> Value {
        if self.seed.is(Mutant::DrawSignFlipped) {
            return Value::judged(2 * eval::evaluate(&node.board).raw());
        }
        self.mode().scoring.draw_at(node.ply, self.budget.own_nodes())
    }
}
