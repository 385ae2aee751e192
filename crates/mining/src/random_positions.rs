//! Random positions: from a table or by material, and random flips of board and colours.

use std::collections::BTreeMap;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use shakmaty::{Board, CastlingMode, Chess, Color, FromSetup, Position, Role, Setup, Square};

use threefold_oracle::Material;
use threefold_oracle::table::Table;

/// Numbers for names, from 1 for each word.
#[derive(Debug, Default)]
pub(super) struct NameCounter {
    last: BTreeMap<String, usize>,
}

impl NameCounter {
    pub(super) fn next(&mut self, word: &str) -> usize {
        let last = self.last.entry(word.to_owned()).or_default();
        *last += 1;
        *last
    }
}

/// A position from a random address whose value passes. Most addresses fail, so call it often.
pub(super) fn from_table(
    table: &Table,
    rng: &mut ChaCha8Rng,
    wanted: impl Fn(threefold_oracle::ProvenValue) -> bool,
) -> Option<Chess> {
    let index = rng.random_range(0..table.addresses());
    table.value_at(index).filter(|&fact| wanted(fact))?;
    randomly_flipped(&table.position(index)?, rng)
}

/// A random legal position with these pieces, as the table's White and Black have them; `None` if the draw
/// was not legal. Unlike [`from_table`] it does not depend on a table's layout.
pub(super) fn of_material(material: Material, rng: &mut ChaCha8Rng) -> Option<Chess> {
    let mut board = Board::empty();
    for piece in material.pieces() {
        let ranks = if piece.role == Role::Pawn { 8..56 } else { 0..64 };
        let square = Square::new(rng.random_range(ranks));
        if board.piece_at(square).is_some() {
            return None;
        }
        board.set_piece_at(square, piece);
    }
    let turn = Color::from_white(rng.random());
    Chess::from_setup(Setup { board, turn, ..Setup::empty() }, CastlingMode::Standard).ok()
}

/// The position with board and colours flipped at random, as far as that keeps its value. Not for
/// positions with castling rights or an en passant capture.
pub(super) fn randomly_flipped(position: &Chess, rng: &mut ChaCha8Rng) -> Option<Chess> {
    let mut board = position.board().clone();
    let mut flip = |board: &mut Board, how: fn(&mut Board)| {
        if rng.random::<bool>() {
            how(board);
        }
    };
    flip(&mut board, Board::flip_horizontal);
    if board.by_role(Role::Pawn).is_empty() {
        flip(&mut board, Board::flip_vertical);
        flip(&mut board, Board::flip_diagonal);
    }
    let mut setup = Setup { board, turn: position.turn(), ..Setup::empty() };
    if rng.random::<bool>() {
        setup.mirror();
    }
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}
