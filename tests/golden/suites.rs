//! Rates, paired cases, multiple tests, homogeneity of pairs, and calibration curves.

use std::collections::BTreeMap;

use threefold_stats::ResultCounts;
use threefold_stats::homogeneity::{Homogeneity, PairOutcomes};
use threefold_stats::interval::{Interval, Rate};
use threefold_stats::isotonic::{Band, Isotonic, Measurements};
use threefold_stats::multiplicity::Correction;
use threefold_stats::paired::Discordant;

use crate::case::{Found, Input};

pub(crate) fn proportion_ci(input: &Input) -> Found {
    let successes = input.count("successes");
    let rate = Rate { successes, failures: input.count("trials") - successes };
    let alpha = input.number("alpha");
    Found::from([
        ("wilson", ends(rate.wilson(alpha)).into()),
        ("clopper_pearson", ends(rate.clopper_pearson(alpha)).into()),
        ("jeffreys_equal_tail", ends(rate.jeffreys(alpha)).into()),
    ])
}

pub(crate) fn mcnemar(input: &Input) -> Found {
    let differing = Discordant { only_a: input.count("only_a"), only_b: input.count("only_b") };
    Found::from([
        ("p_exact", differing.exact().into()),
        ("p_mid", differing.mid_p().into()),
        ("p_chi2_corrected", differing.chi_square().into()),
        ("share_a_ci95", ends(differing.share_of_a()).into()),
    ])
}

pub(crate) fn multiplicity(input: &Input) -> Found {
    let (p, alpha): (Vec<f64>, f64) = (input.read("p"), input.number("alpha"));
    let table = [
        (Correction::Holm, "holm_adjusted", "holm_reject"),
        (Correction::Hochberg, "hochberg_adjusted", "hochberg_reject"),
        (Correction::Bonferroni, "bonferroni_adjusted", "bonferroni_reject"),
        (Correction::BenjaminiHochberg, "bh_adjusted", "bh_reject"),
        (Correction::BenjaminiYekutieli, "by_adjusted", "by_reject"),
    ];
    let mut found = Found::new();
    for (correction, adjusted_field, reject_field) in table {
        let adjusted = correction.adjust(&p);
        let rejected: Vec<bool> = adjusted.iter().map(|&p| p <= alpha).collect();
        found.extend([(adjusted_field, adjusted.into()), (reject_field, rejected.into())]);
    }
    found
}

pub(crate) fn isotonic_fit(input: &Input) -> Found {
    let [values, errors]: [Vec<f64>; 2] = ["y", "se"].map(|field| input.read(field));
    let measured = Measurements::independent(&values, &errors).expect("errors are positive");
    let band = Band::with_error(&measured, input.number("alpha"));
    Found::from([
        ("fit", Isotonic::fit(&measured).values().into()),
        ("band_low", band.low.into()),
        ("band_high", band.high.into()),
        ("z", band.quantile.into()),
    ])
}

/// With fewer than two workers, fishtest's values are NaN.
pub(crate) fn worker_chi2(input: &Input) -> Found {
    let workers: BTreeMap<String, [u64; 5]> = input.read("workers");
    let groups: Vec<_> =
        workers.values().map(|&counts| PairOutcomes::from(ResultCounts { counts })).collect();
    let tested = Homogeneity::test(&groups);
    let number = |figure: fn(&Homogeneity) -> f64| tested.as_ref().map_or(f64::NAN, figure).into();
    let residuals = tested.iter().flat_map(|tested| workers.keys().cloned().zip(&tested.residuals));
    let residuals: BTreeMap<String, f64> =
        residuals.filter_map(|(name, residual)| Some((name, (*residual)?))).collect();
    Found::from([
        ("chi2", number(|tested| tested.statistic)),
        ("dof", f64::from(tested.as_ref().map_or(0, |tested| tested.degrees_of_freedom)).into()),
        ("p", number(|tested| tested.p)),
        ("residual", residuals.into()),
        ("z_95", number(|tested| tested.notable)),
        ("z_99", number(|tested| tested.alarming)),
    ])
}

fn ends(interval: Interval) -> [f64; 2] {
    [interval.low, interval.high]
}
