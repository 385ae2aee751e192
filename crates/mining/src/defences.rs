//! Defences: draws that few moves hold, and lost endings that can last.
//!
//! In a draw all but one or two of several moves lose. In a loss mate is many moves away, and some moves
//! shorten it. Both are read from the tables; mate comes before the fifty-move rule applies.

use std::num::NonZeroUsize;

use shakmaty::fen::Epd;
use shakmaty::{Chess, Color, EnPassantMode, Position};

use super::conversions::{FIFTY_MOVES, PATIENCE, spread};
use super::mates::{drawn, head};
use super::{ordered_parallel, random_positions};
use threefold_chess::score::MateDistance;
use threefold_oracle::{Material, ProvenValue, Tables, Wdl};

/// Endings with draws that can be lost.
const DRAWN: [&str; 9] = ["KPK", "KQKP", "KRKP", "KRKN", "KRKB", "KPKP", "KNPK", "KBPK", "KQKR"];

/// Endings with losses that can last.
const LOST: [&str; 10] = ["KQK", "KRK", "KPK", "KBBK", "KBNK", "KQKR", "KRKN", "KRKB", "KQKP", "KBPK"];

/// The most moves that hold the draw, and the fewest legal moves.
const CARE: (usize, usize) = (2, 4);

/// The shortest loss to use, in moves.
const SHORTEST: i32 = 8;

/// Random positions per number.
const DRAWS: usize = 5_000;

/// Numbers without success before the search for a defence is given up.
const LAST: u64 = 4_000;

/// The materials whose tables [`mine`] uses.
pub fn materials() -> Vec<Material> {
    DRAWN.iter().chain(&LOST).map(|name| name.parse().expect("the lists above hold materials")).collect()
}

/// What the side to move must defend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefenceKind {
    /// A draw, with the number of moves that hold it.
    Draw {
        /// Moves that hold it.
        holding: usize,
        /// All moves.
        moves: usize,
    },
    /// A loss, at this distance.
    Loss(MateDistance),
}

/// Why a position is not a defence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotADefence {
    /// No table has it.
    #[error("no table holds the position: give one of at most four pieces")]
    NotInTables,
    /// The side to move wins.
    #[error("the side to move wins")]
    Won,
    /// Too few moves lose.
    #[error("{holding} of {moves} moves draw: too few moves lose")]
    Careless {
        /// Moves that hold the draw.
        holding: usize,
        /// All moves.
        moves: usize,
    },
    /// All moves are equally good, or mate comes too soon or after the fifty-move rule.
    #[error("mate in {0}: too soon, after the fifty-move rule, or with every move")]
    Hopeless(i32),
}

/// Derives what must be defended from a position.
pub fn derive(tables: &Tables, position: &Chess) -> Result<DefenceKind, NotADefence> {
    let fact = tables.probe(position).ok_or(NotADefence::NotInTables)?;
    let after: Option<Vec<ProvenValue>> =
        position.legal_moves().into_iter().map(|mv| tables.probe_after(position, mv)).collect();
    let after = after.ok_or(NotADefence::NotInTables)?;
    let holding = after.iter().filter(|after| after.one_ply_earlier() == fact).count();
    let moves = after.len();
    match fact {
        ProvenValue::Draw if holding == 0 || holding > CARE.0 || moves < CARE.1 => {
            Err(NotADefence::Careless { holding, moves })
        }
        ProvenValue::Draw => Ok(DefenceKind::Draw { holding, moves }),
        ProvenValue::Mate(mate) if mate.is_win() => Err(NotADefence::Won),
        ProvenValue::Mate(mate) => {
            let in_time = position.halfmoves() + u32::from(mate.plies().0) <= FIFTY_MOVES;
            if in_time && -mate.moves() >= SHORTEST && holding < moves {
                Ok(DefenceKind::Loss(mate))
            } else {
                Err(NotADefence::Hopeless(-mate.moves()))
            }
        }
    }
}

