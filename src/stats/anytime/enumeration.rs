//! The exact chances of a test that looks at counts, by going through all of them.
//!
//! After n trials there are few counts, though many orders in which they came about: 1,891 after 60 games, some
//! 10,000 after 20 pairs. So each look's chances follow from those of the look before, without simulation and
//! without noise. It is what the guarantees of this folder are checked with, and what shows how far the error of a
//! generalised SPRT, an asymptotic promise, is from its nominal one when there is little data.

use std::collections::BTreeMap;

use crate::stats::{Judgement, Tally};

/// What a test comes to within some trials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chances {
    /// The chance of accepting H0.
    pub accept_h0: f64,
    /// The chance of accepting H1.
    pub accept_h1: f64,
    /// The mean number of trials, those that have not decided by then counted as that many.
    pub trials: f64,
}

/// The chances of a test within `trials` looks, one after every trial, when results follow `law` (worst first,
/// adding up to 1). The test is whatever `judge` makes of the counts.
pub fn chances<const K: usize>(
    law: &[f64; K],
    trials: u32,
    mut judge: impl FnMut(&Tally<K>) -> Judgement,
) -> Chances {
    let mut found = Chances { accept_h0: 0.0, accept_h1: 0.0, trials: 0.0 };
    // In the order of the counts, so that sums are the same to the last bit every time.
    let mut open = BTreeMap::from([([0_u64; K], 1.0)]);
    for _ in 0..trials {
        found.trials += open.values().sum::<f64>();
        let mut next = BTreeMap::new();
        for (counts, chance) in open {
            for (class, p) in law.iter().enumerate().filter(|(_, p)| **p > 0.0) {
                let mut counts = counts;
                counts[class] += 1;
                *next.entry(counts).or_insert(0.0) += chance * p;
            }
        }
        next.retain(|&counts, chance| match judge(&Tally { counts }) {
            Judgement::AcceptH0 => {
                found.accept_h0 += *chance;
                false
            }
            Judgement::AcceptH1 => {
                found.accept_h1 += *chance;
                false
            }
            Judgement::KeepPlaying => true,
        });
        open = next;
    }
    found
}
