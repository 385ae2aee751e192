//! Random positions from tables, with constructed histories that make them traps.

use std::ops::RangeInclusive;

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use shakmaty::{Bitboard, Chess, Color, Move, Position, Rank, Role};

use super::history::{
    after, double_step_to, is_reversible, line, line_near_fifty, played, rounds, triangle, way_back,
};
use super::random_positions;
use super::trap::TrapClass;
use threefold_chess::position::GamePosition;
use threefold_oracle::{Material, ProvenValue, Tables, Wdl};

/// The longest wins used, in plies: a failure in a longer one would be a lack of strength.
const LONGEST: u16 = 30;

/// If all moves but one lose, the slowest loss takes at least this number of plies: a search that must see
/// the draw cannot distinguish the moves by their mates.
const OUT_OF_SIGHT: u16 = 36;

/// If the fifty-move counter spoils a win, mate is this near, in plies: an engine that ignores the rule sees
/// the mate and plays for it.
const IN_SIGHT: RangeInclusive<u16> = 3..=9;

/// The plies left until the fifty-move rule ends the game, in traps about it.
const LEFT: RangeInclusive<u32> = 1..=8;

/// A random line that may be a trap of a class in an ending: a suitable position, and a history of this
/// number of plies and a cycle or two.
pub(super) fn draw(
    tables: &Tables,
    class: TrapClass,
    ending: Material,
    prelude: usize,
    rng: &mut ChaCha8Rng,
) -> Option<GamePosition> {
    let position = position(tables, ending, class, rng)?;
    match class {
        TrapClass::FiftyMoves => return line_near_fifty(&position, rng.random_range(LEFT), prelude, rng),
        TrapClass::ZugzwangTriangle => return lost_moves(tables, &position, prelude, rng),
        _ => {}
    }
    let mv = bait(tables, &position, class, rng)?;
    match class {
        TrapClass::OtherSide => {
            let (start, moves) = triangle(&position, mv, rng)?;
            line(&start, &moves, prelude, rng)
        }
        TrapClass::VoidEnPassant | TrapClass::LiveEnPassant => stepped(&position, mv, class, prelude, rng),
        TrapClass::ThirdAvoid | TrapClass::ThirdSeek | TrapClass::Dawdle => {
            repeated(&position, mv, MoveCount::Twice, prelude, rng)
        }
        _ => repeated(&position, mv, MoveCount::Once, prelude, rng),
    }
}

/// A position of an ending whose value suits the class.
fn position(tables: &Tables, ending: Material, class: TrapClass, rng: &mut ChaCha8Rng) -> Option<Chess> {
    let wanted = |wdl: Wdl| match class {
        TrapClass::OnlyWinRepeats
        | TrapClass::ThirdAvoid
        | TrapClass::Dawdle
        | TrapClass::OtherSide
        | TrapClass::LiveEnPassant => wdl == Wdl::Win,
        TrapClass::FalseRefuge
        | TrapClass::OnlyDrawRepeats
        | TrapClass::PerpetualFind
        | TrapClass::PerpetualAvoid
        | TrapClass::PinnedEnPassant => wdl == Wdl::Draw,
        TrapClass::ThirdSeek | TrapClass::ZugzwangTriangle => wdl == Wdl::Loss,
        TrapClass::FiftyMoves | TrapClass::VoidEnPassant => wdl != Wdl::Draw,
    };
    let passes = |fact: ProvenValue| {
        let range = match fact.wdl() {
            Wdl::Win if class == TrapClass::FiftyMoves => IN_SIGHT,
            Wdl::Win | Wdl::Loss | Wdl::Draw => 6..=LONGEST,
        };
        wanted(fact.wdl()) && fact.plies().is_none_or(|plies| range.contains(&plies))
    };
    let position = random_positions::from_table(tables.table(ending)?, rng, passes)?;
    may_have_stepped(&position, class).then_some(position)
}

/// If the class needs a double step in the history: is it possible?
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

