//! What a reader must know first: is the run accepted, and if not, because of what.
//!
//! The exit code, the first line of every format and the failing test cases of `junit.xml` all come from the
//! same list of complaints, which `regress` draws up, so that they can't contradict each other.

use super::model::{Baseline, ComplaintKind, Contrast, MatchResult, Report, SuitePart};
use super::phrase;
use crate::suite::Mark;

crate::closed_set! {
    /// What a run came to as a whole.
    pub enum Acceptance {
        /// Everything was done and nothing speaks against it.
        Accepted = "accepted",
        /// It was interrupted, and nothing so far speaks against it.
        Unfinished = "unfinished",
        /// Something speaks against it.
        Refused = "refused",
    }
}

impl Report {
    /// What the run came to as a whole.
    pub fn acceptance(&self) -> Acceptance {
        if !self.complaints.is_empty() {
            Acceptance::Refused
        } else if self.unfinished().is_empty() {
            Acceptance::Accepted
        } else {
            Acceptance::Unfinished
        }
    }

    /// The headline, in a sentence.
    pub fn headline(&self) -> String {
        let has = |kind| self.complaints.iter().any(|complaint| complaint.kind == kind);
        match self.acceptance() {
            Acceptance::Refused if has(ComplaintKind::Regression) => {
                "Regressed: verdicts are worse than in the baseline.".to_owned()
            }
            Acceptance::Refused if has(ComplaintKind::Threshold) => {
                "Below the thresholds of a suite.".to_owned()
            }
            Acceptance::Refused => "A sequential test was rejected.".to_owned(),
            Acceptance::Unfinished => "Unfinished: the run was interrupted.".to_owned(),
            Acceptance::Accepted => match &self.baseline {
                Baseline::Compared { .. } => "No regression.".to_owned(),
                Baseline::Absent(_) if self.asks_for_nothing() => "Finished.".to_owned(),
                Baseline::Absent(_) if self.skips() > 0 => {
                    format!(
                        "Everything that could be asked is met; {} skipped.",
                        phrase::count(self.skips(), "case")
                    )
                }
                Baseline::Absent(_) => "Everything asked for is met.".to_owned(),
            },
        }
    }

    /// Is there nothing that the run could miss: no threshold, no test?
    fn asks_for_nothing(&self) -> bool {
        let tests = self.matches.iter().any(|part| matches!(part.result, MatchResult::Test(_)));
        !tests && self.suites.iter().all(|suite| suite.demands.is_empty())
    }

    /// Cases that an engine could not be asked, over all suites.
    pub fn skips(&self) -> usize {
        self.suites.iter().map(SuitePart::skips).sum()
    }

    /// The comparisons with the baseline; none where there is no baseline.
    pub fn contrasts(&self) -> &[Contrast] {
        match &self.baseline {
            Baseline::Absent(_) => &[],
            Baseline::Compared { suites, .. } => suites,
        }
    }

    /// The parts that are not over, with what is done and what was planned.
    pub fn unfinished(&self) -> Vec<(&str, usize, usize)> {
        let suites = self.suites.iter().map(|suite| (suite.name.as_str(), suite.cases.len(), suite.planned));
        let open = self.matches.iter().filter(|part| part.ending.is_none());
        suites
            .filter(|(_, done, planned)| done < planned)
            .chain(open.map(|part| (part.name.as_str(), part.games.len(), part.planned)))
            .collect()
    }

    /// Cases passed and asked over all suites; those skipped were not asked.
    pub fn cases(&self) -> (usize, usize) {
        let all = self.suites.iter().flat_map(|suite| &suite.cases);
        let all = all.filter(|case| case.verdict.mark != Mark::Skipped);
        all.fold((0, 0), |(passed, asked), case| {
            (passed + usize::from(case.verdict.mark == Mark::Passed), asked + 1)
        })
    }
}
