//! The miner of traps: draws lines by lot and keeps those that turn out to be traps.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::collect::{Drawn, Wanted, collect};
use super::history::line;
use super::trap::difficulty::Graded;
use super::trap::sheet::render;
use super::trap::{TrapClass, derive};
use super::{crew, lures, perpetuals, pins};
use threefold_chess::position::GamePosition;
use threefold_oracle::{Material, Tables};

/// The endings that are mined: a win or draw in them goes while the evaluation stays up.
const MATERIALS: [&str; 8] = ["KNPK", "KBPK", "KRKP", "KRKN", "KRKB", "KPKP", "KPK", "KQKP"];

/// Draws under one number, from one ending; the first trap among them counts.
const DRAWS: usize = 20_000;

/// Numbers without a trap before shares grow, for each ending.
const PATIENCE: usize = 10;

/// Traps that are turned away before shares grow, where they are drawn quickly.
const MANY: usize = 30;

/// The same where they are not.
const FEW: usize = 4;

/// How many traps of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Want {
    /// The class.
    pub class: TrapClass,
    /// How many; fewer come back when the lot gives no more.
    pub count: usize,
}

/// The materials whose tables [`mine`] draws from.
pub fn materials() -> Vec<Material> {
    MATERIALS.iter().map(|name| name.parse().expect("the list above holds materials")).collect()
}

/// Mines traps of a class, no position twice, in fair shares; `found` hears of each. The same seed finds the
/// same, on any number of threads.
pub fn mine(
    tables: &Tables,
    seed: u64,
    Want { class, count }: Want,
    threads: NonZeroUsize,
    found: &dyn Fn(),
) -> Vec<Graded> {
    let endings = endings(tables, class);
    let wanted = Wanted {
        count,
        endings: &endings,
        preludes: preludes(class).count(),
        results: results(class),
        patience: PATIENCE * endings.len().max(4),
        choice: if endings.is_empty() { FEW } else { MANY },
    };
    let draw = |number: u64| {
        // Each class has streams of its own.
        let mut lot = crew::lot(seed, ((class as u64) << 40) + number);
        let ending = endings.get((number % endings.len().max(1) as u64) as usize).copied();
        (0..DRAWS).find_map(|_| {
            let prelude = lot.random_range(preludes(class));
            let line = line_by_lot(tables, class, ending, prelude, &mut lot)?;
            let trap = derive(tables, class, &line).ok()?;
            Some(Drawn { graded: Graded::of(trap).ok()?, prelude })
        })
    };
    collect(wanted, threads, draw, found)
}

/// The traps of a seed, so many of every class; `found` hears of each.
pub fn mine_all(
    tables: &Tables,
    seed: u64,
    per_class: usize,
    threads: NonZeroUsize,
    found: &dyn Fn(),
) -> Vec<Graded> {
    let mine = |&class| mine(tables, seed, Want { class, count: per_class }, threads, found);
    TrapClass::ALL.iter().flat_map(mine).collect()
}

/// The file of [`mine_all`]'s traps, to the byte.
pub fn file(traps: &[Graded], seed: u64, per_class: usize) -> String {
    render(&format!("threefold positions traps --seed {seed} --per-class {per_class}"), traps)
}

/// The endings, of those whose tables were made, in which a class can stand; none where it needs more men.
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

/// How many plies come before what is repeated. Where that follows a double step, the step is one of them.
fn preludes(class: TrapClass) -> RangeInclusive<usize> {
    match class {
        TrapClass::VoidEnPassant | TrapClass::LiveEnPassant | TrapClass::PinnedEnPassant => 1..=2,
        _ => 0..=2,
    }
}

/// How many results a class has.
const fn results(class: TrapClass) -> usize {
    match class {
        TrapClass::FiftyMoves | TrapClass::VoidEnPassant => 2,
        _ => 1,
    }
}

/// A line by lot that may be a trap of a class, in an ending where the class has some.
fn line_by_lot(
    tables: &Tables,
    class: TrapClass,
    ending: Option<Material>,
    prelude: usize,
    lot: &mut ChaCha8Rng,
) -> Option<GamePosition> {
    match (class, ending) {
        (TrapClass::PerpetualFind, _) => {
            let (start, moves) = perpetuals::to_find(lot)?;
            line(&start, &moves, prelude, lot)
        }
        (TrapClass::PerpetualAvoid, _) => {
            let (start, moves) = perpetuals::to_avoid(lot)?;
            line(&start, &moves, prelude, lot)
        }
        (TrapClass::PinnedEnPassant, _) => {
            let (start, moves) = pins::stepped(lot)?;
            line(&start, &moves, prelude - 1, lot)
        }
        (class, ending) => lures::draw(tables, class, ending?, prelude, lot),
    }
}
