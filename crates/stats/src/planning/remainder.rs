//! The expected remainder of a running test.
//!
//! The log-likelihood ratio continues from its present value, which is equivalent to a motion from 0 with
//! shifted bounds. Future pairs are assumed to have the variance of those so far.

use super::operating_point::{OperatingPoint, of_brownian_motion};
use crate::sequential::approximation::LlrSteps;
use crate::{Bounds, Judgement, LlrBasis, Logistic, ResultCounts, Sample, Sprt};

/// The behaviour of `test` from these results on if `truth` is the difference. `None` if it is decided, and
/// if the results have no variance.
pub fn remainder<const K: usize>(
    test: &Sprt,
    results: &ResultCounts<K>,
    truth: Logistic,
) -> Option<OperatingPoint> {
    let (llr, Bounds { lower, upper }) = (test.llr(results)?, test.bounds());
    if test.bounds().judge(llr) != Judgement::Continue || LlrBasis::from_results(results) == LlrBasis::Prior {
        return None;
    }
    let steps = LlrSteps::from_sample(test, &Sample::regularised(results)?)?;
    let (drift, variance) = (steps.drift(truth.score()), steps.variance());
    let ahead = Bounds { lower: lower - llr, upper: upper - llr };
    Some(of_brownian_motion(2.0 * drift / variance, variance / Sample::<K>::GAMES_PER_TRIAL, ahead))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planning::operating_point;
    use crate::planning::operating_point::Openings;
    use crate::{EloModel, Pentanomial, Risks};

    fn test() -> Sprt {
        Sprt::new(EloModel::Logistic, 0.0, 10.0, Risks::USUAL).expect("a sound test")
    }

    #[test]
    fn remainder_at_llr_zero_is_the_whole_test() {
        // A mean score between those of 0 and 10 Elo, so that the ratio is nearly 0.
        let results = Pentanomial { counts: [125, 425, 880, 475, 128] };
        let llr = test().llr(&results).expect("there are pairs");
        let shown = Logistic::of_score(Sample::raw(&results).expect("there are pairs").mean());
        assert!(llr.abs() < 0.2, "{llr}");
        let variance = Sample::raw(&results).expect("there are pairs").variance_per_game();
        let openings = Openings { draw_ratio: 1.0 - 4.0 * variance, bias: Logistic(0.0) };
        let whole = operating_point(&test(), openings, shown).expect("there are such games");
        let left = remainder(&test(), &results, shown).expect("it is not decided");
        assert!((left.games / whole.games - 1.0).abs() < 0.02, "{left:?} {whole:?}");
        assert!((left.pass - whole.pass).abs() < 0.1, "{left:?} {whole:?}");
    }

    #[test]
    fn remainder_is_short_near_a_bound() {
        let table = [
            // LL … WW, is there a remainder?
            ([120, 420, 880, 480, 135], true),
            ([120, 420, 880, 700, 400], false), // decided
            ([0, 0, 3, 0, 0], false),           // no spread
            ([0, 0, 0, 0, 0], false),
        ];
        for (counts, left) in table {
            let found = remainder(&test(), &Pentanomial { counts }, Logistic(8.0));
            assert_eq!(found.is_some(), left, "{counts:?}");
        }
        let games =
            |counts| remainder(&test(), &Pentanomial { counts }, Logistic(8.0)).expect("not decided").games;
        assert!(games([120, 420, 880, 480, 135]) < games([125, 425, 880, 475, 128]));
    }
}
