//! Isotonic regression: the closest non-decreasing values in weighted least squares.
//!
//! Pool adjacent violators: neighbours out of order are replaced by their weighted mean until all means
//! increase. The data does not order the levels within a block.

use std::ops::Range;

use super::measurements::Measurements;

/// A range of levels with one fitted value.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// The levels, from 0.
    pub levels: Range<usize>,
    /// Their weighted mean, higher than that of the block before.
    pub mean: f64,
    /// The sum of their weights.
    pub weight: f64,
}

/// A monotone fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Isotonic {
    blocks: Vec<Block>,
}

impl Isotonic {
    /// Fits non-decreasing values.
    pub fn fit(measured: &Measurements) -> Self {
        Self::pool_adjacent(measured.values(), measured.weights())
    }

    /// Pools adjacent violators: a value below the one before is averaged with it.
    fn pool_adjacent(values: &[f64], weights: &[f64]) -> Self {
        let mut blocks: Vec<Block> = Vec::with_capacity(values.len());
        for (level, (&value, &weight)) in values.iter().zip(weights).enumerate() {
            let mut block = Block { levels: level..level + 1, mean: value, weight };
            // Equal means are pooled, too: a curve through the blocks needs a strict increase.
            while let Some(before) = blocks.pop_if(|before| before.mean >= block.mean) {
                let weight = before.weight + block.weight;
                let share = block.weight / weight;
                block = Block {
                    levels: before.levels.start..block.levels.end,
                    mean: before.mean + share * (block.mean - before.mean),
                    weight,
                };
            }
            blocks.push(block);
        }
        Self { blocks }
    }

    /// The blocks, lowest first; each level is in one.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The fitted value at each level.
    pub fn values(&self) -> Vec<f64> {
        self.blocks.iter().flat_map(|block| std::iter::repeat_n(block.mean, block.levels.len())).collect()
    }

    /// Ranges of levels that the data does not order.
    pub fn indistinguishable(&self) -> impl Iterator<Item = Range<usize>> {
        self.blocks.iter().filter(|block| block.levels.len() > 1).map(|block| block.levels.clone())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn isotonic_fit_pools_neighbours_out_of_order() {
        let table: [(&[f64], &[f64], &[f64]); 5] = [
            (&[1.0, 2.0, 3.0], &[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]),
            (&[3.0, 2.0, 1.0], &[1.0, 1.0, 1.0], &[2.0, 2.0, 2.0]),
            (&[1.0, 3.0, 0.0], &[1.0, 1.0, 2.0], &[1.0, 1.0, 1.0]),
            (&[1.0, 3.0, 2.0, 4.0], &[1.0, 3.0, 1.0, 1.0], &[1.0, 2.75, 2.75, 4.0]),
            (&[5.0, 5.0], &[1.0, 1.0], &[5.0, 5.0]),
        ];
        for (values, weights, expected) in table {
            assert_eq!(Isotonic::pool_adjacent(values, weights).values(), expected);
        }
        let mixed = Isotonic::pool_adjacent(&[1.0, 3.0, 2.0, 4.0, 4.0], &[1.0, 3.0, 1.0, 1.0, 1.0]);
        assert_eq!(mixed.indistinguishable().collect::<Vec<_>>(), [1..3, 3..5]);
    }

    fn measured() -> impl Strategy<Value = Vec<(f64, f64)>> {
        prop::collection::vec((-1000.0..1000.0_f64, 0.01..100.0_f64), 1..30)
    }

    proptest! {
        #[test]
        fn isotonic_fit_is_monotone_and_idempotent(measured in measured(), scale in 0.001..1000.0_f64) {
            let (values, weights): (Vec<f64>, Vec<f64>) = measured.into_iter().unzip();
            let fit = Isotonic::pool_adjacent(&values, &weights);
            let fitted = fit.values();
            prop_assert!(fitted.is_sorted());
            prop_assert_eq!(fitted.len(), values.len());
            let again = Isotonic::pool_adjacent(&fitted, &weights).values();
            prop_assert!(fitted.iter().zip(&again).all(|(one, two)| (one - two).abs() < 1e-9));
            let scaled: Vec<f64> = weights.iter().map(|weight| weight * scale).collect();
            let rescaled = Isotonic::pool_adjacent(&values, &scaled).values();
            prop_assert!(fitted.iter().zip(&rescaled).all(|(one, two)| (one - two).abs() < 1e-9));
        }

        /// The minimax formula of isotonic regression.
        #[test]
        fn isotonic_fit_satisfies_the_minimax_formula(measured in measured()) {
            let (values, weights): (Vec<f64>, Vec<f64>) = measured.into_iter().unzip();
            let mean = |stretch: Range<usize>| {
                let weight: f64 = weights[stretch.clone()].iter().sum();
                stretch.map(|level| values[level] * weights[level]).sum::<f64>() / weight
            };
            for (level, fitted) in Isotonic::pool_adjacent(&values, &weights).values().into_iter().enumerate() {
                let least = |first: usize| {
                    (level..values.len()).map(|last| mean(first..last + 1)).fold(f64::INFINITY, f64::min)
                };
                let expected = (0..=level).map(least).fold(f64::NEG_INFINITY, f64::max);
                prop_assert!((fitted - expected).abs() < 1e-9, "{level}: {fitted} for {expected}");
            }
        }
    }
}
