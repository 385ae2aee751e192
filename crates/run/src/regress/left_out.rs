//! Cases that a plan leaves out or does not ask, in the baseline of its first run.

use std::collections::{BTreeMap, BTreeSet};

use super::baseline::{Baseline, BaselineCase, CaseName};
use super::figures::{FigureName, PartCount};
use threefold_suites::{CaseInfo, SkipCause, VerdictKind};

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

    /// Adds cases of a suite that were not asked, as left out for this reason.
    pub fn add_not_asked<'c>(&mut self, cases: impl IntoIterator<Item = &'c CaseInfo>, why: &str) {
        for case in cases {
            let name = CaseName { suite: case.suite.clone(), id: case.id.clone() };
            let count = FigureName::count(&name.suite, PartCount::Cases);
            *self.figures.entry(count).or_default() += 1.0;
            self.cases.insert(
                name,
                BaselineCase {
                    class: case.class.clone(),
                    cause: SkipCause::LeftOut.into(),
                    detail: why.to_owned(),
                    played: String::new(),
                    solved_nodes: None,
                    accepted: None,
                },
            );
        }
    }

    /// Removes these cases, as if their suites did not ask them.
    pub fn remove(&mut self, cases: &BTreeSet<CaseName>) {
        self.cases.retain(|name, _| !cases.contains(name));
        let suites: BTreeSet<&str> = cases.iter().map(|name| name.suite.as_str()).collect();
        for suite in suites {
            let kept = || self.cases.iter().filter(|(name, _)| name.suite == suite);
            let passed = kept().filter(|(_, case)| case.kind() == VerdictKind::Passed).count();
            for (count, number) in [(PartCount::Cases, kept().count()), (PartCount::Passed, passed)] {
                if let Some(figure) = self.figures.get_mut(&FigureName::count(suite, count)) {
                    *figure = number as f64;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_chess::clock::ClockSource;
    use threefold_chess::position::GamePosition;
    use threefold_suites::{Cause, FailCause, PassCause};

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
    fn case_that_was_not_asked_is_left_out_and_counted() {
        let cases = BTreeMap::from([(name("a"), case(PassCause::NoFault.into()))]);
        let figures = [(FigureName::count("mate", PartCount::Cases), 1.0)].into();
        let mut baseline = Baseline { cases, figures, ..Baseline::default() };
        let not_asked = CaseInfo {
            suite: "mate".to_owned(),
            id: "b".to_owned(),
            class: "dawdle".to_owned(),
            accepted: String::new(),
            note: String::new(),
            position: GamePosition::start_position(),
            clock_source: ClockSource::Wall,
            players: Vec::new(),
            background_threads: 0,
        };
        baseline.add_not_asked([&not_asked], "not asked");
        let added = &baseline.cases[&name("b")];
        assert_eq!((added.class.as_str(), added.reason().as_str()), ("dawdle", "left out: not asked"));
        assert_eq!(baseline.figures[&FigureName::count("mate", PartCount::Cases)].to_bits(), 2f64.to_bits());
    }

    #[test]
    fn suite_without_some_cases_has_the_figures_of_the_others() {
        let [failed, passed] = [case(FailCause::Missed.into()), case(PassCause::NoFault.into())];
        let cases = [("a", failed), ("b", passed.clone()), ("c", passed)];
        let count = |count, number: u8| (FigureName::count("mate", count), f64::from(number));
        let mut baseline = Baseline {
            cases: cases.into_iter().map(|(id, case)| (name(id), case)).collect(),
            figures: [count(PartCount::Cases, 3), count(PartCount::Passed, 2)].into(),
            ..Baseline::default()
        };
        baseline.remove(&BTreeSet::from([name("c"), name("none")]));
        assert_eq!(baseline.cases.keys().map(|name| name.id.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(baseline.figures, [count(PartCount::Cases, 2), count(PartCount::Passed, 1)].into());
    }
}
