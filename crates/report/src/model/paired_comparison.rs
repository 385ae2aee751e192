//! The same cases under two engines, case by case and as one exact paired test.
//!
//! Two pass rates side by side show little; the cases that only one engine passes decide (McNemar's exact
//! test). A fault counts as not passed. Cases that only one engine ran, or that either skipped, are listed
//! and not tested.

use std::collections::BTreeMap;

use crate::format;
use crate::model::report::{Difference, PairedComparison, Report, SuitePart};
use threefold_run::regress::baseline::BaselineCase;
use threefold_stats::interval::{Interval, Rate};
use threefold_stats::paired::Discordant;
use threefold_stats::signed_rank::Ratios;
use threefold_suites::{CaseRecord, VerdictKind};

/// Headings and labels for the two sides of a comparison.
pub(crate) struct Wording {
    /// Cases that this engine fails and the other passes.
    pub(crate) lost: &'static str,
    /// Cases that this engine passes and the other fails.
    pub(crate) gained: &'static str,
    /// This engine and the other.
    pub(crate) sides: [&'static str; 2],
}

impl Wording {
    /// Against the committed verdicts.
    pub(crate) const BASELINE: Self = Self {
        lost: "Newly failing (this run fails, the baseline passes)",
        gained: "Newly passing (this run passes, the baseline fails)",
        sides: ["this run", "baseline"],
    };

    /// Against another engine of the same run.
    pub(crate) const RIVAL: Self = Self {
        lost: "Passed only by the second engine",
        gained: "Passed only by the first engine",
        sides: ["first", "second"],
    };
}

/// What an engine's verdict on a case was.
pub(crate) type Verdicts = BTreeMap<String, BaselineCase>;

impl PairedComparison {
    /// Compares the verdicts of two engines.
    pub(crate) fn between(suite: &str, ours: (&str, &Verdicts), theirs: (&str, &Verdicts)) -> Self {
        let missing = |known: &Verdicts, asked: &Verdicts| {
            asked
                .keys()
                .filter(|id| judged(asked, id).is_some() && judged(known, id).is_none())
                .cloned()
                .collect()
        };
        let mut comparison = Self {
            suite: suite.to_owned(),
            ours: ours.0.to_owned(),
            theirs: theirs.0.to_owned(),
            both_pass: 0,
            both_fail: 0,
            lost: Vec::new(),
            gained: Vec::new(),
            only_ours: missing(theirs.1, ours.1),
            only_theirs: missing(ours.1, theirs.1),
            p: 1.0,
            solved_nodes: solved_nodes(ours.1, theirs.1),
        };
        for id in ours.1.keys() {
            if let (Some(own), Some(other)) = (judged(ours.1, id), judged(theirs.1, id)) {
                comparison.count(id, own, other);
            }
        }
        comparison.p = comparison.discordant().exact();
        comparison
    }

    fn count(&mut self, id: &str, ours: &BaselineCase, theirs: &BaselineCase) {
        let difference = || Difference {
            id: id.to_owned(),
            class: ours.class.clone(),
            ours: describe(ours),
            theirs: describe(theirs),
        };
        match (ours.kind() == VerdictKind::Passed, theirs.kind() == VerdictKind::Passed) {
            (true, true) => self.both_pass += 1,
            (false, false) => self.both_fail += 1,
            (false, true) => self.lost.push(difference()),
            (true, false) => self.gained.push(difference()),
        }
    }

    /// The cases that only one of the two engines passes.
    pub fn discordant(&self) -> Discordant {
        Discordant { only_a: self.gained.len() as u64, only_b: self.lost.len() as u64 }
    }

    /// The outcome in a sentence.
    pub fn describe(&self) -> String {
        format!(
            "{} compared: {} passed by both, {} by neither, {} lost, {} gained{}; McNemar's exact test {}.",
            format::count(self.compared(), "case"),
            self.both_pass,
            self.both_fail,
            self.lost.len(),
            self.gained.len(),
            self.share_lost().map(|share| format!(" ({share})")).unwrap_or_default(),
            format::p_value(self.p)
        )
    }

