//! The principal-variation search: the first move is searched for its value, the others for whether they are
//! better, and searched again where they are.

use cozy_chess::{Move, Piece};

use super::node::{Exit, Node, Search, Window};
use super::order::{Hints, Killers, Picker, Stage};
use super::prune::{Candidate, Outlook, is_hopeless};
use super::reduce;
use crate::echo::budget::Stopped;
use crate::echo::eval;
use crate::echo::mutants::Mutant;
use crate::echo::request::Bound;
use crate::echo::table::Entry;
use crate::echo::value::Value;

/// From this many plies without progress on, values from elsewhere in the tree, where the fifty-move rule
/// was further off, no longer cut.
const CLOCK_NEARS_ITS_END: u8 = 90;

/// What trying the moves of a node came to.
struct Outcome {
    best: Value,
    mv: Option<Move>,
}

impl Search<'_> {
    /// The value of a node, exact inside the window and a bound outside.
    pub(super) fn visit(&mut self, node: &Node, window: Window) -> Result<Value, Stopped> {
        if node.depth <= 0 {
            return self.quiesce(node, window);
        }
        match self.value_of(node, window) {
            Ok(value) | Err(Exit::Settled(value)) => Ok(value),
            Err(Exit::Stopped) => Err(Stopped),
        }
    }

    fn value_of(&mut self, node: &Node, window: Window) -> Result<Value, Exit> {
        if self.seed.is(Mutant::TableBeforeHistory) {
            self.probe_table(node, window)?;
        }
        self.enter(node)?;
        let window = bound_by_mate_distance(node, window)?;
        let known = self.probe_table(node, window)?;
        let outlook = self.look_out(node, known);
        self.prune_node(node, window, outlook)?;
        let hash = known.and_then(|entry| entry.best);
        let outcome = self.try_moves(node, window, outlook, hash)?;
        self.remember(node, window, outlook.evaluation, &outcome);
        Ok(outcome.best)
    }

    /// What the table knows, unless that settles the node. Where the line of play is asked for, it never does.
    pub(super) fn probe_table(&mut self, node: &Node, window: Window) -> Result<Option<Entry>, Exit> {
        let Some(entry) = self.memory.table.probe(node.key) else { return Ok(None) };
        let clock = node.board.halfmove_clock();
        let value = entry.value.from_table(node.ply, self.seed);
        let deep = i32::from(entry.depth) >= node.depth;
        if window.is_wide() || clock >= CLOCK_NEARS_ITS_END {
            return Ok(Some(entry));
        }
        // A mate beyond the fifty-move limit may be none.
        let beyond = value.plies_to_mate().is_some_and(|plies| plies + usize::from(clock) > node.ply + 100);
        // A forced mate stays one however deep the search that found it; how fast it can be is another matter.
        let cuts = match entry.bound {
            Bound::Exact if deep => true,
            Bound::Exact => {
                (value.is_win() && value >= window.beta) || (value.is_loss() && value <= window.alpha)
            }
            Bound::Lower => (deep || value.is_win()) && value >= window.beta,
            Bound::Upper => (deep || value.is_loss()) && value <= window.alpha,
        };
        if cuts && !beyond { Err(Exit::Settled(value)) } else { Ok(Some(entry)) }
    }

    /// The static evaluation, and whether things get better.
    fn look_out(&mut self, node: &Node, known: Option<Entry>) -> Outlook {
        let evaluation = (!node.in_check())
            .then(|| known.and_then(|entry| entry.evaluation).unwrap_or_else(|| eval::evaluate(&node.board)));
        self.frames[node.ply].evaluation = evaluation;
        let before = node.ply.checked_sub(2).and_then(|ply| self.frames[ply].evaluation);
        Outlook {
            evaluation,
            improving: evaluation.is_some() && before.is_none_or(|before| evaluation > Some(before)),
        }
    }

    fn try_moves(
        &mut self,
        node: &Node,
        mut window: Window,
        outlook: Outlook,
        hash: Option<Move>,
    ) -> Result<Outcome, Stopped> {
        let wide = window.is_wide();
        let hints = Hints { hash, killers: self.frames[node.ply].killers, occasion: self.occasion(node) };
        self.frames[node.ply + 1].killers = Killers::default();
        let memory = &mut *self.memory;
        let mut picker = Picker::all(&mut memory.moves, &node.board, &hints, &memory.histories, self.seed);
        let mut outcome = Outcome { best: Value::MINUS_INFINITE, mv: None };
        let mut number: u16 = 0;
        while let Some((mv, stage)) = picker.next(&mut self.memory.moves, &node.board) {
            number += 1;
            let gives_check = gives_check(&node.board, mv);
            let candidate = Candidate { mv, stage, number, gives_check };
            if is_hopeless(node, window, outlook, candidate, outcome.best) {
                continue;
            }
            let after = self.play(node, mv);
            let value = self.try_move(node, after, window, candidate, outlook);
            self.keys.pop();
            let value = value?;
            if value > outcome.best {
                outcome.best = value;
                if value > window.alpha {
                    window.alpha = value;
                    outcome.mv = Some(mv);
                    if wide {
                        self.memory.lines.extend(node.ply, mv);
                    }
                }
            }
            if value >= window.beta {
                if matches!(stage, Stage::Quiet | Stage::Hash) {
                    self.reward(node, mv, &picker);
                }
                break;
            }
        }
        picker.end(&mut self.memory.moves);
        if number == 0 {
            outcome.best = if node.in_check() { self.mated(node) } else { self.draw(node) };
        }
        Ok(outcome)
    }

    /// One move's value: reduced and with a closed window first, where that may do.
    pub(super) fn try_move(
        &mut self,
        node: &Node,
        mut after: Node,
        window: Window,
        candidate: Candidate,
        outlook: Outlook,
    ) -> Result<Value, Stopped> {
        // A check is followed up where the line of play is asked for, and at the horizon.
        let extension = i32::from(after.in_check() && (window.is_wide() || node.depth < 3));
        after.depth = node.depth - 1 + extension;
        let full = after.depth;
        let wide = window.is_wide();
        let above = Window::above(window.alpha).turned();
        let mut value = window.alpha.next_above();
        if candidate.number > 1 {
            after.depth = full - self.reduction(node, window, candidate, outlook);
            value = -self.visit(&after, above)?;
            if value > window.alpha && after.depth < full {
                after.depth = full;
                value = -self.visit(&after, above)?;
            }
        }
        if candidate.number == 1 || (wide && value > window.alpha) {
            after.depth = full;
            value = -self.visit(&after, window.turned())?;
        }
        Ok(value)
    }

    /// How much less deep a move is looked into at first.
    fn reduction(&self, node: &Node, window: Window, candidate: Candidate, outlook: Outlook) -> i32 {
        let wide = window.is_wide();
        let late = if wide { 4 } else { 3 };
        if node.depth < 3 || candidate.number < late || node.in_check() {
            return 0;
        }
        let mut plies = reduce::late_move(node.depth, candidate.number);
        match candidate.stage {
            Stage::Hash | Stage::Winning => return 0,
            Stage::Losing => plies -= 1,
            Stage::Quiet => {
                let piece = self.frames[node.ply].moved.map_or(Piece::Pawn, |trail| trail.piece);
                let history = self.memory.histories.of(self.occasion(node), candidate.mv, piece);
                plies -= (history / 10_000).clamp(-2, 2);
            }
        }
        plies -= i32::from(wide) + i32::from(candidate.gives_check);
        plies += i32::from(!outlook.improving);
        plies.clamp(0, node.depth - 2)
    }

    /// A quiet move refuted: it is tried earlier elsewhere, those tried in vain before it later.
    fn reward(&mut self, node: &Node, mv: Move, picker: &Picker) {
        let board = &node.board;
        let quiet = |mv: Move| {
            let piece = board.piece_on(mv.from).expect("a legal move moves a piece");
            let takes = board.colors(!board.side_to_move()).has(mv.to)
                || (piece == Piece::Pawn && mv.from.file() != mv.to.file());
            (!takes && mv.promotion.is_none()).then_some(piece)
        };
        let Some(piece) = quiet(mv) else { return };
        self.frames[node.ply].killers.remember(mv);
        let occasion = self.occasion(node);
        let bonus = (16 * node.depth * node.depth + 32 * node.depth).min(1_600);
        let memory = &mut *self.memory;
        memory.histories.learn(occasion, mv, piece, bonus);
        for tried in picker.tried(&memory.moves) {
            if let Some(piece) = quiet(tried) {
                memory.histories.learn(occasion, tried, piece, -bonus);
            }
        }
    }

    fn remember(&mut self, node: &Node, window: Window, evaluation: Option<Value>, outcome: &Outcome) {
        let bound = if outcome.best >= window.beta {
            Bound::Lower
        } else if outcome.best > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.memory.table.store(
            node.key,
            Entry {
                best: outcome.mv,
                value: outcome.best.to_table(node.ply, self.seed),
                evaluation,
                depth: node.depth.clamp(0, 255) as u8,
                bound,
                age: 0,
            },
        );
    }
}

