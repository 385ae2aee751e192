//! Histories of moves over the whole tree: butterfly, continuation, pawn and capture history.
//!
//! A bonus moves a counter towards the limit of its sign, by |bonus| / limit of the remaining distance
//! (history gravity), so it saturates and old results fade. The history heuristic is Schaeffer's (1983).

use cozy_chess::{Board, Color, Move, Piece, Square};

use super::feature_keys::pawn_structure;

/// The limit of a counter in both directions.
const LIMIT: i32 = 16_384;
/// The number of slots of the pawn history, indexed by the pawn structure's hash.
const STRUCTURES: usize = 512;
/// Plies back of the continuation histories: the opponent's last move, the own one before it, and the own one
/// before that.
pub(in crate::search) const BEFORE: [usize; 3] = [1, 2, 4];

/// A piece and its target square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) struct PieceTo {
    /// The piece that moved.
    pub piece: Piece,
    /// The target square.
    pub to: Square,
}

impl PieceTo {
    pub(in crate::search) const NUM: usize = Piece::NUM * Square::NUM;

    pub(in crate::search) const fn index(self) -> usize {
        self.piece as usize * Square::NUM + self.to as usize
    }
}

/// The context of histories: side to move, previous moves, pawn structure.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct HistoryContext {
    pub side: Color,
    /// The moves of [`BEFORE`].
    pub after: [Option<PieceTo>; 3],
    /// The slot of the pawn structure; `None` if pawn history is switched off.
    pub structure: Option<usize>,
}

impl HistoryContext {
    /// The slot of a board's pawn structure.
    pub(in crate::search) fn structure_of(board: &Board) -> usize {
        pawn_structure(board) as usize % STRUCTURES
    }
}

type Row = [i16; PieceTo::NUM];

/// The counters without a previous move.
static NOTHING: Row = [0; PieceTo::NUM];

/// All counters.
pub(in crate::search) struct Histories {
    by_squares: Vec<[i16; Square::NUM * Square::NUM]>,
    /// After an opponent's move, and after an own move.
    continuations: [Vec<Row>; 2],
    structures: Vec<Row>,
    captures: Vec<[i16; Piece::NUM]>,
    /// Whether a counter may differ from zero. Short searches change none, and need not clear a megabyte.
    is_used: bool,
}

impl Histories {
    pub(in crate::search) fn new() -> Self {
        Self {
            by_squares: vec![[0; Square::NUM * Square::NUM]; Color::NUM],
            continuations: [vec![[0; PieceTo::NUM]; PieceTo::NUM], vec![[0; PieceTo::NUM]; PieceTo::NUM]],
            structures: vec![[0; PieceTo::NUM]; STRUCTURES],
            captures: vec![[0; Piece::NUM]; PieceTo::NUM],
            is_used: false,
        }
    }

    pub(in crate::search) fn clear(&mut self) {
        if !std::mem::take(&mut self.is_used) {
            return;
        }
        self.by_squares.as_flattened_mut().fill(0);
        for rows in self.continuations.iter_mut().chain([&mut self.structures]) {
            rows.as_flattened_mut().fill(0);
        }
        self.captures.as_flattened_mut().fill(0);
    }

    /// The counters of quiet moves in this context.
    pub(in crate::search) fn in_context(&self, history_context: HistoryContext) -> HistoryScores<'_> {
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

    /// Records a quiet move that caused a cutoff (positive bonus) or did not (negative).
    pub(in crate::search) fn learn(
        &mut self,
        history_context: HistoryContext,
        mv: Move,
        piece: Piece,
        bonus: i32,
    ) {
        self.is_used = true;
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

    /// The counter of this capture: by moved piece, target square and captured piece.
    pub(in crate::search) fn of_capture(&self, trail: PieceTo, victim: Piece) -> i32 {
        i32::from(self.captures[trail.index()][victim as usize])
    }

    /// Records a capture that caused a cutoff (positive bonus) or did not (negative).
    pub(in crate::search) fn learn_capture(&mut self, trail: PieceTo, victim: Piece, bonus: i32) {
        self.is_used = true;
        nudge(&mut self.captures[trail.index()][victim as usize], bonus);
    }
}

/// The counters of one context.
pub(in crate::search) struct HistoryScores<'h> {
    by_squares: &'h [i16; Square::NUM * Square::NUM],
    rows: [&'h Row; 3],
    structure: &'h Row,
}

impl HistoryScores<'_> {
    /// The history score of a quiet move, within ±4.5 · [`LIMIT`].
    pub(in crate::search) fn score(&self, mv: Move, piece: Piece) -> i32 {
        let trail = PieceTo { piece, to: mv.to }.index();
        let at = |row: &Row| i32::from(row[trail]);
        let [last, own, earlier] = self.rows.map(at);
        // The oldest move has the least to do with this one.
        i32::from(self.by_squares[squares(mv)]) + last + own + earlier / 2 + at(self.structure)
    }
}

const fn squares(mv: Move) -> usize {
    mv.from as usize * Square::NUM + mv.to as usize
}

/// Adds `bonus - counter * |bonus| / LIMIT`. The counter cannot exceed the limit, and a bonus against its
/// sign counts more than one with it.
fn nudge(counter: &mut i16, bonus: i32) {
    let now = i32::from(*counter);
    *counter = (now + bonus - now * bonus.abs() / LIMIT) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_counters_saturate_and_recover() {
        let mut histories = Histories::new();
        let history_context = HistoryContext { side: Color::White, after: [None; 3], structure: None };
        let mv = "g1f3".parse().expect("a move");
        for _ in 0..1_000 {
            histories.learn(history_context, mv, Piece::Knight, 1_600);
        }
        let best = histories.in_context(history_context).score(mv, Piece::Knight);
        assert!((LIMIT * 9 / 10..=LIMIT).contains(&best), "{best}");
        for _ in 0..1_000 {
            histories.learn(history_context, mv, Piece::Knight, -1_600);
        }
        assert!(histories.in_context(history_context).score(mv, Piece::Knight) < -LIMIT * 9 / 10);
    }
}
