//! Mates by distance: from tables, and from Echo's games with the prover.
//!
//! With a negative distance the side to move is mated. Tables give any distance in endings; games give short
//! mates with many pieces, which the prover checks.

mod from_games;
mod row;

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Color, Move, Position};

use super::history::after;
use super::trap::ProofMethod;
use super::{engine_query, ordered_parallel, random_positions};
pub(super) use row::{head, row};
use threefold_chess::score::{MateDistance, Ply};
use threefold_oracle::mate_prover::{MateProver, OutOfNodes};
use threefold_oracle::{Material, ProvenValue, Tables};

/// Endings to draw positions from.
const MATERIALS: [&str; 15] = [
    "KQK", "KRK", "KPK", "KBBK", "KBNK", "KQKR", "KQKB", "KQKN", "KQKP", "KRKB", "KRKN", "KRKP", "KNPK",
    "KBPK", "KPKP",
];

/// The longest mate from games, in moves: checking a longer one takes too long.
const LONGEST_PROOF: u16 = 6;

/// The share of mates from games, where there are any: four fifths.
const FROM_GAMES: (usize, usize) = (4, 5);

/// The largest cost of a proof, in positions.
pub(super) const BUDGET: u64 = 3_000_000;

/// Random positions per mate before the next material is tried.
const DRAWS: usize = 50_000;

/// The number of materials tried, cyclically, before a distance is given up.
const MOST_ATTEMPTS: u64 = 2_000;

/// A position with its distance to mate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mate {
    /// The position in which the move is asked for.
    pub position: Chess,
    /// The distance to mate.
    pub distance: MateDistance,
    /// One line of best play to the mate.
    pub line: Vec<Move>,
    /// The only move that keeps the distance, if the position was chosen for that.
    pub only: Option<Move>,
    /// How the distance is proven.
    pub proof: ProofMethod,
}

/// The number of mates wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MateQuota {
    /// The longest mate, in moves.
    pub longest: u16,
    /// Mates of each distance by the side to move, and the same number against it.
    pub each: NonZeroUsize,
}

/// The materials whose tables [`mine`] uses.
pub fn materials() -> Vec<Material> {
    MATERIALS.iter().map(|name| name.parse().expect("the list above holds materials")).collect()
}

/// Mines mates, shortest first, without duplicate positions. The same seed gives the same result with any
/// number of threads. `found` is called for each.
pub fn mine(
    tables: &Tables,
    seed: u64,
    want: MateQuota,
    threads: NonZeroUsize,
    found: &dyn Fn(),
) -> Vec<Mate> {
    let each = want.each.get();
    let short: Vec<MateDistance> = distances(want.longest.min(LONGEST_PROOF)).collect();
    let games = from_games::mine(seed, &short, each * FROM_GAMES.0 / FROM_GAMES.1, threads, found);
    let mut known: HashSet<Chess> =
        games.values().flatten().map(|mate: &Mate| mate.position.clone()).collect();
    let mut mates = Vec::new();
    for distance in distances(want.longest) {
        let mut here = games.get(&distance.plies().0).cloned().unwrap_or_default();
        let attempt = |(): &mut (), number| by_table(tables, distance, number, seed);
        ordered_parallel::run_in_order(
            threads,
            0..MOST_ATTEMPTS,
            || (),
            attempt,
            |mate| {
                // Games may have given enough, and one attempt is made all the same.
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

/// Every distance up to this number of moves, for and against the side to move in turn.
fn distances(longest: u16) -> impl Iterator<Item = MateDistance> {
    (1..=2 * longest).map(|plies| MateDistance::from_plies(Ply(plies)))
}

/// One attempt at a mate from a table: the numbers cycle through the materials.
fn by_table(tables: &Tables, distance: MateDistance, number: u64, seed: u64) -> Option<Mate> {
    let material = materials()[(number % MATERIALS.len() as u64) as usize];
    let longest = tables.table(material)?.longest_win(Color::White)?;
    if longest.moves() < distance.moves().abs() {
        return None;
    }
    let mut rng = ordered_parallel::rng_for(seed, u64::from(distance.plies().0) << 32 | number);
    let position = drawn(tables, material, &mut rng, DRAWS, |fact| fact == ProvenValue::Mate(distance))?;
    let line = best_play(tables, &position)?;
    Some(Mate { position, distance, line, only: None, proof: ProofMethod::Tablebase })
}

/// A random position of a material, of either colours, with a value that passes, within this number of draws.
pub(super) fn drawn(
    tables: &Tables,
    material: Material,
    rng: &mut ChaCha8Rng,
    draws: usize,
    passes: impl Fn(ProvenValue) -> bool,
) -> Option<Chess> {
    let position = (0..draws).find_map(|_| {
        random_positions::of_material(material, rng)
            .filter(|position| tables.probe(position).is_some_and(&passes))
    })?;
    random_positions::randomly_flipped(&position, rng)
}

/// Every move that keeps the distance: by tables if they have the position, otherwise by search.
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

/// The file that [`mine`] makes of a seed; the same seed and the same Echo give the same bytes.
pub fn file(tables: &Tables, seed: u64, want: MateQuota, threads: NonZeroUsize, found: &dyn Fn()) -> String {
    let mates = mine(tables, seed, want, threads, found);
    let mut numbers = random_positions::NameCounter::default();
    let rows = mates.iter().map(|mate| {
        let side = if mate.distance.is_win() { "win" } else { "loss" };
        row(&format!("mate.{side}.{:03}", numbers.next(side)), mate)
    });
    let MateQuota { longest, each } = want;
    let made_by = format!("threefold-lab positions mates --seed {seed} --longest {longest} --each {each}");
    let head =
        head("Mates with their proven distance, in moves; negative: the side to move is mated.", &made_by);
    head + &engine_query::engine_header() + &rows.collect::<String>()
}
