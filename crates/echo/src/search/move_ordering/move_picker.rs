//! The staged move picker.
//!
//! Work is deferred: the hash move is returned before any generation, captures before quiet moves are
//! generated and scored, and each group is sorted only as far as needed. Most nodes end after a few moves.

use cozy_chess::{BitBoard, Board, Move, Piece, PieceMoves, Rank, get_king_moves};

use super::history::{Histories, HistoryContext, PieceTo};
use super::killers::Killers;
use super::see::{piece_value, wins_at_least};
use crate::eval::context::pawn_attacks;
use crate::mutants::{Mutant, SeededBug};
use crate::position::en_passant_target;

/// A move with its ordering score.
#[derive(Debug, Clone, Copy)]
struct ScoredMove {
    mv: Move,
    score: i32,
}

/// The generated moves of all nodes on the path, in one stack, so that no node allocates.
#[derive(Debug)]
pub(in crate::search) struct MoveStack {
    moves: Vec<ScoredMove>,
    sets: Vec<PieceMoves>,
}

impl MoveStack {
    pub(in crate::search) fn new() -> Self {
        Self { moves: Vec::with_capacity(8192), sets: Vec::with_capacity(2048) }
    }

    pub(in crate::search) fn clear(&mut self) {
        self.moves.clear();
        self.sets.clear();
    }
}

/// The stage of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) enum Stage {
    /// The hash move.
    Hash,
    /// A capture or queen promotion that loses no material.
    Winning,
    /// A quiet move.
    Quiet,
    /// A losing capture, or an underpromotion.
    Losing,
}

/// Known moves and context for the ordering.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct OrderingHints {
    /// The hash move; legal.
    pub hash: Option<Move>,
    pub killers: Killers,
    pub history_context: HistoryContext,
}

/// The next step of the picker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Hash,
    MakeNoisy,
    Winning,
    MakeQuiet,
    Quiet,
    Losing,
}

/// Above every history score.
const KILLER: i32 = 1 << 18;
/// Below every history score.
const UNDERPROMOTION: i32 = -(1 << 20);

/// The picker of one node; its moves start at `first` in the stack.
#[derive(Debug)]
pub(in crate::search) struct MovePicker {
    hints: OrderingHints,
    step: Step,
    quiets: bool,
    first: usize,
    /// The index of the next move.
    next: usize,
    /// The end of the losing captures, which replace returned moves from `first` on.
    losing: usize,
    first_set: usize,
    /// Whether the king's moves have not been generated yet.
    king_waits: bool,
    bug: SeededBug,
}

impl MovePicker {
    /// A picker of all legal moves.
    pub(in crate::search) fn all(move_stack: &MoveStack, hints: OrderingHints, bug: SeededBug) -> Self {
        Self {
            hints,
            step: Step::Hash,
            quiets: true,
            first: move_stack.moves.len(),
            next: move_stack.moves.len(),
            losing: 0,
            first_set: move_stack.sets.len(),
            king_waits: false,
            bug,
        }
    }

    /// Captures and queen promotions only.
    pub(in crate::search) fn noisy(move_stack: &MoveStack, hints: OrderingHints, bug: SeededBug) -> Self {
        Self { quiets: false, ..Self::all(move_stack, hints, bug) }
    }

    /// Skips the remaining quiet moves.
    pub(in crate::search) fn skip_quiets(&mut self) {
        self.quiets = false;
    }

    /// The next move and its stage.
    pub(in crate::search) fn next(
        &mut self,
        move_stack: &mut MoveStack,
        board: &Board,
        histories: &Histories,
    ) -> Option<(Move, Stage)> {
        loop {
            match self.step {
                Step::Hash => {
                    self.step = Step::MakeNoisy;
                    if let Some(mv) = self.hints.hash {
                        return Some((mv, Stage::Hash));
                    }
                }
                Step::MakeNoisy => {
                    self.make_noisy(move_stack, board, histories);
                    self.step = Step::Winning;
                }
                Step::Winning => match self.best(&mut move_stack.moves) {
                    Some(ScoredMove { mv, .. }) if wins_at_least(board, mv, 0) => {
                        return Some((mv, Stage::Winning));
                    }
                    Some(scored) => {
                        // This slot is free: a move that has been picked is not read there again.
                        move_stack.moves[self.first + self.losing] = scored;
                        self.losing += 1;
                    }
                    None => self.step = Step::MakeQuiet,
                },
                Step::MakeQuiet => {
                    if self.quiets {
                        self.make_quiet(move_stack, board, histories);
                    }
                    self.step = Step::Quiet;
                }
                Step::Quiet => {
                    // `skip_quiets` also drops the underpromotions, which are generated with the quiet moves.
                    if let Some(ScoredMove { mv, score }) =
                        self.best(&mut move_stack.moves).filter(|_| self.quiets)
                    {
                        let fits = score > UNDERPROMOTION;
                        return Some((mv, if fits { Stage::Quiet } else { Stage::Losing }));
                    }
                    self.step = Step::Losing;
                    self.next = self.first;
                }
                Step::Losing => {
                    let left = &move_stack.moves[self.next..self.first + self.losing];
                    let &ScoredMove { mv, .. } = left.first()?;
                    self.next += 1;
                    return Some((mv, Stage::Losing));
                }
            }
        }
    }

