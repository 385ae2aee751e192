//! Positions with points per move, from endgame tables.
//!
//! The quickest win has ten points. A slower one has fewer, in proportion to its length (half, if it takes
//! twice as long), but at least one; a move that loses the win has none. In a draw every move that holds it
//! has ten. Only positions are used in which most moves have no point and at most two have ten.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use shakmaty::fen::Epd;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, EnPassantMode, Move, Position};

use super::random_positions;
use threefold_chess::score::MateDistance;
use threefold_oracle::{Material, ProvenValue, Tables};

/// Endings to draw positions from.
const MATERIALS: [&str; 9] = ["KPK", "KRKP", "KQKP", "KPKP", "KBPK", "KNPK", "KRKN", "KQKR", "KBNK"];

/// Points of the best move.
const FULL: u32 = 10;

/// The number of random addresses per position before the search is given up.
const MOST_ATTEMPTS: usize = 1_000_000;

/// The materials whose tables [`file()`] uses.
pub fn materials() -> Vec<Material> {
    MATERIALS.iter().map(|name| name.parse().expect("the list above holds materials")).collect()
}

/// The moves with points, best first, as in `c0`; `None` if the position is too easy.
pub(super) fn points(tables: &Tables, position: &Chess) -> Option<Vec<(Move, u32)>> {
    let best = tables.probe(position)?;
    let worth = |after: ProvenValue| match (best, after.one_ply_earlier()) {
        (ProvenValue::Mate(quickest), ProvenValue::Mate(mate)) if quickest.is_win() && mate.is_win() => {
            let (quickest, plies) = (u32::from(quickest.plies().0), u32::from(mate.plies().0));
            ((FULL * quickest + plies / 2) / plies).max(1)
        }
        (ProvenValue::Draw, ProvenValue::Draw) => FULL,
        _ => 0,
    };
    let moves = position.legal_moves();
    let mut graded = Vec::new();
    for &mv in &moves {
        let points = worth(tables.probe_after(position, mv)?);
        if points > 0 {
            graded.push((mv, points));
        }
    }
    graded.sort_by_key(|&(mv, points)| (std::cmp::Reverse(points), san(position, mv)));
    let full = graded.iter().filter(|&&(_, points)| points == FULL).count();
    (matches!(full, 1 | 2) && 2 * graded.len() < moves.len()).then_some(graded)
}

/// `Kd6=10, Ke5=7`.
pub(super) fn points_text(position: &Chess, points: &[(Move, u32)]) -> String {
    let text = points.iter().map(|&(mv, points)| format!("{}={points}", san(position, mv)));
    text.collect::<Vec<_>>().join(", ")
}

fn san(position: &Chess, mv: Move) -> String {
    SanPlus::from_move(position.clone(), mv).to_string()
}

/// The file of a seed: this number of positions, half of them won and half drawn. The same seed gives the
/// same bytes.
pub fn file(tables: &Tables, seed: u64, count: usize) -> String {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut known: Vec<Chess> = Vec::new();
    let mut text = format!(
        "# Best moves: points for what a move keeps of a win or a draw (`c0`); a move that is not named has none.\n\
         # Made by: threefold-lab positions best-moves --seed {seed} --count {count}\n\
         # Proven again by: threefold positions check\n"
    );
    for number in 0..count {
        let name = MATERIALS[number / 2 % MATERIALS.len()];
        let table = tables.table(name.parse().expect("the list above holds materials"));
        let won = number % 2 == 0;
        let wanted = |fact: ProvenValue| {
            if won { fact.mate().is_some_and(MateDistance::is_win) } else { fact == ProvenValue::Draw }
        };
        let found = (0..MOST_ATTEMPTS).find_map(|_| {
            let position = random_positions::from_table(table?, &mut rng, wanted)?;
            let points = points(tables, &position).filter(|_| !known.contains(&position))?;
            Some((position, points))
        });
        if let Some((position, points)) = found {
            let epd = Epd::from_position(&position, EnPassantMode::Legal);
            let best: Vec<String> =
                points.iter().filter(|it| it.1 == FULL).map(|it| san(&position, it.0)).collect();
            let (class, listed) = (if won { "win" } else { "draw" }, points_text(&position, &points));
            let number = number / 2 + 1;
            let best = best.join(" ");
            let row = format!(
                "{epd} bm {best}; c0 \"{listed}\"; id \"best.{class}.{number:03}\"; c1 \"tablebase, {name}\";\n"
            );
            text.push_str(&row);
            known.push(position);
        }
    }
    text
}
