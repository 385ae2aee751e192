//! A node of the search, the search stack, and the search state.

use cozy_chess::{Board, Color, Move};

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
use crate::repetition::{Path, PathDependence, PerpetualCheck, Repetitions};
use crate::scoring::EvalArithmetic;
use crate::search_constants::SearchConstants;
use crate::search_counters::SearchCounters;
use crate::strength::Handicap;
use crate::syzygy::EndgameTables;
use crate::table::{FiftyRange, TranspositionTable};
use crate::value::{MAX_PLY, Value};

/// A position of the tree.
pub(super) struct Node {
    pub board: Board,
    pub key: Key,
    /// Plies below the root.
    pub ply: usize,
    /// Remaining depth in plies; at 0 the quiescence search starts.
    pub depth: i32,
    /// Whether it is an expected cut node.
    pub cut: bool,
    /// The excluded move of a singular-extension search.
    pub excluded: Option<Move>,
}

impl Node {
    /// The root node.
    pub(super) fn root(board: &Board, key: Key) -> Self {
        Self { board: board.clone(), key, ply: 0, depth: 0, cut: false, excluded: None }
    }

    /// A node of this position for another search, with this depth and excluded move.
    pub(super) fn again(&self, depth: i32, cut: bool, excluded: Option<Move>) -> Self {
        Self { board: self.board.clone(), key: self.key, ply: self.ply, depth, cut, excluded }
    }

    pub(super) fn in_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }
}

/// One ply of the search stack.
#[derive(Debug, Clone, Copy)]
pub(super) struct SearchStackEntry {
    /// The static evaluation; none in check.
    pub evaluation: Option<Value>,
    /// The move made at this ply; `None` for a null move.
    pub moved: Option<PieceTo>,
    pub killers: Killers,
    /// The history context of the node.
    pub history_context: HistoryContext,
    /// Beta cutoffs at this ply since the ply two above was entered.
    pub refuted: u32,
}

impl SearchStackEntry {
    /// An empty entry.
    fn empty() -> Self {
        let history_context = HistoryContext { side: Color::White, after: [None; 3], structure: None };
        Self { evaluation: None, moved: None, killers: Killers::default(), history_context, refuted: 0 }
    }
}

/// One search, either for any options or compiled for the defaults.
pub(crate) struct Search<'a, const DEFAULT_OPTIONS: bool> {
    pub(super) table: &'a TranspositionTable,
    pub(super) thread: &'a mut ThreadData,
    pub(super) budget: SearchBudget<'a>,
    /// Endgame tables for probing below the root, if any.
    pub(super) endings: Option<&'a dyn EndgameTables>,
    pub(super) repetitions: Repetitions<'a>,
    mode: SearchMode,
    /// The limits below full strength, if any.
    handicap: Option<Handicap>,
    /// The seed of the random choices below full strength.
    pub(super) strength_seed: u32,
    /// The bug seeded on purpose, in a build with mutants.
    pub(super) bug: SeededBug,
    pub(super) features: FeatureSwitches,
    pub(super) constants: SearchConstants,
    pub(super) stack: Vec<SearchStackEntry>,
    pub(super) deepest: usize,
    /// Depth of the present iteration.
    pub(super) iteration: i32,
    pub(super) counters: SearchCounters,
    /// A replacement of the evaluation, for tests.
    #[cfg(test)]
    pub(super) oracle: Option<fn(&Board) -> Value>,
    /// The fifty-move counters for which everything found so far below the current node holds. A node starts
    /// with all, its children and its table entry narrow them, and its parent takes them over one ply
    /// earlier. Only with `HashFifty=Bounds`.
    pub(super) fifty_range: FiftyRange,
    /// No null move is made above this ply, during a verification search.
    pub(super) no_null_before: usize,
}

