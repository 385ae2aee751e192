//! What was accepted into a baseline though it is worse or other than before: losses, and counts of a bench.

use super::baseline::{Baseline, BaselineCase, CaseName};
use crate::RunRecord;
use threefold_suites::kinds::bench;
use threefold_suites::{FailCause, PassCause, VerdictKind};

impl BaselineCase {
    /// Is it a loss that was accepted?
    pub(super) fn is_accepted_loss(&self) -> bool {
        self.accepted == Some(VerdictKind::Passed) && self.is_lost()
    }

    /// Is its verdict worse than a passed one? A skipped case shows nothing.
    fn is_lost(&self) -> bool {
        matches!(self.kind(), VerdictKind::Failed | VerdictKind::Fault)
    }

    /// Is it the count of a bench that was accepted though another one was expected?
    pub(super) fn is_accepted_count(&self, now: &Self) -> bool {
        // Only the count that was accepted: any other one is a difference again, and so are runs with several counts.
        let is_other = now.cause == FailCause::OtherNodes.into();
        self.class == bench::ID && self.accepted.is_some() && self.played == now.played && is_other
    }

    /// Accepts a count of a bench that is not the expected one: it is expected from now on.
    fn accept_count(&mut self) {
        if self.class == bench::ID && self.cause == FailCause::OtherNodes.into() {
            (self.cause, self.accepted) = (PassCause::SameNodes.into(), Some(VerdictKind::Failed));
            self.detail = format!("{} nodes", self.played);
        }
    }
}

impl Baseline {
    /// The results of a run as what later runs are compared with: the counts of its benches are expected from now on.
    pub fn accepted_from(run: &RunRecord) -> Self {
        let mut baseline = Self::from_run(run);
        baseline.cases.values_mut().for_each(BaselineCase::accept_count);
        baseline
    }

    /// The results of these parts of a run, by their names. A suite is a part with its name.
    #[must_use]
    pub fn of_parts(mut self, is_kept: impl Fn(&str) -> bool) -> Self {
        self.cases.retain(|name, _| is_kept(&name.suite));
        self.figures.retain(|name, _| is_kept(&name.part));
        self.limits.retain(|suite, _| is_kept(suite));
        self.elo.retain(|part, _| is_kept(part));
        self
    }

    /// Adds the results of other parts, from a later run of the same plan.
    pub fn add_parts(&mut self, later: Self) {
        let Self { cases, figures, limits, environment, elo } = later;
        self.cases.extend(cases);
        self.figures.extend(figures);
        self.limits.extend(limits);
        self.elo.extend(elo);
        self.environment = environment;
    }

    /// Takes over a case in place of the one with this name, and keeps what that was accepted from.
    pub(super) fn accept_case(&mut self, name: &CaseName, case: &BaselineCase) {
        let passed = Some(VerdictKind::Passed);
        // A loss that is accepted once more keeps the verdict before the first one.
        let has_passed =
            |before: &BaselineCase| before.kind() == VerdictKind::Passed || before.is_accepted_loss();
        let is_loss = case.is_lost() && self.cases.get(name).is_some_and(has_passed);
        let mut case = BaselineCase { accepted: passed.filter(|_| is_loss), ..case.clone() };
        case.accept_count();
        self.cases.insert(name.clone(), case);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::BaselineText;

    fn baseline(rows: &str) -> Baseline {
        let cases = format!("suite,id,class,verdict,cause,detail,played,solved_nodes\n{rows}");
        let figures = Baseline::default().to_text().figures;
        Baseline::parse(&BaselineText { cases, figures, environment: None }).expect("sound")
    }

    #[test]
    fn parts_of_two_runs_are_one_baseline_and_unfinished_parts_are_in_none() {
        let mut both = baseline("mate,m1,mate,passed,right score,,,\nvalue,v1,value,passed,right score,,,\n")
            .of_parts(|part| part == "mate");
        both.add_parts(baseline("clock,c1,clock,passed,clause met,,,\n"));
        let names: Vec<&str> = both.cases.keys().map(|name| name.id.as_str()).collect();
        assert_eq!(names, ["c1", "m1"]);
    }
}
