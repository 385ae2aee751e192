//! Collects traps of a class from what a lot draws, in fair shares.
//!
//! What is drawn is most of what there is most of: one ending, one pull, one length of history. So a trap is
//! taken only while its ending, its pull, its prelude, its result and its grade still want some. Where none
//! is taken for long, every share grows a little: one that can't be filled must not keep the others waiting.

use std::collections::{BTreeMap, HashSet};

use super::trap::Trap;
use super::trap::difficulty::{Grade, Graded, STRONG};
use crate::score::Centipawns;
use crate::truth::{Material, Referee, Wdl};

/// What is wanted of a class, and how long to try.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'w> {
    pub(super) count: usize,
    /// The endings it is drawn from; empty where any will do.
    pub(super) endings: &'w [Material],
    /// How many lengths of prelude there are.
    pub(super) preludes: usize,
    /// How many results there are.
    pub(super) results: usize,
    /// Draws without a trap before every share grows.
    pub(super) patience: u64,
}

/// So many traps in a row may be turned away before every share grows.
const TURNED_AWAY: u64 = 30;

/// So often shares grow in vain before the search is given up.
const GROWTHS: usize = 20;

/// A trap, and how many plies come before what it repeats.
pub(super) struct Drawn {
    pub(super) trap: Trap,
    pub(super) prelude: usize,
}

/// Pulls that are told apart, by their lower ends: against the bait, weak, strong, worth a piece.
const BANDS: [Centipawns; 3] = [Centipawns(0), STRONG, Centipawns(300)];

/// How much of a class may have such a pull, in percent: most is to tempt strongly.
const BAND_SHARES: [usize; 4] = [10, 20, 45, 45];

/// How much of a class may be of one grade, in percent.
const GRADE_SHARE: usize = 40;

/// A property that some traps have and others lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Facet {
    Ending(Material),
    Band(usize),
    Prelude(usize),
    Result(Wdl),
    Grade(Grade),
}

/// Draws until there are enough, no position twice. `found` hears of each.
pub(super) fn collect(
    wanted: Wanted<'_>,
    found: &dyn Fn(),
    mut draw: impl FnMut(u64) -> Option<Drawn>,
) -> Vec<Graded> {
    let mut traps = Vec::new();
    let mut positions = HashSet::new();
    let mut shelves = Shelves { wanted, taken: BTreeMap::new(), slack: 0 };
    let (mut number, mut growths) = (0, 0);
    while growths < GROWTHS && traps.len() < wanted.count {
        let (mut empty, mut turned_away) = (0, 0);
        while empty < wanted.patience && turned_away < TURNED_AWAY && traps.len() < wanted.count {
            number += 1;
            let Some(drawn) = draw(number) else {
                empty += 1;
                continue;
            };
            let referee = Referee::new(&drawn.trap.line).expect("what was derived can be played");
            let taken = if positions.contains(referee.position()) { None } else { shelves.take(drawn) };
            let Some(graded) = taken else {
                turned_away += 1;
                continue;
            };
            positions.insert(referee.position().clone());
            traps.push(graded);
            found();
            (empty, turned_away, growths) = (0, 0, 0);
        }
        shelves.slack += wanted.count.div_ceil(40);
        growths += 1;
    }
    traps
}

/// How many of each sort were taken.
struct Shelves<'w> {
    wanted: Wanted<'w>,
    taken: BTreeMap<Facet, usize>,
    slack: usize,
}

impl Shelves<'_> {
    /// Grades a trap and takes it, unless there are enough of its sort.
    fn take(&mut self, Drawn { trap, prelude }: Drawn) -> Option<Graded> {
        let band = BANDS.iter().filter(|&&bound| trap.pull >= bound).count();
        let ending = (!self.wanted.endings.is_empty()).then_some(Facet::Ending(trap.material));
        let rest = [Facet::Band(band), Facet::Prelude(prelude), Facet::Result(trap.result)];
        let mut facets: Vec<Facet> = ending.into_iter().chain(rest).collect();
        if facets.iter().any(|&facet| self.is_full(facet)) {
            return None;
        }
        // The grade takes a search, so it comes last.
        let graded = Graded::of(trap).expect("what was derived can be played");
        facets.push(Facet::Grade(graded.grade()));
        if facets.iter().any(|&facet| self.is_full(facet)) {
            return None;
        }
        for facet in facets {
            *self.taken.entry(facet).or_default() += 1;
        }
        Some(graded)
    }

    fn is_full(&self, facet: Facet) -> bool {
        let count = self.wanted.count;
        let room = match facet {
            Facet::Ending(_) => count.div_ceil(self.wanted.endings.len()),
            Facet::Band(band) => (count * BAND_SHARES[band]).div_ceil(100),
            Facet::Prelude(_) => count.div_ceil(self.wanted.preludes),
            Facet::Result(_) => count.div_ceil(self.wanted.results),
            Facet::Grade(_) => (count * GRADE_SHARE).div_ceil(100),
        };
        self.taken.get(&facet).copied().unwrap_or_default() >= room + self.slack
    }
}
