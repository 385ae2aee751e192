//! Positions drawn by lot: from a table, and boards turned and colours exchanged by lot.

use std::collections::BTreeMap;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use shakmaty::{Board, CastlingMode, Chess, Color, FromSetup, Position, Role, Setup, Square};

use threefold_oracle::Material;
use threefold_oracle::table::Table;

/// Numbers for names: from 1 for each word.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    last: BTreeMap<String, usize>,
}

impl Numbers {
    pub(super) fn next(&mut self, word: &str) -> usize {
        let last = self.last.entry(word.to_owned()).or_default();
        *last += 1;
        *last
    }
}

/// A position from an address drawn by lot whose value passes; most addresses don't, so ask often.
pub(super) fn from_table(
    table: &Table,
    lot: &mut ChaCha8Rng,
    wanted: impl Fn(threefold_oracle::ProvenValue) -> bool,
) -> Option<Chess> {
    let index = lot.random_range(0..table.addresses());
    table.at(index).filter(|&fact| wanted(fact))?;
    turned(&table.position(index)?, lot)
}

/// A legal position of these men, drawn by lot, as the table's White and Black have them; `None` where the
/// lot gave no legal one. Unlike [`from_table`] it does not depend on how a table is laid out.
pub(super) fn of_material(material: Material, lot: &mut ChaCha8Rng) -> Option<Chess> {
    let mut board = Board::empty();
    for piece in material.pieces() {
        let ranks = if piece.role == Role::Pawn { 8..56 } else { 0..64 };
        let square = Square::new(lot.random_range(ranks));
        if board.piece_at(square).is_some() {
            return None;
        }
        board.set_piece_at(square, piece);
    }
    let turn = Color::from_white(lot.random());
    Chess::from_setup(Setup { board, turn, ..Setup::empty() }, CastlingMode::Standard).ok()
}

/// The same position with the board turned and the colours exchanged by lot, as far as that changes nothing.
/// Positions with castling rights or a capture en passant are not meant.
pub(super) fn turned(position: &Chess, lot: &mut ChaCha8Rng) -> Option<Chess> {
    let mut board = position.board().clone();
    let mut flip = |board: &mut Board, how: fn(&mut Board)| {
        if lot.random::<bool>() {
            how(board);
        }
    };
    flip(&mut board, Board::flip_horizontal);
    if board.by_role(Role::Pawn).is_empty() {
        flip(&mut board, Board::flip_vertical);
        flip(&mut board, Board::flip_diagonal);
    }
    let mut setup = Setup { board, turn: position.turn(), ..Setup::empty() };
    if lot.random::<bool>() {
        setup.mirror();
    }
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}
