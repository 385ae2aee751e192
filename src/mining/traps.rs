//! The miner of traps: draws positions by lot and makes up histories that turn them into traps.

use std::ops::RangeInclusive;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Move, Position, Rank, Role};

use super::history::{after, double_step_to, is_reversible, line, line_near_fifty, triangle, way_back};
use super::trap::sheet::render;
use super::trap::{Trap, TrapClass, derive};
use super::{perpetuals, pins, scatter};
use crate::line::Line;
use crate::truth::{Fact, Material, Tables, Wdl};

/// The endings that are mined: a win or draw in them goes while the evaluation stays up.
const MATERIALS: [&str; 8] = ["KNPK", "KBPK", "KRKP", "KRKN", "KRKB", "KPKP", "KPK", "KQKP"];

/// Addresses that are drawn before a material is given up for a while; more where fewer materials will do.
const PATIENCE: usize = 200_000;

/// Wins are kept short, in plies: beyond, a failure says strength.
const LONGEST: u16 = 30;

/// Where all moves but one lose, the slowest of the losses is this far off, in plies: a search that must see
/// the draw for itself can't tell the moves apart by their ends.
const OUT_OF_SIGHT: u16 = 36;

/// Where the fifty-move counter spoils a win, mate is this near, in plies: who doesn't know the rule sees it
/// and goes for it.
const IN_SIGHT: RangeInclusive<u16> = 3..=9;

/// So many plies are left until the fifty-move rule ends the game, where it decides.
const LEFT: RangeInclusive<u32> = 1..=8;

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

/// The endings in which a class can stand.
fn endings(class: TrapClass) -> Vec<Material> {
    let pawns = match class {
        TrapClass::VoidEnPassant => 1,
        TrapClass::LiveEnPassant => 2,
        _ => 0,
    };
    materials().into_iter().filter(|material| material.pawns() >= pawns).collect()
}

/// Mines traps of a class, no position twice, one material after the other. The same seed finds the same.
pub fn mine(tables: &Tables, seed: u64, want: Want) -> Vec<Trap> {
    let mut lot = ChaCha8Rng::seed_from_u64(seed);
    lot.set_stream(want.class as u64);
    match want.class {
        TrapClass::PerpetualFind => perpetuals::mine(tables, &mut lot, want.count),
        TrapClass::PinnedEnPassant => pins::mine(tables, &mut lot, want.count),
        class => mine_tables(tables, class, want.count, &mut lot),
    }
}

fn mine_tables(tables: &Tables, class: TrapClass, count: usize, lot: &mut ChaCha8Rng) -> Vec<Trap> {
    let endings = endings(class);
    let patience = PATIENCE * MATERIALS.len() / endings.len();
    let mut traps: Vec<Trap> = Vec::new();
    let mut positions: Vec<Chess> = Vec::new();
    loop {
        let before = traps.len();
        for &material in &endings {
            if traps.len() == count {
                return traps;
            }
            let found = (0..patience).find_map(|_| {
                let position = draw(tables, material, class, lot)?;
                if positions.contains(&position) {
                    return None;
                }
                let line = lure(tables, &position, class, lot)?;
                Some((position, derive(tables, class, &line).ok()?))
            });
            if let Some((position, trap)) = found {
                positions.push(position);
                traps.push(trap);
            }
        }
        if traps.len() == before {
            return traps;
        }
    }
}

/// The file that [`mine`] makes of a seed, so many of every class, to the byte.
pub fn file(tables: &Tables, seed: u64, per_class: usize) -> String {
    let traps: Vec<Trap> = TrapClass::ALL
        .iter()
        .flat_map(|&class| mine(tables, seed, Want { class, count: per_class }))
        .collect();
    render(&format!("threefold positions traps --seed {seed} --per-class {per_class}"), &traps)
}

fn draw(tables: &Tables, material: Material, class: TrapClass, lot: &mut ChaCha8Rng) -> Option<Chess> {
    let wanted = |wdl: Wdl| match class {
        TrapClass::OnlyWinRepeats
        | TrapClass::ThirdAvoid
        | TrapClass::OtherSide
        | TrapClass::LiveEnPassant => wdl == Wdl::Win,
        TrapClass::FalseRefuge
        | TrapClass::OnlyDrawRepeats
        | TrapClass::PerpetualFind
        | TrapClass::PinnedEnPassant => wdl == Wdl::Draw,
        TrapClass::ThirdSeek => wdl == Wdl::Loss,
        TrapClass::FiftyMoves | TrapClass::VoidEnPassant => wdl != Wdl::Draw,
    };
    let passes = |fact: Fact| {
        let range = match fact.wdl() {
            Wdl::Win if class == TrapClass::FiftyMoves => IN_SIGHT,
            Wdl::Win | Wdl::Loss | Wdl::Draw => 6..=LONGEST,
        };
        wanted(fact.wdl()) && fact.plies().is_none_or(|plies| range.contains(&plies))
    };
    let position = scatter::from_table(tables.table(material)?, lot, passes)?;
    may_have_stepped(&position, class).then_some(position)
}

