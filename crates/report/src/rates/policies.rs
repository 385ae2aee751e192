//! Whether a class tells policies apart, whatever the engines that follow them.
//!
//! A policy spans all intervals of its engines. Two policies are apart where these spans don't meet: then no engine of
//! the one can be taken for an engine of the other, weak or strong.

use std::collections::BTreeMap;

use super::{ALPHA, SideBySide};
use crate::phrase;
use threefold_harness::suite::Signature;
use threefold_stats::interval::Interval;

impl SideBySide<'_> {
    /// The span of each policy, and which pairs are apart; `None` where fewer than two policies were read.
    pub(super) fn policies(&self, limits: &str, class: Option<&str>) -> Option<String> {
        let spans = self.spans(limits, class);
        if spans.len() < 2 {
            return None;
        }
        let (mut apart, mut overlapping) = (Vec::new(), Vec::new());
        for (index, (name, span)) in spans.iter().enumerate() {
            for (other, beside) in &spans[index + 1..] {
                let parted = span.high < beside.low || beside.high < span.low;
                if parted { &mut apart } else { &mut overlapping }.push(format!("{name} against {other}"));
            }
        }
        let spans: Vec<String> = spans
            .iter()
            .map(|(name, span)| format!("{name} {:.1} to {:.1}", span.low * 100.0, span.high * 100.0))
            .collect();
        let pairs = [("apart", apart), ("overlapping", overlapping)];
        let pairs = pairs.iter().filter(|(_, pairs)| !pairs.is_empty());
        let pairs: Vec<String> =
            pairs.map(|(what, pairs)| format!("{what}: {}", phrase::listed(pairs))).collect();
        Some(format!("Policies, with all their engines: {}; {}.", spans.join(", "), pairs.join("; ")))
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
