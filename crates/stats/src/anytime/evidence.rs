//! E-values: the factor by which a bet against a hypothesis has multiplied its stake.
//!
//! Under the hypothesis the expectation of an e-value is at most 1, so the probability of 20 or more is at
//! most 1/20 (Markov). E-values can be averaged always, and multiplied when each is independent of the others
//! or was computed after them. Sources: Vovk and Wang, "E-values: calibration, combination and applications"
//! (2021); Wang and Ramdas, "False discovery rate control with e-values" (2022).

use std::fmt;

/// An e-value, stored as its natural logarithm, because evidence grows exponentially with the number of
/// games.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct EValue {
    log: f64,
}

impl EValue {
    /// No evidence.
    pub const ONE: Self = Self { log: 0.0 };

    /// From its natural logarithm.
    pub const fn from_log(log: f64) -> Self {
        Self { log }
    }

    /// From the value itself, at least 0.
    pub fn new(value: f64) -> Self {
        Self { log: value.ln() }
    }

    /// Its natural logarithm.
    pub const fn log(self) -> f64 {
        self.log
    }

    /// The value; infinite beyond what an `f64` holds.
    pub fn value(self) -> f64 {
        self.log.exp()
    }

    /// Whether it rejects its hypothesis at level `alpha`: at least 1/`alpha` (20 at 0.05).
    pub fn rejects(self, alpha: f64) -> bool {
        self.log >= -alpha.ln()
    }

    /// The p-value 1/e, at most 1. For the largest e-value over time it is anytime-valid.
    pub fn p_value(self) -> f64 {
        (-self.log).exp().min(1.0)
    }

    /// The mean: combined evidence against one hypothesis, under any dependence of the e-values.
    /// [`EValue::ONE`] for an empty slice.
    pub fn average(values: &[Self]) -> Self {
        if values.is_empty() { Self::ONE } else { Self { log: log_mean_exp(values.iter().map(|e| e.log)) } }
    }

    /// The product: combined evidence of independent runs, or of runs that were started one after another.
    /// [`EValue::ONE`] for an empty slice.
    pub fn product(values: &[Self]) -> Self {
        Self { log: values.iter().map(|e| e.log).sum() }
    }
}

/// Printed with few digits and rounded down, so that evidence is never overstated: `0.04`, `3.1`, `612`,
/// `1.9e9`.
impl fmt::Display for EValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Tolerance for rounding of the logarithm: 20 must not print as 19.9.
        const SLACK: f64 = 1e-9;
        let decimal = self.log / std::f64::consts::LN_10 + SLACK;
        let exponent = decimal.floor();
        // The value may exceed the range of an `f64`.
        let down = |scale: f64| (10_f64.powf(decimal) * scale).floor() / scale;
        match decimal {
            ..-2.0 => f.write_str("less than 0.01"),
            ..0.0 => write!(f, "{:.2}", down(100.0)),
            ..2.0 => write!(f, "{:.1}", down(10.0)),
            ..6.0 => write!(f, "{:.0}", down(1.0)),
            f64::INFINITY => f.write_str("infinite"),
            _ => write!(f, "{:.1}e{exponent}", (10_f64.powf(decimal - exponent) * 10.0).floor() / 10.0),
        }
    }
}

/// The e-BH procedure: the hypotheses that can be rejected together, in the given order. The expected false
/// discovery rate is at most `alpha`, under any dependence and any stopping rule.
pub fn discoveries(values: &[EValue], alpha: f64) -> Vec<bool> {
    // NaN counts as no evidence.
    let log = |test: usize| if values[test].log.is_nan() { f64::NEG_INFINITY } else { values[test].log };
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| log(b).total_cmp(&log(a)));
    let enough = |rank: usize| (values.len() as f64 / ((rank + 1) as f64 * alpha)).ln();
    let rejected =
        (0..order.len()).rev().find(|&rank| log(order[rank]) >= enough(rank)).map_or(0, |rank| rank + 1);
    let mut verdicts = vec![false; values.len()];
    order[..rejected].iter().for_each(|&test| verdicts[test] = true);
    verdicts
}

