//! Random squares on the first rank for White's castling in Chess960.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use shakmaty::{Color, Piece, Role, Square};

use super::class::SpecialMove;

/// Where king and rooks stand before castling.
pub(super) struct Squares {
    pub(super) king: Square,
    /// The rooks with which it may castle, the first one to mate.
    pub(super) rooks: Vec<Square>,
    /// What else the class needs on the first rank.
    pub(super) more: Vec<(Square, Piece)>,
}

/// The squares of a class, at random; they may coincide.
pub(super) fn squares(class: SpecialMove, rng: &mut ChaCha8Rng) -> Option<Squares> {
    let mut first_rank = || Square::new(rng.random_range(0..8));
    let (mut king, mut rook, other) = (first_rank(), first_rank(), first_rank());
    let mut more: Vec<(Square, Piece)> = Vec::new();
    match class {
        SpecialMove::KingAway => (king, rook) = (Square::B1, Square::A1),
        SpecialMove::KingStays => king = *[Square::C1, Square::G1].choose(rng)?,
        // Such a rook gives check only along the rank that the king leaves.
        SpecialMove::RookStays => {
            rook = *[Square::D1, Square::F1].choose(rng)?;
            more.push((other, Color::Black.king()));
        }
        SpecialMove::Neighbours => rook = king.offset(*[-1, 1].choose(rng)?)?,
        SpecialMove::HomeSquares => (king, rook) = (Square::E1, *[Square::A1, Square::H1].choose(rng)?),
        SpecialMove::InnerRook => more.push((other, Color::White.rook())),
        SpecialMove::ShieldingRook => more.push((other, Color::Black.rook())),
        // Next to the castled king, or with nothing between, the opponent's rook would give check.
        SpecialMove::OpponentsRook => {
            let color = *Color::ALL.choose(rng)?;
            let role = *[Role::Knight, Role::Bishop].choose(rng)?;
            more.extend([(Square::A1, Color::Black.rook()), (Square::B1, role.of(color))]);
        }
        _ => {}
    }
    let rooks = if class == SpecialMove::HomeSquares { vec![rook, other] } else { vec![rook] };
    Some(Squares { king, rooks, more })
}
