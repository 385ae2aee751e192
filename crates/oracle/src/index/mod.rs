//! The index of a table: a numbering of one material's positions.
//!
//! The index is composed of the side to move, the kings, then groups of like pieces, the last group varying
//! fastest. Boards equal by rotation or reflection share an address: eight without pawns, two with them.
//! Adjacent kings have none, and like pieces are numbered as a set, by binomial coefficients of their squares
//! in ascending order. Remaining redundancy (both kings on a long diagonal, different pieces on one square)
//! costs a little memory. Backward steps must consider `PositionIndex::twin`, since a move off the diagonal
//! leads both twins to one address.

use shakmaty::{Color, Piece, Role, Square, attacks};

use super::material::Material;

/// The largest number of pieces, including kings, of tables that are built automatically (seconds,
/// megabytes).
pub const AUTO_MAX_PIECES: usize = 4;

/// The largest number of pieces of tables that are built on request (minutes, gigabytes).
pub const MAX_PIECES: usize = 5;

/// The squares of one material's pieces, in the material's order, and the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placement {
    /// The side to move.
    pub turn: Color,
    /// One square per piece; entries beyond the last piece are unused.
    pub squares: [Square; MAX_PIECES],
}

/// A pair of kings: its index, the symmetry of the board that makes it canonical, and its mirror.
#[derive(Debug, Clone, Copy)]
struct Pair {
    /// [`TOUCHING`], or the index of its canonical pair.
    number: u16,
    turn: u8,
    mirror: Option<Mirror>,
}

/// The long diagonal with both kings, if the board may be reflected in it.
#[derive(Debug, Clone, Copy)]
enum Mirror {
    FromA1,
    FromA8,
}

/// Not a valid pair of kings.
const TOUCHING: u16 = u16::MAX;

/// Like pieces of one colour, numbered as a set.
#[derive(Debug, Clone)]
struct Group {
    /// Their indices in a placement.
    slots: std::ops::Range<usize>,
    role: Role,
    /// The number of sets of squares.
    size: u32,
    /// For each symmetry of the board, the address increment of a square as the lowest, second and third of
    /// the set.
    adds: Vec<[[u32; 64]; MAX_PIECES - 2]>,
    /// The squares of each set.
    sets: Vec<[Square; MAX_PIECES - 2]>,
}

/// The index of one material's positions.
#[derive(Debug, Clone)]
pub struct PositionIndex {
    pieces: Vec<Piece>,
    pairs: Vec<Pair>,
    /// The canonical pairs of kings.
    homes: Vec<(Square, Square)>,
    groups: Vec<Group>,
    /// The group of each piece.
    group_of: [u8; MAX_PIECES],
    /// The number of addresses per pair of kings.
    stride: u32,
}

/// The parts of a placement's address; a step of one piece changes one part.
#[derive(Debug, Clone, Copy)]
pub(super) struct AddressParts {
    turn: u8,
    address: u32,
    parts: [u32; MAX_PIECES - 2],
}

/// The eight symmetries of the board: bit 0 swaps left and right, bit 1 top and bottom, bit 2 files and
/// ranks.
fn turn_of_board(turn: u8, square: Square) -> Square {
    let square = if turn & 1 == 0 { square } else { square.flip_horizontal() };
    let square = if turn & 2 == 0 { square } else { square.flip_vertical() };
    if turn & 4 == 0 { square } else { square.flip_diagonal() }
}

/// Whether this pair of kings is the canonical one.
fn is_home(pawns: usize, white: Square, black: Square) -> bool {
    let below_diagonal = |square: Square| i32::from(square.rank()) - i32::from(square.file());
    let left = white.file() <= shakmaty::File::D;
    if pawns > 0 {
        return left;
    }
    // White's king is in the triangle a1, d1, d4. If it is on the diagonal, the other king decides.
    left && below_diagonal(white) <= 0 && (below_diagonal(white) < 0 || below_diagonal(black) <= 0)
}

impl PositionIndex {
    /// The index of a canonical material with at most [`MAX_PIECES`] pieces.
    pub fn new(material: Material) -> Self {
        let pawns = material.pawns();
        let turns = if pawns > 0 { 2 } else { 8 };
        let (homes, pairs) = kings(pawns, turns);
        let pieces = material.pieces();
        let mut groups: Vec<Group> = Vec::new();
        let mut stride = 1;
        let mut end = pieces.len();
        // From the last group to the first: the last one has the stride 1 and varies fastest.
        while end > 2 {
            let piece = pieces[end - 1];
            let start = 2 + pieces[2..end].iter().position(|&other| other == piece).unwrap_or(0);
            groups.push(Group::new(start..end, piece.role, turns, stride));
            stride *= groups[groups.len() - 1].size;
            end = start;
        }
        groups.reverse();
        let mut group_of = [0; MAX_PIECES];
        for (number, group) in groups.iter().enumerate() {
            group_of[group.slots.clone()].fill(number as u8);
        }
        Self { pieces, pairs, homes, groups, group_of, stride }
    }