/// The move that will repeat, if the position is suitable without a history.
fn bait(tables: &Tables, position: &Chess, class: TrapClass, rng: &mut ChaCha8Rng) -> Option<Move> {
    let facts: Option<Vec<(Move, ProvenValue)>> = position
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
            // Half of them lead straight back into the mating attack.
            let quickest = short.iter().min_by_key(|(_, fact)| fact.plies());
            **quickest.filter(|_| rng.random()).or_else(|| short.choose(rng))?
        }
        TrapClass::ThirdAvoid | TrapClass::VoidEnPassant if (2..=4).contains(&of(Wdl::Win).count()) => {
            *of(Wdl::Win).min_by_key(|(_, fact)| fact.plies())?
        }
        TrapClass::ThirdSeek | TrapClass::VoidEnPassant if of(Wdl::Loss).count() == facts.len() => {
            let moves: Vec<_> = facts.iter().filter(|(mv, _)| is_reversible(*mv)).collect();
            **moves.choose(rng)?
        }
        TrapClass::Dawdle if of(Wdl::Win).count() >= 5 => {
            let quickest = of(Wdl::Win).filter_map(|(_, fact)| fact.plies()).min();
            let slower: Vec<_> =
                of(Wdl::Win).filter(|(mv, fact)| is_reversible(*mv) && fact.plies() > quickest).collect();
            **slower.choose(rng)?
        }
        TrapClass::FalseRefuge
        | TrapClass::ThirdAvoid
        | TrapClass::ThirdSeek
        | TrapClass::Dawdle
        | TrapClass::ZugzwangTriangle
        | TrapClass::VoidEnPassant
        | TrapClass::FiftyMoves
        | TrapClass::PerpetualFind
        | TrapClass::PerpetualAvoid
        | TrapClass::PinnedEnPassant => return None,
    };
    is_reversible(mv).then_some(mv)
}

/// A history that ends before the last move of a triangle, where `there` is the zugzwang that it leads to:
/// from the same zugzwang the losing side lost a move by a triangle, and now the winning side loses it back.
fn lost_moves(tables: &Tables, there: &Chess, prelude: usize, rng: &mut ChaCha8Rng) -> Option<GamePosition> {
    let wins = |position: &Chess| tables.probe(position).is_some_and(|fact| fact.wdl() == Wdl::Win);
    let waited = there.clone().swap_turn().ok()?;
    // If the winner to move needs less than the five plies of a triangle more, it is no zugzwang.
    let sooner = tables.probe(there)?.plies()? + 5;
    if tables.probe(&waited)?.plies().is_some_and(|plies| wins(&waited) && plies < sooner) {
        return None;
    }
    let only = |here: &Chess| {
        let winning = here
            .legal_moves()
            .into_iter()
            .filter(|&mv| tables.probe_after(here, mv).is_some_and(|fact| fact.wdl() == Wdl::Loss));
        winning.count() == 1
    };
    let back = rounds(&waited, rng).into_iter().find(|round| {
        let here = played(&waited, &round[..4]);
        here.is_some_and(|here| only(&here) && wins(&here))
    })?;
    let away = rounds(there, rng).into_iter().next()?;
    let moves: Vec<Move> = away.into_iter().chain(back.into_iter().take(4)).collect();
    line(there, &moves, prelude, rng)
}

/// How often the move will have been made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MoveCount {
    Once,
    Twice,
}

/// A history in which `mv` has been made before.
fn repeated(
    position: &Chess,
    mv: Move,
    times: MoveCount,
    prelude: usize,
    rng: &mut ChaCha8Rng,
) -> Option<GamePosition> {
    let start = after(position, mv);
    let moves = cycles(position, mv, times, rng)?;
    line(&start, &moves, prelude, rng)
}

/// A history in which the pieces were twice as after `mv`, the first time after a double step.
fn stepped(
    position: &Chess,
    mv: Move,
    class: TrapClass,
    prelude: usize,
    rng: &mut ChaCha8Rng,
) -> Option<GamePosition> {
    let there = after(position, mv);
    let steps = double_step_to(&there);
    let live = |reached: &Chess| *reached != there;
    let (start, step, _) =
        steps.into_iter().find(|(_, _, reached)| live(reached) == (class == TrapClass::LiveEnPassant))?;
    let mut moves = vec![step];
    moves.extend(cycles(position, mv, MoveCount::Twice, rng)?);
    // The double step is one ply of the prelude.
    line(&start, &moves, prelude - 1, rng)
}

/// From the position after `mv` back to the one before it, directly or with one repetition.
fn cycles(position: &Chess, mv: Move, times: MoveCount, rng: &mut ChaCha8Rng) -> Option<Vec<Move>> {
    let mut moves = way_back(position, mv, rng)?.to_vec();
    if times == MoveCount::Twice {
        moves.push(mv);
        moves.extend(way_back(position, mv, rng)?);
    }
    Some(moves)
}
