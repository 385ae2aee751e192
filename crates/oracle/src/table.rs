//! A table of one material's distances to mate, in memory or in a mapped file.

use std::path::Path;

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, FromSetup, Position, PositionError, Setup, Square,
};

use super::entry::TableEntry;
use super::index::{MAX_PIECES, Placement, PositionIndex};
use super::material::{Material, TableSide};
use super::proven_value::ProvenValue;
use super::table_file::{TableFile, TableFileError};
use threefold_chess::score::{MateDistance, Ply};

/// The distances to mate of one material, for both sides to move.
#[derive(Debug)]
pub struct Table {
    material: Material,
    layout: PositionIndex,
    image: TableFile,
}

impl Table {
    pub(super) const fn new(material: Material, layout: PositionIndex, image: TableFile) -> Self {
        Self { material, layout, image }
    }

    /// Maps the file of this canonical material's table. The whole file is read once for its checksum.
    pub fn map(material: Material, file: &Path) -> Result<Self, TableFileError> {
        let layout = PositionIndex::new(material);
        let image = TableFile::map(material, &layout, file)?;
        Ok(Self { material, layout, image })
    }

    /// The contents of its file.
    pub fn bytes(&self) -> &[u8] {
        self.image.bytes()
    }

    /// The pieces of the table's positions.
    pub const fn material(&self) -> Material {
        self.material
    }

    /// The number of addresses.
    pub fn addresses(&self) -> usize {
        self.layout.addresses()
    }

    /// The value at an address; `None` if it has no position.
    #[inline]
    pub fn value_at(&self, index: usize) -> Option<ProvenValue> {
        if index < 2 * self.image.half() { self.image.entry(index).fact() } else { None }
    }

    pub(super) fn entry_at(&self, index: usize) -> TableEntry {
        self.image.entry(index)
    }

    /// The position at an address, if there is one.
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
        // A table also has positions with checks that no game can lead to.
        let setup = Setup { board, turn, ..Setup::empty() };
        Chess::from_setup(setup, CastlingMode::Standard).or_else(PositionError::ignore_impossible_check).ok()
    }

    /// The longest mate of the table's White or Black when it is to move; `None` if it never wins.
    pub fn longest_win(&self, winner: Color) -> Option<MateDistance> {
        let wins = self.image.values(winner).iter().filter(|value| value.is_win());
        wins.filter_map(|value| value.plies()).max().map(|plies| MateDistance::from_plies(Ply(plies)))
    }

    /// The position index.
    pub(super) const fn layout(&self) -> &PositionIndex {
        &self.layout
    }

    #[inline]
    pub(super) fn entry(&self, placement: Placement) -> TableEntry {
        self.layout.address(placement).map_or(TableEntry::NONE, |address| self.image.entry(address as usize))
    }

    /// The value of a position of this material, without castling and en passant.
    pub(super) fn probe(&self, position: &Chess, side: TableSide) -> Option<ProvenValue> {
        let board = position.board();
        let mut squares = [Square::A1; MAX_PIECES];
        let mut rest = Bitboard::EMPTY;
        let mut last = None;
        for (square, &piece) in squares.iter_mut().zip(self.layout.pieces()) {
            // Like pieces are adjacent in a placement.
            if last != Some(piece) {
                let color = if side == TableSide::Swapped { piece.color.other() } else { piece.color };
                rest = board.by_color(color) & board.by_role(piece.role);
                last = Some(piece);
            }
            *square = rest.pop_front()?;
        }
        let mut turn = position.turn();
        if side == TableSide::Swapped {
            turn = turn.other();
            squares = squares.map(Square::flip_vertical);
        }
        self.entry(Placement { turn, squares }).fact()
    }
}

#[cfg(test)]
impl Table {
    /// A copy with another value at one address, for tests.
    pub(super) fn with(&self, address: usize, fact: ProvenValue) -> Self {
        let entry = fact.plies().map_or(TableEntry::DRAW, TableEntry::mate_in);
        let image = self.image.with(self.material, &self.layout, address, entry);
        Self { material: self.material, layout: self.layout.clone(), image }
    }
}