    /// The pieces, in the order of a placement's squares.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The number of addresses: equally many for each side to move, White first, a multiple of 16.
    pub fn addresses(&self) -> usize {
        2 * self.homes.len() * self.stride as usize
    }

    /// The number of orders of the like pieces of a placement.
    pub(super) fn orders(&self) -> u64 {
        self.groups.iter().map(|group| (1..=group.slots.len() as u64).product::<u64>()).product()
    }

    /// The address of a placement; `None` if the kings touch, like pieces share a square, or a pawn is on the
    /// first or last rank.
    pub fn index(&self, placement: Placement) -> Option<usize> {
        for group in &self.groups {
            let squares = &placement.squares[group.slots.clone()];
            let misplaced =
                |square: &Square| group.role == Role::Pawn && matches!(square.to_usize(), ..8 | 56..);
            let shared = (1..squares.len()).any(|i| squares[..i].contains(&squares[i]));
            if shared || squares.iter().any(misplaced) {
                return None;
            }
        }
        self.address(placement).map(|address| address as usize)
    }

    /// The address of a placement with valid pawns and like pieces on different squares; `None` if the kings
    /// touch.
    #[inline]
    pub(super) fn address(&self, placement: Placement) -> Option<u32> {
        self.frame(placement).map(|frame| frame.address)
    }

    /// The parts of that address.
    #[inline]
    pub(super) fn frame(&self, placement: Placement) -> Option<AddressParts> {
        let pair = self.pair(placement);
        if pair.number == TOUCHING {
            return None;
        }
        let mut number = u32::from(pair.number);
        if placement.turn.is_black() {
            number += self.homes.len() as u32;
        }
        let mut frame =
            AddressParts { turn: pair.turn, address: number * self.stride, parts: [0; MAX_PIECES - 2] };
        for (part, group) in frame.parts.iter_mut().zip(&self.groups) {
            *part = group.part(pair.turn, placement.squares);
            frame.address += *part;
        }
        Some(frame)
    }

    /// The address after a piece other than a king has moved to a square.
    #[inline]
    pub(super) fn moved(
        &self,
        frame: &AddressParts,
        mut placement: Placement,
        slot: usize,
        to: Square,
    ) -> u32 {
        let number = usize::from(self.group_of[slot]);
        let group = &self.groups[number];
        let rest = frame.address - frame.parts[number];
        if group.slots.len() == 1 {
            return rest + group.alone(frame.turn, to);
        }
        placement.squares[slot] = to;
        rest + group.set(frame.turn, placement.squares)
    }

    #[inline]
    fn pair(&self, placement: Placement) -> Pair {
        self.pairs[placement.squares[0].to_usize() * 64 + placement.squares[1].to_usize()]
    }

    /// The reflection of a placement whose kings are both on one long diagonal: the same position at another
    /// address, unless all pieces are on the diagonal.
    #[inline]
    pub(super) fn twin(&self, placement: Placement) -> Option<Placement> {
        let squares = match self.pair(placement).mirror? {
            Mirror::FromA1 => placement.squares.map(Square::flip_diagonal),
            Mirror::FromA8 => placement.squares.map(Square::flip_anti_diagonal),
        };
        Some(Placement { squares, ..placement })
    }

    /// The placement at an address. Different pieces may share a square; such an address has no position.
    #[inline]
    pub fn place(&self, index: usize) -> Placement {
        let mut rest = index as u32;
        let mut squares = [Square::A1; MAX_PIECES];
        for group in self.groups.iter().rev() {
            let set = group.sets[(rest % group.size) as usize];
            rest /= group.size;
            for (square, &new) in squares[group.slots.clone()].iter_mut().zip(&set) {
                *square = new;
            }
        }
        let number = rest as usize;
        let turn = Color::from_white(number < self.homes.len());
        (squares[0], squares[1]) = self.homes[number % self.homes.len()];
        Placement { turn, squares }
    }
}

