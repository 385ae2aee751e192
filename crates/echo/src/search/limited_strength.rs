//! Search below full strength: every root move is searched to the same depth, so that their values are
//! comparable, and a random one of those within the error margin is played.
//!
//! MadChess searches the root with an open window. A move whose value is below the best by more than the
//! margin cannot be chosen, so a bound suffices for it: the window's lower end is best value minus margin.

use cozy_chess::Move;

use super::iterative_deepening::{IterationInfo, SearchGoal, ThreadResult};
use super::node::{Node, Search};
use super::root::RootMove;
use super::window::Window;
use crate::budget::SearchStopped;
use crate::strength::ErrorSampler;
use crate::timeman::IterationStats;
use crate::value::Value;
use threefold_chess::score::Bound;

/// The error margin of a search, with its random generator.
pub(super) struct ErrorMargin {
    error_sampler: ErrorSampler,
    /// The largest loss of the chosen move, in centipawns.
    error: i32,
}

impl<const DEFAULT_OPTIONS: bool> Search<'_, DEFAULT_OPTIONS> {
    /// The error margin of this search; `None` at full strength, and if this search is sampled without error.
    pub(super) fn error_margin(&self, root: &Node) -> Option<ErrorMargin> {
        let handicap = self.handicap()?;
        let mut error_sampler =
            ErrorSampler::new(self.strength_seed, root.key.0, root.board.fullmove_number());
        let error = error_sampler.error(&handicap)?;
        Some(ErrorMargin { error_sampler, error })
    }

    /// Applies the handicap's speed limit, once there is a move to play.
    pub(super) fn limit_speed(&mut self) {
        if let Some(handicap) = self.handicap() {
            self.budget.limit_speed(handicap.nodes_per_second);
        }
    }

    /// Searches, and chooses a move within the error margin.
    pub(super) fn think_below_full_strength(
        mut self,
        ErrorMargin { mut error_sampler, error }: ErrorMargin,
        mut root: Node,
        mut moves: Vec<RootMove>,
        goal: &SearchGoal,
        on_info: &mut dyn FnMut(&IterationInfo<'_>),
    ) -> ThreadResult {
        let lines = goal.lines.min(moves.len());
        let mut iteration = IterationStats::default();
        // The moves after the last completed iteration, and its depths.
        let (mut completed, mut reached) = (moves.clone(), (1, 0));
        for depth in goal.first..=goal.deepest() {
            let before = self.begin_iteration(&mut root, &mut moves, depth);
            if self.compare(&root, &mut moves, error).is_err() {
                self.repetitions.return_to_root();
                if depth == 1 {
                    self.value_unsearched(&root, &mut moves);
                    self.report_lines(&moves[..lines], on_info);
                    completed.clone_from(&moves);
                    reached = (self.iteration, self.deepest);
                }
                // After depth 1 an incomplete iteration is discarded: values of two depths cannot be
                // compared.
                break;
            }
            self.report_lines(&moves[..lines], on_info);
            completed.clone_from(&moves);
            reached = (self.iteration, self.deepest);
            self.budget.end_iteration();
            self.limit_speed();
            iteration = self.review(&moves, depth, before, &iteration);
            if self.is_enough(&moves, goal, depth) || !self.budget.allows_another(&iteration) {
                break;
            }
        }
        let chosen = error_sampler.choose(completed.iter().map(|choice| choice.value.raw()), error);
        if chosen > 0 {
            // The last report is about the chosen move, whose value is of the last completed iteration.
            (self.iteration, self.deepest) = reached;
            self.report_lines(&completed[chosen..=chosen], on_info);
        }
        let line: Vec<Move> = completed.swap_remove(chosen).line;
        ThreadResult { line, spent: self.budget.into_cost(), counters: self.counters }
    }

    /// One iteration: exact values of all moves within the margin of the best one, bounds for the others;
    /// best first.
    fn compare(&mut self, root: &Node, moves: &mut [RootMove], error: i32) -> Result<(), SearchStopped> {
        // Only for the search stack: the evaluation of the root is not needed.
        self.begin_root(root);
        let mut best = Value::MINUS_INFINITE;
        for index in 0..moves.len() {
            let choice = &mut moves[index];
            let mv = choice.line[0];
            let before = self.budget.own_nodes();
            let mut after = self.play(root, mv);
            after.cut = false;
            // One centipawn less than the margin, so that a value exactly at it is still inside the window.
            let out_of_reach = Value::from_raw(best.raw() - error - 1);
            let window = Window { alpha: out_of_reach, beta: Value::INFINITE };
            let value = -self.search(&after, window.negated())?.value;
            self.repetitions.pop();
            choice.nodes += self.budget.own_nodes() - before;
            choice.value = value;
            choice.line.truncate(1);
            choice.bound = Bound::Upper;
            if value > window.alpha {
                choice.bound = Bound::Exact;
                self.thread.lines.extend(0, mv);
                choice.line.clear();
                choice.line.extend_from_slice(self.thread.lines.line(0));
            }
            best = best.max(value);
            self.budget.watch(moves.iter().map(|choice| (choice.number, choice.nodes)));
        }
        moves.sort_by_key(|choice| std::cmp::Reverse(choice.value));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use cozy_chess::Board;

    use super::*;
    use crate::budget::{SearchBudget, SharedCounters};
    use crate::engine::tests::request;
    use crate::feature_switches::FeatureSwitches;
    use crate::mutants::SeededBug;
    use crate::options::Settings;
    use crate::position::key_of;
    use crate::repetition::Path;
    use crate::search::thread_data::{ScoreContext, SearchMemory};
    use crate::table::HashBounds;
    use threefold_chess::clock::Limits;
    use threefold_chess::position::GamePosition;

    /// The root moves with their values from plain alpha-beta two plies deep, best first.
    fn compared(board: &Board, error: i32) -> Vec<(Move, i32, Bound)> {
        let settings = Settings { hash: 1, features: FeatureSwitches::PLAIN, ..Settings::DEFAULT };
        let (line, limits, shared) =
            (GamePosition::start_position(), Limits::default(), SharedCounters::default());
        let budget = SearchBudget::new(&request(&line, &limits), None, &settings, &shared);
        let key = key_of(board, SeededBug::NONE);
        let mut path = Path::new(SeededBug::NONE);
        path.start(board, key);
        path.start_search();
        let mut memory = SearchMemory::new(1, HashBounds::Single);
        memory.begin_search(ScoreContext::new(&path, board.side_to_move(), &settings));
        let (table, thread) = (&memory.table, &mut memory.thread_data[0]);
        let mut search = Search::<'_, false>::new(table, thread, budget, None, path, &settings);
        let mut root = Node::root(board, key);
        root.depth = 2;
        let mut moves = search.root_moves(&root, |_| true);
        search.compare(&root, &mut moves, error).expect("nothing stops it");
        moves.iter().map(|choice| (choice.line[0], choice.value.raw(), choice.bound)).collect()
    }

    #[test]
    fn moves_within_the_margin_are_those_of_an_open_window() {
        for fen in [
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
            "r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/2N1B3/PPP1BPPP/R2Q1RK1 b - - 4 11",
        ] {
            let board: Board = fen.parse().expect("sound");
            let open = compared(&board, 20_000);
            let best = open[0].1;
            for error in 0..150 {
                let narrow = compared(&board, error);
                let within = |found: &[(Move, i32, Bound)]| {
                    let mut moves: Vec<_> =
                        found.iter().filter(|(_, value, _)| *value >= best - error).copied().collect();
                    moves.sort_by_key(|(mv, ..)| mv.to_string());
                    moves
                };
                assert_eq!(within(&narrow), within(&open), "{fen} within {error}");
            }
        }
    }
}
