//! The cases that a plan leaves out after its first run.

use std::time::Duration;

use crate::setup::plan_text::LeftOutCases;
use threefold_chess::clock::ClockSource;
use threefold_player::FaultCause;
use threefold_run::PartResult;
use threefold_suites::{CaseDefinition, Cause, FailCause, SkipCause, Verdict, VerdictKind};

/// An engine that loses on time in more than one of this number of cases does not keep virtual clocks.
const MANY_LOSSES: usize = 4;

/// How long a run may take before failed dialogues are left out.
const LONG_RUN: Duration = Duration::from_mins(1);

/// The cases that later runs leave out: those with an engine fault, flaky ones, which may be a fault the next time, of a
/// long run the dialogues that failed or got no answer, and all on virtual clocks that the engine does not keep.
pub(super) fn left_out_cases(parts: &[PartResult<'_>], time: Duration) -> LeftOutCases {
    let mut cases = unkept_clocks(parts);
    cases.extend(cases_with(parts, |verdict| is_left_out(verdict.cause, time)));
    cases
}

/// Do later runs leave out a case with this result of a first run that took this time?
fn is_left_out(cause: Cause, time: Duration) -> bool {
    // Each run would wait for their answers again, for nothing: such cases are compared with nothing, or stay failed.
    let waits = [FailCause::ProtocolViolated.into(), SkipCause::NoAnswer.into()].contains(&cause);
    let is_flaky = [SkipCause::Flaky.into(), SkipCause::CrashedOnce.into()].contains(&cause);
    cause.kind() == VerdictKind::Fault || is_flaky || waits && time > LONG_RUN
}

/// The cases on virtual clocks, if the engine loses many of them on time. Then chance decides about the others: `nodestime`
/// of some engines keeps an account of its own.
fn unkept_clocks(parts: &[PartResult<'_>]) -> LeftOutCases {
    let is_virtual = |part: &&PartResult<'_>| {
        let on_virtual_clock =
            |case: &CaseDefinition| matches!(case.info.clock_source, ClockSource::Virtual { .. });
        part.suite.is_some_and(|suite| suite.definitions.iter().all(on_virtual_clock))
    };
    let is_unkept = |part: &&PartResult<'_>| {
        let lost = part.cases().filter(|case| case.verdict.cause == FaultCause::TimeLoss.into()).count();
        lost * MANY_LOSSES > part.cases().count()
    };
    let cases = parts.iter().filter(is_virtual).filter(is_unkept).flat_map(PartResult::cases);
    cases.map(|case| ((case.suite.clone(), case.id.clone()), "virtual clock not kept")).collect()
}

/// The cases with such a verdict, and the cause of each.
pub(super) fn cases_with(parts: &[PartResult<'_>], is_such: impl Fn(&Verdict) -> bool) -> LeftOutCases {
    let cases = parts.iter().flat_map(PartResult::cases).filter(|case| is_such(&case.verdict));
    cases.map(|case| ((case.suite.clone(), case.id.clone()), case.verdict.cause.name())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_suites::PassCause;

    #[test]
    fn what_waits_in_each_run_is_left_out_after_a_long_run() {
        let [short, long] = [LONG_RUN, LONG_RUN + Duration::from_secs(1)];
        let table: [(Cause, [bool; 2]); 8] = [
            (FaultCause::Crash.into(), [true, true]),
            (SkipCause::Flaky.into(), [true, true]),
            (SkipCause::CrashedOnce.into(), [true, true]),
            (FailCause::ProtocolViolated.into(), [false, true]),
            (SkipCause::NoAnswer.into(), [false, true]),
            (SkipCause::NotSupported.into(), [false, false]),
            (FailCause::Missed.into(), [false, false]),
            (PassCause::ClauseMet.into(), [false, false]),
        ];
        for (cause, left_out) in table {
            assert_eq!([short, long].map(|time| is_left_out(cause, time)), left_out, "{cause:?}");
        }
    }
}
