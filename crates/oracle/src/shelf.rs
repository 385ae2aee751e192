//! Finished tables, kept for the whole process and lent to whoever names materials.
//!
//! A table follows from its material alone, so it makes no difference who asks first: this is a memory of a
//! pure function, not a state. Suites of many cases ask for the same few tables over and over; the first case
//! waits for them, the others find them made.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};
use std::thread;

use super::material::Material;
use super::tables::{Tables, Unmade};

/// What has been made so far.
static SHELF: Mutex<Option<Arc<Tables>>> = Mutex::new(None);

/// The tables of these materials and of their conversions, and perhaps others. They are made at the first
/// call that needs them, on all cores; who asks meanwhile waits.
pub fn lend(wanted: &[Material]) -> Result<Arc<Tables>, Unmade> {
    let mut shelf = SHELF.lock().expect("making tables does not panic");
    let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let mut tables = shelf.take().unwrap_or_else(|| Arc::new(Tables::new(threads)));
    let made = if wanted.iter().all(|&material| material.is_bare() || tables.table(material).is_some()) {
        Ok(())
    } else {
        Arc::make_mut(&mut tables).make(wanted, &mut |_| {})
    };
    *shelf = Some(Arc::clone(&tables));
    made.map(|()| tables)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_made_is_not_made_again() {
        let [kqk, krk, kpk] = ["KQK", "KRK", "KPK"].map(|name| name.parse().expect("a material"));
        let first = lend(&[kqk]).expect("few men");
        assert!(first.table(kqk).is_some());
        let more = lend(&[krk, kpk]).expect("few men");
        assert!([kqk, krk, kpk].iter().all(|&material| more.table(material).is_some()));
        let same = lend(&[kpk]).expect("few men");
        assert!(std::ptr::eq(same.table(kqk).expect("made"), first.table(kqk).expect("made")));
    }

    #[test]
    fn a_refusal_leaves_the_shelf_as_it_was() {
        let six = "KRPKRP".parse().expect("a material");
        assert!(lend(&[six]).is_err());
        assert!(lend(&["KQK".parse().expect("a material")]).is_ok());
    }
}
