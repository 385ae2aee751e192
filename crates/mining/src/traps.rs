//! Mines traps: draws random lines and keeps those that are traps.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::balance::{BalanceTarget, CandidateTrap, collect};
use super::history::line;
use super::trap::csv_file;
use super::trap::difficulty::GradedTrap;
use super::trap::{TrapClass, derive};
use super::{ordered_parallel, perpetuals, pinned_pawns, table_traps};
use threefold_chess::position::GamePosition;
use threefold_oracle::{Material, Tables};

/// The endings used: in these a win or draw can be lost while the evaluation stays high.
const MATERIALS: [&str; 8] = ["KNPK", "KBPK", "KRKP", "KRKN", "KRKB", "KPKP", "KPK", "KQKP"];

/// Random lines per number, from one ending; the first trap among them counts.
const DRAWS: usize = 20_000;

/// Numbers without a trap before quotas grow, for each ending.
const ATTEMPTS_BEFORE_GROWTH: usize = 10;

/// Rejected traps before quotas grow, if they are found quickly.
const MANY: usize = 30;

/// Rejected traps before quotas grow, if they are found slowly.
const FEW: usize = 4;

/// The number of traps wanted of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrapQuota {
    /// The class of the trap.
    pub class: TrapClass,
    /// The number; there may be fewer if the search is given up.
    pub count: usize,
}

/// The materials whose tables [`mine`] uses.
pub fn materials() -> Vec<Material> {
    MATERIALS.iter().map(|name| name.parse().expect("the list above holds materials")).collect()
}

/// Mines traps of a class, balanced and without duplicate positions; `found` is called for each. The same
/// seed gives the same result with any number of threads.
pub fn mine(
    tables: &Tables,
    seed: u64,
    TrapQuota { class, count }: TrapQuota,
    threads: NonZeroUsize,
    found: &dyn Fn(),
) -> Vec<GradedTrap> {
    let endings = endings(tables, class);
    let wanted = BalanceTarget {
        count,
        endings: &endings,
        preludes: preludes(class).count(),
        results: results(class),
        attempts_before_growth: ATTEMPTS_BEFORE_GROWTH * endings.len().max(4),
        choice: if endings.is_empty() { FEW } else { MANY },
    };
    let draw = |number: u64| {
        // Each class has its own streams.
        let mut rng = ordered_parallel::rng_for(seed, ((class as u64) << 40) + number);
        let ending = endings.get((number % endings.len().max(1) as u64) as usize).copied();
        (0..DRAWS).find_map(|_| {
            let prelude = rng.random_range(preludes(class));
            let line = random_line(tables, class, ending, prelude, &mut rng)?;
            let trap = derive(tables, class, &line).ok()?;
            Some(CandidateTrap { graded: GradedTrap::new(trap).ok()?, prelude })
        })
    };
    collect(wanted, threads, draw, found)
}

/// The traps of a seed, this number of every class; `found` is called for each.
pub fn mine_all(
    tables: &Tables,
    seed: u64,
    per_class: usize,
    threads: NonZeroUsize,
    found: &dyn Fn(),
) -> Vec<GradedTrap> {
    let mine = |&class| mine(tables, seed, TrapQuota { class, count: per_class }, threads, found);
    TrapClass::ALL.iter().flat_map(mine).collect()
}

/// The file of [`mine_all`]'s traps; the same seed gives the same bytes.
pub fn file(traps: &[GradedTrap], seed: u64, per_class: usize) -> String {
    let rows: Vec<(&str, &GradedTrap)> =
        traps.iter().map(|graded| (graded.trap.class.name(), graded)).collect();
    csv_file::render(
        csv_file::TITLE,
        &format!("threefold-lab positions traps --seed {seed} --per-class {per_class}"),
        &rows,
    )
}

/// The endings, among those with tables, in which a class is possible; empty if it needs more pieces.
fn endings(tables: &Tables, class: TrapClass) -> Vec<Material> {
    let fits = |material: &Material| match class {
        TrapClass::PerpetualFind | TrapClass::PerpetualAvoid | TrapClass::PinnedEnPassant => false,
        TrapClass::VoidEnPassant => material.pawns() >= 1,
        TrapClass::LiveEnPassant => material.pawns() >= 2,
        TrapClass::OnlyWinRepeats
        | TrapClass::FalseRefuge
        | TrapClass::ThirdAvoid
        | TrapClass::ThirdSeek
        | TrapClass::Dawdle
        | TrapClass::OnlyDrawRepeats
        | TrapClass::FiftyMoves
        | TrapClass::OtherSide
        | TrapClass::ZugzwangTriangle => true,
    };
    materials().into_iter().filter(|&material| tables.table(material).is_some()).filter(fits).collect()
}

/// The numbers of plies before the repetition. If that follows a double step, the step is one of them.
fn preludes(class: TrapClass) -> RangeInclusive<usize> {
    match class {
        TrapClass::VoidEnPassant | TrapClass::LiveEnPassant | TrapClass::PinnedEnPassant => 1..=2,
        _ => 0..=2,
    }
}

/// The number of results of a class.
const fn results(class: TrapClass) -> usize {
    match class {
        TrapClass::FiftyMoves | TrapClass::VoidEnPassant => 2,
        _ => 1,
    }
}

/// A random line that may be a trap of a class, in a suitable ending.
fn random_line(
    tables: &Tables,
    class: TrapClass,
    ending: Option<Material>,
    prelude: usize,
    rng: &mut ChaCha8Rng,
) -> Option<GamePosition> {
    match (class, ending) {
        (TrapClass::PerpetualFind, _) => {
            let (start, moves) = perpetuals::to_find(rng)?;
            line(&start, &moves, prelude, rng)
        }
        (TrapClass::PerpetualAvoid, _) => {
            let (start, moves) = perpetuals::to_avoid(rng)?;
            line(&start, &moves, prelude, rng)
        }
        (TrapClass::PinnedEnPassant, _) => {
            let (start, moves) = pinned_pawns::past_pinned_pawn(rng)?;
            // The double step is one ply of the prelude.
            line(&start, &moves, prelude - 1, rng)
        }
        (class, ending) => table_traps::draw(tables, class, ending?, prelude, rng),
    }
}
