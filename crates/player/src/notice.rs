//! Notices to the user that an engine has been silent for long: which engine, what it was asked, and when the
//! wait ends.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use threefold_chess::clock::duration;

/// An engine has sent nothing for some time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SilenceNotice {
    /// The engine's name.
    pub engine: String,
    /// What it is doing: `answering …`.
    pub task: String,
    /// The length of the silence.
    pub silent: Duration,
    /// The time left until the wait ends.
    pub left: Duration,
}

impl fmt::Display for SilenceNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { engine, task, silent, left } = self;
        let (silent, left) = (duration::format_duration(*silent), duration::format_duration(*left));
        write!(f, "engine `{engine}` has said nothing for {silent} while {task}; it has {left} left")
    }
}

/// Sends notices to a receiver. Clones share it.
#[derive(Clone)]
pub struct NoticeSender(Arc<dyn Fn(SilenceNotice) + Send + Sync>);

impl NoticeSender {
    /// Calls this function with each notice, in the thread that waits for the engine.
    pub fn to(receive: impl Fn(SilenceNotice) + Send + Sync + 'static) -> Self {
        Self(Arc::new(receive))
    }

    /// Sends a notice.
    pub fn send(&self, notice: SilenceNotice) {
        (self.0)(notice);
    }
}

/// The receiver of a [`NoticeSender`], which can be replaced while engines have the sender.
#[derive(Debug)]
pub struct NoticeReceiver(Arc<Mutex<NoticeSender>>);

impl NoticeReceiver {
    /// A sender whose notices go to `first` until [`NoticeReceiver::replace`] is called.
    pub fn starting_with(first: NoticeSender) -> (NoticeSender, Self) {
        let receiver = Arc::new(Mutex::new(first));
        let present = Arc::clone(&receiver);
        let send = move |notice| {
            // The lock ends before the call, so a slow receiver blocks neither other engines nor `replace`.
            let present = present.lock().unwrap_or_else(PoisonError::into_inner).clone();
            present.send(notice);
        };
        (NoticeSender::to(send), Self(receiver))
    }

    /// Notices go to `next` from now on.
    pub fn replace(&self, next: NoticeSender) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = next;
    }
}

impl Default for NoticeSender {
    /// Discards notices.
    fn default() -> Self {
        Self::to(|_| {})
    }
}

impl fmt::Debug for NoticeSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Notices")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn notices_go_to_the_present_receiver() {
        let [(first, of_first), (second, of_second)] = [channel(), channel()];
        let to = |sender: std::sync::mpsc::Sender<String>| {
            NoticeSender::to(move |notice| sender.send(notice.engine).expect("received below"))
        };
        let notice = |engine: &str| SilenceNotice {
            engine: engine.to_owned(),
            task: String::new(),
            silent: Duration::ZERO,
            left: Duration::ZERO,
        };
        let (sender, receiver) = NoticeReceiver::starting_with(to(first));
        let clone = sender.clone();
        sender.send(notice("A"));
        receiver.replace(to(second));
        clone.send(notice("B"));
        drop((sender, clone, receiver));
        assert_eq!(of_first.iter().collect::<Vec<_>>(), ["A"]);
        assert_eq!(of_second.iter().collect::<Vec<_>>(), ["B"]);
    }
}
