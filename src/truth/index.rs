//! Positions of one material, numbered without gaps between kings: the addresses of a table.
//!
//! Boards that a turn or a mirror makes equal share an address: eight without pawns, two with them. What is
//! left redundant (both kings on a long diagonal, like men exchanged, men on one square) costs a little
//! memory: every address has its value. Who goes backwards must know of a [`Layout::twin`], since a move off
//! the diagonal leads both twins to one address.

use shakmaty::{Color, Piece, Role, Square, attacks};

use super::material::Material;

/// The most men a table may have, kings included.
pub const MOST_MEN: usize = 4;

/// Where the men of one material stand, in the material's order, and whose move it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placement {
    /// The side to move.
    pub turn: Color,
    /// One square for each man; what is beyond the last man has no meaning.
    pub squares: [Square; MOST_MEN],
}

/// The numbering of one material's positions.
#[derive(Debug, Clone)]
pub struct Layout {
    pieces: Vec<Piece>,
    /// For each pair of king squares, its number and the turn of the board that brings it home.
    kings: Vec<Option<(u16, u8)>>,
    /// The pairs that are home, by number.
    homes: Vec<(Square, Square)>,
    /// For each turn of the board and each man besides the kings, what a square adds to the address.
    adds: Vec<[[u32; 64]; MOST_MEN - 2]>,
    /// How many addresses one pair of kings has.
    stride: usize,
}

/// What a square adds where the man can't stand.
const NOWHERE: u32 = u32::MAX;

/// The eight turns of the board: bit 0 swaps left and right, bit 1 top and bottom, bit 2 files and ranks.
fn turn_of_board(turn: u8, square: Square) -> Square {
    let square = if turn & 1 == 0 { square } else { square.flip_horizontal() };
    let square = if turn & 2 == 0 { square } else { square.flip_vertical() };
    if turn & 4 == 0 { square } else { square.flip_diagonal() }
}

/// Is this pair of kings the one that stands for all its turns?
fn is_home(pawns: usize, white: Square, black: Square) -> bool {
    let below_diagonal = |square: Square| i32::from(square.rank()) - i32::from(square.file());
    let left = white.file() <= shakmaty::File::D;
    if pawns > 0 {
        return left;
    }
    left && below_diagonal(white) <= 0 && (below_diagonal(white) < 0 || below_diagonal(black) <= 0)
}

impl Layout {
    /// The numbering for a material, which must be canonical and of at most [`MOST_MEN`] men.
    pub fn new(material: Material) -> Self {
        let pawns = material.pawns();
        let turns = if pawns > 0 { 2 } else { 8 };
        let mut homes = Vec::new();
        let mut kings = vec![None; 64 * 64];
        for (white, black) in apart() {
            if is_home(pawns, white, black) {
                kings[white.to_usize() * 64 + black.to_usize()] = Some((homes.len() as u16, 0));
                homes.push((white, black));
            }
        }
        for (white, black) in apart().filter(|&(white, black)| !is_home(pawns, white, black)) {
            let home = (1..turns).find_map(|turn| {
                let [white, black] = [white, black].map(|square| turn_of_board(turn, square));
                if !is_home(pawns, white, black) {
                    return None;
                }
                let (number, _) = kings[white.to_usize() * 64 + black.to_usize()]?;
                Some((number, turn))
            });
            kings[white.to_usize() * 64 + black.to_usize()] = home;
        }
        let pieces = material.pieces();
        let stride = pieces[2..].iter().map(|piece| room(*piece)).product();
        Self { adds: (0..turns).map(|turn| adds(&pieces, turn)).collect(), pieces, kings, homes, stride }
    }

    /// The men, in the order of a placement's squares.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// How many addresses there are.
    pub fn addresses(&self) -> usize {
        2 * self.homes.len() * self.stride
    }

    /// The address of a placement; `None` when the kings touch or a pawn stands on the first or last rank.
    #[inline]
    pub fn index(&self, men: Placement) -> Option<usize> {
        let [white, black] = [men.squares[0].to_usize(), men.squares[1].to_usize()];
        let (number, turn) = self.kings[white * 64 + black]?;
        let pair = usize::from(men.turn.is_black()) * self.homes.len() + usize::from(number);
        let mut index = pair * self.stride;
        for (adds, square) in self.adds[usize::from(turn)].iter().zip(&men.squares[2..]) {
            let add = adds[square.to_usize()];
            if add == NOWHERE {
                return None;
            }
            index += add as usize;
        }
        Some(index)
    }

