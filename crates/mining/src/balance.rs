//! Collects a balanced set of traps of a class from random candidates.
//!
//! Random candidates are unevenly distributed over endings, bait scores and lengths of history. So a trap is
//! taken only while the quotas of its ending, bait score, prelude, result and grade have room. After many
//! candidates without success every quota grows a little, so that one that cannot be filled does not block
//! the others.

use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use shakmaty::Chess;

use super::ordered_parallel::run_in_order;
use super::trap::MinedTrap;
use super::trap::difficulty::{Grade, GradedTrap, STRONG_BAIT, WEAK_BAIT};
use threefold_chess::score::Centipawns;
use threefold_oracle::{Material, Referee, Wdl};

/// What is wanted of a class, and how long to try.
#[derive(Debug, Clone, Copy)]
pub(super) struct BalanceTarget<'w> {
    pub(super) count: usize,
    /// The endings of the candidates; empty for any.
    pub(super) endings: &'w [Material],
    /// The number of prelude lengths.
    pub(super) preludes: usize,
    /// The number of results.
    pub(super) results: usize,
    /// Numbers in a row without a trap before every quota grows.
    pub(super) attempts_before_growth: usize,
    /// Rejected traps in a row before every quota grows.
    pub(super) choice: usize,
}

/// The number of times that quotas grow without success before the search is given up.
const LARGEST_GROWTHS: usize = 20;

/// A candidate, and the number of plies before its repetition.
pub(super) struct CandidateTrap {
    pub(super) graded: GradedTrap,
    pub(super) prelude: usize,
}

/// The lower ends of the bands of bait scores: none, weak, strong, worth a piece.
const BANDS: [Centipawns; 3] = [WEAK_BAIT, STRONG_BAIT, Centipawns(300)];

/// The largest share of each band, in percent: most traps should tempt strongly.
const BAND_SHARES: [usize; 4] = [10, 20, 45, 45];

/// The largest share of each grade, in percent.
const GRADE_SHARE: usize = 40;

/// A property that has a quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Facet {
    Ending(Material),
    Band(usize),
    Prelude(usize),
    Result(Wdl),
    Grade(Grade),
}

/// Takes candidates in order of their numbers until there are enough, without duplicate positions. `found` is
/// called for each.
pub(super) fn collect(
    wanted: BalanceTarget<'_>,
    threads: NonZeroUsize,
    draw: impl Fn(u64) -> Option<CandidateTrap> + Sync,
    found: &dyn Fn(),
) -> Vec<GradedTrap> {
    let mut shelves = TakenCounts { wanted, taken: BTreeMap::new(), positions: HashSet::new(), slack: 0 };
    let mut traps = Vec::new();
    let (mut empty, mut turned_away, mut growths) = (0, 0, 0);
    run_in_order(
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
            if empty >= wanted.attempts_before_growth || turned_away >= wanted.choice {
                shelves.slack += wanted.count.div_ceil(40);
                (empty, turned_away, growths) = (0, 0, growths + 1);
            }
            let enough = traps.len() >= wanted.count || growths >= LARGEST_GROWTHS;
            if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    traps
}

/// The number of traps taken of each sort.
struct TakenCounts<'w> {
    wanted: BalanceTarget<'w>,
    taken: BTreeMap<Facet, usize>,
    positions: HashSet<Chess>,
    slack: usize,
}

impl TakenCounts<'_> {
    /// Takes a trap, unless its position was taken before or a quota is full.
    fn take(&mut self, CandidateTrap { graded, prelude }: CandidateTrap) -> Option<GradedTrap> {
        let MinedTrap { position: ref line, material, bait_score: pull, result, .. } = graded.trap;
        let band = BANDS.iter().filter(|&&bound| pull >= bound).count();
        let ending = (!self.wanted.endings.is_empty()).then_some(Facet::Ending(material));
        let rest =
            [Facet::Band(band), Facet::Prelude(prelude), Facet::Result(result), Facet::Grade(graded.grade())];
        let facets: Vec<Facet> = ending.into_iter().chain(rest).collect();
        let referee = Referee::new(line).expect("what was derived can be played");
        // The quotas first: a position that they refuse must not be marked as taken.
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
