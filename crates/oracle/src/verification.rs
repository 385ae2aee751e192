//! Verifies tables against their successors and against Syzygy.
//!
//! Tables are built backwards with the move generator of `retrograde`; verification goes forwards with
//! shakmaty. An entry is correct if it follows from the entries of all its successors. If every entry is, the
//! table is correct: mates on the board are, since shakmaty finds them; and by induction over plies to mate no
//! correct value is missing and no wrong value can support itself, since a mate in n requires a mate in n - 1.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use shakmaty::{Chess, Move, Position, Role};

use super::material::{Material, TableSide};
use super::parallel::share;
use super::proven_value::{ProvenValue, Wdl};
use super::syzygy::{Syzygy, SyzygyError};
use super::table::Table;
use super::tables::Tables;

/// Addresses per work item.
const PORTION: usize = 1 << 14;

/// An entry that does not follow from its successors.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{material}, address {index}: the table says {stored:?}, its successors {derived:?}")]
pub struct TableMismatch {
    /// The table's material.
    pub material: Material,
    /// The index of the position in the table.
    pub index: usize,
    /// The stored value; `None`: no position.
    pub stored: Option<ProvenValue>,
    /// The value derived from the moves that shakmaty generates.
    pub derived: Option<ProvenValue>,
}

/// A difference from Syzygy's tables.
#[derive(Debug, thiserror::Error)]
pub enum SyzygyMismatch {
    /// A different result.
    #[error("{material}, address {index}: the table says {ours}, Syzygy {theirs}")]
    Result {
        /// The table's material.
        material: Material,
        /// The index of the position in the table.
        index: usize,
        /// Our result.
        ours: Wdl,
        /// Syzygy's result, without the fifty-move rule.
        theirs: Wdl,
    },
    /// The Syzygy probe failed.
    #[error(transparent)]
    Silent(#[from] SyzygyError),
}

/// A progress callback: the number of addresses just verified.
pub type ProgressFn<'h> = dyn Fn(usize) + Sync + 'h;

impl Tables {
    /// Verifies every `step`th address of a table against its successors, as shakmaty generates them. Returns
    /// the number of positions verified; `None` if the table, or one that it converts to, has not been built.
    pub fn verify(&self, material: Material, step: NonZeroUsize) -> Option<Result<usize, TableMismatch>> {
        self.verify_with_progress(material, step, &|_| {})
    }

    /// [`Self::verify`] with a progress callback. Of several mismatches it returns the one at the lowest
    /// address.
    pub fn verify_with_progress(
        &self,
        material: Material,
        step: NonZeroUsize,
        progress: &ProgressFn<'_>,
    ) -> Option<Result<usize, TableMismatch>> {
        let table = self.table(material)?;
        if self.missing(&table.material().after_conversion()).is_ok_and(|missing| !missing.is_empty()) {
            return None;
        }
        Some(each(self.threads(), table, step, progress, |index| {
            let stored = table.value_at(index);
            let derived = table.position(index).and_then(|position| self.derive(table, &position));
            if stored == derived {
                return Ok(stored.is_some());
            }
            Err(TableMismatch { material: table.material(), index, stored, derived })
        }))
    }

    /// Compares every `step`th address of a table with Syzygy's result. Returns the number of positions
    /// compared; `None` if the table has not been built.
    pub fn compare(
        &self,
        material: Material,
        syzygy: &Syzygy,
        step: NonZeroUsize,
        progress: &ProgressFn<'_>,
    ) -> Option<Result<usize, SyzygyMismatch>> {
        let table = self.table(material)?;
        Some(each(self.threads(), table, step, progress, |index| {
            let Some((ours, position)) = table.value_at(index).zip(table.position(index)) else {
                return Ok(false);
            };
            let (ours, theirs) = (ours.wdl(), syzygy.wdl(&position)?);
            if ours == theirs {
                return Ok(true);
            }
            Err(SyzygyMismatch::Result { material: table.material(), index, ours, theirs })
        }))
    }

    /// Derives a position's value from its successors'.
    fn derive(&self, table: &Table, position: &Chess) -> Option<ProvenValue> {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return Some(if position.is_check() { ProvenValue::mate_in(0) } else { ProvenValue::Draw });
        }
        let mut best: Option<ProvenValue> = None;
        for mv in moves {
            let mut after = position.clone();
            after.play_unchecked(mv);
            // The position is from this table, whose colours it has: a move that stays needs no look-up by
            // material.
            let after =
                if stays(mv) { table.probe(&after, TableSide::AsItStands) } else { self.probe(&after) };
            let before = after?.one_ply_earlier();
            if best.is_none_or(|best| best.rank() < before.rank()) {
                best = Some(before);
            }
        }
        best
    }
}

