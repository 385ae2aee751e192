//! What the verdict of a run rests on: the cases that are compared, the thresholds and the tests that decide,
//! and the suites that nothing is said about.
//!
//! The value is computed in one place. Headline, exit code and every format follow from it, so that no format
//! can call a run a success that nothing decided on.

use std::fmt;

use serde_json::{Value, json};

use crate::format;
use crate::model::report::{Baseline, MatchPart, MatchResult, Report, SuitePart};
use threefold_run::job::ComparisonUse;
use threefold_run::regress::{ComparedCases, NotCompared};

/// What the verdict of a run rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerdictBasis {
    /// The cases that are compared with the baseline, over all suites.
    pub compared: ComparedCases,
    /// The suites that have compared cases.
    pub suites: usize,
    /// Thresholds of suites in which a case ran.
    pub thresholds: usize,
    /// Sequential tests that have a pair of games.
    pub tests: usize,
    /// What is not compared, in the order of the suites' names.
    pub gaps: Vec<Gap>,
    /// The suites that run and baseline both skipped, if something else decides. The engine never had what they
    /// need, so a verdict that named them would say the same in each run.
    pub known_gaps: Vec<Gap>,
    /// Is there something that can decide?
    pub decides: bool,
}

/// Something that is not compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// The suite; `None` for the whole run.
    pub suite: Option<String>,
    /// Why cases were not compared.
    pub reason: GapReason,
}

/// Why something is not compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GapReason {
    /// There is no baseline, with the reason.
    NoBaseline(String),
    /// The suite is not compared.
    Suite(NotCompared),
    /// The run has nothing that can be compared.
    NothingToCompare,
}

/// Suites that a sentence names.
const NAMED: usize = 4;

impl VerdictBasis {
    /// `No regression` is said of these: `1 040 cases compared`, `20 cases compared; of the baseline, 112 cases did
    /// not run, and 1 case was skipped (mate/m2.14)`.
    pub fn describe(&self) -> String {
        let ComparedCases { cases, missing, skipped } = &self.compared;
        let missing = (*missing > 0).then(|| format!("{} did not run", format::count(*missing, "case")));
        let skips = (!skipped.is_empty()).then(|| {
            let were = if skipped.len() == 1 { "was" } else { "were" };
            let names = format::first_of(skipped, NAMED);
            format!("{} {were} skipped ({names})", format::count(skipped.len(), "case"))
        });
        let others: Vec<String> = missing.into_iter().chain(skips).collect();
        let compared = format!("{} compared", format::count(*cases, "case"));
        if others.is_empty() {
            compared
        } else {
            format!("{compared}; of the baseline, {}", others.join(", and "))
        }
    }

    /// `Not compared: perft (not in the baseline), mate (in the baseline, but not in this run).`; `None`
    /// without a gap.
    pub fn gap_sentence(&self) -> Option<String> {
        let whole = self.gaps.iter().find(|gap| gap.suite.is_none());
        let suites: Vec<String> = self
            .gaps
            .iter()
            .filter_map(|gap| Some(format!("{} ({})", gap.suite.as_ref()?, gap.reason)))
            .collect();
        let named = format::first_of(&suites, NAMED);
        match whole {
            Some(whole) if suites.is_empty() => Some(format!("Not compared: {}.", whole.reason)),
            Some(whole) => Some(format!("Not compared: {}; {named}.", whole.reason)),
            None => (!suites.is_empty()).then(|| format!("Not compared: {named}.")),
        }
    }

    /// All that is not compared, what the baseline lacks as well included.
    pub(crate) fn all_gaps(&self) -> impl Iterator<Item = &Gap> {
        self.gaps.iter().chain(&self.known_gaps)
    }

    /// Its object in `report.json`.
    pub(crate) fn json(&self) -> Value {
        let gaps = self.all_gaps().map(|gap| json!({ "suite": gap.suite, "reason": gap.reason.to_string() }));
        json!({
            "cases": self.compared.cases, "missing": self.compared.missing,
            "skipped": self.compared.skipped.len(), "suites": self.suites,
            "thresholds": self.thresholds, "tests": self.tests, "not_compared": gaps.collect::<Vec<_>>(),
        })
    }
}

impl Gap {
    /// What is not compared: the suite, or the whole run.
    pub(crate) fn subject(&self) -> &str {
        self.suite.as_deref().unwrap_or("the run")
    }
}

