//! A material signature such as `KRPKR`.
//!
//! A table belongs to a material regardless of colours; [`Material::canonical`] determines the side that the
//! table calls White, so `KRKP` and `KPKR` are one table.

use std::fmt;
use std::str::FromStr;

use shakmaty::{Board, ByColor, Color, Piece, Role};

/// The roles except the king, most valuable first: the order in names, tables and comparisons.
pub const ROLES: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// The pieces of both sides except the kings.
///
/// ```
/// use threefold_oracle::Material;
///
/// let material: Material = "KRKN".parse().expect("White's pieces, then Black's");
/// assert_eq!((material.piece_count(), material.pawns()), (4, 0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material {
    /// Counts by side, White first, in the order of [`ROLES`].
    counts: [[u8; 5]; 2],
}

/// A word that is not a material.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is not a material; write both sides' pieces, kings first: KRKP, KBNK")]
pub struct UnknownMaterial {
    /// The text given.
    pub given: String,
}

impl Material {
    /// The material of a board, White's pieces first.
    pub fn from_board(board: &Board) -> Self {
        let count = |color| ROLES.map(|role| board.by_piece(Piece { color, role }).count() as u8);
        Self { counts: [count(Color::White), count(Color::Black)] }
    }

    /// The material of pieces; kings are ignored.
    pub fn of_pieces(pieces: impl IntoIterator<Item = Piece>) -> Self {
        let mut counts = [[0; 5]; 2];
        for piece in pieces {
            if let Some(rank) = ROLES.iter().position(|&role| role == piece.role) {
                counts[usize::from(piece.color.is_black())][rank] += 1;
            }
        }
        Self { counts }
    }

    /// Whether only the kings are left.
    pub fn is_bare(self) -> bool {
        self.piece_count() == 2
    }

    /// The number of pieces, including kings.
    pub fn piece_count(self) -> usize {
        2 + self.counts.iter().flatten().map(|&count| usize::from(count)).sum::<usize>()
    }

    /// The number of pawns of both sides.
    pub fn pawns(self) -> usize {
        self.counts.iter().map(|side| usize::from(side[4])).sum()
    }

    /// The material with the stronger side as White, and whether that side is White already. More pieces are
    /// stronger; with equally many, the more valuable ones.
    pub fn canonical(self) -> (Self, TableSide) {
        let [white, black] = self.counts;
        let strength = |side: [u8; 5]| (side.iter().sum::<u8>(), side);
        if strength(white) >= strength(black) {
            (self, TableSide::AsItStands)
        } else {
            (Self { counts: [black, white] }, TableSide::Swapped)
        }
    }

    /// The pieces in a table's order: the two kings, White's pieces, Black's pieces, most valuable first.
    pub fn pieces(self) -> Vec<Piece> {
        let mut pieces = vec![Color::White.king(), Color::Black.king()];
        for (color, side) in [Color::White, Color::Black].into_iter().zip(self.counts) {
            for (role, count) in ROLES.into_iter().zip(side) {
                pieces.extend((0..count).map(|_| role.of(color)));
            }
        }
        pieces
    }

    /// The canonical materials after one capture, promotion or both, without duplicates.
    pub fn after_conversion(self) -> Vec<Self> {
        let pieces = self.pieces();
        let mut found = Vec::new();
        for captured in std::iter::once(None).chain((2..pieces.len()).map(Some)) {
            let left: Vec<Piece> =
                (0..pieces.len()).filter(|&i| Some(i) != captured).map(|i| pieces[i]).collect();
            if captured.is_some() {
                found.push(Self::of_pieces(left.iter().copied()));
            }
            for (i, _) in left.iter().enumerate().filter(|(_, piece)| piece.role == Role::Pawn) {
                for role in &ROLES[..4] {
                    let mut promoted = left.clone();
                    promoted[i].role = *role;
                    found.push(Self::of_pieces(promoted));
                }
            }
        }
        let mut found: Vec<Self> = found.into_iter().map(|material| material.canonical().0).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Whether the board's White is the table's White.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableSide {
    /// It is.
    AsItStands,
    /// The colours are swapped and the board is flipped vertically.
    Swapped,
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = String::new();
        for side in self.counts {
            name.push('K');
            for (role, count) in ROLES.into_iter().zip(side) {
                name.extend((0..count).map(|_| role.upper_char()));
            }
        }
        f.pad(&name)
    }
}

/// Parses a name with any order of sides and pieces; the result is canonical.
impl FromStr for Material {
    type Err = UnknownMaterial;

    fn from_str(given: &str) -> Result<Self, Self::Err> {
        let unknown = || UnknownMaterial { given: given.to_owned() };
        let mut sides = given.strip_prefix('K').ok_or_else(unknown)?.split('K');
        let (Some(white), Some(black), None) = (sides.next(), sides.next(), sides.next()) else {
            return Err(unknown());
        };
        let sides = ByColor { white, black };
        let mut pieces = Vec::new();
        for (color, letters) in
            [Color::White, Color::Black].into_iter().map(|color| (color, sides.get(color)))
        {
            for letter in letters.chars() {
                let role = ROLES.into_iter().find(|role| role.upper_char() == letter).ok_or_else(unknown)?;
                pieces.push(role.of(color));
            }
        }
        // A side never has more than fifteen pieces besides its king.
        if sides.white.len().max(sides.black.len()) > 15 {
            return Err(unknown());
        }
        Ok(Self::of_pieces(pieces).canonical().0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn material_names_are_parsed_in_any_order() {
        let table = [("KRPKR", "KRPKR"), ("KRKPR", "KRPKR"), ("KPKR", "KRKP"), ("KK", "KK"), ("KKQ", "KQK")];
        for (given, name) in table {
            assert_eq!(given.parse::<Material>().expect("a material").to_string(), name);
        }
        for given in ["", "K", "KQ", "QKK", "KKK", "KXK", "krk", &format!("K{}K", "P".repeat(16))] {
            assert!(given.parse::<Material>().is_err(), "{given}");
        }
    }

    #[test]
    fn conversions_change_the_material() {
        let table = [
            ("KQK", "KK"),
            ("KRKP", "KRK KPK KQK KBK KNK KRKQ KRKR KRKB KRKN"),
            ("KPK", "KK KQK KRK KBK KNK"),
        ];
        for (given, after) in table {
            let mut expected: Vec<Material> =
                after.split(' ').map(|name| name.parse().expect("a material")).collect();
            expected.sort_unstable();
            expected.dedup();
            assert_eq!(
                given.parse::<Material>().expect("a material").after_conversion(),
                expected,
                "{given}"
            );
        }
    }
}
