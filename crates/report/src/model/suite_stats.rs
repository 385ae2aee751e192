//! Pass rates and causes of one engine's run of a suite.
//!
//! Rates count the cases that ran. Skipped cases are reported separately.

use std::collections::BTreeMap;

use crate::format;
use crate::model::report::{SuitePart, ThresholdState};
use threefold_stats::interval::Rate;
use threefold_suites::{CaseRecord, Cause, SkipCause, VerdictKind};

impl SuitePart {
    /// Number of skipped cases; no rate counts them.
    pub fn skips(&self) -> usize {
        self.cases.iter().filter(|case| case.verdict.kind() == VerdictKind::Skipped).count()
    }

    /// Was every case skipped?
    pub fn is_skipped(&self) -> bool {
        !self.cases.is_empty() && self.skips() == self.cases.len()
    }

    /// Is there nothing to check its thresholds with, because it is not finished or every case was skipped?
    pub fn is_unchecked(&self) -> bool {
        self.is_skipped() || self.thresholds.iter().any(|it| it.state == ThresholdState::Unknown)
    }

    /// Why cases were skipped, and how many for each cause and each missing feature.
    pub fn skip_causes(&self) -> Vec<(SkipCause, &str, usize)> {
        let mut causes: BTreeMap<(SkipCause, &str), usize> = BTreeMap::new();
        for case in &self.cases {
            let Cause::Skipped(cause) = case.verdict.cause else { continue };
            // The detail names a missing feature for this cause alone.
            let lacking = if cause == SkipCause::NotSupported { case.verdict.detail.as_str() } else { "" };
            *causes.entry((cause, lacking)).or_default() += 1;
        }
        causes.into_iter().map(|((cause, lacking), count)| (cause, lacking, count)).collect()
    }

    /// Cases passed of those that ran, and the number skipped: `41/44`, `41/44, 3 skipped`, `all 44 skipped`,
    /// `did not run`.
    pub fn tally(&self) -> String {
        match self.skips() {
            _ if self.cases.is_empty() => "did not run".to_owned(),
            0 => self.passed(),
            skips if skips == self.cases.len() => format!("all {skips} skipped"),
            skips => format!("{}, {skips} skipped", self.passed()),
        }
    }

    /// `2/3 solved`
    fn passed(&self) -> String {
        format!("{} {}", format::fraction(self.rate()), self.lost_case.passed())
    }

    /// Pass rate of the cases that ran; skipped cases do not count.
    pub fn rate(&self) -> Rate {
        rate_of(&self.cases)
    }

    /// The pass rate of every class, by name; numbers in names count as numbers, so that `mate-in-2` comes
    /// before `mate-in-10`.
    pub fn classes(&self) -> Vec<(&str, Rate)> {
        let mut classes: BTreeMap<&str, Vec<&CaseRecord>> = BTreeMap::new();
        for case in &self.cases {
            classes.entry(&case.class).or_default().push(case);
        }
        let mut classes: Vec<(&str, Rate)> =
            classes.into_iter().map(|(class, cases)| (class, rate_of(cases))).collect();
        classes.sort_by(|(one, _), (other, _)| alphanumeric_sort::compare_str(one, other));
        classes
    }

    /// How many cases each cause has; passes first, then failures, skips and faults.
    pub fn causes(&self) -> Vec<(Cause, usize)> {
        let mut causes: BTreeMap<Cause, usize> = BTreeMap::new();
        for case in &self.cases {
            *causes.entry(case.verdict.cause).or_default() += 1;
        }
        causes.into_iter().collect()
    }

    /// Did a wall clock limit any search?
    pub fn is_timed(&self) -> bool {
        self.cases.iter().any(|case| case.verdict.time.is_some())
    }

    /// The cases that ran and did not pass, in order.
    pub fn unpassed(&self) -> impl Iterator<Item = &CaseRecord> {
        self.cases
            .iter()
            .filter(|case| matches!(case.verdict.kind(), VerdictKind::Failed | VerdictKind::Fault))
    }
}

fn rate_of<'a>(cases: impl IntoIterator<Item = &'a CaseRecord>) -> Rate {
    let mut rate = Rate { successes: 0, failures: 0 };
    for case in cases {
        match case.verdict.kind() {
            VerdictKind::Passed => rate.successes += 1,
            VerdictKind::Failed | VerdictKind::Fault => rate.failures += 1,
            VerdictKind::Skipped => {}
        }
    }
    rate
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_player::FaultCause;
    use threefold_suites::{FailCause, PassCause, Verdict};

    #[test]
    fn skipped_cases_differ_from_failed_ones() {
        let mut part = crate::model::fixture::report().suites.remove(0);
        let lacking = || Verdict::unanswered(SkipCause::NotSupported, "option UCI_Chess960");
        part.cases[3].verdict = lacking();
        assert_eq!((part.tally().as_str(), part.is_skipped()), ("2/3 solved, 1 skipped", false));
        assert_eq!(part.unpassed().count(), 1);
        for case in &mut part.cases {
            case.verdict = lacking();
        }
        assert_eq!((part.tally().as_str(), part.is_skipped()), ("all 4 skipped", true));
        assert_eq!(part.skip_causes(), [(SkipCause::NotSupported, "option UCI_Chess960", 4)]);
        for (case, detail) in part.cases.iter_mut().zip(["kept waiting 1 s", "kept waiting 2 s"]) {
            case.verdict = Verdict::unanswered(SkipCause::BusyMachine, detail);
        }
        assert_eq!(
            part.skip_causes(),
            [(SkipCause::NotSupported, "option UCI_Chess960", 2), (SkipCause::BusyMachine, "", 2)]
        );
        for case in &mut part.cases {
            case.verdict = lacking();
        }
        assert_eq!((part.unpassed().count(), part.rate().trials()), (0, 0));
    }

    #[test]
    fn classes_are_sorted_by_number() {
        let mut part = crate::model::fixture::report().suites.remove(0);
        for (case, class) in part.cases.iter_mut().zip(["mate-in-10", "mate-in-2", "draw", "mate-in-1"]) {
            class.clone_into(&mut case.class);
        }
        let names: Vec<&str> = part.classes().into_iter().map(|(class, _)| class).collect();
        assert_eq!(names, ["draw", "mate-in-1", "mate-in-2", "mate-in-10"]);
    }

    #[test]
    fn cases_are_counted_by_cause_without_details() {
        let mut part = crate::model::fixture::report().suites.remove(0);
        let causes = part.causes();
        assert_eq!(
            causes,
            [
                (Cause::Passed(PassCause::AcceptedMove), 2),
                (Cause::Failed(FailCause::History), 1),
                (Cause::Fault(FaultCause::Crash), 1)
            ]
        );
        for (case, detail) in part.cases.iter_mut().zip(["a: b", "a; b", "7 c", ""]) {
            detail.clone_into(&mut case.verdict.detail);
        }
        assert_eq!(part.causes(), causes, "no detail is looked into");
    }
}