/// `perft: not compared: not in the baseline`.
impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: not compared: {}", self.subject(), self.reason)
    }
}

impl fmt::Display for GapReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBaseline(why) => write!(f, "{why}"),
            Self::Suite(why) => write!(f, "{why}"),
            Self::NothingToCompare => write!(f, "the run has no suite and no test"),
        }
    }
}

impl Report {
    /// What the verdict rests on.
    pub fn basis(&self) -> VerdictBasis {
        let covered = match &self.baseline {
            Baseline::Absent(_) => &[][..],
            Baseline::Compared { coverage, .. } => coverage,
        };
        let compared: Vec<&ComparedCases> =
            covered.iter().filter_map(|it| it.compared.as_ref().ok()).collect();
        let cases = ComparedCases {
            cases: compared.iter().map(|it| it.cases).sum(),
            missing: compared.iter().map(|it| it.missing).sum(),
            skipped: compared.iter().flat_map(|it| it.skipped.iter().cloned()).collect(),
        };
        let ran = |part: &&SuitePart| part.skips() < part.cases.len();
        let thresholds = self.suites.iter().filter(ran).map(|part| part.thresholds.len()).sum();
        let tests = self.matches.iter().filter(|part| has_tested_pair(part)).count();
        // Without a baseline, and if none is required, a suite measures, so that running its cases is enough.
        let is_measurement = !self.must_be_compared() && self.suites.iter().any(|part| ran(&part));
        // Games without a test have nothing that can decide, so that a run of them alone is accepted.
        let has_calibration_alone = self.suites.is_empty() && !self.matches.is_empty();
        let decides = cases.cases + thresholds + tests > 0 || is_measurement || has_calibration_alone;
        let is_known =
            |gap: &Gap| decides && matches!(gap.reason, GapReason::Suite(NotCompared::SkippedInBoth { .. }));
        let (known_gaps, gaps) = self.gaps(tests).into_iter().partition(is_known);
        VerdictBasis { suites: compared.len(), compared: cases, thresholds, tests, gaps, known_gaps, decides }
    }

    /// Is a comparison what the run is for?
    fn must_be_compared(&self) -> bool {
        self.comparison == ComparisonUse::Required || matches!(self.baseline, Baseline::Compared { .. })
    }

    /// Does the run have this suite, with cases that are not done?
    fn has_suite_ahead(&self, suite: &str) -> bool {
        self.suites.iter().any(|part| part.suite == suite && part.cases.len() < part.planned)
    }

    fn gaps(&self, tests: usize) -> Vec<Gap> {
        // A new baseline is compared with nothing, and a run that did not start has its own reason.
        if self.becomes_baseline || self.failed_start().is_some() {
            return Vec::new();
        }
        let skipped = |part: &SuitePart| {
            let reason = GapReason::Suite(NotCompared::AllSkipped { cases: part.cases.len() });
            Gap { suite: Some(part.suite.clone()), reason }
        };
        let mut gaps: Vec<Gap> = Vec::new();
        match &self.baseline {
            Baseline::Compared { coverage, .. } => gaps.extend(coverage.iter().filter_map(|it| {
                // A suite that a stopped run has not begun is named as unfinished.
                if it.compared == Err(NotCompared::DidNotRun) && self.has_suite_ahead(&it.suite) {
                    return None;
                }
                let reason = GapReason::Suite(it.compared.as_ref().err()?.clone());
                Some(Gap { suite: Some(it.suite.clone()), reason })
            })),
            Baseline::Absent(why) => {
                if self.comparison == ComparisonUse::Required && !self.suites.is_empty() {
                    gaps.push(Gap { suite: None, reason: GapReason::NoBaseline(why.clone()) });
                }
                gaps.extend(self.suites.iter().filter(|part| part.is_skipped()).map(skipped));
            }
        }
        if self.comparison == ComparisonUse::Required
            && self.suites.is_empty()
            && tests == 0
            && gaps.is_empty()
        {
            gaps.push(Gap { suite: None, reason: GapReason::NothingToCompare });
        }
        gaps
    }
}

fn has_tested_pair(part: &MatchPart) -> bool {
    match &part.result {
        MatchResult::Test(test) => test.duel.sheet.pairs().trials() > 0,
        MatchResult::Table | MatchResult::Duel(_) | MatchResult::Ratings(_) | MatchResult::Tuning(_) => false,
    }
}

#[cfg(test)]
#[path = "basis_tests.rs"]
mod tests;