/// Where the class asks for a double step in the history: can it have been made?
fn may_have_stepped(position: &Chess, class: TrapClass) -> bool {
    let fourth = |color: Color| {
        let rank = Bitboard::from_rank(color.relative_rank(Rank::Fourth));
        position.board().by_piece(Role::Pawn.of(color)) & rank
    };
    let own = fourth(position.turn());
    match class {
        TrapClass::VoidEnPassant => own.any(),
        TrapClass::LiveEnPassant => {
            let theirs = position.board().by_piece(Role::Pawn.of(position.turn().other()));
            own.into_iter().any(|pawn| {
                (theirs & Bitboard::from_rank(pawn.rank())).into_iter().any(|other| other.distance(pawn) == 1)
            })
        }
        _ => true,
    }
}

/// The move that shall repeat, if the position is of the right sort without any history.
fn bait(tables: &Tables, position: &Chess, class: TrapClass, lot: &mut ChaCha8Rng) -> Option<Move> {
    let facts: Option<Vec<(Move, Fact)>> = position
        .legal_moves()
        .into_iter()
        .map(|mv| Some((mv, tables.probe_after(position, mv)?.one_ply_earlier())))
        .collect();
    let facts = facts?;
    let of = |wdl: Wdl| facts.iter().filter(move |(_, fact)| fact.wdl() == wdl);
    let only = |wdl: Wdl| if of(wdl).count() == 1 { of(wdl).next().copied() } else { None };
    let (mv, _) = match class {
        TrapClass::OnlyWinRepeats | TrapClass::OtherSide | TrapClass::LiveEnPassant => only(Wdl::Win)?,
        TrapClass::OnlyDrawRepeats => {
            let slowest = of(Wdl::Loss).filter_map(|(_, fact)| fact.plies()).max();
            only(Wdl::Draw).filter(|_| slowest >= Some(OUT_OF_SIGHT))?
        }
        TrapClass::FalseRefuge if (2..=3).contains(&of(Wdl::Draw).count()) => {
            let short: Vec<_> = of(Wdl::Loss)
                .filter(|(mv, fact)| is_reversible(*mv) && fact.plies() <= Some(LONGEST))
                .collect();
            // Half of them walk straight back into the mating attack.
            let quickest = short.iter().min_by_key(|(_, fact)| fact.plies());
            **quickest.filter(|_| lot.random()).or_else(|| short.choose(lot))?
        }
        TrapClass::ThirdAvoid | TrapClass::VoidEnPassant if (2..=4).contains(&of(Wdl::Win).count()) => {
            *of(Wdl::Win).min_by_key(|(_, fact)| fact.plies())?
        }
        TrapClass::ThirdSeek | TrapClass::VoidEnPassant if of(Wdl::Loss).count() == facts.len() => {
            let moves: Vec<_> = facts.iter().filter(|(mv, _)| is_reversible(*mv)).collect();
            **moves.choose(lot)?
        }
        TrapClass::FalseRefuge
        | TrapClass::ThirdAvoid
        | TrapClass::ThirdSeek
        | TrapClass::VoidEnPassant
        | TrapClass::FiftyMoves
        | TrapClass::PerpetualFind
        | TrapClass::PinnedEnPassant => return None,
    };
    is_reversible(mv).then_some(mv)
}

/// A line to the position that makes it a trap, if it is of the right sort.
fn lure(tables: &Tables, position: &Chess, class: TrapClass, lot: &mut ChaCha8Rng) -> Option<Line> {
    if class == TrapClass::FiftyMoves {
        return line_near_fifty(position, lot.random_range(LEFT), lot);
    }
    let mv = bait(tables, position, class, lot)?;
    match class {
        TrapClass::OtherSide => {
            let (start, moves) = triangle(position, mv, lot)?;
            Some(line(&start, &moves, lot))
        }
        TrapClass::VoidEnPassant | TrapClass::LiveEnPassant => stepped(position, mv, class, lot),
        TrapClass::ThirdAvoid | TrapClass::ThirdSeek => repeated(position, mv, Times::Twice, lot),
        _ => repeated(position, mv, Times::Once, lot),
    }
}

/// How often the move shall have been made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Times {
    Once,
    Twice,
}

/// A history in which `mv` has been made before.
fn repeated(position: &Chess, mv: Move, times: Times, lot: &mut ChaCha8Rng) -> Option<Line> {
    let start = after(position, mv);
    let moves = cycles(position, mv, times, lot)?;
    start.ep_square(EnPassantMode::Legal).is_none().then(|| line(&start, &moves, lot))
}

/// A history in which the men stood as after `mv` twice, first after a double step.
fn stepped(position: &Chess, mv: Move, class: TrapClass, lot: &mut ChaCha8Rng) -> Option<Line> {
    let there = after(position, mv);
    let steps = double_step_to(&there);
    let live = |reached: &Chess| *reached != there;
    let (start, step, _) =
        steps.into_iter().find(|(_, _, reached)| live(reached) == (class == TrapClass::LiveEnPassant))?;
    let mut moves = vec![step];
    moves.extend(cycles(position, mv, Times::Twice, lot)?);
    Some(line(&start, &moves, lot))
}

/// From the position after `mv` back to the one before it, once or by way of the same again.
fn cycles(position: &Chess, mv: Move, times: Times, lot: &mut ChaCha8Rng) -> Option<Vec<Move>> {
    let mut moves = way_back(position, mv, lot)?.to_vec();
    if times == Times::Twice {
        moves.push(mv);
        moves.extend(way_back(position, mv, lot)?);
    }
    Some(moves)
}
