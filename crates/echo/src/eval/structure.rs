//! The pawns and kings of a position, the input of cached terms.

use cozy_chess::{BitBoard, Color, Square};

use super::context::{EvalContext, ahead_of};

/// The squares of pawns and kings.
#[derive(Debug, Clone, Copy)]
pub struct Structure {
    pawns: [BitBoard; 2],
    pawn_attacks: [BitBoard; 2],
    kings: [Square; 2],
}

impl Structure {
    /// From a position.
    pub const fn new(context: &EvalContext<'_>) -> Self {
        let (white, black) = (context.side(Color::White), context.side(Color::Black));
        Self {
            pawns: [white.pawns, black.pawns],
            pawn_attacks: [white.pawn_attacks, black.pawn_attacks],
            kings: [white.king, black.king],
        }
    }

    /// One side's pawns.
    pub const fn pawns(&self, color: Color) -> BitBoard {
        self.pawns[color as usize]
    }

    /// All squares that its pawns attack.
    pub const fn pawn_attacks(&self, color: Color) -> BitBoard {
        self.pawn_attacks[color as usize]
    }

    /// The king's square.
    pub const fn king(&self, color: Color) -> Square {
        self.kings[color as usize]
    }

    /// Its front pawns on each file with no enemy pawn in front.
    pub fn leaders(&self, color: Color) -> BitBoard {
        let pawns = self.pawns(color);
        pawns & !ahead_of(pawns, !color) & !ahead_of(self.pawns(!color), !color)
    }

    /// Its passed pawns.
    pub fn passed(&self, color: Color) -> BitBoard {
        let attacks = self.pawn_attacks(!color);
        self.leaders(color) & !(ahead_of(attacks, !color) | attacks)
    }
}
