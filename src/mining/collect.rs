//! Collects traps of a class from what a lot draws, in fair shares.
//!
//! What is drawn is most of what there is most of: one ending, one pull, one length of history. So a trap is
//! taken only while its ending, its pull, its prelude, its result and its grade still want some. Where the
//! lot gives none for long, every share grows a little: a share that can't be filled must not keep the others
//! waiting.

use std::collections::{BTreeMap, HashSet};

use super::trap::Trap;
use super::trap::difficulty::Grade;
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
    /// Draws in vain before every share grows.
    pub(super) patience: u64,
}

/// So often every share may grow in vain before the search is given up.
const GROWTHS: usize = 60;

/// A trap with what only its maker knows.
pub(super) struct Drawn {
    pub(super) trap: Trap,
    /// The plies before what is repeated.
    pub(super) prelude: usize,
}

/// Pulls that must be told apart, from below: against the bait, weak, strong, a piece's worth.
const BANDS: [Centipawns; 3] = [Centipawns(0), Centipawns(100), Centipawns(300)];

/// How much of a class may have such a pull, in percent: most is to tempt strongly.
const BAND_SHARES: [usize; 4] = [10, 20, 45, 45];

/// How much of a class may be of each grade, in percent.
const GRADE_SHARE: usize = 40;

/// One property that a trap has, and others lack.
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
) -> Vec<Trap> {
    let mut traps = Vec::new();
    let mut positions = HashSet::new();
    let mut shelves = Shelves { wanted, taken: BTreeMap::new(), slack: 0 };
    let mut number = 0;
    for _ in 0..GROWTHS {
        let mut vain = 0;
        while vain < wanted.patience && traps.len() < wanted.count {
            vain += 1;
            number += 1;
            let Some(drawn) = draw(number) else { continue };
            let referee = Referee::new(&drawn.trap.line).expect("what was derived can be played");
            if positions.contains(referee.position()) || !shelves.take(&drawn) {
                continue;
            }
            positions.insert(referee.position().clone());
            traps.push(drawn.trap);
            found();
            vain = 0;
        }
        shelves.slack += wanted.count.div_ceil(20);
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
    /// Takes a trap, unless there are enough of its sort.
    fn take(&mut self, drawn: &Drawn) -> bool {
        let facets = self.facets(drawn);
        let full = |facet: &Facet| {
            self.taken.get(facet).copied().unwrap_or_default() >= self.room(*facet) + self.slack
        };
        if facets.iter().any(full) {
            return false;
        }
        for facet in facets {
            *self.taken.entry(facet).or_default() += 1;
        }
        true
    }

    fn facets(&self, Drawn { trap, prelude, .. }: &Drawn) -> Vec<Facet> {
        let band = BANDS.iter().filter(|&&bound| trap.pull >= bound).count();
        let ending = (!self.wanted.endings.is_empty()).then_some(Facet::Ending(trap.material));
        let rest = [
            Facet::Band(band),
            Facet::Prelude(*prelude),
            Facet::Result(trap.result),
            Facet::Grade(trap.grade()),
        ];
        ending.into_iter().chain(rest).collect()
    }

    /// How many of a sort there may be.
    fn room(&self, facet: Facet) -> usize {
        let count = self.wanted.count;
        match facet {
            Facet::Ending(_) => count.div_ceil(self.wanted.endings.len()),
            Facet::Band(band) => (count * BAND_SHARES[band]).div_ceil(100),
            Facet::Prelude(_) => count.div_ceil(self.wanted.preludes),
            Facet::Result(_) => count.div_ceil(self.wanted.results),
            Facet::Grade(_) => (count * GRADE_SHARE).div_ceil(100),
        }
    }
}
