//! Proof and disproof numbers: lower bounds of the positions still to solve.
//!
//! After L. V. Allis, "Searching for Solutions in Games and Artificial Intelligence" (1994). One number of a
//! position is the minimum over its moves, the other is the sum.

/// The proof and disproof numbers of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProofNumbers {
    /// The proof number.
    pub(super) proof: u32,
    /// The disproof number.
    pub(super) refutation: u32,
}

impl ProofNumbers {
    /// Infinity: impossible.
    pub(super) const NEVER: u32 = 1_000_000_000;
    /// Proven.
    pub(super) const PROVEN: Self = Self { proof: 0, refutation: Self::NEVER };
    /// Disproven.
    pub(super) const REFUTED: Self = Self { proof: Self::NEVER, refutation: 0 };
    /// A threshold that only an answer reaches.
    pub(super) const ENDLESS: Self = Self { proof: Self::NEVER, refutation: Self::NEVER };

    pub(super) const fn settled(proven: bool) -> Self {
        if proven { Self::PROVEN } else { Self::REFUTED }
    }

    /// The answer, if solved.
    pub(super) const fn answer(self) -> Option<bool> {
        match self {
            Self { proof: 0, .. } => Some(true),
            Self { refutation: 0, .. } => Some(false),
            _ => None,
        }
    }

    /// Whether it is solved or has reached a threshold.
    pub(super) const fn reaches(self, limit: Self) -> bool {
        self.answer().is_some() || self.proof >= limit.proof || self.refutation >= limit.refutation
    }

    /// From the other side: the numbers swapped.
    pub(super) const fn turned(self) -> Self {
        Self { proof: self.refutation, refutation: self.proof }
    }
}

/// For a position that any of its moves proves: its numbers, the best move, and the thresholds for that move.
pub(super) fn choose(moves: &[ProofNumbers], limit: ProofNumbers) -> (ProofNumbers, usize, ProofNumbers) {
    let (mut best, mut first, mut second) = (0, ProofNumbers::NEVER, ProofNumbers::NEVER);
    let mut sum = 0_u32;
    for (index, effort) in moves.iter().enumerate() {
        if effort.proof < first {
            (best, first, second) = (index, effort.proof, first);
        } else {
            second = second.min(effort.proof);
        }
        // Clamped below `NEVER`: a large sum is no answer, and must not reach the threshold `ENDLESS`.
        sum = sum.saturating_add(effort.refutation).min(ProofNumbers::NEVER - 1);
    }
    let here = match (first, sum) {
        (0, _) => ProofNumbers::PROVEN,
        (_, 0) => ProofNumbers::REFUTED,
        (proof, refutation) => ProofNumbers { proof, refutation },
    };
    // The 1 + ε trick with ε = 1/4 avoids switching between similar moves (J. Pawlewicz and L. Lew,
    // "Improving depth-first PN-search: 1 + epsilon trick", 2006).
    let patience = second.saturating_add(1 + second / 4);
    let others = here.refutation.saturating_sub(moves.get(best).map_or(0, |effort| effort.refutation));
    let onward = ProofNumbers {
        proof: limit.proof.min(patience),
        refutation: limit.refutation.saturating_sub(others),
    };
    (here, best, onward)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proof_numbers_are_minimum_and_sum() {
        let effort = |(proof, refutation)| ProofNumbers { proof, refutation };
        let table = [
            // moves, what the position takes, by which move
            (&[(3, 1), (2, 5), (7, 1)][..], (2, 7), 1),
            (&[(3, 1), (0, ProofNumbers::NEVER)], (0, ProofNumbers::NEVER), 1),
            (&[(ProofNumbers::NEVER, 0), (ProofNumbers::NEVER, 0)], (ProofNumbers::NEVER, 0), 0),
            (&[(ProofNumbers::NEVER, 0), (4, 9)], (4, 9), 1),
            (&[], (ProofNumbers::NEVER, 0), 0),
        ];
        for (moves, here, best) in table {
            let moves: Vec<ProofNumbers> = moves.iter().copied().map(effort).collect();
            let (found, by, _) = choose(&moves, ProofNumbers::ENDLESS);
            assert_eq!((found, by), (effort(here), best), "{moves:?}");
        }
    }

    #[test]
    fn threshold_allows_a_quarter_beyond_the_second_best() {
        let moves = [ProofNumbers { proof: 2, refutation: 3 }, ProofNumbers { proof: 8, refutation: 4 }];
        let (_, _, onward) = choose(&moves, ProofNumbers { proof: 100, refutation: 20 });
        assert_eq!(onward, ProofNumbers { proof: 11, refutation: 16 });
        let (_, _, onward) = choose(&moves, ProofNumbers { proof: 5, refutation: ProofNumbers::NEVER });
        assert_eq!(onward, ProofNumbers { proof: 5, refutation: ProofNumbers::NEVER - 4 });
    }
}
