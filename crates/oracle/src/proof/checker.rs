//! Checks a claim by the rules of chess.
//!
//! Four statements about a position and a number of moves left are checked recursively. *Mates*: one answer,
//! after which the other side is mated. *Is mated*: checkmate, or after every reply the attacker mates. *Does
//! not mate*: after every move the other side escapes. *Escapes*: there is no mate on the board and, while
//! the attacker has moves left, one answer after which it does not mate. The attacker's moves decrease, so
//! the check ends. Moves are ordered by start square, target square and promotion. A statement that was shown
//! once is not checked again.

use std::collections::HashMap;

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move, Position};

use super::{LONGEST, MateClaim};

/// A question whose answer the checker needs.
#[derive(Debug, Clone, Copy)]
pub enum ProofQuestion<'p> {
    /// Which move mates within this number of moves?
    Attack {
        /// The position with the attacker to move.
        position: &'p Chess,
        /// Moves left, including this one.
        moves: u16,
    },
    /// After which reply does the other side not mate within this number of moves?
    Escape {
        /// The position with the defender to move.
        position: &'p Chess,
        /// The other side's moves left.
        moves: u16,
    },
}

/// The size of a verified proof.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProofSize {
    /// Positions visited.
    pub positions: u64,
    /// Answers used.
    pub answers: u64,
}

/// Why a proof is invalid. `line`: the moves from its position to the failure.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    /// An answer is missing.
    #[error("no answer after `{line}`: the proof is incomplete, or its claim is wrong")]
    Silent {
        /// The moves to the failure.
        line: String,
    },
    /// An answer is illegal.
    #[error("the answer `{answer}` after `{line}` is illegal")]
    Illegal {
        /// The moves to the failure.
        line: String,
        /// The move that the proof gives as an answer.
        answer: UciMove,
    },
    /// A mate is missing.
    #[error("no mate after `{line}`, and no move left to give it")]
    NoMate {
        /// The moves to the failure.
        line: String,
    },
    /// A mate contradicts the claim.
    #[error("mate after `{line}`, sooner than claimed")]
    Mate {
        /// The moves to the failure.
        line: String,
    },
    /// Surplus answers.
    #[error("{answers} surplus answers: they belong to another claim")]
    Surplus {
        /// The number of answers that no line of the claim needs.
        answers: usize,
    },
    /// The claim is too long.
    #[error("a mate in {moves} is longer than the longest that is checked, {LONGEST}")]
    TooLong {
        /// Moves.
        moves: u16,
    },
}

/// Checks a claim, asking for answers.
pub(super) fn walk<E: From<ProofError>>(
    position: &Chess,
    claim: MateClaim,
    oracle: &mut dyn FnMut(ProofQuestion<'_>) -> Result<Option<UciMove>, E>,
) -> Result<ProofSize, E> {
    if claim.moves() > LONGEST {
        return Err(ProofError::TooLong { moves: claim.moves() }.into());
    }
    let mut walk = ProofChecker {
        oracle,
        mates: HashMap::new(),
        fails: HashMap::new(),
        line: Vec::new(),
        weighed: ProofSize::default(),
    };
    match claim {
        // A distance is two statements: mate within it, and no mate within one move less.
        MateClaim::Mate(distance) if distance.is_win() => {
            walk.mates(position, claim.moves())?;
            walk.does_not_mate(position, claim.moves() - 1)?;
        }
        MateClaim::Mate(_) => {
            walk.is_mated(position, claim.moves())?;
            if let Some(sooner) = claim.moves().checked_sub(1) {
                walk.escapes(position, sooner)?;
            }
        }
        MateClaim::NoMate { within } => {
            walk.does_not_mate(position, within)?;
            walk.escapes(position, within)?;
        }
    }
    Ok(walk.weighed)
}

struct ProofChecker<'o, E> {
    oracle: &'o mut dyn FnMut(ProofQuestion<'_>) -> Result<Option<UciMove>, E>,
    /// The number of moves within which the side to move was shown to mate.
    mates: HashMap<Chess, u16>,
    /// The number of moves within which it was shown not to mate.
    fails: HashMap<Chess, u16>,
    line: Vec<Move>,
    weighed: ProofSize,
}

