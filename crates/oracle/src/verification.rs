//! Holds tables against what they follow from, and against other people's tables.
//!
//! Tables are made by going backwards with the steps of `retrograde`; here shakmaty goes forwards. An entry
//! passes if it is what follows from the entries of all its successors. Where every entry passes, the table is
//! right: mates on the board are right, since shakmaty finds them; and by induction over the plies to mate no
//! right value is missing and no wrong one can keep itself up, since a mate in n needs a mate in n - 1 below it.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use shakmaty::{Chess, Move, Position, Role};

use super::material::{Material, Side};
use super::parallel::share;
use super::proven_value::{ProvenValue, Wdl};
use super::syzygy::{Syzygy, SyzygyError};
use super::table::Table;
use super::tables::Tables;

/// Addresses that a thread takes at a time.
const PORTION: usize = 1 << 14;

/// Where tables and positions part ways: one of the two is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{material}, address {index}: the table says {stored:?}, its successors {derived:?}")]
pub struct TableMismatch {
    /// The table's material.
    pub material: Material,
    /// The address.
    pub index: usize,
    /// What stands there; `None`: no position.
    pub stored: Option<ProvenValue>,
    /// What follows from the moves that shakmaty finds.
    pub derived: Option<ProvenValue>,
}

/// Why a table does not agree with Syzygy's.
#[derive(Debug, thiserror::Error)]
pub enum SyzygyMismatch {
    /// Another result.
    #[error("{material}, address {index}: the table says {ours}, Syzygy {theirs}")]
    Result {
        /// The table's material.
        material: Material,
        /// The address.
        index: usize,
        /// Our result.
        ours: Wdl,
        /// Syzygy's, the fifty-move rule apart.
        theirs: Wdl,
    },
    /// Syzygy does not answer.
    #[error(transparent)]
    Silent(#[from] SyzygyError),
}

/// Hears how many addresses have just been looked at.
pub type ProgressFn<'h> = dyn Fn(usize) + Sync + 'h;

impl Tables {
    /// Holds every `step`th address of a table against its successors, as shakmaty generates them, and says
    /// how many positions were held. `None` where the table, or one that it leads to, has not been made.
    pub fn verify(&self, material: Material, step: NonZeroUsize) -> Option<Result<usize, TableMismatch>> {
        self.verify_with_progress(material, step, &|_| {})
    }

    /// The same, progress. Of several disagreements it tells the one at the lowest address.
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
            let stored = table.at(index);
            let derived = table.position(index).and_then(|position| self.derive(table, &position));
            if stored == derived {
                return Ok(stored.is_some());
            }
            Err(TableMismatch { material: table.material(), index, stored, derived })
        }))
    }

    /// Holds every `step`th address of a table against Syzygy's result, and says how many positions were
    /// held. `None` where the table has not been made.
    pub fn compare(
        &self,
        material: Material,
        syzygy: &Syzygy,
        step: NonZeroUsize,
        progress: &ProgressFn<'_>,
    ) -> Option<Result<usize, SyzygyMismatch>> {
        let table = self.table(material)?;
        Some(each(self.threads(), table, step, progress, |index| {
            let Some((ours, position)) = table.at(index).zip(table.position(index)) else { return Ok(false) };
            let (ours, theirs) = (ours.wdl(), syzygy.wdl(&position)?);
            if ours == theirs {
                return Ok(true);
            }
            Err(SyzygyMismatch::Result { material: table.material(), index, ours, theirs })
        }))
    }

    /// A position's value from its successors'.
    fn derive(&self, table: &Table, position: &Chess) -> Option<ProvenValue> {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return Some(if position.is_check() { ProvenValue::mate_in(0) } else { ProvenValue::Draw });
        }
        let mut best: Option<ProvenValue> = None;
        for mv in moves {
            let mut after = position.clone();
            after.play_unchecked(mv);
            let after = if stays(mv) { table.probe(&after, Side::AsItStands) } else { self.probe(&after) };
            let before = after?.one_ply_earlier();
            if best.is_none_or(|best| best.rank() < before.rank()) {
                best = Some(before);
            }
        }
        best
    }
}

/// Does a move keep the material, and give no right to capture en passant?
fn stays(mv: Move) -> bool {
    match mv {
        Move::Normal { role, from, capture: None, to, promotion: None } => {
            role != Role::Pawn || from.distance(to) == 1
        }
        _ => false,
    }
}

/// Asks of every `step`th address whether a position stands there that passes, and counts those; or the
/// failure at the lowest address.
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
    // Portions are handed out in order, so when one fails, all before it are done or under way.
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
                    let mut first = first.lock().expect("nobody panics here");
                    if first.as_ref().is_none_or(|&(other, _)| number < other) {
                        *first = Some((number, error));
                    }
                }
            }
        }
        held.fetch_add(here, Ordering::Relaxed);
        progress(portion.len());
    });
    match first.into_inner().expect("nobody panics there") {
        Some((_, error)) => Err(error),
        None => Ok(held.into_inner()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published_statistics;

    #[test]
    fn one_changed_entry_does_not_pass() {
        let krk: Material = "KRK".parse().expect("a material");
        let mut sound = Tables::new(NonZeroUsize::new(2).expect("two"));
        sound.make(&[krk], &mut |_| {}).expect("few men");
        let table = sound.table(krk).expect("made");
        assert_eq!(sound.verify(krk, NonZeroUsize::MIN), Some(Ok(51_044)));
        assert_eq!(published_statistics::check(table).ok(), Some(8));

        // A draw called a loss, a loss a draw, and a win two plies late. Of its own accord each is noticed at
        // its address; a predecessor with a lower one may be noticed first.
        let find = |fact: ProvenValue| (0..table.addresses()).find(|&index| table.at(index) == Some(fact));
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
            assert_eq!((alone.at(address), derived), (Some(to), Some(from)));
            // Facts are counts: a win that comes late is still a win.
            assert_eq!(published_statistics::check(alone).is_err(), from.wdl() != to.wdl());
        }
    }

    #[test]
    fn a_table_is_not_verified_without_those_it_leads_to() {
        let [kpk, kqk] = ["KPK", "KQK"].map(|name| name.parse::<Material>().expect("a material"));
        let mut all = Tables::new(NonZeroUsize::MIN);
        all.make(&[kpk], &mut |_| {}).expect("few men");
        let mut alone = Tables::new(NonZeroUsize::MIN);
        alone.insert(
            all.table(kpk)
                .expect("made")
                .with(0, all.table(kpk).and_then(|kpk| kpk.at(0)).unwrap_or(ProvenValue::Draw)),
        );
        assert_eq!(alone.verify(kpk, NonZeroUsize::MIN), None);
        assert_eq!(alone.verify(kqk, NonZeroUsize::MIN), None);
    }
}
