//! A manager over a game: what it is told before a search, and what is learnt from it.

use std::time::Duration;

use cozy_chess::{Board, Color, Move};

use crate::options::Settings;
use crate::root_node_counts::RootNodeCounts;
use crate::timeman::{
    ClockState, FinishedSearch, SearchCost, TimeAllotment, TimeStrategy, Timer, TreeReuse, create,
    future_overhead,
};
use threefold_chess::clock::{Limits, TimeEstimates, TimeReport};
use threefold_chess::position::GamePosition;

/// A position to think about, as the keeper needs it.
pub(crate) struct SearchPosition<'o> {
    pub(crate) line: &'o GamePosition,
    pub(crate) board: &'o Board,
    /// The last two moves of the line.
    pub(crate) last: [Option<Move>; 2],
    /// How many nodes the hash table holds.
    pub(crate) entries: u64,
}

/// The manager of a game.
pub(crate) struct GameTimeKeeper {
    manager: Box<dyn TimeStrategy>,
    /// How long the search under way may take; `None` where time doesn't limit it.
    plan: Option<TimePlan>,
    last: Option<Last>,
    /// What the game's clock doesn't know to be used up: it is planned as if it were.
    owed: Duration,
}

/// How long a search may take.
#[derive(Debug, Clone, Copy)]
enum TimePlan {
    /// Exactly so long.
    Exact(Duration),
    /// As the manager said, by these estimates, with so many nodes inherited.
    Managed { allotment: TimeAllotment, estimates: TimeEstimates, reused: u64 },
}

/// The search before.
struct Last {
    line: GamePosition,
    root_node_counts: RootNodeCounts,
    /// Nodes inherited by it, and its own.
    nodes: [u64; 2],
}

impl GameTimeKeeper {
    /// Before the first move.
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            manager: create(settings.time_manager, &settings.time_terms),
            plan: None,
            last: None,
            owed: Duration::ZERO,
        }
    }

    /// What the search before left for this one: the nodes below the moves that were made, as far as the hash table can
    /// have kept them. What that search had itself inherited is inherited in the same proportion.
    fn inherited(&self, position: &SearchPosition<'_>) -> TreeReuse {
        let (Some(last), [Some(mv), Some(reply)]) = (&self.last, position.last) else {
            return TreeReuse::default();
        };
        let SearchPosition { line, entries, .. } = *position;
        let before = &last.line;
        let goes_on = line.start == before.start
            && line.moves.len() == before.moves.len() + 2
            && line.moves.starts_with(&before.moves);
        let [reused, own] = last.nodes;
        if !goes_on || own == 0 {
            return TreeReuse::default();
        }
        let tree = (reused + own) as f64;
        let kept = (entries as f64 / tree).min(1.0);
        let share = kept * last.root_node_counts.below(mv, reply) as f64 / own as f64;
        TreeReuse { nodes: (share * tree).round() as u64, share: Some(share) }
    }

    /// A search begins.
    pub(crate) fn begin(&mut self, position: &SearchPosition<'_>, limits: &Limits, settings: &Settings) {
        let overhead = Duration::from_millis(u64::from(settings.move_overhead));
        // However short a time for the move is, half of it is for thinking.
        let exact = limits.movetime.map(|time| time.saturating_sub(overhead.min(time / 2)));
        let Some(mut facts) = facts(position.board, limits, overhead) else {
            self.last = None;
            self.plan = exact.map(TimePlan::Exact);
            return;
        };
        facts.remaining.time = facts.remaining.time.saturating_sub(self.owed);
        if !self.manager.reserves_overhead() {
            facts.remaining.time = facts.remaining.time.saturating_sub(future_overhead(&facts));
        }
        facts.inherited = self.inherited(position);
        let allotment = self.manager.allot(&facts);
        self.plan = Some(match exact {
            Some(exact) if exact <= allotment.hard => {
                self.last = None;
                TimePlan::Exact(exact)
            }
            Some(_) | None => {
                let (estimates, reused) = (self.manager.estimates(), facts.inherited.nodes);
                TimePlan::Managed { allotment, estimates, reused }
            }
        });
    }

    /// The timer of the search under way.
    pub(crate) fn timer(&mut self) -> Option<Timer<'_>> {
        Some(match self.plan? {
            TimePlan::Exact(time) => Timer::exact(time),
            TimePlan::Managed { allotment, .. } => Timer::managed(&mut *self.manager, allotment),
        })
    }

    /// Where the search under way is to count where its nodes lie, if it has to.
    pub(crate) fn root_node_counts(&self) -> Option<RootNodeCounts> {
        let is_managed = matches!(self.plan, Some(TimePlan::Managed { .. }));
        (is_managed && self.manager.needs_tree_reuse()).then(RootNodeCounts::default)
    }

    /// The search has ended: the account of its time, if a manager planned it.
    pub(crate) fn close(&mut self, line: &GamePosition, spent: SearchCost) -> Option<TimeReport> {
        let Some(TimePlan::Managed { allotment, estimates, reused }) = self.plan.take() else { return None };
        let SearchCost { nodes, used, unseen, end, root_node_counts, .. } = spent;
        self.owed += unseen;
        self.manager.end(&FinishedSearch { used, nodes });
        let asks = self.manager.needs_tree_reuse();
        self.last = asks.then(|| Last { line: line.clone(), root_node_counts, nodes: [reused, nodes] });
        let time_report = TimeReport {
            budget: allotment.soft,
            hard_limit: allotment.hard,
            used,
            tree: reused + nodes,
            reused,
            estimates,
            end,
        };
        Some(time_report.rounded())
    }

    /// What is in the hash table has changed: nothing is inherited.
    pub(crate) fn discard_tree_reuse(&mut self) {
        self.last = None;
    }
}

/// What a manager is to know of the clock; `None` where none limits the search.
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
