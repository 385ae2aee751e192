//! The messages of a run on the screen: faults, lost cases, and notices.

use std::collections::VecDeque;
use std::time::Duration;

use threefold_player::visible::visible;
use threefold_report as report;
use threefold_run::JobResult;
use threefold_suites::VerdictKind;

/// The number of messages that are kept for the screen.
const MOST: usize = 1_000;

/// A message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Message {
    /// The time since the screen was opened.
    pub(super) at: Duration,
    pub(super) kind: MessageKind,
    pub(super) text: String,
}

/// What a message is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MessageKind {
    /// An engine committed a fault.
    Fault,
    /// A case did not pass.
    Failed,
    /// Anything else, such as a warning.
    Notice,
}

impl MessageKind {
    /// The word before the text.
    pub(super) const fn label(self) -> &'static str {
        match self {
            Self::Fault => "fault",
            Self::Failed => "failed",
            Self::Notice => "note",
        }
    }
}

/// The latest messages, and all notices.
#[derive(Debug, Default)]
pub(super) struct Messages {
    latest: VecDeque<Message>,
    notices: Vec<String>,
    faults: usize,
}

impl Messages {
    /// The latest ones, in order.
    pub(super) fn latest(&self) -> impl DoubleEndedIterator<Item = &Message> + ExactSizeIterator {
        self.latest.iter()
    }

    /// The number of faults that were added.
    pub(super) const fn faults(&self) -> usize {
        self.faults
    }

    /// Removes all notices, which are printed when the screen is closed.
    pub(super) fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// Adds a notice.
    pub(super) fn notice(&mut self, at: Duration, text: &str) {
        self.notices.push(text.to_owned());
        self.add(at, MessageKind::Notice, visible(text));
    }

    /// Adds what is wrong with a result of a part.
    pub(super) fn result(&mut self, at: Duration, part: &str, job: usize, result: &JobResult) {
        match result {
            JobResult::Game(game) => {
                if let Some((engine, _, what)) = report::fault_of_game(game) {
                    let place = report::game_place(job + 1);
                    self.add(at, MessageKind::Fault, visible(&format!("{part}, {place}: {engine}: {what}")));
                }
            }
            JobResult::Case(case) => {
                let kind = match case.verdict.kind() {
                    VerdictKind::Fault => MessageKind::Fault,
                    VerdictKind::Failed => MessageKind::Failed,
                    VerdictKind::Passed | VerdictKind::Skipped => return,
                };
                let text = format!("{part}/{}: {}: {}", case.id, case.engine, case.verdict.reason());
                self.add(at, kind, visible(&text));
            }
        }
    }

    fn add(&mut self, at: Duration, kind: MessageKind, text: String) {
        self.faults += usize::from(kind == MessageKind::Fault);
        if self.latest.len() == MOST {
            self.latest.pop_front();
        }
        self.latest.push_back(Message { at, kind, text });
    }
}