impl<E: From<ProofError>> ProofChecker<'_, E> {
    fn mates(&mut self, position: &Chess, moves: u16) -> Result<(), E> {
        self.weighed.positions += 1;
        // A mate within fewer moves is one within more.
        if self.mates.get(position).is_some_and(|&shown| shown <= moves) {
            return Ok(());
        }
        let Some(left) = moves.checked_sub(1) else {
            return Err(ProofError::NoMate { line: self.line() }.into());
        };
        let answer = self.ask(ProofQuestion::Attack { position, moves })?;
        self.after(position, answer, |walk, after| walk.is_mated(after, left))?;
        self.mates.insert(position.clone(), moves);
        Ok(())
    }

    fn is_mated(&mut self, position: &Chess, moves: u16) -> Result<(), E> {
        self.weighed.positions += 1;
        let replies = in_order(position);
        // Stalemate, or no mate yet when the attacker has no move left.
        if replies.is_empty() && !position.is_check() || !replies.is_empty() && moves == 0 {
            return Err(ProofError::NoMate { line: self.line() }.into());
        }
        replies
            .into_iter()
            .try_for_each(|reply| self.after(position, reply, |walk, after| walk.mates(after, moves)))
    }

    fn does_not_mate(&mut self, position: &Chess, moves: u16) -> Result<(), E> {
        self.weighed.positions += 1;
        let Some(left) = moves.checked_sub(1) else { return Ok(()) };
        // No mate within more moves means none within fewer.
        if self.fails.get(position).is_some_and(|&shown| shown >= moves) {
            return Ok(());
        }
        for mv in in_order(position) {
            self.after(position, mv, |walk, after| walk.escapes(after, left))?;
        }
        self.fails.insert(position.clone(), moves);
        Ok(())
    }

    fn escapes(&mut self, position: &Chess, moves: u16) -> Result<(), E> {
        self.weighed.positions += 1;
        if position.legal_moves().is_empty() {
            let line = || self.line();
            return if position.is_check() { Err(ProofError::Mate { line: line() }.into()) } else { Ok(()) };
        }
        if moves == 0 {
            return Ok(());
        }
        let answer = self.ask(ProofQuestion::Escape { position, moves })?;
        self.after(position, answer, |walk, after| walk.does_not_mate(after, moves))
    }

    fn ask(&mut self, question: ProofQuestion<'_>) -> Result<Move, E> {
        self.weighed.answers += 1;
        let answer = (self.oracle)(question)?.ok_or_else(|| ProofError::Silent { line: self.line() })?;
        let (ProofQuestion::Attack { position, .. } | ProofQuestion::Escape { position, .. }) = question;
        let mv = answer.to_move(position).ok().filter(|&mv| position.is_legal(mv));
        Ok(mv.ok_or_else(|| ProofError::Illegal { line: self.line(), answer })?)
    }

    fn after(
        &mut self,
        position: &Chess,
        mv: Move,
        holds: impl FnOnce(&mut Self, &Chess) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut after = position.clone();
        after.play_unchecked(mv);
        self.line.push(mv);
        holds(self, &after)?;
        self.line.pop();
        Ok(())
    }

    fn line(&self) -> String {
        let moves: Vec<String> =
            self.line.iter().map(|mv| mv.to_uci(CastlingMode::Standard).to_string()).collect();
        moves.join(" ")
    }
}

/// The legal moves, ordered by start square, target square and promotion.
fn in_order(position: &Chess) -> Vec<Move> {
    let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
    moves.sort_by_key(|mv| (mv.from(), mv.to(), mv.promotion()));
    moves
}
