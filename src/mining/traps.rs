//! The miner of traps: draws lines by lot and keeps those that turn out to be traps.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::collect::{Drawn, Wanted, collect};
use super::history::line;
use super::trap::difficulty::Graded;
use super::trap::sheet::render;
use super::trap::{TrapClass, derive};
use super::{lures, perpetuals, pins};
use crate::line::Line;
use crate::truth::{Material, Tables};

/// The endings that are mined: a win or draw in them goes while the evaluation stays up.
const MATERIALS: [&str; 8] = ["KNPK", "KBPK", "KRKP", "KRKN", "KRKB", "KPKP", "KPK", "KQKP"];

/// Addresses of tables that are drawn in vain before shares grow, for each ending.
const PATIENCE: u64 = 100_000;

/// Boards that are drawn in vain before shares grow: few are legal, fewer hold anything.
const PATIENCE_WITH_BOARDS: u64 = 3_000_000;

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
/// same.
pub fn mine(tables: &Tables, seed: u64, Want { class, count }: Want, found: &dyn Fn()) -> Vec<Graded> {
    let mut lot = ChaCha8Rng::seed_from_u64(seed);
    lot.set_stream(class as u64);
    let endings = endings(tables, class);
    let wanted = Wanted {
        count,
        endings: &endings,
        preludes: preludes(class).count(),
        results: results(class),
        patience: if endings.is_empty() { PATIENCE_WITH_BOARDS } else { PATIENCE * endings.len() as u64 },
    };
    collect(wanted, found, |number| {
        let prelude = lot.random_range(preludes(class));
        let ending = (number % endings.len().max(1) as u64) as usize;
        let line = draw(tables, class, endings.get(ending).copied(), prelude, &mut lot)?;
        Some(Drawn { trap: derive(tables, class, &line).ok()?, prelude })
    })
}

/// The traps of a seed, so many of every class; each class has a lot of its own, so that they are mined side
/// by side. `found` hears of each trap.
pub fn mine_all(
    tables: &Tables,
    seed: u64,
    per_class: usize,
    threads: NonZeroUsize,
    found: &(dyn Fn() + Sync),
) -> Vec<Graded> {
    let next = AtomicUsize::new(0);
    let mined: Mutex<Vec<(TrapClass, Vec<Graded>)>> = Mutex::default();
    let work = || {
        while let Some(&class) = TrapClass::ALL.get(next.fetch_add(1, Ordering::Relaxed)) {
            let traps = mine(tables, seed, Want { class, count: per_class }, found);
            mined.lock().expect("no miner panics while it delivers").push((class, traps));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.get() {
            scope.spawn(work);
        }
        work();
    });
    let mut mined = mined.into_inner().expect("no miner panics while it delivers");
    mined.sort_by_key(|&(class, _)| class);
    mined.into_iter().flat_map(|(_, traps)| traps).collect()
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
fn draw(
    tables: &Tables,
    class: TrapClass,
    ending: Option<Material>,
    prelude: usize,
    lot: &mut ChaCha8Rng,
) -> Option<Line> {
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
