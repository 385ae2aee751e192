//! Endings to defend: draws that only few moves hold, and losses that only the best moves delay.
//!
//! In a draw, at most two of at least four moves hold the draw. In a loss, mate is at least eight moves away
//! and some moves shorten it. Both are read from the endgame tables. Mate always comes before the fifty-move
//! rule applies.

use std::num::NonZeroUsize;

use shakmaty::fen::Epd;
use shakmaty::{Chess, Color, EnPassantMode, Position};

use super::conversions::{ATTEMPTS_PER_LENGTH, FIFTY_MOVES, spread};
use super::mates::{drawn, head};
use super::{ordered_parallel, random_positions};
use threefold_chess::score::MateDistance;
use threefold_oracle::{Material, ProvenValue, Tables, Wdl};

/// Endings for the draws.
const DRAW_ENDINGS: [&str; 9] = ["KPK", "KQKP", "KRKP", "KRKN", "KRKB", "KPKP", "KNPK", "KBPK", "KQKR"];

/// Endings for the losses.
const LOSS_ENDINGS: [&str; 10] =
    ["KQK", "KRK", "KPK", "KBBK", "KBNK", "KQKR", "KRKN", "KRKB", "KQKP", "KBPK"];

/// The largest number of moves that hold the draw.
const MOST_HOLDING: usize = 2;

/// The smallest number of legal moves in a draw.
const FEWEST_MOVES: usize = 4;

/// The shortest accepted distance to mate of a loss, in moves.
const SHORTEST_LOSS: i32 = 8;

/// Random positions tried for each attempt.
const POSITIONS_PER_ATTEMPT: usize = 5_000;

/// Attempts before the search for one position is given up.
const MAX_ATTEMPTS: u64 = 4_000;

/// The materials whose tables [`mine`] uses.
pub fn materials() -> Vec<Material> {
    DRAW_ENDINGS
        .iter()
        .chain(&LOSS_ENDINGS)
        .map(|name| name.parse().expect("the lists above hold materials"))
        .collect()
}

/// The result that the side to move must defend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefenceKind {
    /// A draw.
    Draw {
        /// The number of moves that hold the draw.
        holding: usize,
        /// The number of legal moves.
        moves: usize,
    },
    /// A loss with this distance to mate.
    Loss(MateDistance),
}

/// Why a position is not accepted as an ending to defend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotADefence {
    /// No table covers the position.
    #[error("no table covers the position; give one of at most four pieces")]
    NotInTables,
    /// The side to move wins.
    #[error("the side to move wins")]
    Won,
    /// The draw is too easy: too few moves lose.
    #[error("{holding} of {moves} moves draw: too few moves lose")]
    DrawTooEasy {
        /// The number of moves that hold the draw.
        holding: usize,
        /// The number of legal moves.
        moves: usize,
    },
    /// The loss is unsuitable: every move delays mate equally, mate is too close, or the fifty-move rule
    /// applies first.
    #[error(
        "mate in {0} can't be used: it is too close, after the fifty-move rule, or equally far with every move"
    )]
    UnsuitableLoss(i32),
}

/// Finds the result to defend in a position.
pub fn derive(tables: &Tables, position: &Chess) -> Result<DefenceKind, NotADefence> {
    let value = tables.probe(position).ok_or(NotADefence::NotInTables)?;
    let after: Option<Vec<ProvenValue>> =
        position.legal_moves().into_iter().map(|mv| tables.probe_after(position, mv)).collect();
    let after = after.ok_or(NotADefence::NotInTables)?;
    let holding = after.iter().filter(|after| after.one_ply_earlier() == value).count();
    let moves = after.len();
    match value {
        ProvenValue::Draw if holding == 0 || holding > MOST_HOLDING || moves < FEWEST_MOVES => {
            Err(NotADefence::DrawTooEasy { holding, moves })
        }
        ProvenValue::Draw => Ok(DefenceKind::Draw { holding, moves }),
        ProvenValue::Mate(mate) if mate.is_win() => Err(NotADefence::Won),
        ProvenValue::Mate(mate) => {
            let in_time = position.halfmoves() + u32::from(mate.plies().0) <= FIFTY_MOVES;
            if in_time && -mate.moves() >= SHORTEST_LOSS && holding < moves {
                Ok(DefenceKind::Loss(mate))
            } else {
                Err(NotADefence::UnsuitableLoss(-mate.moves()))
            }
        }
    }
}

