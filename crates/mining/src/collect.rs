//! Collects traps of a class from what a lot draws, in fair shares.
//!
//! What is drawn is most of what there is most of: one ending, one pull, one length of history. So a trap is
//! taken only while its ending, its pull, its prelude, its result and its grade still want some. Where none
//! is taken for long, every share grows a little: one that can't be filled must not keep the others waiting.

use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use shakmaty::Chess;

use super::crew::in_turn;
use super::trap::Trap;
use super::trap::difficulty::{Grade, Graded, STRONG, WEAK};
use threefold_chess::score::Centipawns;
use threefold_oracle::{Material, Referee, Wdl};

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
    /// Numbers in a row without a trap before every share grows.
    pub(super) patience: usize,
    /// Traps in a row that are turned away before every share grows.
    pub(super) choice: usize,
}

/// So often shares grow in vain before the search is given up.
const GROWTHS: usize = 20;

/// A trap, and how many plies come before what it repeats.
pub(super) struct Drawn {
    pub(super) graded: Graded,
    pub(super) prelude: usize,
}

/// Pulls that are told apart, by their lower ends: none, weak, strong, worth a piece.
const BANDS: [Centipawns; 3] = [WEAK, STRONG, Centipawns(300)];

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

/// Takes what is drawn under each number, in turn, until there is enough, no position twice. `found` hears
/// of each.
pub(super) fn collect(
    wanted: Wanted<'_>,
    threads: NonZeroUsize,
    draw: impl Fn(u64) -> Option<Drawn> + Sync,
    found: &dyn Fn(),
) -> Vec<Graded> {
    let mut shelves = Shelves { wanted, taken: BTreeMap::new(), positions: HashSet::new(), slack: 0 };
    let mut traps = Vec::new();
    let (mut empty, mut turned_away, mut growths) = (0, 0, 0);
    in_turn(
        threads,
        0..u64::MAX,
        || (),
        |(), number| draw(number),
        |drawn| {
            match drawn.map(|drawn| shelves.take(drawn)) {
                None => empty += 1,
                Some(None) => turned_away += 1,
                Some(Some(graded)) => {
                    traps.push(graded);
                    found();
                    (empty, turned_away, growths) = (0, 0, 0);
                }
            }
            if empty >= wanted.patience || turned_away >= wanted.choice {
                shelves.slack += wanted.count.div_ceil(40);
                (empty, turned_away, growths) = (0, 0, growths + 1);
            }
            let enough = traps.len() >= wanted.count || growths >= GROWTHS;
            if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    traps
}

/// How many of each sort were taken.
struct Shelves<'w> {
    wanted: Wanted<'w>,
    taken: BTreeMap<Facet, usize>,
    positions: HashSet<Chess>,
    slack: usize,
}

impl Shelves<'_> {
    /// Takes a trap, unless its position was taken or there are enough of its sort.
    fn take(&mut self, Drawn { graded, prelude }: Drawn) -> Option<Graded> {
        let Trap { ref line, material, pull, result, .. } = graded.trap;
        let band = BANDS.iter().filter(|&&bound| pull >= bound).count();
        let ending = (!self.wanted.endings.is_empty()).then_some(Facet::Ending(material));
        let rest =
            [Facet::Band(band), Facet::Prelude(prelude), Facet::Result(result), Facet::Grade(graded.grade())];
        let facets: Vec<Facet> = ending.into_iter().chain(rest).collect();
        let referee = Referee::new(line).expect("what was derived can be played");
        if facets.iter().any(|&facet| self.is_full(facet))
            || !self.positions.insert(referee.position().clone())
        {
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
