//! A proof of a distance to mate that can be verified without trusting the search.
//!
//! A proof is a position, a claim, and the answers to the questions that the claim raises: which move mates,
//! and which reply escapes. `checker` asks them in its own order, tries every move that needs no answer, and
//! accepts only legal moves and mates on the board; a wrong, missing or surplus answer is therefore detected.
//! Writing a proof uses the same checker with a prover to answer, so a written proof is verified.

mod checker;
mod text;

use std::collections::VecDeque;

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess};

use crate::mate_prover::{MateProver, OutOfNodes};
pub use checker::{ProofError, ProofQuestion, ProofSize};
pub use text::ProofParseError;
use threefold_chess::score::MateDistance;

/// The longest mate in a proof, in moves; it bounds the recursion depth.
pub const LONGEST: u16 = 100;

/// A claim about a position, independent of its history and counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MateClaim {
    /// One side mates in this number of plies and no sooner.
    Mate(MateDistance),
    /// Neither side mates within this number of moves.
    NoMate {
        /// In moves of the side that would mate.
        within: u16,
    },
}

impl MateClaim {
    /// The number of moves of the claim.
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
    /// The position in which the mate is proved.
    pub position: Chess,
    /// The claim about it.
    pub claim: MateClaim,
    /// The answers, in the checker's order.
    pub answers: Vec<UciMove>,
}

/// Why there is no proof.
#[derive(Debug, thiserror::Error)]
pub enum ProvingError {
    /// The prover's budget was used up.
    #[error(transparent)]
    OutOfNodes(#[from] OutOfNodes),
    /// The claim is wrong, or too long to be checked.
    #[error(transparent)]
    Invalid(#[from] ProofError),
}

impl Proof {
    /// Proves a claim with a prover; every answer is verified as it is written.
    pub fn write(prover: &mut MateProver, position: &Chess, claim: MateClaim) -> Result<Self, ProvingError> {
        let mut answers = Vec::new();
        checker::walk(position, claim, &mut |question: ProofQuestion<'_>| {
            let answer = match question {
                ProofQuestion::Attack { position, moves } => prover.attack(position, moves)?,
                ProofQuestion::Escape { position, moves } => prover.defence(position, moves)?,
            };
            let answer = answer.map(|mv| mv.to_uci(CastlingMode::Standard));
            answers.extend(answer);
            Ok::<_, ProvingError>(answer)
        })?;
        Ok(Self { position: position.clone(), claim, answers })
    }

    /// Verifies the proof by the rules of chess only, and returns its size.
    pub fn verify(&self) -> Result<ProofSize, ProofError> {
        let mut answers: VecDeque<UciMove> = self.answers.iter().copied().collect();
        let weighed =
            checker::walk(&self.position, self.claim, &mut |_| Ok::<_, ProofError>(answers.pop_front()))?;
        if answers.is_empty() { Ok(weighed) } else { Err(ProofError::Surplus { answers: answers.len() }) }
    }
}

#[cfg(test)]
mod tests;