    /// The other address of a placement whose kings stand on one long diagonal: its mirror image there.
    pub fn twin(&self, men: Placement) -> Option<usize> {
        let lean = |square: Square| i32::from(square.rank()) - i32::from(square.file());
        let sum = |square: Square| i32::from(square.rank()) + i32::from(square.file());
        let [white, black] = [men.squares[0], men.squares[1]];
        let squares = if self.adds.len() < 8 {
            return None;
        } else if lean(white) == 0 && lean(black) == 0 {
            men.squares.map(Square::flip_diagonal)
        } else if sum(white) == 7 && sum(black) == 7 {
            men.squares.map(Square::flip_anti_diagonal)
        } else {
            return None;
        };
        self.index(Placement { squares, ..men })
    }

    /// What stands at an address. Men may share a square there: such an address holds no position.
    #[inline]
    pub fn place(&self, index: usize) -> Placement {
        let mut rest = index;
        let mut squares = [Square::A1; MOST_MEN];
        for (slot, piece) in self.pieces.iter().enumerate().skip(2).rev() {
            let place = rest % room(*piece);
            rest /= room(*piece);
            squares[slot] = Square::new((place + if piece.role == Role::Pawn { 8 } else { 0 }) as u32);
        }
        let (white, black) = self.homes[rest % self.homes.len()];
        (squares[0], squares[1]) = (white, black);
        Placement { turn: Color::from_white(rest < self.homes.len()), squares }
    }
}

/// What each square adds to an address, for each man besides the kings; nothing for men there are not.
fn adds(pieces: &[Piece], turn: u8) -> [[u32; 64]; MOST_MEN - 2] {
    let mut adds = [[0; 64]; MOST_MEN - 2];
    for slot in 2..pieces.len() {
        let stride: usize = pieces[slot + 1..].iter().map(|piece| room(*piece)).product();
        adds[slot - 2] = Square::ALL.map(|square| {
            let square = turn_of_board(turn, square).to_usize();
            let place = if pieces[slot].role == Role::Pawn {
                square.checked_sub(8).filter(|&place| place < 48)
            } else {
                Some(square)
            };
            place.map_or(NOWHERE, |place| (place * stride) as u32)
        });
    }
    adds
}

/// How many squares a man may stand on.
fn room(piece: Piece) -> usize {
    if piece.role == Role::Pawn { 48 } else { 64 }
}

/// All pairs of squares on which two kings don't touch.
fn apart() -> impl Iterator<Item = (Square, Square)> {
    Square::ALL.into_iter().flat_map(|white| {
        Square::ALL
            .into_iter()
            .filter(move |&black| white != black && !attacks::king_attacks(white).contains(black))
            .map(move |black| (white, black))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(name: &str) -> Layout {
        Layout::new(name.parse().expect("a material"))
    }

    #[test]
    fn kings_have_their_known_numbers_of_pairs() {
        assert_eq!(layout("KQK").addresses(), 2 * 462 * 64);
        assert_eq!(layout("KPK").addresses(), 2 * 1806 * 48);
        assert_eq!(layout("KRKP").addresses(), 2 * 1806 * 64 * 48);
    }

    #[test]
    fn an_address_leads_to_a_placement_and_back() {
        for name in ["KQK", "KPK", "KRKP", "KBNK"] {
            let layout = layout(name);
            for index in (0..layout.addresses()).step_by(7) {
                assert_eq!(layout.index(layout.place(index)), Some(index), "{name}");
            }
        }
    }

    #[test]
    fn turned_boards_share_an_address() {
        let layout = layout("KRK");
        let men = Placement { turn: Color::White, squares: [Square::C1, Square::F6, Square::A7, Square::A1] };
        for turn in 0..8 {
            let turned = men.squares.map(|square| turn_of_board(turn, square));
            assert_eq!(layout.index(Placement { squares: turned, ..men }), layout.index(men));
        }
    }
}
