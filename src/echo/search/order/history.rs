//! Histories: how well quiet moves did all over the tree, by themselves and as answers.
//!
//! Each counter moves towards what just happened by a share of the way that is left, so it saturates by
//! itself and old news fades.

use cozy_chess::{Color, Move, Piece, Square};

/// No counter goes beyond this, either way.
const LIMIT: i32 = 16_384;

/// A piece and where it went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::echo::search) struct Trail {
    /// The piece.
    pub piece: Piece,
    /// Where it went.
    pub to: Square,
}

impl Trail {
    const NUM: usize = Piece::NUM * Square::NUM;

    const fn index(self) -> usize {
        self.piece as usize * Square::NUM + self.to as usize
    }
}

/// Who moves, what, and after what.
#[derive(Debug, Clone, Copy)]
pub(in crate::echo::search) struct Occasion {
    pub side: Color,
    /// The opponent's last move and the mover's own before it.
    pub after: [Option<Trail>; 2],
}

type Continuation = Vec<[i16; Trail::NUM]>;

/// All counters.
pub(in crate::echo::search) struct Histories {
    by_squares: Vec<[i16; Square::NUM * Square::NUM]>,
    continuations: [Continuation; 2],
}

impl Histories {
    pub(in crate::echo::search) fn new() -> Self {
        Self {
            by_squares: vec![[0; Square::NUM * Square::NUM]; Color::NUM],
            continuations: [vec![[0; Trail::NUM]; Trail::NUM], vec![[0; Trail::NUM]; Trail::NUM]],
        }
    }

    pub(in crate::echo::search) fn clear(&mut self) {
        *self = Self::new();
    }

    /// How well a quiet move did: up to three times [`LIMIT`] either way.
    pub(in crate::echo::search) fn of(&self, occasion: Occasion, mv: Move, piece: Piece) -> i32 {
        let trail = Trail { piece, to: mv.to };
        let mut total = i32::from(self.by_squares[occasion.side as usize][squares(mv)]);
        for (table, after) in self.continuations.iter().zip(occasion.after) {
            if let Some(after) = after {
                total += i32::from(table[after.index()][trail.index()]);
            }
        }
        total
    }

    /// A quiet move refuted (positive) or failed to (negative).
    pub(in crate::echo::search) fn learn(&mut self, occasion: Occasion, mv: Move, piece: Piece, bonus: i32) {
        let trail = Trail { piece, to: mv.to };
        nudge(&mut self.by_squares[occasion.side as usize][squares(mv)], bonus);
        for (table, after) in self.continuations.iter_mut().zip(occasion.after) {
            if let Some(after) = after {
                nudge(&mut table[after.index()][trail.index()], bonus);
            }
        }
    }
}

const fn squares(mv: Move) -> usize {
    mv.from as usize * Square::NUM + mv.to as usize
}

fn nudge(counter: &mut i16, bonus: i32) {
    let now = i32::from(*counter);
    *counter = (now + bonus - now * bonus.abs() / LIMIT) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_saturate_and_come_back() {
        let mut histories = Histories::new();
        let occasion = Occasion { side: Color::White, after: [None, None] };
        let mv = "g1f3".parse().expect("a move");
        for _ in 0..1_000 {
            histories.learn(occasion, mv, Piece::Knight, 1_600);
        }
        let best = histories.of(occasion, mv, Piece::Knight);
        assert!((LIMIT * 9 / 10..=LIMIT).contains(&best), "{best}");
        for _ in 0..1_000 {
            histories.learn(occasion, mv, Piece::Knight, -1_600);
        }
        assert!(histories.of(occasion, mv, Piece::Knight) < -LIMIT * 9 / 10);
    }
}
