//! Mates by distance: from tables, and from Echo's games through the prover.
//!
//! Both sides of the board and both ends of the mate: a case with a negative distance asks the side that is
//! mated. Tables give any distance in endings; games give the short ones among many men, and the prover
//! settles them.

mod from_games;
mod row;

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Color, Move, Position};

use super::history::after;
use super::trap::Proof;
use super::{asked, crew, scatter};
pub(super) use row::{head, row};
use threefold_chess::score::{MateDistance, Ply};
use threefold_oracle::mate_prover::{MateProver, OutOfNodes};
use threefold_oracle::{Material, ProvenValue, Tables};

/// Endings to draw from.
const MATERIALS: [&str; 15] = [
    "KQK", "KRK", "KPK", "KBBK", "KBNK", "KQKR", "KQKB", "KQKN", "KQKP", "KRKB", "KRKN", "KRKP", "KNPK",
    "KBPK", "KPKP",
];

/// The longest mate that is taken from games, in moves: beyond, a proof takes too long to check.
const LONGEST_PROOF: u16 = 6;

/// How much of what is asked for comes from games, where they give any: four fifths.
const FROM_GAMES: (usize, usize) = (4, 5);

/// What one proof may cost, in positions.
pub(super) const BUDGET: u64 = 3_000_000;

/// How many boards are drawn for one mate from a table before the next material is tried.
const DRAWS: usize = 50_000;

/// How many materials are tried, over and over, before a distance is held to have no more mates.
const PATIENCE: u64 = 2_000;

/// A position with its distance to mate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mate {
    /// The position.
    pub position: Chess,
    /// The distance.
    pub distance: MateDistance,
    /// One way of best play, to the mate.
    pub line: Vec<Move>,
    /// The only move that keeps the distance, where the position was chosen for that.
    pub only: Option<Move>,
    /// What the distance is proven by.
    pub proof: Proof,
}

/// How many mates are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Want {
    /// The longest mate, in moves.
    pub longest: u16,
    /// Mates of each distance, and as many of being mated.
    pub each: NonZeroUsize,
}

/// The materials whose tables [`mine`] draws from.
pub fn materials() -> Vec<Material> {
    MATERIALS.iter().map(|name| name.parse().expect("the list above holds materials")).collect()
}

/// Mines mates, shortest first, no position twice. The same seed finds the same on any number of threads.
/// `found` hears of each.
pub fn mine(tables: &Tables, seed: u64, want: Want, threads: NonZeroUsize, found: &dyn Fn()) -> Vec<Mate> {
    let each = want.each.get();
    let short: Vec<MateDistance> = distances(want.longest.min(LONGEST_PROOF)).collect();
    let games = from_games::mine(seed, &short, each * FROM_GAMES.0 / FROM_GAMES.1, threads, found);
    let mut known: HashSet<Chess> =
        games.values().flatten().map(|mate: &Mate| mate.position.clone()).collect();
    let mut mates = Vec::new();
    for distance in distances(want.longest) {
        let mut here = games.get(&distance.plies().0).cloned().unwrap_or_default();
        let attempt = |(): &mut (), number| by_table(tables, distance, number, seed);
        crew::in_turn(
            threads,
            0..PATIENCE,
            || (),
            attempt,
            |mate| {
                if here.len() < each
                    && let Some(mate) = mate
                    && known.insert(mate.position.clone())
                {
                    here.push(mate);
                    found();
                }
                if here.len() < each { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
        );
        mates.extend(here);
    }
    mates
}

/// Every distance up to so many moves, mating and being mated in turn.
fn distances(longest: u16) -> impl Iterator<Item = MateDistance> {
    (1..=2 * longest).map(|plies| MateDistance::from_plies(Ply(plies)))
}

/// One attempt at a mate from a table: the numbers go through the materials again and again.
fn by_table(tables: &Tables, distance: MateDistance, number: u64, seed: u64) -> Option<Mate> {
    let material = materials()[(number % MATERIALS.len() as u64) as usize];
    let longest = tables.table(material)?.longest_win(Color::White)?;
    if longest.moves() < distance.moves().abs() {
        return None;
    }
    let mut lot = crew::lot(seed, u64::from(distance.plies().0) << 32 | number);
    let position = drawn(tables, material, &mut lot, DRAWS, |fact| fact == ProvenValue::Mate(distance))?;
    let line = best_play(tables, &position)?;
    Some(Mate { position, distance, line, only: None, proof: Proof::Tablebase })
}

/// A position of a material, of whichever colours, whose value passes, within so many draws.
pub(super) fn drawn(
    tables: &Tables,
    material: Material,
    lot: &mut ChaCha8Rng,
    draws: usize,
    passes: impl Fn(ProvenValue) -> bool,
) -> Option<Chess> {
    let position = (0..draws).find_map(|_| {
        scatter::of_material(material, lot).filter(|position| tables.probe(position).is_some_and(&passes))
    })?;
    scatter::turned(&position, lot)
}

/// Every move that keeps the distance, by tables where they hold the position, by search elsewhere.
pub(super) fn solutions(
    tables: &Tables,
    position: &Chess,
    distance: MateDistance,
) -> Result<Vec<Move>, OutOfNodes> {
    let plies = distance.plies().0;
    let mut prover = MateProver::new(BUDGET);
    let mut solutions = Vec::new();
    for mv in position.legal_moves() {
        let left = MateDistance::from_plies(Ply(plies - 1));
        let keeps = match tables.probe_after(position, mv) {
            Some(fact) => fact == ProvenValue::Mate(left),
            None => prover.confirms(&after(position, mv), left)?,
        };
        if keeps {
            solutions.push(mv);
        }
    }
    Ok(solutions)
}

/// The quickest attack against the longest defence, from the tables.
pub(super) fn best_play(tables: &Tables, position: &Chess) -> Option<Vec<Move>> {
    let mut here = position.clone();
    let mut line = Vec::new();
    while tables.probe(&here)?.plies()? > 0 {
        let before = tables.probe(&here)?;
        let mv = here
            .legal_moves()
            .into_iter()
            .find(|&mv| tables.probe_after(&here, mv).map(ProvenValue::one_ply_earlier) == Some(before))?;
        line.push(mv);
        here = after(&here, mv);
    }
    Some(line)
}

/// The file that [`mine`] makes of a seed, to the byte. It is another one where Echo plays otherwise.
pub fn file(tables: &Tables, seed: u64, want: Want, threads: NonZeroUsize, found: &dyn Fn()) -> String {
    let mates = mine(tables, seed, want, threads, found);
    let mut numbers = scatter::Numbers::default();
    let rows = mates.iter().map(|mate| {
        let side = if mate.distance.is_win() { "win" } else { "loss" };
        row(&format!("mate.{side}.{:03}", numbers.next(side)), mate)
    });
    let Want { longest, each } = want;
    let made_by = format!("threefold positions mates --seed {seed} --longest {longest} --each {each}");
    let head =
        head("Mates with their proven distance, in moves; negative: the side to move is mated.", &made_by);
    head + &asked::by_whom() + &rows.collect::<String>()
}
