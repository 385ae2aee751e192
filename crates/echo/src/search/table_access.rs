//! Probes of the transposition table, and what is stored besides a node's result: twins, and bounds after
//! each move.

use super::cutoff::Cutoff;
use super::node::{Node, Search};
use super::node_result::{NodeOutcome, NodeResult};
use super::window::Window;
use crate::feature_switches::Feature;
use crate::mutants::{Mutant, SeededBug};
use crate::position::Key;
use crate::range::ScoreRange;
use crate::repetition::PathDependence;
use crate::table::{self, CutoffPermission, CycleRoom, FiftyRange, HashScores, HorizonSearch, TtEntry};
use crate::value::Value;

/// The entry of a node, with the conditions under which its value holds.
pub(super) struct KnownEntry {
    pub entry: TtEntry,
    /// The cutoffs that the entry may give.
    permission: CutoffPermission,
    /// The ancestor on which the entry's value depends.
    dependence: PathDependence,
    /// The fifty-move counters for which the value holds; all, if entries do not have them.
    fifty_range: FiftyRange,
}

impl KnownEntry {
    /// A base entry.
    const fn base(entry: TtEntry, permission: CutoffPermission) -> Self {
        Self { entry, permission, dependence: PathDependence::NONE, fifty_range: FiftyRange::ALL }
    }

    /// Takes the counters from the entry. If its value does not hold for this counter, only the move is kept.
    fn for_counter(self, counter: u8, bug: SeededBug) -> Self {
        let fifty_range = bug.entry_counters(FiftyRange::unpacked(self.entry.evaluation));
        // These entries have the counters in place of the evaluation.
        let mut entry = TtEntry { evaluation: None, ..self.entry };
        if !fifty_range.contains(counter) {
            (entry.range, entry.depth) = (ScoreRange::UNKNOWN, 0);
        }
        Self { entry, fifty_range, ..self }
    }
}

