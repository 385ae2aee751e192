//! Defences: draws that few moves hold, and lost endings that can last.
//!
//! In a draw all but one or two of several moves lose. In a loss mate is many moves away, and not every move
//! puts it off so long. Both are read off the tables; the fifty-move rule has not run out before the mate.

use std::num::NonZeroUsize;

use shakmaty::fen::Epd;
use shakmaty::{Chess, Color, EnPassantMode, Position};

use super::conversions::{FIFTY_MOVES, PATIENCE, spread};
use super::mates::{drawn, head};
use super::{crew, scatter};
use threefold_chess::score::MateDistance;
use threefold_oracle::{Material, ProvenValue, Tables, Wdl};

/// Endings in which a draw can be lost.
const DRAWN: [&str; 9] = ["KPK", "KQKP", "KRKP", "KRKN", "KRKB", "KPKP", "KNPK", "KBPK", "KQKR"];

/// Endings in which a loss can last.
const LOST: [&str; 10] = ["KQK", "KRK", "KPK", "KBBK", "KBNK", "KQKR", "KRKN", "KRKB", "KQKP", "KBPK"];

/// A draw is held by at most so many moves, and has at least so many.
const CARE: (usize, usize) = (2, 4);

/// The shortest loss worth defending, in moves.
const SHORTEST: i32 = 8;

/// How many boards are drawn in one piece of work.
const DRAWS: usize = 5_000;

/// How many pieces of work are done for one defence before there is held to be none.
const LAST: u64 = 4_000;

/// The materials whose tables [`mine`] draws from.
pub fn materials() -> Vec<Material> {
    DRAWN.iter().chain(&LOST).map(|name| name.parse().expect("the lists above hold materials")).collect()
}

/// What is to be defended, by the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stakes {
    /// A draw, which so many of so many moves hold.
    Draw {
        /// Moves that hold it.
        holding: usize,
        /// All moves.
        moves: usize,
    },
    /// A loss, at this distance.
    Loss(MateDistance),
}

/// Why a position is no defence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoDefence {
    /// No table knows it.
    #[error("no table holds the position: write one of at most four men")]
    NotInTables,
    /// The side to move wins.
    #[error("the side to move wins")]
    Won,
    /// Nothing can go wrong, or too little.
    #[error("{holding} of {moves} moves draw: that takes no care")]
    Careless {
        /// Moves that hold the draw.
        holding: usize,
        /// All moves.
        moves: usize,
    },
    /// Every move is as good as the others, or mate comes soon, or after the fifty-move rule.
    #[error("mate in {0}: too soon, too late, or whatever is played")]
    Hopeless(i32),
}

/// Derives what is at stake from the position alone.
pub fn derive(tables: &Tables, position: &Chess) -> Result<Stakes, NoDefence> {
    let fact = tables.probe(position).ok_or(NoDefence::NotInTables)?;
    let after: Option<Vec<ProvenValue>> =
        position.legal_moves().into_iter().map(|mv| tables.probe_after(position, mv)).collect();
    let after = after.ok_or(NoDefence::NotInTables)?;
    let holding = after.iter().filter(|after| after.one_ply_earlier() == fact).count();
    let moves = after.len();
    match fact {
        ProvenValue::Draw if holding == 0 || holding > CARE.0 || moves < CARE.1 => {
            Err(NoDefence::Careless { holding, moves })
        }
        ProvenValue::Draw => Ok(Stakes::Draw { holding, moves }),
        ProvenValue::Mate(mate) if mate.is_win() => Err(NoDefence::Won),
        ProvenValue::Mate(mate) => {
            let in_time = position.halfmoves() + u32::from(mate.plies().0) <= FIFTY_MOVES;
            if in_time && -mate.moves() >= SHORTEST && holding < moves {
                Ok(Stakes::Loss(mate))
            } else {
                Err(NoDefence::Hopeless(-mate.moves()))
            }
        }
    }
}

