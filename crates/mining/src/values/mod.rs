//! Positions whose value follows from the rules within a few plies, or from small tables.
//!
//! An engine is asked for the position as it is, without `searchmoves`: every move has the same value, or the
//! best ones are known. So a wrong rule shows in the first iterations of any engine. In all positions one side
//! has a bare king: who wins is plain to every engine, unless a rule intervenes.

mod class;
mod derivation;
mod drawing;
mod proof;

pub use class::ValueClass;
pub use derivation::{KnownValue, derive};
pub(super) use drawing::{flipped, round};

use std::num::NonZeroUsize;

use rand_chacha::ChaCha8Rng;

use super::{ordered_parallel, random_positions};
use threefold_chess::position::GamePosition;
use threefold_oracle::{Material, Tables};

/// The number of random positions per case before the search is given up.
const MOST_ATTEMPTS: u64 = 400_000;

/// The materials whose tables are used.
pub fn materials() -> Vec<Material> {
    let names = ["KQK", "KRK", "KPK", "KPPK", "KRRK", "KBPK"];
    names.map(|name| name.parse().expect("the list above holds materials")).into()
}

/// A position with its class and value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mined<C> {
    /// The rule that decides.
    pub class: C,
    /// The position with the game before it.
    pub history: GamePosition,
    /// What is known of it.
    pub known: KnownValue,
}

/// Mines up to this number of positions of each class, fewer if the attempts find no new one; the same seed gives the same
/// result with any number of threads. `found` is called for each.
pub fn mine(
    tables: &Tables,
    classes: &[ValueClass],
    seed: u64,
    per_class: usize,
    threads: NonZeroUsize,
    found: &dyn Fn(),
) -> Vec<Mined<ValueClass>> {
    let numbered = ValueClass::ALL.iter().copied().enumerate().filter(|(_, class)| classes.contains(class));
    mine_each(numbered, seed, per_class, threads, found, |class, rng| {
        let history = drawing::draw(class, rng)?;
        let known = derive(tables, class, &history)?;
        Some(Mined { class, history, known })
    })
}

/// Mines up to this number of positions of each of these numbered classes, by random attempts. The number of a class decides the
/// random numbers, so some of the classes give the same positions as all of them, except for duplicates between classes.
pub(super) fn mine_each<C: Copy + Send + Sync>(
    numbered: impl Iterator<Item = (usize, C)>,
    seed: u64,
    per_class: usize,
    threads: NonZeroUsize,
    found: &dyn Fn(),
    attempt: impl Fn(C, &mut ChaCha8Rng) -> Option<Mined<C>> + Sync,
) -> Vec<Mined<C>> {
    let mut mined: Vec<Mined<C>> = Vec::new();
    for (class_number, class) in numbered {
        for number in 0..per_class {
            let attempt = |attempt_number| {
                let stream = ((class_number * per_class + number) as u64) << 32 | attempt_number;
                attempt(class, &mut ordered_parallel::rng_for(seed, stream))
            };
            let new =
                |case: Mined<C>| mined.iter().all(|known| known.history != case.history).then_some(case);
            let case = ordered_parallel::first_in_order(threads, 0..MOST_ATTEMPTS, attempt, new);
            mined.extend(case.inspect(|_| found()));
        }
    }
    mined
}

/// The columns, in order.
const COLUMNS: [&str; 9] = ["id", "class", "fen", "moves", "best", "result", "dtm", "source", "note"];

/// The file that [`mine`] makes of a seed; the same seed gives the same bytes.
pub fn file(
    tables: &Tables,
    classes: &[ValueClass],
    seed: u64,
    per_class: usize,
    threads: NonZeroUsize,
    found: &dyn Fn(),
) -> String {
    let mined = mine(tables, classes, seed, per_class, threads, found);
    let mut made_by = format!("threefold-lab positions values --seed {seed} --per-class {per_class}");
    if classes != ValueClass::ALL {
        made_by.extend(classes.iter().map(|class| format!(" --class {class}")));
    }
    let rows = rows_text(mined, |class| (class.name(), class.summary()));
    format!(
        "# Positions whose value follows from the rules within a few plies, or from small tables: `best` are the moves \
         that keep `result`.\n\
         # Made by: {made_by}\n\
         # Proven again by: threefold positions check\n\
         {rows}"
    )
}

/// The rows of positions as CSV with a header. `words` gives the name and the note of a class.
pub(super) fn rows_text<C>(
    mined: Vec<Mined<C>>,
    words: impl Fn(C) -> (&'static str, &'static str),
) -> String {
    let mut numbers = random_positions::NameCounter::default();
    let mut rows = csv::Writer::from_writer(Vec::new());
    let mut written = rows.write_record(COLUMNS);
    for Mined { class, history, known } in mined {
        let (class, note) = words(class);
        let best: Vec<String> = known.best.iter().map(ToString::to_string).collect();
        let row = [
            format!("{class}.{:03}", numbers.next(class)),
            class.to_owned(),
            history.start.to_string(),
            history.moves_text(),
            best.join(" "),
            known.result.map(|result| result.to_string()).unwrap_or_default(),
            known.distance.map(|mate| mate.moves().to_string()).unwrap_or_default(),
            known.origin.to_string(),
            note.to_owned(),
        ];
        written = written.and_then(|()| rows.write_record(row));
    }
    written.expect("memory takes every write, and every row has as many columns as the header");
    let rows = rows.into_inner().expect("memory takes every write");
    String::from_utf8(rows).expect("made of strings")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_is_mined_and_derived_again() {
        let mut tables = Tables::new(NonZeroUsize::MIN);
        // The four-piece tables take long in a test build; `threefold positions check` derives all of the file.
        tables.make(&materials()[..3], &mut |_| {}).expect("few pieces");
        let needs_more = [
            ValueClass::LookAlike,
            ValueClass::PawnWin,
            ValueClass::RookPawnsWin,
            ValueClass::RookPawnsDraw,
            ValueClass::RightBishop,
            ValueClass::WrongBishop,
        ];
        let classes: Vec<ValueClass> =
            ValueClass::ALL.iter().copied().filter(|class| !needs_more.contains(class)).collect();
        let two = NonZeroUsize::MIN.saturating_add(1);
        let mined = mine(&tables, &classes, 3, 1, two, &|| {});
        assert_eq!(mined.iter().map(|it| it.class).collect::<Vec<_>>(), classes);
        for Mined { class, history, known } in &mined {
            assert_eq!(derive(&tables, *class, history).as_ref(), Some(known), "{history}");
            // Each belongs to one class alone.
            let others = classes.iter().filter(|other| *other != class);
            let also: Vec<_> = others.filter(|&&other| derive(&tables, other, history).is_some()).collect();
            assert!(also.is_empty(), "{class} is also {also:?}: {history}");
        }
        assert_eq!(mine(&tables, &classes, 3, 1, NonZeroUsize::MIN, &|| {}), mined);
    }
}
