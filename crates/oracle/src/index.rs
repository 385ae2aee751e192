//! Positions of one material, numbered: the addresses of a table.
//!
//! First comes the side to move, then the kings, then group after group of like men, the last running fastest.
//! Boards that a turn or a mirror makes equal share an address: eight without pawns, two with them. Kings that
//! touch have none, and like men are numbered as a set, by the binomial coefficients of their squares in
//! rising order. What is left redundant (both kings on a long diagonal, unlike men on one square) costs a
//! little memory: every address has its value. Who goes backwards must know of a `PositionIndex::twin`, since a
//! move off the diagonal leads both twins to one address.

use shakmaty::{Color, Piece, Role, Square, attacks};

use super::material::Material;

/// The most men, kings included, of tables that are made wherever they are needed: seconds and megabytes.
pub const AUTO_MAX_PIECES: usize = 4;

/// The most men of tables that are made when somebody asks for them: minutes and gigabytes.
pub const MAX_PIECES: usize = 5;

/// Where the men of one material stand, in the material's order, and whose move it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placement {
    /// The side to move.
    pub turn: Color,
    /// One square for each man; what is beyond the last man has no meaning.
    pub squares: [Square; MAX_PIECES],
}

/// A pair of kings: its number, the turn of the board that brings it home, and its mirror.
#[derive(Debug, Clone, Copy)]
struct Pair {
    /// [`TOUCHING`], or the number of its home.
    number: u16,
    turn: u8,
    mirror: Option<Mirror>,
}

/// The long diagonal that both kings stand on, where the board may be mirrored and they stay.
#[derive(Debug, Clone, Copy)]
enum Mirror {
    FromA1,
    FromA8,
}

/// No pair of kings stands so.
const TOUCHING: u16 = u16::MAX;

/// Men of one kind and colour, numbered as a set.
#[derive(Debug, Clone)]
struct Group {
    /// Their slots in a placement.
    slots: std::ops::Range<usize>,
    role: Role,
    /// How many sets of squares there are.
    size: u32,
    /// For each turn of the board, what a square adds to the address as the lowest, second and third square.
    adds: Vec<[[u32; 64]; MAX_PIECES - 2]>,
    /// The squares of each set.
    sets: Vec<[Square; MAX_PIECES - 2]>,
}

/// The numbering of one material's positions.
#[derive(Debug, Clone)]
pub struct PositionIndex {
    pieces: Vec<Piece>,
    pairs: Vec<Pair>,
    /// The pairs that are home, by number.
    homes: Vec<(Square, Square)>,
    groups: Vec<Group>,
    /// For each slot, its group.
    group_of: [u8; MAX_PIECES],
    /// How many addresses one pair of kings has.
    stride: u32,
}

/// A placement's address in parts, so that one man's step changes one part.
#[derive(Debug, Clone, Copy)]
pub(super) struct AddressParts {
    turn: u8,
    address: u32,
    parts: [u32; MAX_PIECES - 2],
}

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

