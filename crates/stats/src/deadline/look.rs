//! What a test with a deadline shows at one moment: its score between its bounds.

use super::deadline_test::DeadlineBounds;
use super::standard_score::standard_score;
use crate::pentanomial::{LEAST_UNEQUAL_PAIRS, Pentanomial};
use crate::sample::Sample;
use crate::{Bounds, EloHypotheses, Judgement, Risks, Sprt};

/// The state of a test after some pairs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeadlineLook {
    /// The standard scores of the pairs against H0 and against H1.
    scores: [f64; 2],
    share: f64,
    has_unequal_pairs: bool,
    risks: Risks,
}

impl DeadlineLook {
    /// After these pairs, with `share` of the games or of the time used: above 0, at most 1. `None` without a
    /// pair.
    pub fn new(hypotheses: &EloHypotheses, pairs: &Pentanomial, share: f64) -> Option<Self> {
        let sample = Sample::regularised(pairs)?;
        let fixed = Sprt::from(*hypotheses).fixed_parameters(&sample)?;
        let [against_h0, against_h1] = fixed.map(|hypothesis| standard_score(&sample, hypothesis));
        Some(Self {
            scores: [against_h0?, against_h1?],
            share,
            has_unequal_pairs: pairs.unequal() >= LEAST_UNEQUAL_PAIRS,
            risks: hypotheses.risks(),
        })
    }

    /// The standard score against H0, as if the test had ended.
    pub const fn score(&self) -> f64 {
        self.scores[0]
    }

    /// The score: the standard score against H0 times the root of the share, Lan and Wittes's B-value.
    pub fn value(&self) -> f64 {
        self.scores[0] * self.share.sqrt()
    }

    /// The share of the games or of the time that is used.
    pub const fn share(&self) -> f64 {
        self.share
    }

    /// The bounds at any time, by the variance of the pairs so far.
    pub fn course(&self) -> DeadlineBounds {
        let [against_h0, against_h1] = self.scores;
        let separation = if against_h1 < against_h0 {
            (against_h0 - against_h1) / self.share.sqrt()
        } else {
            DeadlineBounds::decisive(self.risks)
        };
        DeadlineBounds::new(self.risks, separation)
    }

    /// The bounds now.
    pub fn bounds(&self) -> Bounds {
        self.course().at(self.share)
    }

    /// Whether enough pairs are not level.
    pub const fn has_unequal_pairs(&self) -> bool {
        self.has_unequal_pairs
    }

    /// The decision now.
    pub fn judgement(&self) -> Judgement {
        if self.has_unequal_pairs { self.bounds().judge(self.value()) } else { Judgement::Continue }
    }
}
