//! Histories: how well moves did all over the tree: by themselves, as answers, in a pawn structure, and as
//! captures.
//!
//! Each counter moves towards what just happened by a share of the way that is left, so it saturates by
//! itself and old news fades.

use cozy_chess::{Board, Color, Move, Piece, Square};

use super::feature_keys::pawn_structure;

/// No counter goes beyond this, either way.
const LIMIT: i32 = 16_384;
/// Pawn structures told apart.
const STRUCTURES: usize = 512;
/// What a move follows: the opponent's last, the mover's own before it, and the one before that.
pub(in crate::search) const BEFORE: [usize; 3] = [1, 2, 4];

/// A piece and where it went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) struct PieceTo {
    /// The piece.
    pub piece: Piece,
    /// Where it went.
    pub to: Square,
}

impl PieceTo {
    pub(in crate::search) const NUM: usize = Piece::NUM * Square::NUM;

    pub(in crate::search) const fn index(self) -> usize {
        self.piece as usize * Square::NUM + self.to as usize
    }
}

/// Who moves, after what, among which pawns.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct HistoryContext {
    pub side: Color,
    /// The moves of [`BEFORE`].
    pub after: [Option<PieceTo>; 3],
    /// Where the pawn structure has its counters.
    pub structure: Option<usize>,
}

impl HistoryContext {
    /// Where a board's pawn structure has its counters.
    pub(in crate::search) fn structure_of(board: &Board) -> usize {
        pawn_structure(board) as usize % STRUCTURES
    }
}

type Row = [i16; PieceTo::NUM];

/// After no move nothing is known.
static NOTHING: Row = [0; PieceTo::NUM];

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
            continuations: [vec![[0; PieceTo::NUM]; PieceTo::NUM], vec![[0; PieceTo::NUM]; PieceTo::NUM]],
            structures: vec![[0; PieceTo::NUM]; STRUCTURES],
            captures: vec![[0; Piece::NUM]; PieceTo::NUM],
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
    pub(in crate::search) fn on(&self, history_context: HistoryContext) -> HistoryScores<'_> {
        let row = |which: usize, before: Option<PieceTo>| {
            before.map_or(&NOTHING, |before| &self.continuations[which][before.index()])
        };
        let [last, own, earlier] = history_context.after;
        HistoryScores {
            by_squares: &self.by_squares[history_context.side as usize],
            rows: [row(0, last), row(1, own), row(1, earlier)],
            structure: history_context.structure.map_or(&NOTHING, |structure| &self.structures[structure]),
        }
    }

    /// A quiet move refuted (positive) or failed to (negative).
    pub(in crate::search) fn learn(
        &mut self,
        history_context: HistoryContext,
        mv: Move,
        piece: Piece,
        bonus: i32,
    ) {
        let trail = PieceTo { piece, to: mv.to }.index();
        nudge(&mut self.by_squares[history_context.side as usize][squares(mv)], bonus);
        for (which, before) in [0, 1, 1].into_iter().zip(history_context.after) {
            if let Some(before) = before {
                nudge(&mut self.continuations[which][before.index()][trail], bonus);
            }
        }
        if let Some(structure) = history_context.structure {
            nudge(&mut self.structures[structure][trail], bonus);
        }
    }

    /// How well it did to take such a piece there.
    pub(in crate::search) fn of_capture(&self, trail: PieceTo, victim: Piece) -> i32 {
        i32::from(self.captures[trail.index()][victim as usize])
    }

    /// A capture refuted or failed to.
    pub(in crate::search) fn learn_capture(&mut self, trail: PieceTo, victim: Piece, bonus: i32) {
        nudge(&mut self.captures[trail.index()][victim as usize], bonus);
    }
}

/// The counters that matter on one occasion.
pub(in crate::search) struct HistoryScores<'h> {
    by_squares: &'h [i16; Square::NUM * Square::NUM],
    rows: [&'h Row; 3],
    structure: &'h Row,
}

impl HistoryScores<'_> {
    /// How well a quiet move did: up to five times [`LIMIT`] either way.
    pub(in crate::search) fn of(&self, mv: Move, piece: Piece) -> i32 {
        let trail = PieceTo { piece, to: mv.to }.index();
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
        let history_context = HistoryContext { side: Color::White, after: [None; 3], structure: None };
        let mv = "g1f3".parse().expect("a move");
        for _ in 0..1_000 {
            histories.learn(history_context, mv, Piece::Knight, 1_600);
        }
        let best = histories.on(history_context).of(mv, Piece::Knight);
        assert!((LIMIT * 9 / 10..=LIMIT).contains(&best), "{best}");
        for _ in 0..1_000 {
            histories.learn(history_context, mv, Piece::Knight, -1_600);
        }
        assert!(histories.on(history_context).of(mv, Piece::Knight) < -LIMIT * 9 / 10);
    }
}
