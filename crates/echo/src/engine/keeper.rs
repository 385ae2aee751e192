//! A manager over a game: what it is told before a search, and what is learnt from it.

use std::time::Duration;

use cozy_chess::{Board, Color, Move};

use crate::options::Settings;
use crate::tally::Tally;
use crate::timeman::{Allotment, Facts, Inheritance, Manager, Outcome, Spent, Timer, hire, way_ahead};
use threefold_chess::clock::{Account, Estimates, Limits};
use threefold_chess::line::Line;

/// A position to think about, as the keeper needs it.
pub(crate) struct Occasion<'o> {
    pub(crate) line: &'o Line,
    pub(crate) board: &'o Board,
    /// The last two moves of the line.
    pub(crate) last: [Option<Move>; 2],
    /// How many nodes the hash table holds.
    pub(crate) entries: u64,
}

/// The manager of a game.
pub(crate) struct Keeper {
    manager: Box<dyn Manager>,
    /// How long the search under way may take; `None` where time doesn't limit it.
    plan: Option<Plan>,
    last: Option<Last>,
    /// What the game's clock doesn't know to be used up: it is planned as if it were.
    owed: Duration,
}

/// How long a search may take.
#[derive(Debug, Clone, Copy)]
enum Plan {
    /// Exactly so long.
    Exact(Duration),
    /// As the manager said, by these estimates, with so many nodes inherited.
    Managed { allotment: Allotment, estimates: Estimates, reused: u64 },
}

/// The search before.
struct Last {
    line: Line,
    tally: Tally,
    /// Nodes inherited by it, and its own.
    nodes: [u64; 2],
}

impl Keeper {
    /// Before the first move.
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            manager: hire(settings.time_manager, &settings.time_terms),
            plan: None,
            last: None,
            owed: Duration::ZERO,
        }
    }

    /// What the search before left for this one: the nodes below the moves that were made, as far as the hash table can
    /// have kept them. What that search had itself inherited is inherited in the same proportion.
    fn inherited(&self, occasion: &Occasion<'_>) -> Inheritance {
        let (Some(last), [Some(mv), Some(reply)]) = (&self.last, occasion.last) else {
            return Inheritance::default();
        };
        let Occasion { line, entries, .. } = *occasion;
        let before = &last.line;
        let goes_on = line.start == before.start
            && line.moves.len() == before.moves.len() + 2
            && line.moves.starts_with(&before.moves);
        let [reused, own] = last.nodes;
        if !goes_on || own == 0 {
            return Inheritance::default();
        }
        let tree = (reused + own) as f64;
        let kept = (entries as f64 / tree).min(1.0);
        let share = kept * last.tally.below(mv, reply) as f64 / own as f64;
        Inheritance { nodes: (share * tree).round() as u64, share: Some(share) }
    }

    /// A search begins.
    pub(crate) fn begin(&mut self, occasion: &Occasion<'_>, limits: &Limits, settings: &Settings) {
        let overhead = Duration::from_millis(u64::from(settings.move_overhead));
        // However short a time for the move is, half of it is for thinking.
        let exact = limits.movetime.map(|time| time.saturating_sub(overhead.min(time / 2)));
        let Some(mut facts) = facts(occasion.board, limits, overhead) else {
            self.last = None;
            self.plan = exact.map(Plan::Exact);
            return;
        };
        facts.remaining.time = facts.remaining.time.saturating_sub(self.owed);
        if !self.manager.pays_the_way() {
            facts.remaining.time = facts.remaining.time.saturating_sub(way_ahead(&facts));
        }
        facts.inherited = self.inherited(occasion);
        let allotment = self.manager.allot(&facts);
        self.plan = Some(match exact {
            Some(exact) if exact <= allotment.hard => {
                self.last = None;
                Plan::Exact(exact)
            }
            Some(_) | None => {
                let (estimates, reused) = (self.manager.estimates(), facts.inherited.nodes);
                Plan::Managed { allotment, estimates, reused }
            }
        });
    }

    /// The timer of the search under way.
    pub(crate) fn timer(&mut self) -> Option<Timer<'_>> {
        Some(match self.plan? {
            Plan::Exact(time) => Timer::exact(time),
            Plan::Managed { allotment, .. } => Timer::managed(&mut *self.manager, allotment),
        })
    }

    /// Where the search under way is to count where its nodes lie, if it has to.
    pub(crate) fn tally(&self) -> Option<Tally> {
        let is_managed = matches!(self.plan, Some(Plan::Managed { .. }));
        (is_managed && self.manager.asks_for_inheritance()).then(Tally::default)
    }

    /// The search has ended: the account of its time, if a manager planned it.
    pub(crate) fn close(&mut self, line: &Line, spent: Spent) -> Option<Account> {
        let Some(Plan::Managed { allotment, estimates, reused }) = self.plan.take() else { return None };
        let Spent { nodes, used, unseen, end, tally, .. } = spent;
        self.owed += unseen;
        self.manager.end(&Outcome { used, nodes });
        let asks = self.manager.asks_for_inheritance();
        self.last = asks.then(|| Last { line: line.clone(), tally, nodes: [reused, nodes] });
        let account = Account {
            budget: allotment.soft,
            most: allotment.hard,
            used,
            tree: reused + nodes,
            reused,
            estimates,
            end,
        };
        Some(account.told())
    }

    /// What is in the hash table has changed: nothing is inherited.
    pub(crate) fn disinherit(&mut self) {
        self.last = None;
    }
}

/// What a manager is to know of the clock; `None` where none limits the search.
fn facts(board: &Board, limits: &Limits, overhead: Duration) -> Option<Facts> {
    let clocks = limits.clocks?;
    let side = board.side_to_move();
    let remaining = match side {
        Color::White => clocks.white,
        Color::Black => clocks.black,
    };
    let ply = 2 * (u32::from(board.fullmove_number()) - 1) + u32::from(side == Color::Black);
    Some(Facts {
        remaining,
        moves_to_go: clocks.moves_to_go,
        overhead,
        ply,
        inherited: Inheritance::default(),
    })
}
