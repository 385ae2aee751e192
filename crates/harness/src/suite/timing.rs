//! Answers that come after the time that was given for them (`movetime`), judged alike for every kind of case.
//!
//! An engine that thinks eighteen times as long as it was allowed finds more, and its result is worth nothing. So an
//! answer that is later than a tolerance fails its case, unless the machine kept the engine waiting for a CPU for at
//! least as long as it was late: then the case says nothing of the engine.

use std::time::Duration;

use super::cause::{FailCause, SkipCause};
use super::verdict::Verdict;
use crate::player::Answer;
use threefold_chess::clock::{ClockSource, Limits, duration};

/// How a case's answers are held to the wall's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// What makes clocks run: only the wall's can find an answer late.
    pub pace: ClockSource,
    /// How much later than its time an answer may be.
    pub tolerance: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self { pace: ClockSource::Wall, tolerance: Self::TOLERANCE }
    }
}

impl Timing {
    /// The default tolerance.
    pub const TOLERANCE: Duration = Duration::from_millis(100);

    /// Is a search under these limits held to the wall's clock?
    pub(super) fn is_measured(self, limits: &Limits) -> bool {
        self.pace == ClockSource::Wall && (limits.movetime.is_some() || limits.clocks.is_some())
    }

    /// The verdict on an answer that came too late; `None` for one that didn't.
    pub(super) fn judge(self, limits: &Limits, answer: &Answer) -> Option<Verdict> {
        let allowed = limits.movetime.filter(|_| self.pace == ClockSource::Wall)?;
        let over = answer.elapsed.checked_sub(allowed).filter(|&over| over > self.tolerance)?;
        let [allowed, tolerance] = [allowed, self.tolerance].map(duration::text);
        let used = duration::to_hundredths(answer.elapsed);
        let told = format!("{used} used, {allowed} allowed (tolerance {tolerance})");
        Some(match answer.waited.filter(|&waited| waited >= over) {
            Some(waited) => {
                let kept = duration::to_hundredths(waited);
                Verdict::of(answer, SkipCause::BusyMachine, format!("{told}, kept waiting {kept}"))
            }
            None => Verdict::of(answer, FailCause::Late, told),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;
    use crate::suite::VerdictKind;

    #[test]
    fn an_answer_is_late_beyond_the_tolerance_unless_the_machine_kept_the_engine_waiting() {
        let millis = Duration::from_millis;
        let moved = Limits { movetime: Some(millis(100)), ..Limits::default() };
        let counted = ClockSource::Virtual { nodes_per_second: NonZeroU32::MIN };
        let late = Some((VerdictKind::Failed, "late: 1.83 s used, 100 ms allowed (tolerance 100 ms)"));
        let kept = "busy machine: 1.83 s used, 100 ms allowed (tolerance 100 ms), kept waiting 1.73 s";
        let table = [
            // limits, pace, used, kept waiting, verdict
            (moved, ClockSource::Wall, 90, None, None),
            (moved, ClockSource::Wall, 200, None, None),
            (moved, ClockSource::Wall, 1830, None, late),
            (moved, ClockSource::Wall, 1830, Some(1729), late),
            (moved, ClockSource::Wall, 1830, Some(1730), Some((VerdictKind::Skipped, kept))),
            (moved, counted, 1830, None, None),
            (Limits::nodes(5), ClockSource::Wall, 1830, None, None),
        ];
        for (limits, pace, used, waited, verdict) in table {
            let answer = Answer { elapsed: millis(used), waited: waited.map(millis), ..Answer::silent() };
            let judged = Timing { pace, ..Timing::default() }.judge(&limits, &answer);
            let judged = judged.map(|judged| (judged.kind(), judged.reason()));
            let verdict = verdict.map(|(mark, reason): (VerdictKind, &str)| (mark, reason.to_owned()));
            assert_eq!(judged, verdict, "{limits:?} {pace:?} {used} {waited:?}");
        }
    }
}
