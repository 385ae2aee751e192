//! Answers later than the time allowed for them (`movetime`, or the clock of `tc`), judged alike for every
//! kind.
//!
//! An engine that searches eighteen times as long as allowed finds more, and its result is worthless. So an
//! answer that is late by more than a tolerance fails its case. If it would not be late without the time for
//! which the engine waited for a CPU, the case is skipped.

use std::time::Duration;

use super::cause::{FailCause, SkipCause};
use super::verdict::Verdict;
use threefold_chess::clock::{ClockSource, Clocks, Flag, Limits, duration};
use threefold_player::Answer;

/// How a case's answers are timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// The source of clocks: only wall time can make an answer late.
    pub clock_source: ClockSource,
    /// The time margin: an answer later than its time by more than this is a time loss.
    pub tolerance: Duration,
    /// The clocks of each search, if the suite limits its searches by clocks. Clocks of games are the
    /// business of their cases.
    pub clocks: Option<Clocks>,
}

impl Default for Timing {
    fn default() -> Self {
        Self { clock_source: ClockSource::Wall, tolerance: Self::TOLERANCE, clocks: None }
    }
}

impl Timing {
    /// The default tolerance.
    pub const TOLERANCE: Duration = Duration::from_millis(100);

    /// Is a search with these limits limited by wall time?
    pub(super) fn is_measured(self, limits: &Limits) -> bool {
        self.clock_source == ClockSource::Wall && (limits.movetime.is_some() || limits.clocks.is_some())
    }

    /// The verdict on an answer that came too late; `None` for others.
    pub(super) fn judge(self, limits: &Limits, answer: &Answer) -> Option<Verdict> {
        // Other clocks are those of a game, which its case judges.
        let on_clock =
            limits.clocks.filter(|&clocks| self.clocks == Some(clocks)).map(|clocks| clocks.shorter());
        let allowed = limits.movetime.or(on_clock).filter(|_| self.clock_source == ClockSource::Wall)?;
        let over = answer.elapsed.checked_sub(allowed).filter(|&over| over > self.tolerance)?;
        let [allowed, tolerance] = [allowed, self.tolerance].map(duration::format_duration);
        let used = duration::to_hundredths(answer.elapsed);
        let reported = format!("{used} used, {allowed} allowed (tolerance {tolerance})");
        let flag = Flag { over, margin: self.tolerance };
        Some(match answer.delays.filter(|&delays| flag.is_excused(Some(delays))) {
            Some(delays) => {
                let kept = duration::to_hundredths(delays.total().min(over));
                Verdict::new(answer, SkipCause::BusyMachine, format!("{reported}, kept waiting {kept}"))
            }
            None => Verdict::new(answer, FailCause::Late, reported),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;
    use crate::VerdictKind;
    use threefold_chess::clock::Delays;

    #[test]
    fn answer_is_late_beyond_tolerance_and_machine_wait() {
        let millis = Duration::from_millis;
        let moved = Limits { movetime: Some(millis(100)), ..Limits::default() };
        let clocks: Clocks = "0.1+0.05".parse().expect("sound");
        let timed = Limits::clocks(clocks);
        let counted = ClockSource::Virtual { nodes_per_second: NonZeroU32::MIN };
        let late = Some((VerdictKind::Failed, "late: 1.83 s used, 100 ms allowed (tolerance 100 ms)"));
        let kept = "busy machine: 1.83 s used, 100 ms allowed (tolerance 100 ms), kept waiting 1.63 s";
        let table = [
            // limits, pace, used, kept waiting, verdict
            (moved, ClockSource::Wall, 90, None, None),
            (moved, ClockSource::Wall, 200, None, None),
            (moved, ClockSource::Wall, 1830, None, late),
            (moved, ClockSource::Wall, 1830, Some(1629), late),
            (moved, ClockSource::Wall, 1830, Some(1630), Some((VerdictKind::Skipped, kept))),
            (moved, counted, 1830, None, None),
            (Limits::nodes(5), ClockSource::Wall, 1830, None, None),
            (timed, ClockSource::Wall, 200, None, None),
            (timed, ClockSource::Wall, 1830, None, late),
        ];
        for (limits, clock_source, used, waited, verdict) in table {
            let answer = Answer {
                elapsed: millis(used),
                delays: waited.map(|waited| Delays { engine: millis(waited), ..Delays::default() }),
                ..Answer::silent()
            };
            let timing = Timing { clock_source, clocks: Some(clocks), ..Timing::default() };
            let judged = timing.judge(&limits, &answer);
            let judged = judged.map(|judged| (judged.kind(), judged.reason()));
            let verdict = verdict.map(|(mark, reason): (VerdictKind, &str)| (mark, reason.to_owned()));
            assert_eq!(judged, verdict, "{limits:?} {clock_source:?} {used} {waited:?}");
        }
        // The clock of a game is not the suite's.
        let late = Answer { elapsed: millis(1830), ..Answer::silent() };
        assert_eq!(Timing::default().judge(&timed, &late), None);
    }
}