/// Mines this number of defences, three draws to two losses, without duplicate positions, taking the endings
/// in turn. The same seed gives the same result with any number of threads. `found` is called for each.
pub fn mine(
    tables: &Tables,
    seed: u64,
    count: usize,
    threads: NonZeroUsize,
    found: &dyn Fn(),
) -> Vec<(Chess, DefenceKind)> {
    let draws = count * 3 / 5;
    let mut mined: Vec<(Chess, DefenceKind)> = Vec::new();
    for number in 0..count {
        let attempt = |piece| {
            let mut rng = ordered_parallel::rng_for(seed, (number as u64) << 32 | piece);
            let position = if number < draws {
                let material = DRAWN[number % DRAWN.len()].parse().expect("the list above holds materials");
                careful_draw(tables, material, &mut rng)?
            } else {
                let (nth, of) = ((number - draws) / LOST.len(), (count - draws).div_ceil(LOST.len()));
                let material = LOST[(number - draws) % LOST.len()].parse().ok()?;
                let longest = tables.table(material)?.longest_win(Color::White)?;
                // The longest loss is at most as long as the longest win, and its last move may be forced.
                let shorter = (piece / PATIENCE) as i32;
                let moves = (spread(longest.moves() - 1, nth + 1, of + 1) - shorter).max(SHORTEST);
                let wanted = |fact: ProvenValue| fact.mate().is_some_and(|mate| mate.moves() == -moves);
                drawn(tables, material, &mut rng, DRAWS, wanted)?
            };
            derive(tables, &position).ok().map(|stakes| (position, stakes))
        };
        let new = |it: (Chess, DefenceKind)| mined.iter().all(|(known, _)| *known != it.0).then_some(it);
        let defence = ordered_parallel::first_in_order(threads, 0..LAST, attempt, new);
        mined.extend(defence);
        found();
    }
    mined
}

/// A draw that few moves hold, from one piece of work.
fn careful_draw(tables: &Tables, material: Material, rng: &mut rand_chacha::ChaCha8Rng) -> Option<Chess> {
    (0..DRAWS).find_map(|_| {
        let position = drawn(tables, material, rng, 1, |fact| fact.wdl() == Wdl::Draw)?;
        derive(tables, &position).is_ok().then_some(position)
    })
}

/// The operations of a row: what must be defended, and the comment.
pub fn operations(position: &Chess, stakes: DefenceKind) -> [(&'static str, String); 2] {
    let material = Material::of(position.board()).canonical().0;
    match stakes {
        DefenceKind::Draw { holding, moves } => [
            ("result", "draw".to_owned()),
            ("c0", format!("tablebase, {material}, {holding} of {moves} moves draw")),
        ],
        DefenceKind::Loss(mate) => {
            [("dm", mate.moves().to_string()), ("c0", format!("tablebase, {material}"))]
        }
    }
}

/// The file that [`mine`] makes of a seed; the same seed gives the same bytes.
pub fn file(tables: &Tables, seed: u64, count: usize, threads: NonZeroUsize, found: &dyn Fn()) -> String {
    let mined = mine(tables, seed, count, threads, found);
    let made_by = format!("threefold positions defences --seed {seed} --count {count}");
    let mut numbers = random_positions::NameCounter::default();
    let rows = mined.iter().map(|(position, stakes)| {
        let material = Material::of(position.board()).canonical().0;
        let epd = Epd::from_position(position, EnPassantMode::Legal);
        let [(_, said), (_, c0)] = operations(position, *stakes);
        let (sort, said) = match stakes {
            DefenceKind::Draw { .. } => ("draw", format!("result \"{said}\"")),
            DefenceKind::Loss(_) => ("loss", format!("dm {said}")),
        };
        let name = format!("{sort}.{material}");
        let number = numbers.next(&name);
        format!("{epd} {said}; id \"{name}.{number:03}\"; c0 \"{c0}\";\n")
    });
    head("Endings to defend: draws that few moves hold, and losses that can last `dm` moves.", &made_by)
        + &rows.collect::<String>()
}
