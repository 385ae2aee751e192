//! Statements about a run as a whole, for the formats that list findings: it did not start, it is not
//! finished, something in it is not compared.
//!
//! Without them a list of findings is empty both after a clean run and after none, and a server closes its
//! open alerts.

use crate::model::report::Report;
use crate::words::finding::{Severity, fingerprint};
use crate::words::headline::Acceptance;

threefold_named_enum::named_enum! {
    /// What a statement about a run is about.
    pub(crate) enum NoticeKind {
        /// An engine cannot be started.
        NotStarted = "not-started",
        /// The run stopped because of engine faults or failed cases.
        Stopped = "stopped",
        /// The run was interrupted.
        NotFinished = "not-finished",
        /// A suite, or the whole run, is compared with nothing.
        NotCompared = "not-compared",
    }
}

/// A statement about a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RunNotice {
    /// How bad it is.
    pub(crate) severity: Severity,
    /// What it is about.
    pub(crate) kind: NoticeKind,
    /// The description, a sentence or a clause.
    pub(crate) message: String,
    /// Names the same statement in every run.
    pub(crate) fingerprint: String,
}

impl Report {
    /// The statements about the run, the worst first.
    pub(crate) fn run_notices(&self) -> Vec<RunNotice> {
        let notice = |severity, kind: NoticeKind, subject: &str, message: String| RunNotice {
            severity,
            kind,
            message,
            fingerprint: fingerprint(["run", kind.name(), subject, ""]),
        };
        let whole = |kind| vec![notice(Severity::Error, kind, "", self.headline())];
        if self.failed_start().is_some() {
            return whole(NoticeKind::NotStarted);
        }
        let acceptance = self.acceptance();
        let mut notices = match acceptance {
            Acceptance::Stopped => whole(NoticeKind::Stopped),
            Acceptance::Refused if self.is_stopped_by_failed_cases() => whole(NoticeKind::Stopped),
            Acceptance::Unfinished => whole(NoticeKind::NotFinished),
            Acceptance::Accepted | Acceptance::Refused | Acceptance::Running | Acceptance::NotCompared => {
                Vec::new()
            }
        };
        let severity = match acceptance {
            Acceptance::NotCompared => Severity::Error,
            _ => Severity::Warning,
        };
        let gaps = self.basis().gaps;
        notices.extend(
            gaps.iter().map(|gap| notice(severity, NoticeKind::NotCompared, gap.subject(), gap.to_string())),
        );
        notices
    }
}
