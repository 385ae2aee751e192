//! One material's distances to mate, a byte for each address.

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, FromSetup, Position, PositionError, Setup, Square,
};

use super::fact::Fact;
use super::index::{Layout, MOST_MEN, Placement};
use super::material::{Material, Side};
use crate::score::{MateDistance, Ply};

/// What a table says at one address, in one byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry(u8);

impl Entry {
    /// Drawn; and, while a table is being made, not known yet.
    pub(super) const DRAW: Self = Self(0);
    /// No position: men on one square, or the side to move could take the king.
    pub(super) const NONE: Self = Self(u8::MAX);
    /// The longest mate that fits, in plies. The longest of four men is 79.
    pub(super) const LONGEST: u16 = u8::MAX as u16 - 2;

    /// A mate at this many plies, at most [`Entry::LONGEST`].
    #[inline]
    pub(super) const fn mate_in(plies: u16) -> Self {
        Self(plies as u8 + 1)
    }

    /// Plies to mate.
    #[inline]
    pub(super) const fn plies(self) -> Option<u16> {
        match self {
            Self::DRAW | Self::NONE => None,
            Self(stored) => Some(stored as u16 - 1),
        }
    }

    const fn fact(self) -> Option<Fact> {
        match self {
            Self::NONE => None,
            Self::DRAW => Some(Fact::Draw),
            Self(stored) => Some(Fact::mate_in(stored as u16 - 1)),
        }
    }
}

/// The distances to mate of one material, both sides to move.
#[derive(Debug, Clone)]
pub struct Table {
    material: Material,
    layout: Layout,
    entries: Vec<Entry>,
}

impl Table {
    pub(super) const fn new(material: Material, layout: Layout, entries: Vec<Entry>) -> Self {
        Self { material, layout, entries }
    }

    /// What it is about.
    pub const fn material(&self) -> Material {
        self.material
    }

    /// How many addresses it has.
    pub const fn addresses(&self) -> usize {
        self.entries.len()
    }

    /// The value at an address, unless no position stands there.
    pub fn at(&self, index: usize) -> Option<Fact> {
        self.entries.get(index).copied().and_then(Entry::fact)
    }

    /// The position at an address, unless none stands there.
    pub fn position(&self, index: usize) -> Option<Chess> {
        let Placement { turn, squares } = self.layout.place(index);
        let pieces = self.layout.pieces();
        let occupied: Bitboard = squares[..pieces.len()].iter().copied().collect();
        if occupied.count() < pieces.len() {
            return None;
        }
        let mut board = Board::empty();
        for (&square, &piece) in squares.iter().zip(pieces) {
            board.set_piece_at(square, piece);
        }
        let setup = Setup { board, turn, ..Setup::empty() };
        Chess::from_setup(setup, CastlingMode::Standard).or_else(PositionError::ignore_impossible_check).ok()
    }

    /// The longest way to mate for the table's White or Black, when it is to move; `None`: it never wins.
    pub fn longest_win(&self, winner: Color) -> Option<MateDistance> {
        let (white, black) = self.entries.split_at(self.entries.len() / 2);
        let entries = winner.fold_wb(white, black);
        let wins = entries.iter().filter_map(|entry| entry.plies()).filter(|plies| plies % 2 == 1);
        wins.max().map(|plies| MateDistance::from_plies(Ply(plies)))
    }

    #[inline]
    pub(super) fn entry(&self, men: Placement) -> Entry {
        self.layout.index(men).map_or(Entry::NONE, |index| self.entries[index])
    }

    /// The value of a position of this material, castling and en passant apart.
    pub(super) fn probe(&self, position: &Chess) -> Option<Fact> {
        let (_, side) = Material::of(position.board()).canonical();
        let mut left = position.board().clone();
        if side == Side::Swapped {
            left.mirror();
        }
        let mut squares = [Square::A1; MOST_MEN];
        for (square, &piece) in squares.iter_mut().zip(self.layout.pieces()) {
            *square = left.by_piece(piece).first()?;
            left.discard_piece_at(*square);
        }
        let turn = if side == Side::Swapped { position.turn().other() } else { position.turn() };
        self.entry(Placement { turn, squares }).fact()
    }
}
