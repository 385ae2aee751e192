//! Properties of the log-likelihood ratio for arbitrary results.
//!
//! Why they hold: let K(s) be the least divergence of the data from a distribution of mean s, so that LLR = N
//! (K(s0) - K(s1)). With the multipliers x of the two maximum-likelihood distributions, one more trial of
//! score a adds, to first order, g(a) = ln (1 + x0 (a - s0)) / (1 + x1 (a - s1)). The sign of g' is that of
//! x0 - x1 - x0 x1 (s1 - s0) for every a, and since s - 1/x decreases in s (Jensen) it is positive: a better
//! result is always more evidence for H1. Since the probability of the best score increases with the mean,
//! g(1) is positive and g(0) negative. That is the logistic model. Under the normalized model a win may also
//! increase the variance and may then count against the winner; BayesElo moves its hypotheses with the draw
//! rate. All three are antisymmetric in the players.

use proptest::prelude::*;

use super::{EloModel, Risks, Sprt};
use crate::pentanomial::{Pentanomial, ResultCounts, Trinomial};

fn test(model: EloModel, elo0: f64, elo1: f64) -> Sprt {
    Sprt::new(model, elo0, elo1, Risks::USUAL).expect("a sound test")
}

fn model() -> impl Strategy<Value = EloModel> {
    prop::sample::select(EloModel::ALL)
}

/// Counts on every scale, many of them zero.
pub(super) fn any_counts<const K: usize>() -> impl Strategy<Value = ResultCounts<K>> {
    let count = prop_oneof![Just(0), 0..5_u64, 0..1000_u64, 0..=1_000_000_000_u64];
    prop::array::uniform(count).prop_map(|counts| ResultCounts { counts })
}

fn close(a: f64, b: f64, scale: f64) -> bool {
    (a - b).abs() <= 1e-9 * (a.abs() + b.abs()) + 1e-13 * scale + 1e-9
}

/// A number, unless there is no trial or the model does not support pairs.
fn is_total<const K: usize>(test: &Sprt, results: &ResultCounts<K>) -> Result<(), TestCaseError> {
    let expected = results.trials() > 0 && (K == 3 || test.model() != EloModel::BayesElo);
    let llr = test.llr(results);
    prop_assert_eq!(llr.is_some(), expected, "{:?}", results);
    prop_assert!(llr.is_none_or(f64::is_finite), "{llr:?} of {results:?}");
    Ok(())
}

fn is_even<const K: usize>(
    model: EloModel,
    elo0: f64,
    elo1: f64,
    results: &ResultCounts<K>,
) -> Result<(), TestCaseError> {
    let ours = test(model, elo0, elo1).llr(results);
    let theirs = test(model, -elo1, -elo0).llr(&results.reversed());
    if let (Some(ours), Some(theirs)) = (ours, theirs) {
        prop_assert!(close(ours, -theirs, results.trials() as f64), "{ours} and {theirs}");
    }
    Ok(())
}

fn grows_with_the_data<const K: usize>(
    test: &Sprt,
    results: &ResultCounts<K>,
    factor: u64,
) -> Result<(), TestCaseError> {
    let more = ResultCounts { counts: results.counts.map(|count| count * factor) };
    if let (Some(once), Some(often)) = (test.llr(results), test.llr(&more)) {
        prop_assert!(close(often, once * factor as f64, more.trials() as f64), "{once} and {often}");
    }
    Ok(())
}

/// Just past the point where one of two local maxima vanishes; the search once gave up here.
#[test]
fn max_likelihood_search_terminates_near_a_vanished_maximum() {
    let test = test(EloModel::Normalized, -204.019_312_851_147_5, -203.352_894_578_959_9);
    let llr = test.llr(&Pentanomial { counts: [0, 30, 47, 34, 37] }).expect("there are pairs");
    assert!((llr - 0.344_098).abs() < 1e-5, "{llr}");
}

/// A win that increases the variance more than the mean is evidence against the winner.
#[test]
fn win_may_lower_the_normalized_llr() {
    let (steady, erratic) =
        (Pentanomial { counts: [1, 1, 660, 340, 1] }, Pentanomial { counts: [1, 1, 660, 340, 2] });
    let [normalized, logistic] =
        [EloModel::Normalized, EloModel::Logistic].map(|model| test(model, 150.0, 200.0));
    assert!(normalized.llr(&erratic) < normalized.llr(&steady));
    assert!(logistic.llr(&erratic) > logistic.llr(&steady));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn llr_is_finite_for_every_sample(
        pairs in any_counts::<5>(), games in any_counts::<3>(), model in model(), elo0 in -225.0..125.0, width in 0.001..100.0,
    ) {
        let test = test(model, elo0, elo0 + width);
        is_total(&test, &pairs)?;
        is_total(&test, &games)?;
    }

    #[test]
    fn llr_is_antisymmetric_in_the_players(
        pairs in any_counts::<5>(), games in any_counts::<3>(), model in model(), elo0 in -50.0..50.0, width in 0.1..50.0,
    ) {
        is_even(model, elo0, elo0 + width, &pairs)?;
        is_even(model, elo0, elo0 + width, &games)?;
    }

    /// Exact if no class is empty; the regularisation of an empty one does not grow.
    #[test]
    fn llr_scales_with_the_data(
        pairs in prop::array::uniform5(1..1000_u64), games in prop::array::uniform3(1..1000_u64), factor in 1..10_000_u64, model in model(),
    ) {
        let test = test(model, 0.0, 5.0);
        grows_with_the_data(&test, &Pentanomial { counts: pairs }, factor)?;
        grows_with_the_data(&test, &Trinomial { counts: games }, factor)?;
    }

    /// For any score of the pair and any other results.
    #[test]
    fn llr_increases_with_a_better_pair(
        counts in prop::array::uniform5(2..5000_u64), class in 0..4_usize, elo0 in -100.0..100.0, width in 0.5..100.0,
    ) {
        let now = Pentanomial { counts };
        let mut better = now;
        better.counts[class] -= 1;
        better.counts[class + 1] += 1;
        let test = test(EloModel::Logistic, elo0, elo0 + width);
        prop_assert!(test.llr(&better) > test.llr(&now), "{now:?}");
    }

    #[test]
    fn llr_increases_with_a_best_and_decreases_with_a_worst_result(
        counts in prop::array::uniform5(1..5000_u64), elo0 in -100.0..100.0, width in 0.5..100.0,
    ) {
        let (mut won, mut lost) = (Pentanomial { counts }, Pentanomial { counts });
        won.counts[4] += 1;
        lost.counts[0] += 1;
        let test = test(EloModel::Logistic, elo0, elo0 + width);
        let [worse, now, better] = [lost, Pentanomial { counts }, won].map(|pairs| test.llr(&pairs));
        prop_assert!(worse < now && now < better, "{worse:?} {now:?} {better:?}");
    }
}
