//! The same cases under two engines, case by case and as one exact paired test.
//!
//! Two pass rates side by side say little: what counts is which cases changed sides. A fault counts as not
//! passed. Cases that only one of the two was asked, or that either skipped, are named and left out of the test.

use std::collections::BTreeMap;

use super::model::{Contrast, Difference, Report, SuitePart};
use super::phrase;
use threefold_harness::regress::baseline::BaselineCase;
use threefold_harness::suite::{CaseRecord, VerdictKind};
use threefold_stats::interval::{Interval, Rate};
use threefold_stats::paired::Discordant;

/// How the two sides of a contrast are spoken of.
pub(super) struct Voices {
    /// Cases that this engine fails and the other passes.
    pub(super) lost: &'static str,
    /// Said where there are none.
    pub(super) nothing_lost: &'static str,
    /// Cases that this engine passes and the other fails.
    pub(super) gained: &'static str,
    /// Said where there are none.
    pub(super) nothing_gained: &'static str,
    /// This engine and the other.
    pub(super) sides: [&'static str; 2],
}

impl Voices {
    /// Against the committed verdicts.
    pub(super) const BASELINE: Self = Self {
        lost: "Newly failing (this run fails, the baseline passes)",
        nothing_lost: "Newly failing: none, since every case that the baseline passes passes here, too.",
        gained: "Newly passing (this run passes, the baseline fails)",
        nothing_gained: "Newly passing: none, since every case that the baseline fails fails here, too.",
        sides: ["this run", "baseline"],
    };

    /// Against another engine of the same run.
    pub(super) const RIVAL: Self = Self {
        lost: "Passed by the second alone",
        nothing_lost: "Passed by the second alone: none, since the first passes whatever the second passes.",
        gained: "Passed by the first alone",
        nothing_gained: "Passed by the first alone: none, since the second passes whatever the first passes.",
        sides: ["first", "second"],
    };
}

/// What an engine's verdict on a case was.
pub(super) type Verdicts = BTreeMap<String, BaselineCase>;

impl Contrast {
    /// Holds the verdicts of one engine against those of another.
    pub(super) fn between(suite: &str, ours: (&str, &Verdicts), theirs: (&str, &Verdicts)) -> Self {
        let missing = |known: &Verdicts, asked: &Verdicts| {
            asked
                .keys()
                .filter(|id| judged(asked, id).is_some() && judged(known, id).is_none())
                .cloned()
                .collect()
        };
        let mut contrast = Self {
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
        };
        for id in ours.1.keys() {
            if let (Some(own), Some(other)) = (judged(ours.1, id), judged(theirs.1, id)) {
                contrast.count(id, own, other);
            }
        }
        contrast.p = contrast.discordant().exact();
        contrast
    }

    fn count(&mut self, id: &str, ours: &BaselineCase, theirs: &BaselineCase) {
        let difference = || Difference {
            id: id.to_owned(),
            class: ours.class.clone(),
            ours: told(ours),
            theirs: told(theirs),
        };
        match (ours.kind() == VerdictKind::Passed, theirs.kind() == VerdictKind::Passed) {
            (true, true) => self.both_pass += 1,
            (false, false) => self.both_fail += 1,
            (false, true) => self.lost.push(difference()),
            (true, false) => self.gained.push(difference()),
        }
    }

    /// The cases that say anything about which of the two is better.
    pub fn discordant(&self) -> Discordant {
        Discordant { only_a: self.gained.len() as u64, only_b: self.lost.len() as u64 }
    }

    /// The outcome in a sentence.
    pub fn told(&self) -> String {
        format!(
            "{} compared: {} passed by both, {} by neither, {} lost, {} gained{}; exact paired test {}.",
            phrase::count(self.compared(), "case"),
            self.both_pass,
            self.both_fail,
            self.lost.len(),
            self.gained.len(),
            self.share_lost().map(|share| format!("; {share}")).unwrap_or_default(),
            phrase::p_value(self.p)
        )
    }

    /// `lost are 89.3 % (71.8 to 97.7) of those that differ`, with Clopper and Pearson's interval: beside an exact
    /// test stands an exact interval. `None` where nothing differs.
    fn share_lost(&self) -> Option<String> {
        let Discordant { only_a: gained, only_b: lost } = self.discordant();
        let share = Rate { successes: lost, failures: gained }.share()?;
        let Interval { low, high } = Discordant { only_a: lost, only_b: gained }.share_of_a();
        let [low, high] = [low, high].map(|end| end * 100.0);
        Some(format!("lost are {} ({low:.1} to {high:.1}) of those that differ", phrase::percent(share)))
    }

    /// Cases that both engines were asked.
    pub fn compared(&self) -> usize {
        self.both_pass + self.both_fail + self.lost.len() + self.gained.len()
    }
}

/// The verdict on a case, if it was put to the engine.
fn judged<'v>(verdicts: &'v Verdicts, id: &str) -> Option<&'v BaselineCase> {
    verdicts.get(id).filter(|known| known.kind() != VerdictKind::Skipped)
}

/// What was played and why that was right or wrong.
fn told(known: &BaselineCase) -> String {
    match (known.played.as_str(), known.reason()) {
        ("", reason) => format!("{}: {reason}", known.kind()),
        (played, reason) => format!("{played} ({reason})"),
    }
}

/// What a report's own cases came to.
pub(super) fn verdicts(cases: &[CaseRecord]) -> Verdicts {
    cases.iter().map(|case| (case.id.clone(), BaselineCase::of(case))).collect()
}

fn is_rival(first: &SuitePart, part: &SuitePart) -> bool {
    first.suite == part.suite && first.limits == part.limits
}

impl Report {
    /// What two engines contend in: the suite, and under which limits where it was asked under several.
    fn contested(&self, part: &SuitePart) -> String {
        let again = |other: &SuitePart| other.suite == part.suite && other.limits != part.limits;
        if self.suites.iter().any(again) {
            format!("{} at {}", part.suite, part.limits)
        } else {
            part.suite.clone()
        }
    }

    /// Engines of this run that were asked the same suite under the same limits, the first of them against each of the
    /// others.
    pub fn rivalries(&self) -> Vec<Contrast> {
        let mut firsts: Vec<usize> = Vec::new();
        let mut rivalries = Vec::new();
        for (index, part) in self.suites.iter().enumerate() {
            match firsts.iter().map(|&first| &self.suites[first]).find(|first| is_rival(first, part)) {
                None => firsts.push(index),
                Some(first) if first.engine != part.engine => rivalries.push(Contrast::between(
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