/// Mines `count` endings to defend: 60 % draws and 40 % losses, without duplicate positions. The kinds of
/// endings alternate. The same seed gives the same result with any number of threads. `found` is called after
/// each position.
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
        let attempt = |attempt_number| {
            let mut rng = ordered_parallel::rng_for(seed, (number as u64) << 32 | attempt_number);
            let position = if number < draws {
                let material = DRAW_ENDINGS[number % DRAW_ENDINGS.len()]
                    .parse()
                    .expect("the list above holds materials");
                difficult_draw(tables, material, &mut rng)?
            } else {
                let (nth, of) =
                    ((number - draws) / LOSS_ENDINGS.len(), (count - draws).div_ceil(LOSS_ENDINGS.len()));
                let material = LOSS_ENDINGS[(number - draws) % LOSS_ENDINGS.len()].parse().ok()?;
                let longest = tables.table(material)?.longest_win(Color::White)?;
                // The longest loss is at most as long as the longest win, and its last move may be forced.
                let shorter = (attempt_number / ATTEMPTS_PER_LENGTH) as i32;
                let moves = (spread(longest.moves() - 1, nth + 1, of + 1) - shorter).max(SHORTEST_LOSS);
                let wanted = |value: ProvenValue| value.mate().is_some_and(|mate| mate.moves() == -moves);
                drawn(tables, material, &mut rng, POSITIONS_PER_ATTEMPT, wanted)?
            };
            derive(tables, &position).ok().map(|kind| (position, kind))
        };
        let new = |it: (Chess, DefenceKind)| mined.iter().all(|(known, _)| *known != it.0).then_some(it);
        let defence = ordered_parallel::first_in_order(threads, 0..MAX_ATTEMPTS, attempt, new);
        mined.extend(defence.inspect(|_| found()));
    }
    mined
}

/// A random draw that only few moves hold, from one attempt.
fn difficult_draw(tables: &Tables, material: Material, rng: &mut rand_chacha::ChaCha8Rng) -> Option<Chess> {
    (0..POSITIONS_PER_ATTEMPT).find_map(|_| {
        let position = drawn(tables, material, rng, 1, |value| value.wdl() == Wdl::Draw)?;
        derive(tables, &position).is_ok().then_some(position)
    })
}

/// The EPD operations of a position: the result to defend, and the comment.
pub fn operations(position: &Chess, kind: DefenceKind) -> [(&'static str, String); 2] {
    let material = Material::from_board(position.board()).canonical().0;
    match kind {
        DefenceKind::Draw { holding, moves } => [
            ("result", "draw".to_owned()),
            ("c0", format!("tablebase, {material}, {holding} of {moves} moves draw")),
        ],
        DefenceKind::Loss(mate) => {
            [("dm", mate.moves().to_string()), ("c0", format!("tablebase, {material}"))]
        }
    }
}

/// The EPD file with the positions of [`mine`]. The same seed gives the same bytes.
pub fn file(tables: &Tables, seed: u64, count: usize, threads: NonZeroUsize, found: &dyn Fn()) -> String {
    let mined = mine(tables, seed, count, threads, found);
    let made_by = format!("threefold-lab positions defences --seed {seed} --count {count}");
    let mut numbers = random_positions::NameCounter::default();
    let rows = mined.iter().map(|(position, kind)| {
        let material = Material::from_board(position.board()).canonical().0;
        let epd = Epd::from_position(position, EnPassantMode::Legal);
        let [(_, result), (_, c0)] = operations(position, *kind);
        let (kind, operation) = match kind {
            DefenceKind::Draw { .. } => ("draw", format!("result \"{result}\"")),
            DefenceKind::Loss(_) => ("loss", format!("dm {result}")),
        };
        let name = format!("{kind}.{material}");
        let number = numbers.next(&name);
        format!("{epd} {operation}; id \"{name}.{number:03}\"; c0 \"{c0}\";\n")
    });
    head("Endings to defend: draws that few moves hold, and losses that can last `dm` moves.", &made_by)
        + &rows.collect::<String>()
}
