//! The time manager over a game: its input before a search, and what it learns afterwards.

use std::time::Duration;

use cozy_chess::{Board, Color, Move};

use crate::options::Settings;
use crate::request::SearchRequest;
use crate::root_node_counts::RootNodeCounts;
use crate::timeman::{
    ClockState, FinishedSearch, SearchCost, TimeAllotment, TimeStrategy, Timer, TreeReuse, create,
    future_overhead,
};
use threefold_chess::clock::{Limits, TimeEstimates, TimeReport};
use threefold_chess::position::GamePosition;

/// A position to search, as the time manager needs it.
pub(crate) struct SearchPosition<'o> {
    pub(crate) position: &'o GamePosition,
    pub(crate) board: &'o Board,
    /// The last two moves of the game.
    pub(crate) last: [Option<Move>; 2],
    /// The capacity of the hash table, in entries.
    pub(crate) entries: u64,
}

/// The time manager of a game.
pub(crate) struct GameTimeKeeper {
    manager: Box<dyn TimeStrategy>,
    /// The manager before the plan of the running search.
    before: Box<dyn TimeStrategy>,
    /// The time of the running search; `None` if it is not limited by time.
    plan: Option<TimePlan>,
    last: Option<Last>,
    /// Time used that a clock made of nodes does not show; subtracted in planning.
    owed: Duration,
}

/// The time of one search.
#[derive(Debug, Clone, Copy)]
enum TimePlan {
    /// A fixed time.
    Exact(Duration),
    /// Planned by the manager, with its estimates and the number of reused nodes.
    /// The depth to which earlier searches had searched the position is 0 if no nodes are reused.
    Managed { allotment: TimeAllotment, estimates: TimeEstimates, reused: u64, known_depth: usize },
}

/// The previous search.
struct Last {
    position: GamePosition,
    root_node_counts: RootNodeCounts,
    /// Its reused nodes, and its own.
    nodes: [u64; 2],
    /// Its depth in plies.
    depth: usize,
}

impl GameTimeKeeper {
    /// At the start of a game.
    pub(crate) fn new(settings: &Settings) -> Self {
        let manager = create(settings.time_manager, &settings.time_terms, settings.reuse_sample);
        Self { before: manager.copy(), manager, plan: None, last: None, owed: Duration::ZERO }
    }

    /// The tree reuse from the previous search: the nodes below the moves made since, as far as the hash
    /// table can have kept them. Nodes which that search had reused itself are reused in the same proportion.
    fn inherited(&self, position: &SearchPosition<'_>) -> TreeReuse {
        let (Some(last), [Some(mv), Some(reply)]) = (&self.last, position.last) else {
            return TreeReuse::default();
        };
        let SearchPosition { position: history, entries, .. } = *position;
        let before = &last.position;
        let goes_on = history.start == before.start
            && history.moves.len() == before.moves.len() + 2
            && history.moves.starts_with(&before.moves);
        let [reused, own] = last.nodes;
        if !goes_on || own == 0 {
            return TreeReuse::default();
        }
        let tree = (reused + own) as f64;
        let kept = (entries as f64 / tree).min(1.0);
        let share = kept * last.root_node_counts.below(mv, reply) as f64 / own as f64;
        TreeReuse { nodes: (share * tree).round() as u64, share: Some(share) }
    }

    /// Plans the time of a search.
    pub(crate) fn begin(&mut self, position: &SearchPosition<'_>, limits: &Limits, settings: &Settings) {
        let overhead = Duration::from_millis(u64::from(settings.move_overhead));
        // At least half of a fixed time is used for searching.
        let exact = limits.movetime.map(|time| time.saturating_sub(overhead.min(time / 2)));
        let Some(mut facts) = facts(position.board, limits, overhead) else {
            // A search without a clock does not count the nodes below its moves, so nothing is inherited from
            // it.
            self.last = None;
            self.plan = exact.map(TimePlan::Exact);
            return;
        };
        facts.remaining.time = facts.remaining.time.saturating_sub(self.owed);
        let moves = self.manager.reserved_moves();
        if moves > 0 {
            let reserve = future_overhead(&facts, moves);
            facts.remaining.time = facts.remaining.time.saturating_sub(reserve);
        }
        facts.inherited = self.inherited(position);
        self.before = self.manager.copy();
        let allotment = self.manager.allot(&facts);
        self.plan = Some(match exact {
            // A fixed time longer than the clock allows could lose on time, so the manager plans instead.
            Some(exact) if exact <= allotment.hard => {
                self.last = None;
                TimePlan::Exact(exact)
            }
            Some(_) | None => {
                let (estimates, reused) = (self.manager.estimates(), facts.inherited.nodes);
                // The previous search was deeper by the two plies played since.
                let depth = self.last.as_ref().map_or(0, |last| last.depth.saturating_sub(2));
                let known_depth = if reused > 0 { depth } else { 0 };
                TimePlan::Managed { allotment, estimates, reused, known_depth }
            }
        });
    }

