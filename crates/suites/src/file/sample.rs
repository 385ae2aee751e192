//! Suites with fewer cases of each class.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use super::Suite;

impl Suite {
    /// Keeps this number of cases of each class, evenly spread, or all.
    pub fn sample_per_class(&mut self, per_class: NonZeroUsize) {
        let classes: Vec<&str> = self.definitions.iter().map(|it| it.info.class.as_str()).collect();
        let mut kept = sampled_per_class(&classes, per_class).into_iter();
        self.definitions.retain(|_| kept.next() == Some(true));
    }
}

/// Which cases of a suite are asked if each class has this number of them, evenly spread, or all; from the classes of the cases,
/// in their order. Half of an even number keeps every second one of the cases that the whole number keeps.
pub fn sampled_per_class(classes: &[&str], per_class: NonZeroUsize) -> Vec<bool> {
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    for class in classes {
        *sizes.entry(class).or_default() += 1;
    }
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let is_sampled = |&class| {
        let (size, kept) = (sizes[class], per_class.get());
        let number = seen.entry(class).or_default();
        *number += 1;
        // The first of every `size / kept`: where the whole part of `number * kept / size` increases.
        size <= kept || (*number - 1) * kept % size < kept
    };
    classes.iter().map(is_sampled).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(classes: &[&str], per_class: usize) -> Vec<usize> {
        let sampled = sampled_per_class(classes, NonZeroUsize::new(per_class).expect("from 1"));
        sampled.iter().enumerate().filter(|(_, is)| **is).map(|(number, _)| number).collect()
    }

    #[test]
    fn half_of_an_even_number_keeps_every_second_of_its_cases() {
        for size in 1..100 {
            let classes: Vec<&str> = (0..2 * size).map(|number| ["odd", "even"][number % 2]).collect();
            for half in 1..size.div_ceil(2) {
                let whole = sampled(&classes, 2 * half);
                // Of each class, every second one.
                let mut kept: Vec<usize> = Vec::new();
                for class in ["odd", "even"] {
                    let of_class = whole.iter().filter(|&&number| classes[number] == class);
                    kept.extend(of_class.step_by(2));
                }
                kept.sort_unstable();
                assert_eq!(sampled(&classes, half), kept, "{half} of {size}");
            }
        }
    }
}
