//! Positions in which castling, an en passant capture, a promotion or an evasion decides at once.
//!
//! An engine of any strength finds a mate in one and plays its only legal move, so every other answer shows
//! wrong moves or wrong rights. Where a rule that an engine may forget would allow a mate in one, there is
//! none, and an engine that reports it, or plays an illegal move, fails.

mod chess960;
mod class;
mod drawing;
mod proof;

pub use class::SpecialMove;
pub use proof::derive;

use std::num::NonZeroUsize;

use super::values::{Mined, mine_each, rows_text};

/// Random positions per number.
const DRAWS: usize = 4;

/// Mines this number of positions of each class; the same seed gives the same result with any number of
/// threads. `found` is called for each.
pub fn mine(
    classes: &[SpecialMove],
    seed: u64,
    per_class: usize,
    threads: NonZeroUsize,
    found: &dyn Fn(),
) -> Vec<Mined<SpecialMove>> {
    let numbered = SpecialMove::ALL.iter().copied().enumerate().filter(|(_, class)| classes.contains(class));
    mine_each(numbered, seed, per_class, threads, found, |class, rng| {
        (0..DRAWS).find_map(|_| {
            let history = drawing::draw(class, rng)?;
            let known = derive(class, &history)?;
            Some(Mined { class, history, known })
        })
    })
}

/// The file that [`mine`] makes of a seed; the same seed gives the same bytes.
pub fn file(seed: u64, per_class: usize, threads: NonZeroUsize, found: &dyn Fn()) -> String {
    let mined = mine(SpecialMove::ALL, seed, per_class, threads, found);
    let rows = rows_text(mined, |class| (class.name(), class.summary()));
    format!(
        "# Positions that castling, en passant captures, promotions and evasions decide at once: `best` are the accepted \
         moves.\n\
         # Made by: threefold-lab positions special-moves --seed {seed} --per-class {per_class}\n\
         # Proven again by: threefold positions check\n\
         {rows}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_is_mined_and_derived_again() {
        let two = NonZeroUsize::MIN.saturating_add(1);
        let mined = mine(SpecialMove::ALL, 3, 1, two, &|| {});
        assert_eq!(mined.iter().map(|it| it.class).collect::<Vec<_>>(), SpecialMove::ALL);
        for Mined { class, history, known } in &mined {
            assert_eq!(derive(*class, history).as_ref(), Some(known), "{history}");
        }
    }
}
