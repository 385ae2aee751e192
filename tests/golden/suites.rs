//! Rates, paired cases and many tests at once.

use threefold::stats::interval::{Interval, Rate};
use threefold::stats::multiplicity::Correction;
use threefold::stats::paired::Discordant;

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

fn ends(interval: Interval) -> [f64; 2] {
    [interval.low, interval.high]
}