/// Mines so many, three draws to two losses, no position twice, the endings in turn. The same seed finds the
/// same on any number of threads. `found` hears of each.
pub fn mine(
    tables: &Tables,
    seed: u64,
    count: usize,
    threads: NonZeroUsize,
    found: &dyn Fn(),
) -> Vec<(Chess, Stakes)> {
    let draws = count * 3 / 5;
    let mut mined: Vec<(Chess, Stakes)> = Vec::new();
    for number in 0..count {
        let attempt = |piece| {
            let mut lot = crew::lot(seed, (number as u64) << 32 | piece);
            let position = if number < draws {
                let material = DRAWN[number % DRAWN.len()].parse().expect("the list above holds materials");
                careful_draw(tables, material, &mut lot)?
            } else {
                let (nth, of) = ((number - draws) / LOST.len(), (count - draws).div_ceil(LOST.len()));
                let material = LOST[(number - draws) % LOST.len()].parse().ok()?;
                let longest = tables.table(material)?.longest_win(Color::White)?;
                // The longest loss is at most as long as the longest win, and its last move may be forced.
                let shorter = (piece / PATIENCE) as i32;
                let moves = (spread(longest.moves() - 1, nth + 1, of + 1) - shorter).max(SHORTEST);
                let wanted = |fact: ProvenValue| fact.mate().is_some_and(|mate| mate.moves() == -moves);
                drawn(tables, material, &mut lot, DRAWS, wanted)?
            };
            derive(tables, &position).ok().map(|stakes| (position, stakes))
        };
        let new = |it: (Chess, Stakes)| mined.iter().all(|(known, _)| *known != it.0).then_some(it);
        let defence = crew::first(threads, 0..LAST, attempt, new);
        mined.extend(defence);
        found();
    }
    mined
}

/// A draw that takes care, within one piece of work.
fn careful_draw(tables: &Tables, material: Material, lot: &mut rand_chacha::ChaCha8Rng) -> Option<Chess> {
    (0..DRAWS).find_map(|_| {
        let position = drawn(tables, material, lot, 1, |fact| fact.wdl() == Wdl::Draw)?;
        derive(tables, &position).is_ok().then_some(position)
    })
}

/// The operations of a row: what is at stake, and what the table says of it.
pub fn operations(position: &Chess, stakes: Stakes) -> [(&'static str, String); 2] {
    let material = Material::of(position.board()).canonical().0;
    match stakes {
        Stakes::Draw { holding, moves } => [
            ("result", "draw".to_owned()),
            ("c0", format!("tablebase, {material}, {holding} of {moves} moves draw")),
        ],
        Stakes::Loss(mate) => [("dm", mate.moves().to_string()), ("c0", format!("tablebase, {material}"))],
    }
}

/// The file that [`mine`] makes of a seed, to the byte.
pub fn file(tables: &Tables, seed: u64, count: usize, threads: NonZeroUsize, found: &dyn Fn()) -> String {
    let mined = mine(tables, seed, count, threads, found);
    let made_by = format!("threefold positions defences --seed {seed} --count {count}");
    let mut numbers = scatter::Numbers::default();
    let rows = mined.iter().map(|(position, stakes)| {
        let material = Material::of(position.board()).canonical().0;
        let epd = Epd::from_position(position, EnPassantMode::Legal);
        let [(_, said), (_, c0)] = operations(position, *stakes);
        let (sort, said) = match stakes {
            Stakes::Draw { .. } => ("draw", format!("result \"{said}\"")),
            Stakes::Loss(_) => ("loss", format!("dm {said}")),
        };
        let name = format!("{sort}.{material}");
        let number = numbers.next(&name);
        format!("{epd} {said}; id \"{name}.{number:03}\"; c0 \"{c0}\";\n")
    });
    head("Endings to defend: draws that few moves hold, and losses that can last `dm` moves.", &made_by)
        + &rows.collect::<String>()
}
