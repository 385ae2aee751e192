//! Positions whose reflections an engine must score alike: endings by material, and middlegames.
//!
//! Nothing is proven about their values. They are quiet, so that a search of one ply shows the evaluation: the side to move
//! can't take or promote, and is not in check. The materials of the endings are those for which engines have knowledge of
//! their own. Middlegames come from Echo's games. In them the opponent can take in two ways at most, whatever the move: a
//! search of captures may leave out late ones, and which ones are late depends on the order of the moves.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use shakmaty::fen::{Epd, Fen};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position};

use super::history::{after, alone};
use super::mates::head;
use super::ordered_parallel::rng_for;
use super::{engine_query, random_positions, self_play};
use threefold_chess::reflection::Reflection;
use threefold_echo::Echo;
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
        /// Positions of games with many pieces.
        Middlegames = "middlegames",
    }
}

/// Random positions per row before there are too few.
const DRAWS: u64 = 100_000;

/// The fewest pieces of a middlegame, kings and pawns included.
const LEAST_PIECES: usize = 14;

/// The most captures and promotions that a move of a middlegame may leave to the opponent.
const MOST_CAPTURES: usize = 2;

/// The plies of a game of which one is drawn at random; the first middlegame from there on is taken.
const PLIES: std::ops::Range<usize> = 0..80;

impl SymmetryClass {
    /// Its materials, which rows take in turn; none for middlegames.
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
            Self::Middlegames => &[],
        }
    }

    /// Is it a position of this class? The error says what is wrong.
    pub fn check(self, position: &Chess) -> Result<(), String> {
        if position.is_check() || position.legal_moves().is_empty() {
            return Err("the side to move is in check or has no move".to_owned());
        }
        if !self.has_material(position) {
            return Err(format!("class `{}` does not have this material", self.name()));
        }
        if noisy_moves(position) > 0 {
            return Err("a move takes or promotes".to_owned());
        }
        let leaves_many = |&mv: &Move| noisy_moves(&after(position, mv)) > MOST_CAPTURES;
        match position.legal_moves().iter().find(|&mv| leaves_many(mv)) {
            Some(mv) if self == Self::Middlegames => {
                let mv = mv.to_uci(CastlingMode::Standard);
                Err(format!("after {mv} the opponent can take or promote in more than {MOST_CAPTURES} ways"))
            }
            _ => Ok(()),
        }
    }

    fn has_material(self, position: &Chess) -> bool {
        if self == Self::Middlegames {
            return position.board().occupied().count() >= LEAST_PIECES;
        }
        let material = Material::from_board(position.board()).canonical();
        self.materials()
            .iter()
            .any(|name| name.parse::<Material>().map(Material::canonical).is_ok_and(|it| it.0 == material.0))
    }

    /// A random position, for the row of this number. It need not be of the class.
    fn draw(self, number: usize, rng: &mut ChaCha8Rng, echo: &mut Echo) -> Option<Chess> {
        if self == Self::Middlegames {
            return middlegame(rng, echo);
        }
        let materials = self.materials();
        let material = materials[number % materials.len()].parse().expect("the list above holds materials");
        random_positions::randomly_flipped(&random_positions::of_material(material, rng)?, rng)
    }
}

/// The number of legal captures and promotions.
fn noisy_moves(position: &Chess) -> usize {
    position.legal_moves().iter().filter(|mv| mv.is_capture() || mv.is_promotion()).count()
}

/// The first middlegame of a game after a random number of plies.
fn middlegame(rng: &mut ChaCha8Rng, echo: &mut Echo) -> Option<Chess> {
    let earliest = rng.random_range(PLIES);
    let mut found = None;
    self_play::play(rng, echo, &mut |game| {
        let here = game.referee().position();
        if !SymmetryClass::Middlegames.has_material(here) {
            return ControlFlow::Break(());
        }
        if game.moves().len() >= earliest && SymmetryClass::Middlegames.check(here).is_ok() {
            found = alone(here);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    found
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
    text.push_str(&engine_query::engine_header());
    let mut echo = self_play::player();
    let mut known: Vec<Chess> = Vec::new();
    for (class_number, class) in SymmetryClass::ALL.iter().enumerate() {
        for number in 0..per_class {
            let mut rng = rng_for(seed, (class_number * per_class + number) as u64);
            let is_new = |position: &Chess| class.check(position).is_ok() && !known.contains(position);
            let Some(position) =
                (0..DRAWS).find_map(|_| class.draw(number, &mut rng, &mut echo).filter(is_new))
            else {
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
        let table = [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None),
            ("4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", Some("class `middlegames` does not have this material")),
            (
                "1k6/pppppppp/6b1/2n1n3/8/8/PPPPPPPP/1K3R2 w - - 0 1",
                Some("after d2d3 the opponent can take or promote in more than 2 ways"),
            ),
        ];
        for (fen, error) in table {
            let found = SymmetryClass::Middlegames.check(&position(fen));
            assert_eq!(found.err().as_deref(), error, "{fen}");
        }
    }
}
