//! Mates that need an underpromotion: a queen would stalemate, or would not check.
//!
//! Pawn endings come from tables, knight promotions that mate with many pieces from random positions. In all
//! of them the promotion is the only move that keeps the distance, so an engine that promotes only to queens
//! cannot claim it.

use std::num::NonZeroUsize;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, FromSetup, Move, Position, Rank, Role, Setup, Square,
};

use super::history::after;
use super::mates::{BUDGET, Mate, best_play, head, row, solutions};
use super::trap::ProofMethod;
use super::{ordered_parallel, random_positions};
use threefold_chess::score::{MateDistance, Ply};
use threefold_oracle::mate_prover::MateProver;
use threefold_oracle::{Material, ProvenValue, Tables};

/// Endings with a pawn to promote.
const MATERIALS: [&str; 6] = ["KPK", "KNPK", "KBPK", "KPKP", "KRKP", "KQKP"];

/// The longest mate from tables, in plies.
const LONGEST: u16 = 15;

/// The longest mate by search, in moves: random positions hardly ever have longer ones.
const LONGEST_PROOF: usize = 3;

/// Random positions per number.
const DRAWS: usize = 2_000;

/// Numbers without success before the search for a mate is given up.
const MOST_ATTEMPTS: u64 = 5_000;

/// The materials whose tables [`mine`] uses.
pub fn materials() -> Vec<Material> {
    MATERIALS.iter().map(|name| name.parse().expect("the list above holds materials")).collect()
}

/// Mines this number of mates, every other one from a table. The same seed gives the same result with any
/// number of threads. `found` is called for each.
pub fn mine(tables: &Tables, seed: u64, count: usize, threads: NonZeroUsize, found: &dyn Fn()) -> Vec<Mate> {
    let mut mates: Vec<Mate> = Vec::new();
    for number in 0..count {
        let attempt = |piece| {
            let mut rng = ordered_parallel::rng_for(seed, (number as u64) << 32 | piece);
            (0..DRAWS).find_map(|_| {
                if number % 2 == 0 {
                    by_table(tables, materials()[number / 2 % MATERIALS.len()], &mut rng)
                } else {
                    random_mate(tables, (number / 2 % LONGEST_PROOF + 1) as u16, &mut rng)
                }
            })
        };
        let new = |mate: Mate| mates.iter().all(|known| known.position != mate.position).then_some(mate);
        let mate = ordered_parallel::first_in_order(threads, 0..MOST_ATTEMPTS, attempt, new);
        mates.extend(mate.inspect(|_| found()));
    }
    mates
}

/// The file that [`mine`] makes of a seed; the same seed gives the same bytes.
pub fn file(tables: &Tables, seed: u64, count: usize, threads: NonZeroUsize, found: &dyn Fn()) -> String {
    let mates = mine(tables, seed, count, threads, found);
    let rows = mates.iter().zip(1..).map(|(mate, number)| row(&format!("underpromotion.{number:03}"), mate));
    let made_by = format!("threefold-lab positions underpromotions --seed {seed} --count {count}");
    head("Mates that only a promotion to less than a queen gives in time; `only` is its move.", &made_by)
        + &rows.collect::<String>()
}

fn by_table(tables: &Tables, material: Material, rng: &mut ChaCha8Rng) -> Option<Mate> {
    let position = random_positions::of_material(material, rng).filter(may_promote)?;
    let distance = tables.probe(&position)?.mate()?;
    let kept = MateDistance::from_plies(Ply(distance.plies().0.checked_sub(1)?));
    let underpromotes = |mv: &Move| mv.promotion().is_some_and(|role| role != Role::Queen);
    let keeps = |mv| tables.probe_after(&position, mv) == Some(ProvenValue::Mate(kept));
    if !distance.is_win()
        || distance.plies().0 > LONGEST
        || !position.legal_moves().into_iter().filter(underpromotes).any(keeps)
    {
        return None;
    }
    let position = random_positions::randomly_flipped(&position, rng)?;
    let only = only_underpromotion(tables, &position, distance)?;
    let line = best_play(tables, &position)?;
    Some(Mate { position, distance, line, only: Some(only), proof: ProofMethod::Tablebase })
}

fn may_promote(position: &Chess) -> bool {
    let seventh = Bitboard::from_rank(position.turn().relative_rank(Rank::Seventh));
    (position.board().by_piece(Role::Pawn.of(position.turn())) & seventh).any()
}

/// The one move that keeps the distance, if it is an underpromotion.
fn only_underpromotion(tables: &Tables, position: &Chess, distance: MateDistance) -> Option<Move> {
    let solutions = solutions(tables, position, distance).ok()?;
    let [only] = solutions.as_slice() else { return None };
    only.promotion().filter(|&role| role != Role::Queen).map(|_| *only)
}

/// A random position in which a promotion to a knight checks and mates in this number of moves.
fn random_mate(tables: &Tables, moves: u16, rng: &mut ChaCha8Rng) -> Option<Mate> {
    let position = random_positions::randomly_flipped(&draw(rng)?, rng)?;
    let distance = MateDistance::from_plies(Ply(2 * moves - 1));
    let mut prover = MateProver::new(BUDGET);
    let mut mates = |mv: &Move| {
        let after = after(&position, *mv);
        mv.promotion() == Some(Role::Knight)
            && after.is_check()
            && prover.confirms(&after, MateDistance::from_plies(Ply(2 * moves - 2))).unwrap_or(false)
    };
    if !position.legal_moves().iter().any(&mut mates) || !prover.confirms(&position, distance).ok()? {
        return None;
    }
    let only = only_underpromotion(tables, &position, distance)?;
    let line = prover.line(&position, distance).ok()?;
    Some(Mate { position, distance, line, only: Some(only), proof: ProofMethod::Search })
}

/// White has a pawn on the seventh rank and some pieces; Black's king is a knight's move from its promotion
/// square.
fn draw(rng: &mut ChaCha8Rng) -> Option<Chess> {
    let mut board = Board::empty();
    let file: u32 = rng.random_range(0..8);
    board.set_piece_at(Square::new(48 + file), Role::Pawn.of(Color::White));
    let mut put = |role: Role, color: Color, ranks: std::ops::Range<u32>| {
        let square = Square::new(rng.random_range(ranks) * 8 + rng.random_range(0..8));
        if board.piece_at(square).is_none() && square != Square::new(56 + file) {
            board.set_piece_at(square, role.of(color));
        }
    };
    put(Role::King, Color::Black, 5..7);
    put(Role::King, Color::White, 0..6);
    for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn, Role::Pawn] {
        put(role, Color::Black, 1..7);
    }
    for role in [Role::Rook, Role::Bishop, Role::Knight, Role::Pawn, Role::Pawn] {
        put(role, Color::White, 1..7);
    }
    let setup = Setup { board, turn: Color::White, ..Setup::empty() };
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}
