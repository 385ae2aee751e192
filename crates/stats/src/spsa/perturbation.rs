//! The random choices of an iteration: the direction in which each parameter is moved, and its rounding.
//!
//! They follow from the seed and the number of the iteration, so a run need not store them.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The direction in which the first side is moved; the second one is moved in the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flip {
    /// Towards larger values.
    Up,
    /// Towards smaller values.
    Down,
}

impl Flip {
    /// 1 or -1.
    pub const fn sign(self) -> f64 {
        match self {
            Self::Up => 1.0,
            Self::Down => -1.0,
        }
    }
}

/// The random choices for a parameter in an iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Perturbation {
    /// The direction.
    pub flip: Flip,
    /// A draw from 0 to below 1, by which both sides of a whole number are rounded.
    pub rounding: f64,
}

/// The choices of an iteration, from 0, for this number of parameters.
///
/// Each iteration has its own stream of the seed, and each parameter its place in it, so another parameter at
/// the end changes no draw of the others.
///
/// ```
/// use threefold_stats::spsa::perturbations;
///
/// let first = perturbations(7, 0, 3);
/// assert_eq!(first, perturbations(7, 0, 4)[..3]);
/// assert_ne!(first, perturbations(7, 1, 3));
/// ```
pub fn perturbations(seed: u64, iteration: u64, parameters: usize) -> Vec<Perturbation> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(iteration);
    let mut draw = || random.next_u32();
    (0..parameters)
        .map(|_| Perturbation {
            flip: if draw() & 1 == 0 { Flip::Up } else { Flip::Down },
            // Drawn for every parameter, so that its kind changes no draw of the others.
            rounding: f64::from(draw()) / (f64::from(u32::MAX) + 1.0),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flips_are_fair_and_independent_and_roundings_uniform() {
        let all: Vec<Vec<Perturbation>> =
            (0..4_000).map(|iteration| perturbations(3, iteration, 2)).collect();
        let mean = |of: &dyn Fn(&[Perturbation]) -> f64| {
            all.iter().map(|drawn| of(drawn)).sum::<f64>() / all.len() as f64
        };
        // Four standard deviations of a mean of 4,000 signs are 0.063.
        let sign = |place: usize| move |drawn: &[Perturbation]| drawn[place].flip.sign();
        let means = [mean(&sign(0)), mean(&sign(1)), mean(&|drawn| sign(0)(drawn) * sign(1)(drawn))];
        assert!(means.iter().all(|mean| mean.abs() < 0.063), "{means:?}");
        let rounding = mean(&|drawn| drawn[0].rounding);
        assert!((rounding - 0.5).abs() < 0.02, "{rounding}");
        let with_flip = mean(&|drawn| drawn[0].flip.sign() * (drawn[0].rounding - 0.5));
        assert!(with_flip.abs() < 0.02, "{with_flip}");
        assert!(all.iter().flatten().all(|drawn| (0.0..1.0).contains(&drawn.rounding)));
        assert_ne!(perturbations(3, 0, 16), perturbations(4, 0, 16));
    }
}
