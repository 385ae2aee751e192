//! Moves without captures, forwards and backwards.

use shakmaty::{Bitboard, Color, Rank, Square};

/// The square in front of a pawn.
#[inline]
pub(super) fn ahead(square: Square, color: Color) -> Option<Square> {
    square.offset(color.fold_wb(8, -8))
}

/// Pawn steps without capture or promotion.
#[inline]
pub(super) fn steps(from: Square, color: Color, occupied: Bitboard) -> Bitboard {
    let free = |square: &Square| !occupied.contains(*square);
    let Some(one) = ahead(from, color).filter(free).filter(|one| one.rank() != color.other().backrank())
    else {
        return Bitboard::EMPTY;
    };
    let two = (from.rank() == color.relative_rank(Rank::Second)).then(|| ahead(one, color)).flatten();
    Bitboard::from_square(one) | two.filter(free).map_or(Bitboard::EMPTY, Bitboard::from_square)
}

/// Backward pawn steps without capture.
#[inline]
pub(super) fn steps_back(to: Square, color: Color, occupied: Bitboard) -> Bitboard {
    let free = |square: &Square| !occupied.contains(*square);
    let Some(one) = ahead(to, color.other()).filter(free).filter(|one| one.rank() != color.backrank()) else {
        return Bitboard::EMPTY;
    };
    let two = (to.rank() == color.relative_rank(Rank::Fourth)).then(|| ahead(one, color.other())).flatten();
    Bitboard::from_square(one) | two.filter(free).map_or(Bitboard::EMPTY, Bitboard::from_square)
}

/// Whether a pawn move between these squares is a double step.
#[inline]
pub(super) fn is_double(from: Square, to: Square) -> bool {
    from.rank().distance(to.rank()) == 2
}
