//! Positions to defend: draws that few moves hold, and losses to be dragged out.
//!
//! All from tables. In a draw only one or two moves hold and at least two lose, so that it must be known or
//! found; the attacker of the suite goes on asking. A loss is long enough that lasting takes some doing.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use shakmaty::fen::Epd;
use shakmaty::{Chess, EnPassantMode, Position};

use super::scatter;
use crate::truth::{Fact, Material, Tables};

/// Endings in which the weaker side may hold a draw by few moves.
const HELD: [&str; 7] = ["KPK", "KRKP", "KQKP", "KRKN", "KRKB", "KBPK", "KNPK"];

/// Endings in which the weaker side may last.
const LOST: [&str; 6] = ["KRK", "KQKR", "KRKN", "KBNK", "KBBK", "KQKP"];

/// Losses are from so many moves to so many.
const LENGTHS: std::ops::RangeInclusive<i32> = 8..=25;

/// How many addresses are drawn for one position before the lot is held to give none.
const PATIENCE: usize = 3_000_000;

/// The materials whose tables [`file`] draws from.
pub fn materials() -> Vec<Material> {
    HELD.iter().chain(&LOST).map(|name| name.parse().expect("the lists above hold materials")).collect()
}

/// Moves that hold a draw, and all moves; `None` where the position is none that is hard to hold.
pub(super) fn holding(tables: &Tables, position: &Chess) -> Option<(usize, usize)> {
    if tables.probe(position)? != Fact::Draw || position.is_insufficient_material() {
        return None;
    }
    let moves = position.legal_moves();
    let after: Option<Vec<Fact>> = moves.iter().map(|&mv| tables.probe_after(position, mv)).collect();
    let holds = after?.into_iter().filter(|&fact| fact == Fact::Draw).count();
    (matches!(holds, 1 | 2) && moves.len() >= holds + 2).then_some((holds, moves.len()))
}

/// The file that a seed makes: so many draws, then as many losses. The same seed makes the same to the byte.
pub fn file(tables: &Tables, seed: u64, each: usize) -> String {
    let mut lot = ChaCha8Rng::seed_from_u64(seed);
    let mut known: Vec<Chess> = Vec::new();
    let mut text = format!(
        "# Defences: draws that one or two moves hold (`result \"draw\"`), and losses to last in (`dm -N`, in moves).\n\
         # Made by: threefold positions defences --seed {seed} --each {each}\n\
         # Proven again by: threefold positions check\n"
    );
    for number in 0..each {
        let name = HELD[number % HELD.len()];
        if let Some(position) = drawn(tables, name, &known, &mut lot)
            && let Some((holds, all)) = holding(tables, &position)
        {
            let remark = format!("tablebase, {name}, {holds} of {all} moves hold");
            text += &row(&position, "result \"draw\";", &format!("defence.draw.{:03}", number + 1), &remark);
            known.push(position);
        }
    }
    for number in 0..each {
        let name = LOST[number % LOST.len()];
        if let Some(position) = lost(tables, name, &known, &mut lot)
            && let Some(mate) = tables.probe(&position).and_then(Fact::mate)
        {
            let remark = format!("tablebase, {name}");
            let operation = format!("dm {};", mate.moves());
            text += &row(&position, &operation, &format!("defence.loss.{:03}", number + 1), &remark);
            known.push(position);
        }
    }
    text
}

fn row(position: &Chess, operation: &str, id: &str, remark: &str) -> String {
    let epd = Epd::from_position(position, EnPassantMode::Legal);
    format!("{epd} {operation} id \"{id}\"; c0 \"{remark}\";\n")
}

fn drawn(tables: &Tables, name: &str, known: &[Chess], lot: &mut ChaCha8Rng) -> Option<Chess> {
    let table = tables.table(name.parse().expect("the list above holds materials"))?;
    (0..PATIENCE).find_map(|_| {
        let position = scatter::from_table(table, lot, |fact| fact == Fact::Draw)?;
        (holding(tables, &position).is_some() && !known.contains(&position)).then_some(position)
    })
}

fn lost(tables: &Tables, name: &str, known: &[Chess], lot: &mut ChaCha8Rng) -> Option<Chess> {
    let table = tables.table(name.parse().expect("the list above holds materials"))?;
    let long =
        |fact: Fact| fact.mate().is_some_and(|mate| !mate.is_win() && LENGTHS.contains(&-mate.moves()));
    (0..PATIENCE).find_map(|_| {
        let position = scatter::from_table(table, lot, long)?;
        (!known.contains(&position)).then_some(position)
    })
}