    /// The timer of the running search.
    pub(crate) fn timer(&mut self) -> Option<Timer<'_>> {
        Some(match self.plan? {
            TimePlan::Exact(time) => Timer::exact(time),
            TimePlan::Managed { allotment, .. } => Timer::managed(&mut *self.manager, allotment),
        })
    }

    /// The counters of nodes below root moves and replies, if the manager needs them.
    pub(crate) fn root_node_counts(&self) -> Option<RootNodeCounts> {
        let is_managed = matches!(self.plan, Some(TimePlan::Managed { .. }));
        (is_managed && self.manager.needs_tree_reuse()).then(RootNodeCounts::default)
    }

    /// Ends a search and returns its time report, if a manager planned it. After a ponder search that the opponent's move
    /// stopped, the manager is as it was: no time of the clock was used, so none is left over.
    pub(crate) fn close(&mut self, request: &SearchRequest<'_>, spent: SearchCost) -> Option<TimeReport> {
        let Some(TimePlan::Managed { allotment, estimates, reused, known_depth }) = self.plan.take() else {
            return None;
        };
        let SearchCost { nodes, used, unseen, end, iterations, root_node_counts, .. } = spent;
        self.owed += unseen;
        // The iteration of depth d has index d - 1; a known depth of 0 has none.
        let regained = known_depth.checked_sub(1).and_then(|index| iterations.get(index).copied());
        if request.pondering.is_raised() && request.stop.is_raised() {
            std::mem::swap(&mut self.manager, &mut self.before);
        } else {
            self.manager.end(&FinishedSearch { used, nodes, regained });
        }
        let asks = self.manager.needs_tree_reuse();
        let (nodes_of_both, depth) = ([reused, nodes], iterations.len());
        let position = request.position;
        self.last =
            asks.then(|| Last { position: position.clone(), root_node_counts, nodes: nodes_of_both, depth });
        let time_report = TimeReport {
            budget: allotment.soft,
            hard_limit: allotment.hard,
            used,
            tree: reused + nodes,
            reused,
            regained,
            estimates,
            end,
        };
        Some(time_report.rounded())
    }

    /// Discards tree reuse, because the hash table has changed.
    pub(crate) fn discard_tree_reuse(&mut self) {
        self.last = None;
    }
}

/// The clock as the manager's input; `None` if no clock limits the search.
fn facts(board: &Board, limits: &Limits, overhead: Duration) -> Option<ClockState> {
    let clocks = limits.clocks?;
    let side = board.side_to_move();
    let remaining = match side {
        Color::White => clocks.white,
        Color::Black => clocks.black,
    };
    let ply = 2 * (u32::from(board.fullmove_number()) - 1) + u32::from(side == Color::Black);
    Some(ClockState {
        remaining,
        moves_to_go: clocks.moves_to_go,
        overhead,
        ply,
        inherited: TreeReuse::default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::{SearchBudget, SharedCounters};
    use crate::engine::tests;
    use crate::timeman::TimeManager;
    use threefold_chess::clock::{Clocks, Remaining, Stop};

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// The previous search had 500 nodes of its own, 100 of them below the moves made since.
    #[test]
    fn inherited_nodes_are_the_same_share_of_reused_and_own_ones() {
        let table = [
            // reused nodes, entries of the table, inherited nodes, their share
            (0, 10_000, 100, 0.2),
            (1_000, 10_000, 300, 0.2),
            // The table holds half of the tree.
            (1_000, 750, 150, 0.1),
        ];
        let before = GamePosition::parse(START, "e2e4 e7e5").expect("sound");
        let history = GamePosition::parse(START, "e2e4 e7e5 g1f3 b8c6").expect("sound");
        let [mv, reply] = ["g1f3", "b8c6"].map(|mv| mv.parse().expect("a move"));
        for (reused, entries, inherited, share) in table {
            let mut root_node_counts = RootNodeCounts::default();
            root_node_counts.turn(0, Some(mv), 0);
            root_node_counts.turn(1, Some(reply), 50);
            root_node_counts.close(150);
            let mut keeper = GameTimeKeeper::new(&Settings::DEFAULT);
            keeper.last =
                Some(Last { position: before.clone(), root_node_counts, nodes: [reused, 500], depth: 5 });
            let board = Board::startpos();
            let position =
                SearchPosition { position: &history, board: &board, last: [Some(mv), Some(reply)], entries };
            let found = keeper.inherited(&position);
            assert_eq!((found.nodes, found.share), (inherited, Some(share)), "{reused} {entries}");
        }
    }

    /// Three searches of 600 ms, with or without a ponder search after the first, which is stopped.
    #[test]
    fn missed_ponder_searches_do_not_change_later_budgets() {
        let side = Remaining { time: Duration::from_mins(1), increment: Duration::ZERO };
        let limits = Limits::clocks(Clocks { white: side, black: side, moves_to_go: None });
        let (line, board) = (GamePosition::start_position(), Board::startpos());
        let position = SearchPosition { position: &line, board: &board, last: [None; 2], entries: 0 };
        let budgets = |time_manager, misses: bool| {
            let settings = Settings { time_manager, ..Settings::DEFAULT };
            let mut keeper = GameTimeKeeper::new(&settings);
            let mut search = |used, is_miss: bool| {
                let stop = Stop::default();
                if is_miss {
                    stop.raise();
                }
                let request =
                    SearchRequest { stop: &stop, pondering: &stop, ..tests::request(&line, &limits) };
                keeper.begin(&position, &limits, &settings);
                let shared = SharedCounters::default();
                let spent = SearchBudget::new(&request, keeper.timer(), &settings, &shared).into_cost();
                let report = keeper.close(&request, SearchCost { used, nodes: 9_000, ..spent });
                report.expect("the manager planned it").budget
            };
            let first = search(Duration::from_millis(600), false);
            if misses {
                search(Duration::ZERO, true);
            }
            [first, search(Duration::from_millis(600), false), search(Duration::from_millis(600), false)]
        };
        for &manager in TimeManager::ALL {
            assert_eq!(budgets(manager, true), budgets(manager, false), "{manager:?}");
        }
    }
}
