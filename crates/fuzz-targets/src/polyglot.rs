//! Opening books in Polyglot's format.
//!
//! Random keys are those of no position, so each input is also tried with the key of the start position in
//! every entry.

use std::sync::Arc;

use shakmaty::{Chess, Position};
use threefold_player::polyglot::{BookMoves, PolyglotBook};

use crate::{Accepted, Target};

/// The fuzz target `polyglot`.
pub const TARGET: Target = Target { name: "polyglot", check, vocabulary: VOCABULARY };

const VOCABULARY: &[&str] =
    &["\0", "\0\0\0\0", "\0\0\0\0\0\0\0\0", "\u{3}\u{1c}", "\u{2}$", "\0\u{1}\0\0\0\0", "\u{7f}", "F"];

const START: [u8; 8] = 0x463b_9618_1691_fc9c_u64.to_be_bytes();

/// Reads the book unchanged, and with the key of the start position; an accepted book must choose legal moves
/// only.
pub fn check(bytes: &[u8]) -> Accepted {
    let mut keyed = bytes.to_vec();
    keyed.chunks_exact_mut(16).for_each(|entry| entry[..8].copy_from_slice(&START));
    let books = [PolyglotBook::parse(bytes), PolyglotBook::parse(&keyed)];
    Accepted(books.into_iter().flatten().map(play).count())
}

fn play(book: PolyglotBook) {
    let book = Arc::new(book);
    for game in 0..4 {
        let mut moves = BookMoves::new(Arc::clone(&book), 20, 1, game);
        let mut position = Chess::default();
        for plies in 0..50 {
            let Some(mv) = moves.choose(&position, plies) else { break };
            assert!(plies < 40, "beyond its depth");
            assert!(position.is_legal(mv), "{mv:?}");
            position.play_unchecked(mv);
        }
    }
}