impl<'a, const DEFAULT_OPTIONS: bool> Search<'a, DEFAULT_OPTIONS> {
    /// `path` ends with the root's position.
    pub(crate) fn new(
        table: &'a TranspositionTable,
        thread: &'a mut ThreadData,
        budget: SearchBudget<'a>,
        endings: Option<&'a dyn EndgameTables>,
        path: Path,
        settings: &Settings,
    ) -> Self {
        let mode = SearchMode::from_settings(settings);
        debug_assert!(!DEFAULT_OPTIONS || mode == SearchMode::DEFAULT_OPTIONS, "compiled for other choices");
        // A stopped search leaves the moves of its nodes on the stack.
        thread.move_stack.clear();
        Self {
            table,
            thread,
            budget,
            endings,
            repetitions: Repetitions::new(path, settings.repetition_detector, table),
            mode,
            handicap: settings.handicap(),
            strength_seed: settings.strength.seed(),
            counters: SearchCounters::default(),
            bug: settings.bug,
            features: settings.features,
            constants: settings.constants,
            // The move loop of a node clears the entry two plies below it.
            stack: vec![SearchStackEntry::empty(); MAX_PLY + 3],
            deepest: 0,
            iteration: 0,
            #[cfg(test)]
            oracle: None,
            fifty_range: FiftyRange::ALL,
            no_null_before: 0,
        }
    }

    /// The options in effect.
    #[inline]
    pub(super) const fn mode(&self) -> SearchMode {
        if DEFAULT_OPTIONS { SearchMode::DEFAULT_OPTIONS } else { self.mode }
    }

    /// The handicap, if any.
    pub(super) const fn handicap(&self) -> Option<Handicap> {
        if self.mode().rating.is_some() { self.handicap } else { None }
    }

    /// Counts a node, and returns a cutoff if the rules end the game there.
    pub(super) fn enter(&mut self, node: &Node) -> Result<(), Cutoff> {
        self.budget.spend()?;
        // Before any return: a parent copies this line, whatever ends the node.
        self.thread.lines.clear(node.ply);
        self.deepest = self.deepest.max(node.ply);
        if self.features.counts() {
            self.counters.nodes += 1;
        }
        if self.mode().hash_fifty.keeps_fifty_range() {
            self.restrict_fifty_range(node);
        }
        if let Some(result) = self.draw_by_rule(node) {
            return Err(Cutoff::Settled(result));
        }
        // The search stack ends here: extensions and evasions may lead deeper than any iteration.
        if node.ply >= MAX_PLY - 1 {
            return Err(Cutoff::Settled(NodeResult::path_independent(self.evaluate_leaf(&node.board))));
        }
        Ok(())
    }

    /// The result of a node at which the rules end the game with a draw.
    #[inline]
    pub(super) fn draw_by_rule(&mut self, node: &Node) -> Option<NodeResult> {
        let dependence = self.drawn(node)?;
        let value = Value::from_raw(self.draw(node).raw() + self.perpetual_bonus(node));
        let range = self.range_of_repeated(node, dependence);
        Some(NodeResult { value, range, dependence })
    }

    /// Narrows the fifty-move counters for which this node's result holds: before the limit of the rule or at
    /// it, unless the material decides.
    #[cold]
    fn restrict_fifty_range(&mut self, node: &Node) {
        // A counter at the limit without a draw means checkmate, which holds for every counter.
        if self.is_fifty_moves(node) {
            self.fifty_range = self.fifty_range.and(FiftyRange::AT_LIMIT);
        } else if !self.is_dead(&node.board) && FiftyRange::BEFORE_LIMIT.contains(node.board.halfmove_clock())
        {
            self.fifty_range = self.fifty_range.and(FiftyRange::BEFORE_LIMIT);
        }
    }

