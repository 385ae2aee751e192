//! Pawns and kings alone: they change at few nodes, so what is judged by nothing else can be kept.

use cozy_chess::{BitBoard, Color, Square};

use super::context::{EvalContext, ahead_of};

/// Where pawns and kings stand.
#[derive(Debug, Clone, Copy)]
pub struct Structure {
    pawns: [BitBoard; 2],
    pawn_attacks: [BitBoard; 2],
    kings: [Square; 2],
}

impl Structure {
    /// Of a position.
    pub const fn of(context: &EvalContext<'_>) -> Self {
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

    /// Every square that its pawns attack.
    pub const fn pawn_attacks(&self, color: Color) -> BitBoard {
        self.pawn_attacks[color as usize]
    }

    /// Where its king stands.
    pub const fn king(&self, color: Color) -> Square {
        self.kings[color as usize]
    }

    /// Its foremost pawns on each file with no enemy pawn before them.
    pub fn leaders(&self, color: Color) -> BitBoard {
        let pawns = self.pawns(color);
        pawns & !ahead_of(pawns, !color) & !ahead_of(self.pawns(!color), !color)
    }

    /// Its pawns that no enemy pawn can stop any more.
    pub fn passed(&self, color: Color) -> BitBoard {
        let attacks = self.pawn_attacks(!color);
        self.leaders(color) & !(ahead_of(attacks, !color) | attacks)
    }
}
