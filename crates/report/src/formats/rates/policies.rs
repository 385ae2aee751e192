//! Whether a class of cases separates repetition policies, independent of the engines' strength.
//!
//! The range of a policy covers the intervals of all its engines. Two policies are separated if their ranges
//! do not overlap.

use std::collections::BTreeMap;

use super::{ALPHA, SideBySide};
use crate::format;
use threefold_stats::interval::Interval;
use threefold_suites::Signature;

impl SideBySide<'_> {
    /// The range of each policy, and which pairs are separated; `None` for fewer than two policies.
    pub(super) fn policies(&self, limits: &str, class: Option<&str>) -> Option<String> {
        let spans = self.spans(limits, class);
        if spans.len() < 2 {
            return None;
        }
        let (mut apart, mut overlapping) = (Vec::new(), Vec::new());
        for (index, (name, span)) in spans.iter().enumerate() {
            for (other, other_span) in &spans[index + 1..] {
                let parted = span.high < other_span.low || other_span.high < span.low;
                if parted { &mut apart } else { &mut overlapping }.push(format!("{name} and {other}"));
            }
        }
        let spans: Vec<String> = spans
            .iter()
            .map(|(name, span)| format!("{name} {:.1} to {:.1}", span.low * 100.0, span.high * 100.0))
            .collect();
        let pairs = [("separated", apart), ("overlapping", overlapping)];
        let pairs = pairs.iter().filter(|(_, pairs)| !pairs.is_empty());
        let pairs: Vec<String> =
            pairs.map(|(what, pairs)| format!("{what}: {}", format::listed(pairs))).collect();
        Some(format!("Range of each policy over its engines: {}; {}.", spans.join(", "), pairs.join("; ")))
    }

    /// Every policy with the hull of its engines' intervals.
    fn spans(&self, limits: &str, class: Option<&str>) -> Vec<(Signature, Interval)> {
        let mut spans: BTreeMap<Signature, Interval> = BTreeMap::new();
        let read = self.signatures.iter().filter(|(part, _)| part.limits == limits);
        for &(part, signature) in read {
            let Some(rate) = self.rate(&part.engine, limits, class).filter(|rate| rate.trials() > 0) else {
                continue;
            };
            let Interval { low, high } = rate.wilson(ALPHA);
            let span = spans.entry(signature).or_insert(Interval { low, high });
            *span = Interval { low: span.low.min(low), high: span.high.max(high) };
        }
        spans.into_iter().collect()
    }
}
