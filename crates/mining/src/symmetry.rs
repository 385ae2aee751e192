//! Endings whose reflections an engine must score alike.
//!
//! Nothing is proven about their values. They are quiet, so that a search of one ply shows the evaluation: the side to move
//! can't take or promote, and is not in check. Their materials are those for which engines have knowledge of their own.
//! Middlegames do not show the evaluation: what a search of captures leaves out depends on the order of the moves.

use std::fmt::Write as _;

use rand_chacha::ChaCha8Rng;
use shakmaty::fen::{Epd, Fen};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position};

use super::mates::head;
use super::ordered_parallel::rng_for;
use super::random_positions;
use threefold_chess::reflection::Reflection;
use threefold_oracle::Material;

threefold_named_enum::named_enum! {
    /// A class of positions.
    pub enum SymmetryClass {
        /// Kings and pawns.
        Pawns = "pawns",
        /// Bishops and knights, mostly with pawns.
        MinorPieces = "minor-pieces",
        /// Rooks, alone, with pawns or against minor pieces.
        Rooks = "rooks",
        /// Queens, alone, with pawns or against other pieces.
        Queens = "queens",
    }
}

/// Random positions per row before there are too few.
const DRAWS: u64 = 100_000;

impl SymmetryClass {
    /// Its materials, which rows take in turn.
    fn materials(self) -> &'static [&'static str] {
        match self {
            Self::Pawns => &["KPK", "KPPK", "KPKP", "KPPKP", "KPPKPP", "KPPPKPPP"],
            Self::MinorPieces => &[
                "KBNK", "KBBK", "KBPK", "KBPPK", "KNPK", "KBPKB", "KBPKN", "KNPKB", "KNPKN", "KBPKP", "KNKP",
                "KBBKN", "KNNKP", "KBPPKB", "KBPPKN", "KNNK",
            ],
            Self::Rooks => &[
                "KRK",
                "KRKP",
                "KRKB",
                "KRKN",
                "KRPKR",
                "KRPKB",
                "KRPPKR",
                "KRPPKRP",
                "KRBKR",
                "KRNKR",
                "KRBKRN",
                "KRPPPKRPP",
            ],
            Self::Queens => &["KQK", "KQKP", "KQKR", "KQPKQ", "KQKRP", "KQPPKQP", "KQRPKQR", "KQNPPKQBPP"],
        }
    }

    /// Is it a position of this class? The error says what is wrong.
    pub fn check(self, position: &Chess) -> Result<(), String> {
        if position.is_check() || position.legal_moves().is_empty() {
            return Err("the side to move is in check or has no move".to_owned());
        }
        let material = Material::from_board(position.board()).canonical();
        let is_listed = self
            .materials()
            .iter()
            .any(|name| name.parse::<Material>().map(Material::canonical).is_ok_and(|it| it.0 == material.0));
        if !is_listed {
            return Err(format!("class `{}` does not have this material", self.name()));
        }
        let is_quiet = |mv: &Move| !mv.is_capture() && !mv.is_promotion();
        let moves = position.legal_moves();
        if moves.iter().all(is_quiet) { Ok(()) } else { Err("a move takes or promotes".to_owned()) }
    }

    /// A random position, for the row of this number.
    fn draw(self, number: usize, rng: &mut ChaCha8Rng) -> Option<Chess> {
        let materials = self.materials();
        let material = materials[number % materials.len()].parse().expect("the list above holds materials");
        random_positions::randomly_flipped(&random_positions::of_material(material, rng)?, rng)
    }
}

/// Checks that both reflections have as many legal lines of two plies as the position.
pub fn check_reflections(position: &Chess) -> Result<(), String> {
    let fen = Fen::from_position(position, EnPassantMode::Legal);
    let lines = shakmaty::perft(position, 2);
    for how in Reflection::ALL {
        let Some(reflected) = how.apply(&fen) else { continue };
        let reflected: Chess =
            reflected.into_position(CastlingMode::Standard).map_err(|error| error.to_string())?;
        let counted = shakmaty::perft(&reflected, 2);
        if counted != lines {
            return Err(format!(
                "it has {lines} lines of two plies, and its reflection {counted} ({})",
                how.name()
            ));
        }
    }
    Ok(())
}

/// The file of this number of positions of each class; the same seed gives the same bytes.
pub fn file(seed: u64, per_class: usize) -> String {
    let made_by = format!("threefold-lab positions symmetry --seed {seed} --per-class {per_class}");
    let mut text =
        head("Positions that must have the same score with colours exchanged or files reversed.", &made_by);
    let mut known: Vec<Chess> = Vec::new();
    for (class_number, class) in SymmetryClass::ALL.iter().enumerate() {
        for number in 0..per_class {
            let mut rng = rng_for(seed, (class_number * per_class + number) as u64);
            let is_new = |position: &Chess| class.check(position).is_ok() && !known.contains(position);
            let Some(position) = (0..DRAWS).find_map(|_| class.draw(number, &mut rng).filter(is_new)) else {
                continue;
            };
            let epd = Epd::from_position(&position, EnPassantMode::Legal);
            // A string takes every write.
            let _ = writeln!(text, "{epd} id \"{}.{:03}\";", class.name(), number + 1);
            known.push(position);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_its_positions_and_the_same_seed_the_same_file() {
        let text = file(3, 7);
        assert_eq!(text, file(3, 7));
        assert_ne!(text, file(4, 7));
        for class in SymmetryClass::ALL {
            let id = format!(" id \"{}.", class.name());
            assert_eq!(text.lines().filter(|line| line.contains(&id)).count(), 7, "{class:?}");
        }
    }

    #[test]
    fn positions_of_another_class_are_not_accepted() {
        let position = |fen: &str| -> Chess {
            let fen: Fen = fen.parse().expect("a FEN");
            fen.into_position(CastlingMode::Standard).expect("a legal position")
        };
        let table = [
            ("8/8/4k3/8/8/4K3/4P3/8 b - - 0 1", None),
            ("8/8/8/8/4p3/3k4/8/4K2R w - - 0 1", Some("class `pawns` does not have this material")),
            ("8/4P3/8/8/2k5/8/8/4K3 w - - 0 1", Some("a move takes or promotes")),
            ("8/8/4k3/3P4/8/4K3/8/8 b - - 0 1", Some("the side to move is in check or has no move")),
        ];
        for (fen, error) in table {
            let found = SymmetryClass::Pawns.check(&position(fen));
            assert_eq!(found.err().as_deref(), error, "{fen}");
        }
    }
}
