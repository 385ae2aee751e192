//! The call stacks of samples, as `perf script -F ip,sym` prints them: one line for each frame, the innermost
//! first, and an empty line after each sample.

use std::collections::BTreeMap;

/// Call stacks with their numbers of samples; the outermost function is the first of a stack.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Stacks(BTreeMap<Vec<String>, u64>);

impl Stacks {
    /// Reads the output of `perf script`. A frame without a symbol is `[unknown]`; several in a row are one.
    pub(super) fn read(text: &str) -> Self {
        let mut stacks = Self::default();
        let mut frames: Vec<String> = Vec::new();
        // The output may end without the empty line that ends its last sample.
        for line in text.lines().chain([""]) {
            let Some((_, symbol)) = line.trim_start().split_once(' ') else {
                stacks.add(std::mem::take(&mut frames));
                continue;
            };
            let name = function_name(symbol.trim());
            if frames.last().is_none_or(|last| *last != name || name != UNKNOWN) {
                frames.push(name);
            }
        }
        stacks
    }

    fn add(&mut self, mut innermost_first: Vec<String>) {
        if !innermost_first.is_empty() {
            innermost_first.reverse();
            *self.0.entry(innermost_first).or_default() += 1;
        }
    }

    /// Is there no sample?
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The share of the samples in functions that are not known.
    pub(super) fn unknown(&self) -> f64 {
        let unknown = self.0.iter().filter(|(stack, _)| stack.last().is_some_and(|last| last == UNKNOWN));
        let unknown: u64 = unknown.map(|(_, samples)| samples).sum();
        unknown as f64 / self.0.values().sum::<u64>().max(1) as f64
    }

    /// Each stack with its number of samples.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[String], u64)> {
        self.0.iter().map(|(stack, samples)| (stack.as_slice(), *samples))
    }
}

/// A frame whose function is not known.
const UNKNOWN: &str = "[unknown]";

/// The name of a function without what differs from build to build: the number of a clone
/// (`search.constprop.0`) and the hash of a Rust symbol (`search::h0123456789abcdef`).
fn function_name(symbol: &str) -> String {
    const CLONES: [&str; 4] = [".constprop.", ".isra.", ".part.", ".lto_priv."];
    let end = CLONES.iter().filter_map(|clone| symbol.find(clone)).min().unwrap_or(symbol.len());
    let name = &symbol[..end];
    let is_hash = |hash: &str| hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let without_hash = name.rsplit_once("::h").filter(|(_, hash)| is_hash(hash)).map(|(name, _)| name);
    without_hash.unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_of_perf_are_counted_by_stack() {
        let text = "\n\t    55d1 search(Board&, int)\n\t    55d0 main\n\n\t 55d9 search(Board&, int)\n\t 55d0 main\n\n\
                    \t 1 [unknown]\n\t 2 [unknown]\n\t 55d0 main\n\n";
        let stacks = Stacks::read(text);
        let found: Vec<_> = stacks.iter().map(|(stack, samples)| (stack.join(";"), samples)).collect();
        assert_eq!(found, [("main;[unknown]".to_owned(), 1), ("main;search(Board&, int)".to_owned(), 2)]);
        assert!((stacks.unknown() - 1.0 / 3.0).abs() < 1e-9);
        assert!(Stacks::read("\n\n").is_empty());
    }

    #[test]
    fn names_are_the_same_in_each_build() {
        for (symbol, name) in [
            ("search.constprop.0", "search"),
            ("see.part.3.isra.1", "see"),
            ("echo::search::h0123456789abcdef", "echo::search"),
            ("echo::search::hello", "echo::search::hello"),
            ("void std::sort<int*>(int*, int*)", "void std::sort<int*>(int*, int*)"),
        ] {
            assert_eq!(function_name(symbol), name);
        }
    }
}