impl<const DEFAULT_OPTIONS: bool> Search<'_, DEFAULT_OPTIONS> {
    /// Probes the transposition table: the entry, or a cutoff. PV nodes get no cutoff.
    pub(super) fn probe_table(&mut self, node: &Node, window: Window) -> Result<Option<TtEntry>, Cutoff> {
        let Some(KnownEntry { entry, permission, dependence, fifty_range }) = self.known_entry(node) else {
            return Ok(None);
        };
        let clock = node.board.halfmove_clock();
        let range = entry.range.read_from_table(node.ply, self.mode().scoring);
        let ScoreRange { low, high } = self.bug.entry_range(range);
        let (deep, any_mate) = match permission {
            CutoffPermission::SufficientDepth => (self.bug.is_deep_enough(entry.depth, node.depth), true),
            // Entries of the quiescence search have depth 0, whatever the depth of the node.
            CutoffPermission::SameDepth => (i32::from(entry.depth) == node.depth.max(0), false),
            CutoffPermission::Never => return Ok(Some(entry)),
        };
        // Near the limit of the fifty-move rule, the value of a position depends on the counter, which is not
        // in the key. In a PV node, a cutoff would end the principal variation.
        let near_limit = self.mode().hash_fifty.is_late(clock);
        let ignores_limit = near_limit && self.bug.is(Mutant::TableCutsNearFifty);
        if ((window.is_wide() || near_limit) && !ignores_limit)
            || node.excluded.is_some()
            || !self.features.has(Feature::TableCut)
        {
            return Ok(Some(entry));
        }
        // A forced mate is valid at any depth, though a faster one may exist.
        let value = if (deep && low == high) || (low >= window.beta && (deep || any_mate && low.is_win())) {
            low
        } else if high <= window.alpha && (deep || any_mate && high.is_loss()) {
            high
        } else {
            return Ok(Some(entry));
        };
        // A mate or a recognised win beyond the fifty-move limit is uncertain.
        let beyond = self
            .mode()
            .scoring
            .plies_to_mate(value, node.ply)
            .is_some_and(|plies| plies + usize::from(clock) > 100)
            || self.is_overtaken(node, value);
        if beyond && !ignores_limit && !self.mode().hash_fifty.trusts_late_mates() {
            Ok(Some(entry))
        } else {
            if self.mode().hash_fifty.keeps_fifty_range() {
                self.fifty_range = self.fifty_range.and(fifty_range);
            }
            Err(Cutoff::Settled(NodeResult::path_dependent(value, dependence)))
        }
    }

    /// The entry of a node. With `BaseTwin`, it is the twin if the base entry may give no cutoffs. With
    /// `HashFifty=Bounds`, an entry that does not hold for the fifty-move counter has only its move.
    #[inline]
    pub(super) fn known_entry(&self, node: &Node) -> Option<KnownEntry> {
        let base = self.table.probe(self.table_key(&node.board, node.key));
        let permission = self.cutoff_permission(node);
        let twin = self.mode().hash_scores == HashScores::BaseTwin && permission == CutoffPermission::Never;
        let known = if twin { self.known_twin(node, base) } else { None };
        let known = known.or_else(|| base.map(|entry| KnownEntry::base(entry, permission)))?;
        if !self.mode().hash_fifty.keeps_fifty_range() {
            return Some(known);
        }
        Some(known.for_counter(node.board.halfmove_clock(), self.bug))
    }

    /// The twin of a node. What the twin lacks comes from the base entry.
    fn known_twin(&self, node: &Node, base: Option<TtEntry>) -> Option<KnownEntry> {
        let twin = self.table.probe(self.twin_key(node)).filter(|twin| twin.range != ScoreRange::UNKNOWN)?;
        let dependence = self.dependence_of_twin(node, twin);
        let best = twin.best.or_else(|| base.and_then(|base| base.best));
        let evaluation = if self.mode().hash_fifty.keeps_fifty_range() {
            twin.evaluation
        } else {
            base.and_then(|base| base.evaluation)
        };
        let entry = TtEntry { best, evaluation, ..twin };
        Some(KnownEntry { dependence, ..KnownEntry::base(entry, CutoffPermission::SameDepth) })
    }

    /// The ancestor on which the value of a twin depends. If the entry has no room for it, the highest one
    /// that may matter.
    fn dependence_of_twin(&self, node: &Node, twin: TtEntry) -> PathDependence {
        let distance = twin.evaluation.filter(|_| !self.mode().hash_fifty.keeps_fifty_range());
        match distance {
            // 0 is the distance of a value without an ancestor; see `store_twin`.
            Some(Value::DRAW) => PathDependence::NONE,
            // A faulty detector may have reported a repetition farther away than this line is long.
            Some(distance) => {
                PathDependence::on_ply(node.ply.saturating_sub(distance.raw().unsigned_abs() as usize))
            }
            None => PathDependence::on_ply(node.ply - self.repetitions.reach_in_line()),
        }
    }

    /// The key of the twin, which is valid only on this path.
    fn twin_key(&self, node: &Node) -> Key {
        let line = self.bug.twin_code(self.repetitions.code_of_line());
        Key(self.table_key(&node.board, node.key).0 ^ line)
    }

    /// Which cutoffs a path-independent entry may give here; all, if repetitions are not detected.
    fn cutoff_permission(&self, node: &Node) -> CutoffPermission {
        if !self.mode().hash_scores.is_guarded() || !self.repetitions.are_detected() {
            return CutoffPermission::SufficientDepth;
        }
        let beyond = if !self.features.has(Feature::Quiescence) {
            HorizonSearch::Nothing
        } else if node.in_check() {
            HorizonSearch::Evasions
        } else {
            HorizonSearch::Captures
        };
        // The positions of the game that matter are the same for all entries.
        let reach = match self.mode().hash_scores {
            HashScores::BaseTwin => self.repetitions.reach_in_line(),
            _ => self.repetitions.reach(),
        };
        let sees_upcoming = self.mode().sees_repetitions_coming;
        self.bug.guard(table::guarded_cutoff(CycleRoom { reach, depth: node.depth, beyond, sees_upcoming }))
    }

    /// Stores an entry. With `HashFifty=Bounds`, it gets the counters for which its value holds.
    #[inline]
    pub(super) fn store_entry(&self, key: Key, entry: TtEntry) {
        let entry =
            if self.mode().hash_fifty.keeps_fifty_range() { self.with_fifty_range(entry) } else { entry };
        self.table.store(key, entry);
    }

    /// Puts the counters in place of the evaluation. A table that keeps both bounds has no room for them: it
    /// keeps a value only if it holds for all counters below 90.
    fn with_fifty_range(&self, entry: TtEntry) -> TtEntry {
        if !self.table.keeps_both_bounds() {
            return TtEntry { evaluation: Some(self.fifty_range.packed()), ..entry };
        }
        let range = if self.fifty_range.include_fixed() { entry.range } else { ScoreRange::UNKNOWN };
        TtEntry { range, ..entry }
    }

    /// Stores the twin: what a search with this window found on this path. The twin is needed only where the
    /// base entry may give no cutoff.
    #[inline]
    pub(super) fn store_twin(&self, node: &Node, window: Window, outcome: &NodeOutcome, base: TtEntry) {
        if self.mode().hash_scores == HashScores::BaseTwin
            && self.cutoff_permission(node) == CutoffPermission::Never
        {
            let range = ScoreRange::from_search(outcome.best, window.alpha, window.beta);
            let range = range.to_table(node.ply, self.mode().scoring);
            // A twin has the distance to this ancestor in place of the evaluation; 0 means no ancestor.
            let distance = Value::from_raw(i32::from(outcome.dependence.distance_from(node.ply)));
            self.store_entry(self.twin_key(node), TtEntry { range, evaluation: Some(distance), ..base });
        }
    }

    /// With `Progressive`, stores the lower bound of a node after some of its moves.
    #[inline]
    pub(super) fn store_progress(&self, node: &Node, evaluation: Option<Value>, outcome: &NodeOutcome) {
        if self.mode().hash_scores != HashScores::Progressive || node.excluded.is_some() {
            return;
        }
        let range = outcome.range_so_far().to_table(node.ply, self.mode().scoring);
        if range != ScoreRange::UNKNOWN {
            let depth = node.depth.clamp(0, 255) as u8;
            let entry = TtEntry { best: outcome.mv, range, evaluation, depth, age: 0, open: 0 };
            self.store_entry(self.table_key(&node.board, node.key), entry);
        }
    }

    /// The path-independent range of a draw by repetition. With `Progressive`, it is that of the repeated
    /// position's entry; otherwise it is unknown.
    #[inline]
    pub(super) fn range_of_repeated(&self, node: &Node, dependence: PathDependence) -> ScoreRange {
        if self.mode().hash_scores != HashScores::Progressive || dependence == PathDependence::NONE {
            return ScoreRange::UNKNOWN;
        }
        self.known_entry(node).map_or(ScoreRange::UNKNOWN, |known| {
            known.entry.range.read_from_table(node.ply, self.mode().scoring)
        })
    }
}
