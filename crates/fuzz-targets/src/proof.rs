//! Proofs of mates. The prover must confirm a verified proof, or run out of its budget.

use threefold_oracle::mate_prover::MateProver;
use threefold_oracle::proof::{Proof, ProvingError};

use crate::{Accepted, Target, text};

/// The fuzz target `proof`.
pub const TARGET: Target = Target { name: "proof", check, vocabulary: VOCABULARY };

const VOCABULARY: &[&str] = &[
    "threefold mate proof 1\n",
    "position k7/8/1K6/8/8/8/8/1R6 w - - 0 1\n",
    "position 6k1/6Q1/6K1/8/8/8/8/8 b - - 0 1\n",
    "position ",
    "claim ",
    "mate in ",
    "mated in ",
    "no mate within ",
    "answers\n",
    "0",
    "1",
    "2",
    "3",
    "100",
    "101",
    "65535",
    "32768",
    " b1h1",
    " h1h8",
    " a8b8",
    " a1h7",
    " e7e8q",
    " 0000",
    " ",
    "\n",
    "\n",
];

/// Maximum number of positions for the confirmation of a proof.
const BUDGET: u64 = 20_000;

/// Reads a proof, verifies it, and confirms it with the prover.
pub fn check(bytes: &[u8]) -> Accepted {
    let Some(Ok(proof)) = text(bytes).map(str::parse::<Proof>) else { return Accepted(0) };
    let printed = proof.to_string();
    assert_eq!(printed.parse::<Proof>().as_ref(), Ok(&proof), "{printed}");
    let Ok(weighed) = proof.verify() else { return Accepted(0) };
    assert_eq!(weighed.answers, proof.answers.len() as u64, "{printed}");
    match Proof::write(&mut MateProver::new(BUDGET), &proof.position, proof.claim) {
        Ok(ours) => assert!(ours.verify().is_ok(), "{ours}"),
        Err(ProvingError::OutOfNodes(_)) => {}
        Err(ProvingError::Invalid(flaw)) => {
            panic!("verified, and the prover says otherwise: {flaw}\n{printed}")
        }
    }
    Accepted(1)
}
