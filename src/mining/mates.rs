//! Mates by distance: from tables, and from play-outs through the prover.
//!
//! Both sides of the board and both ends of the mate: a case with a negative distance asks the side that is
//! mated. Tables give any distance in endings; play-outs give short mates among many men, which the prover
//! can settle.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::fen::{Epd, Fen};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position};

use super::history::after;
use super::scatter;
use super::trap::Proof;
use crate::score::{MateDistance, Ply};
use crate::truth::mate_prover::{MateProver, OutOfNodes};
use crate::truth::{Fact, Material, Tables};

/// Endings with mates of every distance that is asked for.
const MATERIALS: [&str; 8] = ["KQK", "KRK", "KQKR", "KRKB", "KRKN", "KQKN", "KBBK", "KQKB"];

/// The longest mate that is taken from play-outs, in moves: beyond, a proof takes too long to check.
const LONGEST_PROOF: i32 = 4;

/// What one proof may cost, in positions.
pub(super) const BUDGET: u64 = 400_000;

/// How many addresses or games are drawn for one mate before the lot is held to give none.
const PATIENCE: usize = 300_000;

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

/// The materials whose tables [`mine`] draws from.
pub fn materials() -> Vec<Material> {
    MATERIALS.iter().map(|name| name.parse().expect("the list above holds materials")).collect()
}

/// Mines `each` mates of every distance up to `longest` moves, as many of being mated, shortest first. Of
/// the short ones every other comes from a play-out, the rest from tables. The same seed finds the same.
pub fn mine(tables: &Tables, seed: u64, longest: u16, each: usize) -> Vec<Mate> {
    let mut lot = ChaCha8Rng::seed_from_u64(seed);
    let mut mates: Vec<Mate> = Vec::new();
    for moves in 1..=longest {
        for plies in [2 * moves - 1, 2 * moves] {
            let distance = MateDistance::from_plies(Ply(plies));
            for number in 0..each {
                let from_play = distance.moves().abs() <= LONGEST_PROOF && number % 2 == 1;
                let known: Vec<Chess> = mates.iter().map(|mate| mate.position.clone()).collect();
                let found = (0..PATIENCE).find_map(|_| {
                    let mate = if from_play {
                        by_play(distance, &mut lot)
                    } else {
                        by_table(tables, distance, number, &mut lot)
                    };
                    mate.filter(|mate| !known.contains(&mate.position))
                });
                mates.extend(found);
            }
        }
    }
    mates
}

fn by_table(tables: &Tables, distance: MateDistance, number: usize, lot: &mut ChaCha8Rng) -> Option<Mate> {
    let name = MATERIALS[(number / 2 + usize::from(distance.plies().0)) % MATERIALS.len()];
    let table = tables.table(name.parse().expect("the list above holds materials"))?;
    let position = scatter::from_table(table, lot, |fact| fact == Fact::Mate(distance))?;
    let line = best_play(tables, &position)?;
    Some(Mate { position, distance, line, only: None, proof: Proof::Tablebase })
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
        let left = match tables.probe_after(position, mv) {
            Some(fact) => fact.mate(),
            None => prover.distance(&after(position, mv), plies / 2)?,
        };
        if left.is_some_and(|left| left.plies().0 + 1 == plies) {
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
            .find(|&mv| tables.probe_after(&here, mv).map(Fact::one_ply_earlier) == Some(before))?;
        line.push(mv);
        here = after(&here, mv);
    }
    Some(line)
}

/// A game by lot in which whoever can mate at once does, looked at as many plies before its end as the
/// distance is long.
fn by_play(distance: MateDistance, lot: &mut ChaCha8Rng) -> Option<Mate> {
    let game = play_out(lot)?;
    let position = game.get(game.len().checked_sub(usize::from(distance.plies().0) + 1)?)?.clone();
    let position = position_alone(&position)?;
    let within = u16::try_from(distance.moves().unsigned_abs()).ok()?;
    let mut prover = MateProver::new(BUDGET);
    if prover.distance(&position, within).ok()? != Some(distance) {
        return None;
    }
    let line = prover.line(&position, distance).ok()?;
    (line.len() == usize::from(distance.plies().0)).then_some(Mate {
        position,
        distance,
        line,
        only: None,
        proof: Proof::Search,
    })
}

/// All positions of a game that ends in mate; `None` where it doesn't.
fn play_out(lot: &mut ChaCha8Rng) -> Option<Vec<Chess>> {
    let mut game = vec![Chess::default()];
    for _ in 0..lot.random_range(24..90) {
        let here = game.last()?;
        let moves = here.legal_moves();
        let mate = moves.iter().copied().find(|&mv| after(here, mv).is_checkmate());
        // Captures more often than their share: games by lot keep too many men for a proof.
        let captures: Vec<Move> = moves.iter().copied().filter(|mv| mv.is_capture()).collect();
        let capture = captures.choose(lot).copied().filter(|_| lot.random_ratio(1, 2));
        let next = after(here, mate.or(capture).or_else(|| moves.choose(lot).copied())?);
        game.push(next);
        if mate.is_some() {
            return Some(game);
        }
    }
    None
}

/// The position as a file will give it back: without counters or a past.
fn position_alone(position: &Chess) -> Option<Chess> {
    let fen = Fen::from_position(position, EnPassantMode::Legal);
    let mut setup = fen.into_setup();
    (setup.halfmoves, setup.fullmoves) = (0, std::num::NonZeroU32::MIN);
    setup.position(CastlingMode::Standard).ok()
}

/// The file that [`mine`] makes of a seed, to the byte.
pub fn file(tables: &Tables, seed: u64, longest: u16, each: usize) -> String {
    let mates = mine(tables, seed, longest, each);
    let side = |mate: &Mate| if mate.distance.is_win() { "win" } else { "loss" };
    let rows =
        mates.iter().zip(1..).map(|(mate, number)| row(&format!("mate.{}.{number:03}", side(mate)), mate));
    let made_by = format!("threefold positions mates --seed {seed} --longest {longest} --each {each}");
    head("Mates with their proven distance, in moves; negative: the side to move is mated.", &made_by)
        + &rows.collect::<String>()
}

/// What a file of mates begins with.
pub(super) fn head(title: &str, made_by: &str) -> String {
    format!("# {title}\n# Made by: {made_by}\n# Proven again by: threefold positions check\n")
}

/// A mate's line in a file.
pub(super) fn row(id: &str, mate: &Mate) -> String {
    let wire = |mv: Move| mv.to_uci(CastlingMode::Standard).to_string();
    let line: Vec<String> = mate.line.iter().map(|&mv| wire(mv)).collect();
    format!(
        "{} bm #{}; id \"{id}\"; {}c0 \"{}, {}\"; PV: {};\n",
        Epd::from_position(&mate.position, EnPassantMode::Legal),
        mate.distance.moves(),
        mate.only.map(|only| format!("only {}; ", wire(only))).unwrap_or_default(),
        mate.proof,
        Material::of(mate.position.board()).canonical().0,
        line.join(" "),
    )
}