    /// `lost: 89.3 % (71.8 to 97.7) of the differing cases`, with Clopper and Pearson's exact interval.
    /// `None` if no case differs.
    fn share_lost(&self) -> Option<String> {
        let Discordant { only_a: gained, only_b: lost } = self.discordant();
        let share = Rate { successes: lost, failures: gained }.share()?;
        let Interval { low, high } = Discordant { only_a: lost, only_b: gained }.share_of_a();
        let [low, high] = [low, high].map(|end| end * 100.0);
        Some(format!("lost: {} ({low:.1} to {high:.1}) of the differing cases", format::percent(share)))
    }

    /// Cases that both engines ran.
    pub fn compared(&self) -> usize {
        self.both_pass + self.both_fail + self.lost.len() + self.gained.len()
    }
}

/// Two engines that both pass nine cases.
#[cfg(test)]
pub(crate) fn example() -> PairedComparison {
    PairedComparison {
        suite: "traps".to_owned(),
        ours: "A".to_owned(),
        theirs: "B".to_owned(),
        both_pass: 9,
        both_fail: 0,
        lost: Vec::new(),
        gained: Vec::new(),
        only_ours: Vec::new(),
        only_theirs: Vec::new(),
        p: 1.0,
        solved_nodes: Ratios::default(),
    }
}

/// The nodes to the solutions of the cases that both engines solve, theirs first.
fn solved_nodes(ours: &Verdicts, theirs: &Verdicts) -> Ratios {
    let pair = |(id, own): (&String, &BaselineCase)| Some((theirs.get(id)?.solved_nodes?, own.solved_nodes?));
    Ratios::of(ours.iter().filter_map(pair))
}

/// The verdict on a case, unless it was skipped.
fn judged<'v>(verdicts: &'v Verdicts, id: &str) -> Option<&'v BaselineCase> {
    verdicts.get(id).filter(|known| known.kind() != VerdictKind::Skipped)
}

/// The move played and the reason of the verdict.
fn describe(known: &BaselineCase) -> String {
    match (known.played.as_str(), known.reason()) {
        ("", reason) => format!("{}: {reason}", known.kind()),
        (played, reason) => format!("{played} ({reason})"),
    }
}

/// The verdicts of a report's own cases.
pub(crate) fn verdicts(cases: &[CaseRecord]) -> Verdicts {
    cases.iter().map(|case| (case.id.clone(), BaselineCase::from_record(case))).collect()
}

fn is_rival(first: &SuitePart, part: &SuitePart) -> bool {
    first.suite == part.suite && first.limits == part.limits
}

impl Report {
    /// The suite of a comparison, with its limits if it ran under several.
    fn contested(&self, part: &SuitePart) -> String {
        let again = |other: &SuitePart| other.suite == part.suite && other.limits != part.limits;
        if self.suites.iter().any(again) {
            format!("{} at {}", part.suite, part.limits)
        } else {
            part.suite.clone()
        }
    }

    /// Comparisons of engines that ran the same suite under the same limits: the first engine against each
    /// other one.
    pub fn rivalries(&self) -> Vec<PairedComparison> {
        let mut firsts: Vec<usize> = Vec::new();
        let mut rivalries = Vec::new();
        for (index, part) in self.suites.iter().enumerate() {
            match firsts.iter().map(|&first| &self.suites[first]).find(|first| is_rival(first, part)) {
                None => firsts.push(index),
                Some(first) if first.engine != part.engine => rivalries.push(PairedComparison::between(
                    &self.contested(part),
                    (&first.engine, &verdicts(&first.cases)),
                    (&part.engine, &verdicts(&part.cases)),
                )),
                Some(_) => {}
            }
        }
        rivalries
    }
}