/// The logarithm of the mean of exponentials, computed without overflow. The iterator must not be empty.
pub(super) fn log_mean_exp(logs: impl Iterator<Item = f64> + Clone) -> f64 {
    let greatest = logs.clone().fold(f64::NEG_INFINITY, f64::max);
    // The differences below would be ∞ - ∞.
    if greatest.is_infinite() {
        return greatest;
    }
    let (sum, count) = logs.fold((0.0, 0_u32), |(sum, count), log| (sum + (log - greatest).exp(), count + 1));
    greatest + (sum / f64::from(count)).ln()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn e_values_are_merged_arithmetically() {
        let values = [8.0, 0.5, 2.0].map(EValue::new);
        assert!((EValue::average(&values).value() - 3.5).abs() < 1e-14);
        assert!((EValue::product(&values).value() - 8.0).abs() < 1e-14);
        assert_eq!((EValue::average(&[]), EValue::product(&[])), (EValue::ONE, EValue::ONE));
        let vast = [EValue::from_log(4000.0), EValue::new(0.0)];
        assert!((EValue::average(&vast).log() - (4000.0 - 2_f64.ln())).abs() < 1e-12);
        assert_eq!(EValue::average(&[EValue::new(0.0)]).value().to_bits(), 0);
    }

    #[test]
    fn e_value_of_twenty_rejects_at_five_percent() {
        let table = [(20.0, true, 0.05), (19.99, false, 0.0500), (1.0, false, 1.0), (0.0, false, 1.0)];
        for (value, rejects, p) in table {
            let e = EValue::new(value);
            assert_eq!(e.rejects(0.05), rejects, "{value}");
            assert!((e.p_value() - p).abs() < 1e-4, "{value}");
        }
    }

    #[test]
    fn e_values_print_with_few_digits() {
        let table = [
            (EValue::new(0.0), "less than 0.01"),
            (EValue::new(0.0421), "0.04"),
            (EValue::ONE, "1.0"),
            (EValue::new(3.12), "3.1"),
            (EValue::new(19.999), "19.9"),
            (EValue::new(20.0), "20.0"),
            (EValue::new(612.7), "612"),
            (EValue::from_log(1000.0), "1.9e434"),
            (EValue::from_log(f64::INFINITY), "infinite"),
        ];
        for (e, expected) in table {
            assert_eq!(e.to_string(), expected);
        }
    }

    #[test]
    fn discoveries_by_hand() {
        let table: [(&[f64], &[bool]); 5] = [
            (&[], &[]),
            (&[20.0], &[true]),
            (&[20.0, 20.0], &[true, true]), // each alone would need 40
            (&[39.0, 1.0], &[false, false]),
            (&[f64::NAN, f64::INFINITY, 41.0], &[false, true, true]),
        ];
        for (values, expected) in table {
            let values: Vec<EValue> = values.iter().copied().map(EValue::new).collect();
            assert_eq!(discoveries(&values, 0.05), expected, "{values:?}");
        }
    }

    proptest! {
        #[test]
        fn discoveries_are_monotone_in_evidence(
            logs in prop::collection::vec(-3.0..9.0_f64, 1..40), index in any::<prop::sample::Index>(), more in 0.0..5.0_f64,
        ) {
            let values: Vec<EValue> = logs.into_iter().map(EValue::from_log).collect();
            let mut stronger = values.clone();
            let raised = &mut stronger[index.index(values.len())];
            *raised = EValue::from_log(raised.log() + more);
            for (before, after) in discoveries(&values, 0.05).into_iter().zip(discoveries(&stronger, 0.05)) {
                prop_assert!(before <= after, "{values:?} {stronger:?}");
            }
        }
    }
}