impl Group {
    fn new(slots: std::ops::Range<usize>, role: Role, turns: u8, stride: u32) -> Self {
        let (room, first) = if role == Role::Pawn { (48, 8) } else { (64, 0) };
        let count = slots.len() as u32;
        let adds = (0..turns)
            .map(|turn| {
                std::array::from_fn(|below| {
                    Square::ALL.map(|square| {
                        // A square below the first one of pawns wraps to a number that is out of range.
                        let place = (turn_of_board(turn, square) as u32).wrapping_sub(first);
                        if place < room { choose(place, below as u32 + 1) * stride } else { 0 }
                    })
                })
            })
            .collect();
        let size = choose(room, count);
        Self { slots, role, size, adds, sets: (0..size).map(|rank| set(rank, count, first)).collect() }
    }

    /// The group's part of an address.
    #[inline]
    fn part(&self, turn: u8, squares: [Square; MAX_PIECES]) -> u32 {
        if self.slots.len() == 1 {
            self.alone(turn, squares[self.slots.start])
        } else {
            self.set(turn, squares)
        }
    }

    /// The part of a group of one piece.
    #[inline]
    fn alone(&self, turn: u8, square: Square) -> u32 {
        self.adds[usize::from(turn)][0][square.to_usize()]
    }

    fn set(&self, turn: u8, squares: [Square; MAX_PIECES]) -> u32 {
        let [lowest, second, third] = &self.adds[usize::from(turn)];
        let first = self.slots.start;
        let add = |adds: &[u32; 64], square: Square| adds[square.to_usize()];
        // The increment of a lowest square is proportional to its number, so increments are compared.
        let ordered = |a: Square, b: Square| if add(lowest, a) < add(lowest, b) { (a, b) } else { (b, a) };
        let (a, b) = ordered(squares[first], squares[first + 1]);
        if self.slots.len() == 2 {
            return add(lowest, a) + add(second, b);
        }
        let (b, c) = ordered(b, squares[first + 2]);
        let (a, b) = ordered(a, b);
        add(lowest, a) + add(second, b) + add(third, c)
    }
}

/// The binomial coefficient.
fn choose(of: u32, some: u32) -> u32 {
    // No division rounds: each product of i + 1 numbers in a row is a multiple of (i + 1)!.
    (0..some).fold(1, |product, i| product * of.saturating_sub(i) / (i + 1))
}

/// The set with this rank in the combinatorial number system, largest element first.
fn set(mut rank: u32, count: u32, first: u32) -> [Square; MAX_PIECES - 2] {
    let mut squares = [Square::A1; MAX_PIECES - 2];
    for below in (1..=count).rev() {
        // The greedy choice: the largest square whose binomial coefficient is at most the rank.
        let place = (0..64).rev().find(|&place| choose(place, below) <= rank).unwrap_or(0);
        rank -= choose(place, below);
        squares[below as usize - 1] = Square::new(place + first);
    }
    squares
}

/// The canonical pairs of kings, and every pair's canonical form.
fn kings(pawns: usize, turns: u8) -> (Vec<(Square, Square)>, Vec<Pair>) {
    let mut homes = Vec::new();
    let mut pairs = vec![Pair { number: TOUCHING, turn: 0, mirror: None }; 64 * 64];
    let at = |white: Square, black: Square| white.to_usize() * 64 + black.to_usize();
    for (white, black) in apart().filter(|&(white, black)| is_home(pawns, white, black)) {
        pairs[at(white, black)].number = homes.len() as u16;
        homes.push((white, black));
    }
    for (white, black) in apart() {
        let home = (0..turns).find_map(|turn| {
            let [white, black] = [white, black].map(|square| turn_of_board(turn, square));
            is_home(pawns, white, black).then(|| (pairs[at(white, black)].number, turn))
        });
        let both = |on: fn(Square) -> bool| turns == 8 && on(white) && on(black);
        let mirror = if both(|square| square.flip_diagonal() == square) {
            Some(Mirror::FromA1)
        } else if both(|square| square.flip_anti_diagonal() == square) {
            Some(Mirror::FromA8)
        } else {
            None
        };
        let (number, turn) = home.expect("some turn brings every pair of kings home");
        pairs[at(white, black)] = Pair { number, turn, mirror };
    }
    (homes, pairs)
}

/// All pairs of squares of two kings that do not touch.
fn apart() -> impl Iterator<Item = (Square, Square)> {
    Square::ALL.into_iter().flat_map(|white| {
        Square::ALL
            .into_iter()
            .filter(move |&black| white != black && !attacks::king_attacks(white).contains(black))
            .map(move |black| (white, black))
    })
}

#[cfg(test)]
mod tests;