    /// Removes the node's moves from the stack.
    pub(in crate::search) fn end(self, move_stack: &mut MoveStack) {
        move_stack.moves.truncate(self.first);
        move_stack.sets.truncate(self.first_set);
    }

    /// The move with the highest score among the rest; the first generated one among equals, for a
    /// deterministic order.
    fn best(&mut self, moves: &mut [ScoredMove]) -> Option<ScoredMove> {
        let rest = &mut moves[self.next..];
        // Score and index in one number, for a branchless comparison; indices fit in a byte.
        let rank = |(index, scored): (usize, &ScoredMove)| {
            i64::from(scored.score) << 8 | i64::from(u8::MAX - index as u8)
        };
        let most = rest.iter().enumerate().map(rank).max()?;
        rest.swap(0, usize::from(u8::MAX - most as u8));
        self.next += 1;
        Some(rest[0])
    }

    fn make_noisy(&mut self, move_stack: &mut MoveStack, board: &Board, histories: &Histories) {
        let MoveStack { moves, sets } = move_stack;
        let targets = Targets::new(board);
        let king = board.king(board.side_to_move());
        // Generating king moves is expensive, so it is deferred unless the king can capture something.
        self.king_waits = (get_king_moves(king) & targets.theirs).is_empty();
        let mut movers = if self.king_waits { !king.bitboard() } else { BitBoard::FULL };
        if !self.quiets {
            movers &= targets.takers(board);
        }
        let unseen = self.bug.is(Mutant::EnPassantUnseen).then(|| en_passant_target(board));
        board.generate_moves_for(movers, |mut of_piece| {
            if of_piece.piece == Piece::Pawn {
                of_piece.to &= !unseen.unwrap_or_default();
            }
            // All target squares are kept: the quiet moves are taken from them later.
            sets.push(of_piece);
            false
        });
        for set in &sets[self.first_set..] {
            let to = set.to & targets.noisy(set.piece);
            if to.is_empty() {
                continue;
            }
            for mv in (PieceMoves { to, ..*set }) {
                let queening = mv.promotion == Some(Piece::Queen);
                if self.hints.hash != Some(mv) && (queening || mv.promotion.is_none()) {
                    moves.push(ScoredMove { mv, score: noisy(board, mv, set.piece, histories) });
                }
            }
        }
    }

    fn make_quiet(&mut self, move_stack: &mut MoveStack, board: &Board, histories: &Histories) {
        let MoveStack { moves, sets } = move_stack;
        if self.king_waits {
            // King moves come last in any case, so the time of generation does not matter.
            board.generate_moves_for(board.king(board.side_to_move()).bitboard(), |of_king| {
                sets.push(of_king);
                false
            });
        }
        let record = histories.in_context(self.hints.history_context);
        let targets = Targets::new(board);
        // Castling is a move to the square of an own rook.
        let own = board.colors(board.side_to_move());
        let unseen = if self.bug.is(Mutant::CastlingUnseen) { own } else { BitBoard::EMPTY };
        for set in &sets[self.first_set..] {
            for mv in (PieceMoves { to: set.to & !targets.noisy(set.piece) & !unseen, ..*set }) {
                if self.hints.hash != Some(mv) {
                    let killer = KILLER * self.hints.killers.rank(mv);
                    moves.push(ScoredMove { mv, score: killer + record.score(mv, set.piece) });
                }
            }
            let ends = if set.piece == Piece::Pawn { set.to & LAST_RANKS } else { BitBoard::EMPTY };
            if ends.is_empty() || self.bug.is(Mutant::OnlyQueens) {
                continue;
            }
            for mv in (PieceMoves { to: ends, ..*set }) {
                if mv.promotion != Some(Piece::Queen) && self.hints.hash != Some(mv) {
                    moves.push(ScoredMove { mv, score: UNDERPROMOTION });
                }
            }
        }
    }
}

