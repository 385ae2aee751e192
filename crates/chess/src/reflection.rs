//! Reflections of a position, which change nothing in chess.
//!
//! ```
//! use threefold_chess::reflection::Reflection;
//!
//! let fen = "8/1P6/k7/8/K7/4B3/8/8 w - - 0 1".parse()?;
//! let reflected = |how: Reflection| how.apply(&fen).map(|fen| fen.to_string());
//! assert_eq!(reflected(Reflection::Colours).as_deref(), Some("8/8/4b3/k7/8/K7/1p6/8 b - - 0 1"));
//! assert_eq!(reflected(Reflection::Files).as_deref(), Some("8/6P1/7k/8/7K/3B4/8/8 w - - 0 1"));
//! # Ok::<(), shakmaty::fen::ParseFenError>(())
//! ```

use shakmaty::Square;
use shakmaty::fen::Fen;

threefold_named_enum::named_enum! {
    /// A reflection of a position.
    pub enum Reflection {
        /// Colours are exchanged, and the first rank becomes the eighth.
        Colours = "colours",
        /// File a becomes file h.
        Files = "files",
    }
}

impl Reflection {
    /// The reflected position; `None` if it has castling rights and the files are to be reversed, since the king and the rooks
    /// would not be on their squares.
    pub fn apply(self, fen: &Fen) -> Option<Fen> {
        let mut setup = fen.as_setup().clone();
        match self {
            Self::Colours => setup.mirror(),
            Self::Files if setup.castling_rights.is_empty() => {
                setup.board.flip_horizontal();
                setup.ep_square = setup.ep_square.map(Square::flip_horizontal);
            }
            Self::Files => return None,
        }
        Fen::try_from(setup).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rights_and_en_passant_squares_are_reflected() {
        use Reflection::{Colours, Files};
        let table = [
            ("r3k3/8/8/3pP3/8/8/8/4K2R w Kq d6 3 9", Colours, Some("4k2r/8/8/8/3Pp3/8/8/R3K3 b Qk d3 3 9")),
            ("r3k3/8/8/3pP3/8/8/8/4K2R w Kq d6 3 9", Files, None),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 3 9", Files, Some("3k4/8/8/3Pp3/8/8/8/3K4 w - e6 3 9")),
        ];
        for (fen, reflection, expected) in table {
            let reflected = reflection.apply(&fen.parse().expect("a FEN"));
            assert_eq!(reflected.map(|fen| fen.to_string()).as_deref(), expected, "{fen} {reflection:?}");
        }
    }

    #[test]
    fn a_second_reflection_gives_the_position_back() {
        for fen in ["r3k2r/p1pp4/8/4P3/8/2n5/5PPP/R3K2R b KQkq - 1 20", "8/2k5/8/3pP3/8/8/6K1/8 w - d6 0 40"]
        {
            let fen: Fen = fen.parse().expect("a FEN");
            for reflection in Reflection::ALL {
                let Some(once) = reflection.apply(&fen) else { continue };
                assert_eq!(reflection.apply(&once), Some(fen.clone()), "{reflection:?}");
            }
        }
    }
}
