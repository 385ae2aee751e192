//! Multiple testing: adjusted p-values.
//!
//! Each method adjusts p-values, in the order given; reject where the adjusted value is at most alpha. Holm
//! controls the family-wise error rate and is suited for a gate; Benjamini and Hochberg control the false
//! discovery rate and are suited for a report.

use threefold_named_enum::named_enum;

named_enum! {
    /// The adjustment of p-values for their number.
    pub enum Correction {
        /// Family-wise error, any dependence, by multiplying with the number of tests.
        Bonferroni = "bonferroni",
        /// Family-wise error, any dependence, never weaker than Bonferroni.
        Holm = "holm",
        /// Family-wise error, independent tests.
        Hochberg = "hochberg",
        /// False discovery rate, independent tests.
        BenjaminiHochberg = "benjamini-hochberg",
        /// False discovery rate, any dependence.
        BenjaminiYekutieli = "benjamini-yekutieli",
    }
}

impl Correction {
    /// Adjusted p-values, in the order of `p`. A NaN counts as 1.
    pub fn adjust(self, p: &[f64]) -> Vec<f64> {
        let count = p.len() as f64;
        let p: Vec<f64> = p.iter().map(|&p| if p.is_nan() { 1.0 } else { p }).collect();
        let mut order: Vec<usize> = (0..p.len()).collect();
        order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
        // By this factor the bound of Benjamini and Hochberg holds under any dependence.
        let harmonic: f64 = (1..=p.len()).map(|rank| 1.0 / rank as f64).sum();
        let factor = |rank: usize| match self {
            Self::Bonferroni => count,
            Self::Holm | Self::Hochberg => count - rank as f64,
            Self::BenjaminiHochberg => count / (rank + 1) as f64,
            Self::BenjaminiYekutieli => count / (rank + 1) as f64 * harmonic,
        };
        let mut adjusted: Vec<f64> =
            order.iter().enumerate().map(|(rank, &test)| (p[test] * factor(rank)).min(1.0)).collect();
        match self {
            Self::Bonferroni => {}
            // Step-down: stops at the first test that is not rejected.
            Self::Holm => {
                for rank in 1..adjusted.len() {
                    adjusted[rank] = adjusted[rank].max(adjusted[rank - 1]);
                }
            }
            // Step-up: starts at the largest p-value; a rejection includes all smaller ones.
            Self::Hochberg | Self::BenjaminiHochberg | Self::BenjaminiYekutieli => {
                for rank in (1..adjusted.len()).rev() {
                    adjusted[rank - 1] = adjusted[rank - 1].min(adjusted[rank]);
                }
            }
        }
        let mut in_order = vec![0.0; adjusted.len()];
        order.into_iter().zip(adjusted).for_each(|(test, value)| in_order[test] = value);
        in_order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjusted_p_values_of_three_tests_by_hand() {
        let p = [0.04, 0.01, 0.03];
        let table = [
            (Correction::Bonferroni, [0.12, 0.03, 0.09]),
            (Correction::Holm, [0.06, 0.03, 0.06]),
            (Correction::Hochberg, [0.04, 0.03, 0.04]),
            (Correction::BenjaminiHochberg, [0.04, 0.03, 0.04]),
        ];
        for (correction, expected) in table {
            for (given, expected) in correction.adjust(&p).into_iter().zip(expected) {
                assert!((given - expected).abs() < 1e-15, "{correction}: {given} for {expected}");
            }
        }
        for &correction in Correction::ALL {
            assert!(correction.adjust(&[]).is_empty(), "{correction}");
            assert_eq!(correction.adjust(&[f64::NAN]), [1.0], "{correction}");
        }
    }
}
