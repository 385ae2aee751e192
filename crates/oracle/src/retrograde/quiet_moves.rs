//! Where men go, and where they may have come from, without taking anything.

use shakmaty::{Bitboard, Color, Rank, Square};

/// The square before a pawn.
#[inline]
pub(super) fn ahead(square: Square, color: Color) -> Option<Square> {
    square.offset(color.fold_wb(8, -8))
}

/// Where a pawn may step without capturing or promoting.
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

/// Where a pawn may have stepped from without capturing.
#[inline]
pub(super) fn steps_back(to: Square, color: Color, occupied: Bitboard) -> Bitboard {
    let free = |square: &Square| !occupied.contains(*square);
    let Some(one) = ahead(to, color.other()).filter(free).filter(|one| one.rank() != color.backrank()) else {
        return Bitboard::EMPTY;
    };
    let two = (to.rank() == color.relative_rank(Rank::Fourth)).then(|| ahead(one, color.other())).flatten();
    Bitboard::from_square(one) | two.filter(free).map_or(Bitboard::EMPTY, Bitboard::from_square)
}

/// Does a pawn that goes between these squares step twice?
#[inline]
pub(super) fn is_double(from: Square, to: Square) -> bool {
    from.rank().distance(to.rank()) == 2
}
