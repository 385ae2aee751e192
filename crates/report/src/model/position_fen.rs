//! The FEN of a position with a history.

use shakmaty::EnPassantMode;
use shakmaty::fen::Fen;

use threefold_chess::position::GamePosition;
use threefold_oracle::Referee;

/// The FEN of the position after its history, or of its start if the history is illegal.
pub fn fen(position: &GamePosition) -> String {
    Referee::new(position).map_or_else(
        |_| position.start.to_string(),
        |referee| Fen::from_position(referee.position(), EnPassantMode::Legal).to_string(),
    )
}
