//! A proof of a distance to mate that can be checked by who trusts no search.
//!
//! A proof is a position, a claim, and the answers to every question that the claim raises: which move mates,
//! and which reply escapes. `walk` asks them in an order of its own, tries every move that needs no answer,
//! and accepts nothing but legal moves and mates on the board, so a wrong, missing or surplus answer is
//! found whoever gave it. Writing a proof is the same walk with a prover to answer: what is written has been
//! verified.

mod text;
mod walk;

use std::collections::VecDeque;

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess};

use crate::mate_prover::{MateProver, OutOfNodes};
pub use text::Unreadable;
use threefold_chess::score::MateDistance;
pub use walk::{Flaw, Question, Weighed};

/// The longest mate that a proof may be about, in moves: a walk goes down twice as many positions.
pub const LONGEST: u16 = 100;

/// What is said of a position, whatever its past and its counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// Somebody mates, in so many plies and no sooner.
    Mate(MateDistance),
    /// Neither side mates within so many moves.
    NoMate {
        /// In moves of the side that would mate.
        within: u16,
    },
}

impl Claim {
    /// The longest mate it speaks of, in moves.
    pub const fn moves(self) -> u16 {
        match self {
            Self::Mate(distance) => distance.plies().0.div_ceil(2),
            Self::NoMate { within } => within,
        }
    }
}

/// A claim about a position, with the answers that prove it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The position.
    pub position: Chess,
    /// What is claimed of it.
    pub claim: Claim,
    /// The answers, in the order in which a walk asks for them.
    pub answers: Vec<UciMove>,
}

/// Why there is no proof.
#[derive(Debug, thiserror::Error)]
pub enum Unproven {
    /// The prover's budget ended.
    #[error(transparent)]
    OutOfNodes(#[from] OutOfNodes),
    /// The claim is wrong, or too long to be walked through.
    #[error(transparent)]
    Flaw(#[from] Flaw),
}

impl Proof {
    /// Has a prover prove a claim; every answer is verified as it is written.
    pub fn write(prover: &mut MateProver, position: &Chess, claim: Claim) -> Result<Self, Unproven> {
        let mut answers = Vec::new();
        walk::walk(position, claim, &mut |question: Question<'_>| {
            let answer = match question {
                Question::Attack { position, moves } => prover.attack(position, moves)?,
                Question::Escape { position, moves } => prover.defence(position, moves)?,
            };
            let answer = answer.map(|mv| mv.to_uci(CastlingMode::Standard));
            answers.extend(answer);
            Ok::<_, Unproven>(answer)
        })?;
        Ok(Self { position: position.clone(), claim, answers })
    }

    /// Verifies it by the rules alone, and says how much was looked at.
    pub fn verify(&self) -> Result<Weighed, Flaw> {
        let mut answers: VecDeque<UciMove> = self.answers.iter().copied().collect();
        let weighed = walk::walk(&self.position, self.claim, &mut |_| Ok::<_, Flaw>(answers.pop_front()))?;
        if answers.is_empty() { Ok(weighed) } else { Err(Flaw::Surplus { answers: answers.len() }) }
    }
}

#[cfg(test)]
mod tests;
