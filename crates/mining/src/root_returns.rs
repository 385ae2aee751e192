//! Moves after which the winning side may have to return to the root.
//!
//! The side to move wins, and still does after the move. But the opponent has a reply after which only one move wins, and then one
//! that makes the first position again. Nothing is lost: from there the side to move can win in another way. A search that scores
//! the second occurrence of its root as a draw scores the move as one, so with several lines (`MultiPV`) it shows a draw for it.

use std::fmt::Write as _;
use std::num::NonZeroUsize;

use shakmaty::fen::Epd;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, EnPassantMode, Move, Position};

use super::history::after;
use super::mates::{drawn, head};
use super::ordered_parallel;
use threefold_oracle::{Material, ProvenValue, Tables, Wdl};

/// The materials. Engines win these endings, or know that they are won.
const MATERIALS: [&str; 5] = ["KPK", "KBNK", "KQKR", "KRKP", "KPKP"];

/// Random positions per attempt to find a won one.
const DRAWS: usize = 1000;
/// Attempts per row. In the rarest ending about one won position in two hundred will do.
const ATTEMPTS: u64 = 20_000;

/// The way back to the root after a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WayBack {
    /// The opponent's reply.
    pub reply: Move,
    /// The only move that still wins.
    pub only: Move,
    /// The opponent's move to the root.
    pub again: Move,
}

/// The materials of [`file()`].
pub fn materials() -> Vec<Material> {
    MATERIALS.iter().map(|name| name.parse().expect("the list above holds materials")).collect()
}

/// The way back to a won position after a move that still wins; `None` without one, or if a table is missing.
pub fn way_back(tables: &Tables, root: &Chess, asked: Move) -> Option<WayBack> {
    let asked_played = after(root, asked);
    if tables.probe(root)?.wdl() != Wdl::Win || tables.probe(&asked_played)?.wdl() != Wdl::Loss {
        return None;
    }
    asked_played.legal_moves().into_iter().find_map(|reply| {
        let replied = after(&asked_played, reply);
        let only = only_win(tables, &replied)?;
        let kept = after(&replied, only);
        let is_root = |mv: &Move| {
            let there = after(&kept, *mv);
            // Enough without castling rights: no pawn has moved, since it could not move back.
            there.board() == root.board() && there.turn() == root.turn()
        };
        let again = kept.legal_moves().into_iter().find(is_root)?;
        Some(WayBack { reply, only, again })
    })
}

/// The move that alone wins.
fn only_win(tables: &Tables, position: &Chess) -> Option<Move> {
    let mut wins = Vec::new();
    for mv in position.legal_moves() {
        if tables.probe_after(position, mv)?.wdl() == Wdl::Loss {
            wins.push(mv);
        }
    }
    let [only] = wins[..] else { return None };
    Some(only)
}

/// The file of this number of moves of each material; the same seed gives the same bytes. `found` is called for each.
pub fn file(
    tables: &Tables,
    seed: u64,
    per_material: usize,
    threads: NonZeroUsize,
    found: &dyn Fn(),
) -> String {
    let made_by = format!("threefold-lab positions root-returns --seed {seed} --per-class {per_material}");
    let what =
        "A move (`sm`) that wins, though the opponent can bring the position back (`c0`): by the table.";
    let mut text = head(what, &made_by);
    let mut known: Vec<Chess> = Vec::new();
    for (material_number, material) in materials().into_iter().enumerate() {
        for number in 0..per_material {
            let row = (material_number * per_material + number) as u64;
            let attempt = |attempt| {
                let mut rng = ordered_parallel::rng_for(seed, row << 32 | attempt);
                let is_won = |value: ProvenValue| value.wdl() == Wdl::Win;
                let position = drawn(tables, material, &mut rng, DRAWS, is_won)?;
                let mut moves = position.legal_moves().into_iter();
                let (asked, way) = moves.find_map(|mv| Some((mv, way_back(tables, &position, mv)?)))?;
                Some((position, asked, way))
            };
            let is_new = |it: (Chess, Move, WayBack)| known.iter().all(|known| *known != it.0).then_some(it);
            let made = ordered_parallel::first_in_order(threads, 0..ATTEMPTS, attempt, is_new);
            if let Some((position, asked, way)) = made {
                // A string takes every write.
                let _ = writeln!(text, "{}", line(&position, asked, way, material, number + 1));
                known.push(position);
                found();
            }
        }
    }
    text
}

fn line(position: &Chess, asked: Move, way: WayBack, material: Material, number: usize) -> String {
    let mut here = position.clone();
    let mut san = |mv: Move| SanPlus::from_move_and_play_unchecked(&mut here, mv);
    let (asked, reply, only, again) = (san(asked), san(way.reply), san(way.only), san(way.again));
    format!(
        "{} sm {asked}; id \"{material}.{number:03}\"; c0 \"after {reply} only {only} wins, and {again} makes the position \
         again\";",
        Epd::from_position(position, EnPassantMode::Legal)
    )
}

#[cfg(test)]
mod tests {
    use shakmaty::uci::UciMove;
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn tables() -> Tables {
        let mut tables = Tables::new(NonZeroUsize::new(2).expect("two"));
        tables.make(&["KPK".parse().expect("a material")], &mut |_| {}).expect("few pieces");
        tables
    }

    #[test]
    fn a_way_back_is_found_where_only_the_return_wins() {
        let tables = tables();
        let table = [
            ("8/8/8/k7/8/1K6/6P1/8 w - - 0 1", "b3a3", Some(["a5b5", "a3b3", "b5a5"])),
            // The king goes straight to the pawn's queening square.
            ("8/8/8/k7/8/1K6/6P1/8 w - - 0 1", "b3c4", None),
            // Nothing stops the pawn, and most moves win.
            ("8/8/8/8/8/k7/6P1/6K1 w - - 0 1", "g1h1", None),
            // The position is drawn.
            ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", "e8d8", None),
        ];
        for (fen, asked, expected) in table {
            let fen: Fen = fen.parse().expect("a FEN");
            let root: Chess = fen.into_position(CastlingMode::Standard).expect("a legal position");
            let uci: UciMove = asked.parse().expect("a move");
            let way = way_back(&tables, &root, uci.to_move(&root).expect("legal"));
            let text = |mv: Move| mv.to_uci(CastlingMode::Standard).to_string();
            let found = way.map(|way| [way.reply, way.only, way.again].map(text));
            assert_eq!(found, expected.map(|moves| moves.map(str::to_owned)), "{asked}");
        }
    }
}