/// No line from here can be worth less than being mated on the spot, nor more than mating with the next move.
fn bound_by_mate_distance(node: &Node, window: Window) -> Result<Window, Exit> {
    let alpha = window.alpha.max(Value::mated_at(node.ply));
    let beta = window.beta.min(Value::mating_at(node.ply + 1));
    if alpha >= beta { Err(Exit::Settled(alpha)) } else { Ok(Window { alpha, beta }) }
}

/// Does the moved piece itself attack the king? Discovered checks are not seen.
pub(super) fn gives_check(board: &cozy_chess::Board, mv: Move) -> bool {
    use cozy_chess::{get_bishop_moves, get_knight_moves, get_pawn_attacks, get_rook_moves};

    let side = board.side_to_move();
    let king = board.king(!side);
    let occupied = board.occupied() & !mv.from.bitboard();
    let piece = mv.promotion.or_else(|| board.piece_on(mv.from)).unwrap_or(Piece::Pawn);
    let from_here = match piece {
        Piece::Pawn => get_pawn_attacks(king, !side),
        Piece::Knight => get_knight_moves(king),
        Piece::Bishop => get_bishop_moves(king, occupied),
        Piece::Rook => get_rook_moves(king, occupied),
        Piece::Queen => get_bishop_moves(king, occupied) | get_rook_moves(king, occupied),
        Piece::King => return false,
    };
    from_here.has(mv.to)
}
