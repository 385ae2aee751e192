//! Positions drawn by lot: from a table, and boards turned and colours exchanged by lot.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use shakmaty::{Board, CastlingMode, Chess, FromSetup, Position, Role, Setup};

use crate::truth::table::Table;

/// A position from an address drawn by lot whose value passes; most addresses don't, so ask often.
pub(super) fn from_table(
    table: &Table,
    lot: &mut ChaCha8Rng,
    wanted: impl Fn(crate::truth::Fact) -> bool,
) -> Option<Chess> {
    let index = lot.random_range(0..table.addresses());
    table.at(index).filter(|&fact| wanted(fact))?;
    turned(&table.position(index)?, lot)
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