/// Whether a move keeps the material and allows no en passant capture.
fn stays(mv: Move) -> bool {
    match mv {
        Move::Normal { role, from, capture: None, to, promotion: None } => {
            role != Role::Pawn || from.distance(to) == 1
        }
        _ => false,
    }
}

/// Tests every `step`th address and counts the positions that pass, or returns the failure at the lowest
/// address.
fn each<E: Send>(
    threads: NonZeroUsize,
    table: &Table,
    step: NonZeroUsize,
    progress: &ProgressFn<'_>,
    passes: impl Fn(usize) -> Result<bool, E> + Sync,
) -> Result<usize, E> {
    let held = AtomicUsize::new(0);
    let first: Mutex<Option<(usize, E)>> = Mutex::new(None);
    let steps = table.addresses().div_ceil(step.get());
    // Work items are distributed in order, so when one fails, all before it are done or running.
    let failed = AtomicUsize::new(usize::MAX);
    share(threads, steps, PORTION, |portion| {
        let mut here = 0;
        for number in portion.clone() {
            if failed.load(Ordering::Relaxed) <= number {
                break;
            }
            match passes(number * step.get()) {
                Ok(position) => here += usize::from(position),
                Err(error) => {
                    failed.fetch_min(number, Ordering::Relaxed);
                    let mut first = first.lock().expect("no thread panics while it holds the lock");
                    if first.as_ref().is_none_or(|&(other, _)| number < other) {
                        *first = Some((number, error));
                    }
                }
            }
        }
        held.fetch_add(here, Ordering::Relaxed);
        progress(portion.len());
    });
    match first.into_inner().expect("no thread panics while it holds the lock") {
        Some((_, error)) => Err(error),
        None => Ok(held.into_inner()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published_statistics;

    #[test]
    fn verification_finds_one_changed_entry() {
        let krk: Material = "KRK".parse().expect("a material");
        let mut sound = Tables::new(NonZeroUsize::new(2).expect("two"));
        sound.make(&[krk], &mut |_| {}).expect("few pieces");
        let table = sound.table(krk).expect("made");
        assert_eq!(sound.verify(krk, NonZeroUsize::MIN), Some(Ok(51_044)));
        assert_eq!(published_statistics::check(table).ok(), Some(8));

        // A draw stored as a loss, a loss as a draw, and a win two plies too long. Each is detected at its
        // own address, unless a predecessor with a lower address is detected first.
        let find =
            |fact: ProvenValue| (0..table.addresses()).find(|&index| table.value_at(index) == Some(fact));
        let changes = [
            (ProvenValue::Draw, ProvenValue::mate_in(12)),
            (ProvenValue::mate_in(12), ProvenValue::Draw),
            (ProvenValue::mate_in(11), ProvenValue::mate_in(13)),
        ];
        for (from, to) in changes {
            let address = find(from).expect("it occurs");
            let mut tables = sound.clone();
            tables.insert(table.with(address, to));
            let found = tables.verify(krk, NonZeroUsize::MIN).expect("made").expect_err("one entry is wrong");
            assert!(found.index <= address, "{from:?} {to:?}: {found}");
            let alone = tables.table(krk).expect("changed");
            let derived = tables.derive(alone, &alone.position(address).expect("a position"));
            assert_eq!((alone.value_at(address), derived), (Some(to), Some(from)));
            // Statistics count results: a longer win is still a win.
            assert_eq!(published_statistics::check(alone).is_err(), from.wdl() != to.wdl());
        }
    }

    #[test]
    fn verification_needs_the_conversions() {
        let [kpk, kqk] = ["KPK", "KQK"].map(|name| name.parse::<Material>().expect("a material"));
        let mut all = Tables::new(NonZeroUsize::MIN);
        all.make(&[kpk], &mut |_| {}).expect("few pieces");
        let mut alone = Tables::new(NonZeroUsize::MIN);
        alone.insert(
            all.table(kpk)
                .expect("made")
                .with(0, all.table(kpk).and_then(|kpk| kpk.value_at(0)).unwrap_or(ProvenValue::Draw)),
        );
        assert_eq!(alone.verify(kpk, NonZeroUsize::MIN), None);
        assert_eq!(alone.verify(kqk, NonZeroUsize::MIN), None);
    }
}
