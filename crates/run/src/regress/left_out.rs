//! Cases that a plan leaves out, in the baseline of its first run.

use std::collections::BTreeMap;

use super::baseline::{Baseline, CaseName};
use threefold_suites::SkipCause;

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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regress::baseline::BaselineCase;
    use threefold_suites::{Cause, FailCause, PassCause, VerdictKind};

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
}