impl PositionIndex {
    /// The numbering for a material, which must be canonical and of at most [`MAX_PIECES`] men.
    pub fn new(material: Material) -> Self {
        let pawns = material.pawns();
        let turns = if pawns > 0 { 2 } else { 8 };
        let (homes, pairs) = kings(pawns, turns);
        let pieces = material.pieces();
        let mut groups: Vec<Group> = Vec::new();
        let mut stride = 1;
        let mut end = pieces.len();
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

    /// The men, in the order of a placement's squares.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// How many addresses there are: as many for each side to move, White's before Black's, a multiple of 16.
    pub fn addresses(&self) -> usize {
        2 * self.homes.len() * self.stride as usize
    }

    /// In how many orders the like men of one placement can stand.
    pub(super) fn orders(&self) -> u64 {
        self.groups.iter().map(|group| (1..=group.slots.len() as u64).product::<u64>()).product()
    }

    /// The address of a placement; `None` where none can be: kings touch, like men share a square, a pawn
    /// stands on the first or last rank.
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

    /// The address of a placement in which no pawn is misplaced and no like men share a square; `None` when
    /// the kings touch.
    #[inline]
    pub(super) fn address(&self, placement: Placement) -> Option<u32> {
        self.frame(placement).map(|frame| frame.address)
    }

    /// The same in parts.
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

    /// The address after the man of a slot other than the kings' has gone to a square.
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

    /// The mirror image of a placement whose kings stand on one long diagonal and keep their place in it: the
    /// same position, at another address unless everything stands on the diagonal.
    #[inline]
    pub(super) fn twin(&self, placement: Placement) -> Option<Placement> {
        let squares = match self.pair(placement).mirror? {
            Mirror::FromA1 => placement.squares.map(Square::flip_diagonal),
            Mirror::FromA8 => placement.squares.map(Square::flip_anti_diagonal),
        };
        Some(Placement { squares, ..placement })
    }

    /// What stands at an address. Unlike men may share a square there: such an address holds no position.
    #[inline]
    pub fn place(&self, index: usize) -> Placement {
        let mut rest = index as u32;
        let mut squares = [Square::A1; MAX_PIECES];
        for group in self.groups.iter().rev() {
            let set = group.sets[(rest % group.size) as usize];
            rest /= group.size;
            for (square, &stands) in squares[group.slots.clone()].iter_mut().zip(&set) {
                *square = stands;
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
                        let place = (turn_of_board(turn, square) as u32).wrapping_sub(first);
                        if place < room { choose(place, below as u32 + 1) * stride } else { 0 }
                    })
                })
            })
            .collect();
        let size = choose(room, count);
        Self { slots, role, size, adds, sets: (0..size).map(|rank| set(rank, count, first)).collect() }
    }

    /// What the group adds to an address.
    #[inline]
    fn part(&self, turn: u8, squares: [Square; MAX_PIECES]) -> u32 {
        if self.slots.len() == 1 {
            self.alone(turn, squares[self.slots.start])
        } else {
            self.set(turn, squares)
        }
    }

    /// What the only man of a group adds.
    #[inline]
    fn alone(&self, turn: u8, square: Square) -> u32 {
        self.adds[usize::from(turn)][0][square.to_usize()]
    }

    fn set(&self, turn: u8, squares: [Square; MAX_PIECES]) -> u32 {
        let [lowest, second, third] = &self.adds[usize::from(turn)];
        let first = self.slots.start;
        let add = |adds: &[u32; 64], square: Square| adds[square.to_usize()];
        // As the lowest, a square adds in proportion to its place: so squares are compared.
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

/// Binomial coefficient.
fn choose(of: u32, some: u32) -> u32 {
    (0..some).fold(1, |product, i| product * of.saturating_sub(i) / (i + 1))
}

/// The set of places with this rank: the greatest place first, each as far up as the rest of the rank allows.
fn set(mut rank: u32, count: u32, first: u32) -> [Square; MAX_PIECES - 2] {
    let mut squares = [Square::A1; MAX_PIECES - 2];
    for below in (1..=count).rev() {
        let place = (0..64).rev().find(|&place| choose(place, below) <= rank).unwrap_or(0);
        rank -= choose(place, below);
        squares[below as usize - 1] = Square::new(place + first);
    }
    squares
}

/// The pairs of kings that are home, and every pair's way there.
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

    fn layout(name: &str) -> PositionIndex {
        PositionIndex::new(name.parse().expect("a material"))
    }

    #[test]
    fn kings_and_sets_of_like_men_have_their_known_numbers() {
        let table = [
            ("KQK", 462 * 64),
            ("KPK", 1806 * 48),
            ("KBBK", 462 * 64 * 63 / 2),
            ("KNNNK", 462 * 64 * 63 * 62 / 6),
            ("KPPKP", 1806 * 48 * 47 / 2 * 48),
        ];
        for (name, addresses) in table {
            assert_eq!(layout(name).addresses(), 2 * addresses, "{name}");
            assert_eq!(addresses % 8, 0, "{name}");
        }
    }

    #[test]
    fn an_address_leads_to_a_placement_and_back() {
        for name in ["KQK", "KPK", "KRKP", "KBNK", "KBBK", "KPPK", "KNNNK", "KPPPK", "KPPKP", "KQKRR"] {
            let layout = layout(name);
            for index in (0..layout.addresses()).step_by(if layout.addresses() < 1 << 22 { 7 } else { 1009 })
            {
                let placement = layout.place(index);
                assert_eq!(layout.index(placement), Some(index), "{name}");
                let frame = layout.frame(placement).expect("kings apart");
                for slot in 2..layout.pieces().len() {
                    assert_eq!(
                        layout.moved(&frame, placement, slot, placement.squares[slot]) as usize,
                        index,
                        "{name}"
                    );
                }
            }
        }
    }

    #[test]
    fn turned_boards_and_exchanged_men_share_an_address() {
        let layout = layout("KRRRK");
        let squares = [Square::C1, Square::F6, Square::A7, Square::A1, Square::H3];
        let placement = Placement { turn: Color::White, squares };
        let exchanged = [[2, 3, 4], [2, 4, 3], [3, 2, 4], [3, 4, 2], [4, 2, 3], [4, 3, 2]];
        for (turn, [a, b, c]) in (0..8).flat_map(|turn| exchanged.map(|order| (turn, order))) {
            let squares = [squares[0], squares[1], squares[a], squares[b], squares[c]];
            let turned = squares.map(|square| turn_of_board(turn, square));
            assert_eq!(layout.index(Placement { squares: turned, ..placement }), layout.index(placement));
        }
    }

    #[test]
    fn what_can_not_stand_has_no_address() {
        let table =
            [("KQK", [Square::A1, Square::B2, Square::H8]), ("KPK", [Square::A1, Square::C2, Square::H1])];
        for (name, placement) in table {
            let squares = std::array::from_fn(|slot| placement.get(slot).copied().unwrap_or(Square::A1));
            assert_eq!(
                layout(name).index(Placement { turn: Color::White, squares }),
                None,
                "{name} {placement:?}"
            );
        }
        let squares = [Square::A1, Square::C3, Square::E5, Square::E5, Square::A1];
        assert_eq!(layout("KBBK").index(Placement { turn: Color::White, squares }), None);
        assert!(layout("KBNK").index(Placement { turn: Color::White, squares }).is_some());
    }
}
