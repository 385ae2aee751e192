//! Reads the reasons of verdicts from versions without causes into a cause and a detail.
//!
//! Journals of formats 1 and 2, and baselines with a column `reason`, have one text for both. Most texts
//! begin with the present name of a cause; a few have changed. A text that fits no cause of its verdict kind
//! becomes the detail of the cause `unclassified`, so that nothing is lost or guessed.

use super::cause::{Cause, FailCause, PassCause, SkipCause};
use super::verdict::VerdictKind;
use threefold_player::{FaultCause, LimitEnforcedBy};

/// A reason read from an older file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OlderReason {
    /// The cause that the text names, or `unclassified`.
    pub cause: Cause,
    /// The rest of the text.
    pub detail: String,
    /// Who ended the searches at their node limit.
    pub limit_enforced_by: LimitEnforcedBy,
}

/// The end of such a text if the engine did not know node limits.
const LIMIT_BY_HARNESS: &str = "; node limit held by the harness";

/// Beginnings of texts whose causes have another name today. The rest is the detail.
const RENAMED: &[(&str, Cause)] = &[
    ("it claims no mate", Cause::Passed(PassCause::NoMateClaimed)),
    ("mate in ", Cause::Passed(PassCause::Converted)),
    ("lasted: ", Cause::Failed(FailCause::MatedTooSoon)),
    ("the engine lacks ", Cause::Skipped(SkipCause::NotSupported)),
    ("the machine's doing: ", Cause::Skipped(SkipCause::BusyMachine)),
    ("it tells no score", Cause::Skipped(SkipCause::NoScore)),
    ("the engine doesn't tell its nodes", Cause::Skipped(SkipCause::NoNodes)),
    ("no count to compare with: ", Cause::Skipped(SkipCause::NoReference)),
    ("no count here is within the limits", Cause::Skipped(SkipCause::OutOfLimits)),
    ("it names no move", Cause::Fault(FaultCause::NoMove)),
    ("illegal move ", Cause::Fault(FaultCause::IllegalMove)),
    ("flag: ", Cause::Fault(FaultCause::TimeLoss)),
    ("it ended ", Cause::Fault(FaultCause::Crash)),
    ("it was not done ", Cause::Fault(FaultCause::NoAnswer)),
    ("it broke the protocol: ", Cause::Fault(FaultCause::ProtocolBreach)),
    ("it could not be started ", Cause::Fault(FaultCause::NotStarted)),
    ("the suite is wrong: ", Cause::Fault(FaultCause::UnsoundCase)),
];

impl OlderReason {
    /// Reads the reason of a verdict of this kind.
    pub fn read(kind: VerdictKind, text: &str) -> Self {
        let (reason, limit_enforced_by) = match text.strip_suffix(LIMIT_BY_HARNESS) {
            Some(reason) => (reason, LimitEnforcedBy::Harness),
            None => (text, LimitEnforcedBy::Engine),
        };
        let (cause, detail) = named(kind, reason)
            .or_else(|| renamed(kind, reason))
            .unwrap_or((Cause::unclassified(kind), reason));
        Self { cause, detail: detail.to_owned(), limit_enforced_by }
    }
}

/// A text that is, or begins with, the name of a cause.
fn named(kind: VerdictKind, reason: &str) -> Option<(Cause, &str)> {
    let (name, detail) = reason.split_once(": ").unwrap_or((reason, ""));
    Some((Cause::named(kind, name).ok()?, detail))
}

/// A text that begins as the texts of a cause did. For a fault of an engine the whole text is the detail, as
/// today.
fn renamed(kind: VerdictKind, reason: &str) -> Option<(Cause, &str)> {
    let (beginning, cause) =
        RENAMED.iter().find(|(beginning, cause)| cause.kind() == kind && reason.starts_with(beginning))?;
    let is_complete = matches!(
        cause,
        Cause::Passed(PassCause::Converted)
            | Cause::Fault(
                FaultCause::Crash
                    | FaultCause::NoAnswer
                    | FaultCause::ProtocolBreach
                    | FaultCause::NotStarted
            )
    );
    let detail = if is_complete { reason } else { reason[beginning.len()..].trim_start() };
    Some((*cause, detail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_reason_is_mapped_to_its_cause() {
        use LimitEnforcedBy::{Engine, Harness};
        use VerdictKind::{Failed, Fault, Passed, Skipped};
        let table: [(VerdictKind, &str, Cause, &str, LimitEnforcedBy); 14] = [
            (Passed, "an accepted move", PassCause::AcceptedMove.into(), "", Engine),
            (Passed, "best; node limit held by the harness", PassCause::BestMate.into(), "", Harness),
            (
                Failed,
                "missed: cp 31; node limit held by the harness",
                FailCause::Missed.into(),
                "cp 31",
                Harness,
            ),
            (Failed, "longer: #5 instead of #3", FailCause::Longer.into(), "#5 instead of #3", Engine),
            (Failed, "draw: d1c1 for cp 0", FailCause::Draw.into(), "d1c1 for cp 0", Engine),
            (Failed, "lasted: 9 of 13 moves", FailCause::MatedTooSoon.into(), "9 of 13 moves", Engine),
            (Passed, "lasted: 13 of 13 moves", PassCause::Lasted.into(), "13 of 13 moves", Engine),
            (Skipped, "no telling: why", SkipCause::Inconclusive.into(), "why", Engine),
            (
                Skipped,
                "the engine lacks option UCI_Chess960",
                SkipCause::NotSupported.into(),
                "option UCI_Chess960",
                Engine,
            ),
            (Fault, "illegal move e7e8 at ply 2", FaultCause::IllegalMove.into(), "e7e8 at ply 2", Engine),
            (Fault, "it names no move", FaultCause::NoMove.into(), "", Engine),
            (Fault, "it ended (signal: 11)", FaultCause::Crash.into(), "it ended (signal: 11)", Engine),
            // A cause of another verdict kind does not match, and a text without a cause stays whole.
            (Passed, "missed: cp 31", PassCause::Unclassified.into(), "missed: cp 31", Engine),
            (Failed, "a: b; c", FailCause::Unclassified.into(), "a: b; c", Engine),
        ];
        for (kind, text, cause, detail, limit_enforced_by) in table {
            let read = OlderReason::read(kind, text);
            assert_eq!(read, OlderReason { cause, detail: detail.to_owned(), limit_enforced_by }, "{text}");
        }
    }

    #[test]
    fn older_reason_with_its_cause_keeps_its_text() {
        for text in ["missed: cp 31", "a: b; c", "strength: it has no history", "no point", ""] {
            let OlderReason { cause, detail, .. } = OlderReason::read(VerdictKind::Failed, text);
            let reported = if text.is_empty() { "unclassified" } else { text };
            assert_eq!(cause.with_detail(&detail), reported);
        }
    }
}
