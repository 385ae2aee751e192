//! Histories: how well moves did all over the tree: by themselves, as answers, in a pawn structure, and as
//! captures.
//!
//! Each counter moves towards what just happened by a share of the way that is left, so it saturates by
//! itself and old news fades.

use cozy_chess::{Board, Color, Move, Piece, Square};

use super::structure::pawn_structure;

/// No counter goes beyond this, either way.
const LIMIT: i32 = 16_384;
/// Pawn structures told apart.
const STRUCTURES: usize = 512;
/// What a move follows: the opponent's last, the mover's own before it, and the one before that.
pub(in crate::search) const BEFORE: [usize; 3] = [1, 2, 4];

/// A piece and where it went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) struct Trail {
    /// The piece.
    pub piece: Piece,
    /// Where it went.
    pub to: Square,
}

impl Trail {
    pub(in crate::search) const NUM: usize = Piece::NUM * Square::NUM;

    pub(in crate::search) const fn index(self) -> usize {
        self.piece as usize * Square::NUM + self.to as usize
    }
}

/// Who moves, after what, among which pawns.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct Occasion {
    pub side: Color,
    /// The moves of [`BEFORE`].
    pub after: [Option<Trail>; 3],
    /// Where the pawn structure has its counters.
    pub structure: Option<usize>,
}

impl Occasion {
    /// Where a board's pawn structure has its counters.
    pub(in crate::search) fn structure_of(board: &Board) -> usize {
        pawn_structure(board) as usize % STRUCTURES
    }
}

type Row = [i16; Trail::NUM];

/// After no move nothing is known.
static NOTHING: Row = [0; Trail::NUM];

/// All counters.
pub(in crate::search) struct Histories {
    by_squares: Vec<[i16; Square::NUM * Square::NUM]>,
    /// After an opponent's move, and after an own one.
    continuations: [Vec<Row>; 2],
    structures: Vec<Row>,
    captures: Vec<[i16; Piece::NUM]>,
}

impl Histories {
    pub(in crate::search) fn new() -> Self {
        Self {
            by_squares: vec![[0; Square::NUM * Square::NUM]; Color::NUM],
            continuations: [vec![[0; Trail::NUM]; Trail::NUM], vec![[0; Trail::NUM]; Trail::NUM]],
            structures: vec![[0; Trail::NUM]; STRUCTURES],
            captures: vec![[0; Piece::NUM]; Trail::NUM],
        }
    }

    pub(in crate::search) fn clear(&mut self) {
        self.by_squares.as_flattened_mut().fill(0);
        for rows in self.continuations.iter_mut().chain([&mut self.structures]) {
            rows.as_flattened_mut().fill(0);
        }
        self.captures.as_flattened_mut().fill(0);
    }

    /// Everything that speaks for or against quiet moves on an occasion.
    pub(in crate::search) fn on(&self, occasion: Occasion) -> Record<'_> {
        let row = |which: usize, before: Option<Trail>| {
            before.map_or(&NOTHING, |before| &self.continuations[which][before.index()])
        };
        let [last, own, earlier] = occasion.after;
        Record {
            by_squares: &self.by_squares[occasion.side as usize],
            rows: [row(0, last), row(1, own), row(1, earlier)],
            structure: occasion.structure.map_or(&NOTHING, |structure| &self.structures[structure]),
        }
    }

    /// A quiet move refuted (positive) or failed to (negative).
    pub(in crate::search) fn learn(&mut self, occasion: Occasion, mv: Move, piece: Piece, bonus: i32) {
        let trail = Trail { piece, to: mv.to }.index();
        nudge(&mut self.by_squares[occasion.side as usize][squares(mv)], bonus);
        for (which, before) in [0, 1, 1].into_iter().zip(occasion.after) {
            if let Some(before) = before {
                nudge(&mut self.continuations[which][before.index()][trail], bonus);
            }
        }
        if let Some(structure) = occasion.structure {
            nudge(&mut self.structures[structure][trail], bonus);
        }
    }

    /// How well it did to take such a piece there.
    pub(in crate::search) fn of_capture(&self, trail: Trail, victim: Piece) -> i32 {
        i32::from(self.captures[trail.index()][victim as usize])
    }

    /// A capture refuted or failed to.
    pub(in crate::search) fn learn_capture(&mut self, trail: Trail, victim: Piece, bonus: i32) {
        nudge(&mut self.captures[trail.index()][victim as usize], bonus);
    }
}

/// The counters that matter on one occasion.
pub(in crate::search) struct Record<'h> {
    by_squares: &'h [i16; Square::NUM * Square::NUM],
    rows: [&'h Row; 3],
    structure: &'h Row,
}

impl Record<'_> {
    /// How well a quiet move did: up to five times [`LIMIT`] either way.
    pub(in crate::search) fn of(&self, mv: Move, piece: Piece) -> i32 {
        let trail = Trail { piece, to: mv.to }.index();
        let at = |row: &Row| i32::from(row[trail]);
        let [last, own, earlier] = self.rows.map(at);
        i32::from(self.by_squares[squares(mv)]) + last + own + earlier / 2 + at(self.structure)
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
        let occasion = Occasion { side: Color::White, after: [None; 3], structure: None };
        let mv = "g1f3".parse().expect("a move");
        for _ in 0..1_000 {
            histories.learn(occasion, mv, Piece::Knight, 1_600);
        }
        let best = histories.on(occasion).of(mv, Piece::Knight);
        assert!((LIMIT * 9 / 10..=LIMIT).contains(&best), "{best}");
        for _ in 0..1_000 {
            histories.learn(occasion, mv, Piece::Knight, -1_600);
        }
        assert!(histories.on(occasion).of(mv, Piece::Knight) < -LIMIT * 9 / 10);
    }
}