const LAST_RANKS: BitBoard = BitBoard(Rank::First.bitboard().0 | Rank::Eighth.bitboard().0);

/// The target squares of captures and promotions.
struct Targets {
    theirs: BitBoard,
    of_pawns: BitBoard,
}

impl Targets {
    fn new(board: &Board) -> Self {
        let side = board.side_to_move();
        let theirs = board.colors(!side);
        // A straight pawn move can reach the en passant square only past the other pawn.
        Self { theirs, of_pawns: theirs | en_passant_target(board) | LAST_RANKS }
    }

    /// All pieces that may have a noisy move; only pawns on suitable squares.
    fn takers(&self, board: &Board) -> BitBoard {
        let side = board.side_to_move();
        let last_but_one = Rank::Seventh.relative_to(side).bitboard();
        let ready = pawn_attacks(self.of_pawns, !side) | last_but_one;
        !board.pieces(Piece::Pawn) | ready
    }

    fn noisy(&self, piece: Piece) -> BitBoard {
        if piece == Piece::Pawn { self.of_pawns } else { self.theirs }
    }
}

/// The piece captured by a legal move.
pub(in crate::search) fn victim_of(board: &Board, mv: Move) -> Option<Piece> {
    if board.colors(!board.side_to_move()).has(mv.to) {
        return board.piece_on(mv.to);
    }
    let aslant = mv.from.file() != mv.to.file();
    (aslant && board.pieces(Piece::Pawn).has(mv.from)).then_some(Piece::Pawn)
}

/// Whether a legal move is a capture or a queen promotion.
pub(in crate::search) fn is_noisy(board: &Board, mv: Move) -> bool {
    mv.promotion.map_or_else(|| victim_of(board, mv).is_some(), |to| to == Piece::Queen)
}

/// The score of a capture: most valuable victim, then capture history. The exchange is evaluated when the
/// move's turn comes.
fn noisy(board: &Board, mv: Move, piece: Piece, histories: &Histories) -> i32 {
    let victim = victim_of(board, mv);
    let gained = victim.map_or(0, piece_value) + mv.promotion.map_or(0, piece_value);
    let learnt = victim.map_or(0, |victim| histories.of_capture(PieceTo { piece, to: mv.to }, victim));
    // The victim counts most, then the history. Among equals the cheapest attacker comes first.
    16 * gained + learnt / 4 - piece_value(piece) / 64
}

#[cfg(test)]
mod tests {
    use cozy_chess::Color;

    use super::*;
    use crate::position::legal_moves;

    fn picked(board: &Board, hash: Option<Move>) -> Vec<(Move, Stage)> {
        let (mut move_stack, histories) = (MoveStack::new(), Histories::new());
        let history_context = HistoryContext { side: Color::White, after: [None; 3], structure: None };
        let hints = OrderingHints { hash, killers: Killers::default(), history_context };
        let mut picker = MovePicker::all(&move_stack, hints, SeededBug::NONE);
        let moves = std::iter::from_fn(|| picker.next(&mut move_stack, board, &histories)).collect();
        picker.end(&mut move_stack);
        assert!(move_stack.moves.is_empty() && move_stack.sets.is_empty());
        moves
    }

    #[test]
    fn picker_returns_every_legal_move_once_hash_move_first() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "4k3/8/8/8/1b6/8/3q4/R3K3 w Q - 0 1",
        ] {
            let board: Board = fen.parse().expect("a position");
            let mut legal = legal_moves(&board);
            legal.sort_by_key(ToString::to_string);
            for hash in legal.iter().copied().map(Some).chain([None]) {
                let moves = picked(&board, hash);
                assert!(hash.is_none_or(|hash| moves[0] == (hash, Stage::Hash)), "{fen}");
                let stages: Vec<_> = moves.iter().map(|&(_, stage)| stage as u8).collect();
                assert!(stages.is_sorted(), "{fen}: {moves:?}");
                let mut moves: Vec<_> = moves.into_iter().map(|(mv, _)| mv).collect();
                moves.sort_by_key(ToString::to_string);
                assert_eq!(moves, legal, "{fen}");
            }
        }
    }
}
