//! Cases that a plan leaves out, in the baseline of its first run.

use std::collections::BTreeMap;

use super::baseline::{Baseline, CaseName};
use threefold_suites::{Cause, SkipCause};

impl Baseline {
    /// Marks these cases as left out, each with the reason: they are compared with nothing.
    pub fn leave_out(&mut self, cases: &BTreeMap<CaseName, &str>) {
        for (name, case) in &mut self.cases {
            let Some(why) = cases.get(name) else { continue };
            case.cause = SkipCause::LeftOut.into();
            (case.detail, case.played, case.solved_nodes) = ((*why).to_owned(), String::new(), None);
            case.accepted = None;
        }
    }

    /// Did the engine lose an answer and give it in another attempt? Then another answer that it loses is no news.
    pub fn loses_answers(&self) -> bool {
        let [flaky, left_out] = [SkipCause::Flaky, SkipCause::LeftOut].map(Cause::from);
        let mut cases = self.cases.values();
        cases.any(|case| case.cause == flaky || case.cause == left_out && case.detail == flaky.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regress::baseline::BaselineCase;
    use threefold_suites::{FailCause, PassCause, VerdictKind};

    fn name(id: &str) -> CaseName {
        CaseName { suite: "mate".to_owned(), id: id.to_owned() }
    }

    fn case(cause: Cause) -> BaselineCase {
        BaselineCase {
            class: "dawdle".to_owned(),
            cause,
            detail: "a reason".to_owned(),
            played: "e2e4".to_owned(),
            solved_nodes: Some(1234),
            accepted: None,
        }
    }

    #[test]
    fn case_that_is_left_out_is_skipped_with_its_reason() {
        let [failed, passed] = [case(FailCause::Missed.into()), case(PassCause::NoFault.into())];
        let cases = BTreeMap::from([(name("a"), failed), (name("b"), passed.clone())]);
        let mut baseline = Baseline { cases, ..Baseline::default() };
        baseline.leave_out(&BTreeMap::from([(name("a"), "illegal move")]));
        let left_out = &baseline.cases[&name("a")];
        assert_eq!(
            (left_out.kind(), left_out.reason().as_str()),
            (VerdictKind::Skipped, "left out: illegal move")
        );
        assert_eq!(baseline.cases[&name("b")], passed);
    }

    #[test]
    fn baseline_knows_that_the_engine_loses_answers() {
        let with = |cause: Cause| {
            let cases =
                BTreeMap::from([(name("a"), case(cause)), (name("b"), case(PassCause::NoFault.into()))]);
            Baseline { cases, ..Baseline::default() }
        };
        let mut flaky = with(SkipCause::Flaky.into());
        assert!(flaky.loses_answers());
        flaky.leave_out(&BTreeMap::from([(name("a"), Cause::from(SkipCause::Flaky).name())]));
        assert!(flaky.loses_answers(), "the plan of `init` leaves it out");
        flaky.leave_out(&BTreeMap::from([(name("a"), "illegal move")]));
        assert!(!flaky.loses_answers());
        assert!(!with(FailCause::Missed.into()).loses_answers());
    }
}