    /// Makes a move and updates the path.
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
        after.key = key_of(&after.board, self.bug);
        // The bucket arrives while the rules are applied to the new node.
        self.table.prefetch(self.table_key(&after.board, after.key));
        self.repetitions.push(&after.board, after.key, mv);
        after
    }

    /// Makes a null move, unless the side to move is in check.
    pub(super) fn pass(&mut self, node: &Node) -> Option<Node> {
        let board = node.board.null_move()?;
        if node.ply < 2 {
            self.budget.record_move(node.ply, None);
        }
        self.stack[node.ply].moved = None;
        let key = key_of(&board, self.bug);
        self.table.prefetch(self.table_key(&board, key));
        self.repetitions.push_null(&board, key);
        Some(Node { board, key, ply: node.ply + 1, depth: node.depth - 1, cut: !node.cut, excluded: None })
    }

    /// The move made `back` plies ago.
    pub(super) fn moved(&self, node: &Node, back: usize) -> Option<PieceTo> {
        node.ply.checked_sub(back).and_then(|ply| self.stack[ply].moved)
    }

    /// The history context: side to move, previous moves, pawn structure.
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

    /// The keys of the correction history.
    pub(super) fn correction_keys(&self, node: &Node) -> CorrectionKeys {
        CorrectionKeys::new(&node.board, [1, 2].map(|back| self.moved(node, back)))
    }

    /// The path dependence of a draw by material, by the fifty-move rule, or by a repetition under the
    /// policy; `None` if there is no draw.
    fn drawn(&mut self, node: &Node) -> Option<PathDependence> {
        if self.is_dead(&node.board) || self.is_fifty_moves(node) {
            return Some(PathDependence::NONE);
        }
        if self.bug.is(Mutant::DrawsNotInTree) && node.ply > 1 {
            return None;
        }
        // Most nodes follow a capture or pawn move closely; they need no look-up.
        if !self.repetitions.may_repeat() && !self.features.counts() {
            return None;
        }
        let seen = self.repetitions.occurrences();
        #[cfg(any(test, feature = "lab"))]
        if self.features.counts() {
            self.counters.compare(seen, self.repetitions.true_occurrences());
        }
        self.mode().policy.draw(seen)
    }

    /// Whether the material is insufficient.
    fn is_dead(&self, board: &Board) -> bool {
        self.bug.is_insufficient(board)
    }

    /// Whether the fifty-move rule applies; checkmate on the hundredth ply takes precedence.
    fn is_fifty_moves(&self, node: &Node) -> bool {
        let is_mated = || node.in_check() && !node.board.generate_moves(|_| true);
        node.board.halfmove_clock() >= self.bug.fifty_move_limit()
            && (self.bug.is(Mutant::FiftyMovesBeatMate) || !is_mated())
    }

    /// The static evaluation.
    pub(super) fn evaluate(&mut self, board: &Board) -> Value {
        #[cfg(test)]
        if let Some(oracle) = self.oracle {
            return oracle(board);
        }
        // With complete knowledge both evaluations agree, and the one below has a cache.
        if let Some(Handicap { knowledge, .. }) = self.handicap()
            && !knowledge.is_complete()
        {
            return knowledge.evaluate(board);
        }
        if let Some(value) = self.bug.evaluation(board) {
            return value;
        }
        match self.mode().arithmetic {
            EvalArithmetic::Fixed => eval::evaluate_with(board, &mut self.thread.pawns),
            EvalArithmetic::Float => eval::float::evaluate_with(board, &mut self.thread.pawns),
        }
    }

    /// The static evaluation of a leaf, with the scoring scheme's granularity.
    pub(super) fn evaluate_leaf(&mut self, board: &Board) -> Value {
        let value = self.evaluate(board);
        self.mode().scoring.evaluation(value.raw())
    }

    /// What a draw is worth beyond its value, for the side to move.
    #[inline]
    fn perpetual_bonus(&self, node: &Node) -> i32 {
        if self.mode().scoring.perpetual_bonus == 0 { 0 } else { self.bonus_of_checks(node) }
    }

    #[cold]
    fn bonus_of_checks(&self, node: &Node) -> i32 {
        // A draw by material or by the fifty-move rule is no perpetual check.
        if self.is_dead(&node.board) || self.is_fifty_moves(node) {
            return 0;
        }
        self.bonus_of(self.repetitions.perpetual_check())
    }

    /// What a perpetual check adds to the value of a draw, for the side to move.
    pub(super) fn bonus_of(&self, check: Option<PerpetualCheck>) -> i32 {
        match check {
            Some(PerpetualCheck::ByMover) => self.mode().scoring.perpetual_bonus,
            Some(PerpetualCheck::ByOpponent) => -self.mode().scoring.perpetual_bonus,
            None => 0,
        }
    }

    /// The key of a position in the transposition table.
    #[inline]
    pub(super) fn table_key(&self, board: &Board, key: Key) -> Key {
        self.mode().hash_fifty.key(key, board.halfmove_clock())
    }

    /// The value of a draw.
    pub(super) fn draw(&self, node: &Node) -> Value {
        let draw = self.mode().scoring.draw_at(node.ply, self.budget.own_nodes());
        self.bug.draw_value(&node.board, draw)
    }
}
