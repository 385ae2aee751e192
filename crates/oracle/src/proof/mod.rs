//! A proof of a distance to mate that can be checked by who trusts no search.
//!
//! A proof is a position, a claim, and the answers to every question that the claim raises: which move mates,
//! and which reply escapes. `checker` asks them in an order of its own, tries every move that needs no answer,
//! and accepts nothing but legal moves and mates on the board, so a wrong, missing or surplus answer is
//! found whoever gave it. Writing a proof is the same walk with a prover to answer: what is written has been
//! verified.

mod checker;
mod text;

use std::collections::VecDeque;

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess};

use crate::mate_prover::{MateProver, OutOfNodes};
pub use checker::{ProofError, ProofSize, Question};
pub use text::ProofParseError;
use threefold_chess::score::MateDistance;

/// The longest mate that a proof may be about, in moves: a walk goes down twice as many positions.
pub const LONGEST: u16 = 100;

/// What is said of a position, whatever its past and its counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MateClaim {
    /// Somebody mates, in so many plies and no sooner.
    Mate(MateDistance),
    /// Neither side mates within so many moves.
    NoMate {
        /// In moves of the side that would mate.
        within: u16,
    },
}

impl MateClaim {
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
    pub claim: MateClaim,
    /// The answers, in the order in which a walk asks for them.
    pub answers: Vec<UciMove>,
}

/// Why there is no proof.
#[derive(Debug, thiserror::Error)]
pub enum ProvingError {
    /// The prover's budget ended.
    #[error(transparent)]
    OutOfNodes(#[from] OutOfNodes),
    /// The claim is wrong, or too long to be walked through.
    #[error(transparent)]
    Invalid(#[from] ProofError),
}

impl Proof {
    /// Has a prover prove a claim; every answer is verified as it is written.
    pub fn write(prover: &mut MateProver, position: &Chess, claim: MateClaim) -> Result<Self, ProvingError> {
        let mut answers = Vec::new();
        checker::walk(position, claim, &mut |question: Question<'_>| {
            let answer = match question {
                Question::Attack { position, moves } => prover.attack(position, moves)?,
                Question::Escape { position, moves } => prover.defence(position, moves)?,
            };
            let answer = answer.map(|mv| mv.to_uci(CastlingMode::Standard));
            answers.extend(answer);
            Ok::<_, ProvingError>(answer)
        })?;
        Ok(Self { position: position.clone(), claim, answers })
    }

    /// Verifies it by the rules alone, and says how much was looked at.
    pub fn verify(&self) -> Result<ProofSize, ProofError> {
        let mut answers: VecDeque<UciMove> = self.answers.iter().copied().collect();
        let weighed =
            checker::walk(&self.position, self.claim, &mut |_| Ok::<_, ProofError>(answers.pop_front()))?;
        if answers.is_empty() { Ok(weighed) } else { Err(ProofError::Surplus { answers: answers.len() }) }
    }
}

#[cfg(test)]
mod tests;
