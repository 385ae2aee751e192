//! A child's three pipes, each with a thread that does nothing but carry bytes.
//!
//! Lines are stamped where they arrive, so that a busy asker doesn't cost the engine time. The queue between
//! is short and lines have a greatest length: an engine that prints faster than it is read is held up by its
//! own pipe, and memory stays bounded whatever it says.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::player::run_queue::OwnWait;
use crate::player::suspension::Suspensions;
use crate::player::traffic::{Direction, Traffic};
use crate::system::pipe_end::{PipeEnd, Wanted, wanted};

/// Lines that may wait between the carrier and the asker.
const QUEUE: usize = 256;
/// Bytes of a line that are kept; the rest of the line is dropped.
const LONGEST_LINE: usize = 16 * 1024;
/// Lines that are kept to be shown when the child ends.
const LAST_LINES: usize = 20;
/// Bytes that are kept of each of them.
const LAST_LINE_LENGTH: usize = 500;

/// What comes from the child.
#[derive(Debug)]
pub(super) enum Event {
    /// A line on standard output, and when it came.
    Said(String, Arrival),
    /// Standard output is closed.
    OutputClosed,
    /// Standard error is closed.
    ErrorClosed,
}

/// When a line came.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrival {
    /// When it was taken out of the pipe.
    pub(super) at: Instant,
    /// By how much that may have been later than the child said it: how long the carrier has waited for a CPU since it
    /// last found the pipe empty. `None` where nobody wants to know, or the system doesn't tell.
    pub(super) late: Option<Duration>,
}

/// The asker's ends.
#[derive(Debug)]
pub(super) struct Pipes {
    /// Text to be written.
    pub(super) outbox: Sender<String>,
    /// When each text was written and flushed.
    pub(super) receipts: Receiver<Instant>,
    /// What the child says.
    pub(super) events: Receiver<Event>,
    /// Whether lines are to tell how late they may be. The first one after a change may not know of it.
    pub(super) timed: Arc<AtomicBool>,
    /// The end of what it said.
    pub(super) last_words: LastWords,
    /// What keeps the carriers waiting.
    _wanted: Wanted,
}

impl Pipes {
    /// Starts the carriers, which stamp lines by this clock. They end when the child's pipes close or nobody listens
    /// any more, whoever else holds the pipes.
    pub(super) fn lay(
        input: ChildStdin,
        output: ChildStdout,
        error: ChildStderr,
        clock: &Suspensions,
        traffic: &Traffic,
    ) -> io::Result<Self> {
        let (wanted, unwanted) = wanted()?;
        let input = PipeEnd::new(input, unwanted.clone());
        let output = PipeEnd::new(output, unwanted.clone());
        let error = PipeEnd::new(error, unwanted);
        let (outbox, texts) = channel();
        let (receipt, receipts) = channel();
        let (event, events) = sync_channel(QUEUE);
        let last_words = LastWords::default();
        let carrier = |name: &str| thread::Builder::new().name(format!("engine {name}"));
        let (now, said) = (clock.clone(), traffic.clone());
        carrier("input").spawn(move || carry_input(input, &texts, &receipt, &now, &said))?;
        let (words, output_event) =
            (Words { last: last_words.clone(), traffic: traffic.clone() }, event.clone());
        let timed = Arc::new(AtomicBool::new(false));
        let (is_timed, now) = (Arc::clone(&timed), clock.clone());
        carrier("output").spawn(move || carry_output(output, &output_event, &words, &is_timed, &now))?;
        let words = Words { last: last_words.clone(), traffic: traffic.clone() };
        carrier("error").spawn(move || carry_error(error, &event, &words))?;
        Ok(Self { outbox, receipts, events, timed, last_words, _wanted: wanted })
    }
}

fn carry_input(
    mut input: PipeEnd<ChildStdin>,
    texts: &Receiver<String>,
    receipt: &Sender<Instant>,
    clock: &Suspensions,
    traffic: &Traffic,
) {
    for text in texts {
        // Before it is written, so that no answer is recorded before its question.
        text.lines().for_each(|line| traffic.record(Direction::ToEngine, line));
        let written = input.write_all(text.as_bytes()).and_then(|()| input.flush());
        if written.is_err() || receipt.send(clock.now()).is_err() {
            break;
        }
    }
}

fn carry_output(
    output: PipeEnd<ChildStdout>,
    event: &SyncSender<Event>,
    words: &Words,
    timed: &AtomicBool,
    clock: &Suspensions,
) {
    let mut reader = BufReader::new(output);
    let mut queue = OwnWait::open();
    let mut waited = || timed.load(Ordering::Relaxed).then(|| queue.read()).flatten();
    let mut before = None;
    loop {
        if reader.buffer().is_empty() {
            before = waited();
        }
        let Ok(Some(line)) = bounded_line(&mut reader) else { break };
        let at = clock.now();
        let late = before.and_then(|before| Some(waited()?.saturating_sub(before)));
        words.note(Stream::Output, &line);
        if event.send(Event::Said(line, Arrival { at, late })).is_err() {
            return;
        }
    }
    let _ = event.send(Event::OutputClosed);
}

fn carry_error(error: PipeEnd<ChildStderr>, event: &SyncSender<Event>, words: &Words) {
    let mut reader = BufReader::new(error);
    while let Ok(Some(line)) = bounded_line(&mut reader) {
        words.note(Stream::Error, &line);
    }
    let _ = event.send(Event::ErrorClosed);
}

/// One line without its end, at most [`LONGEST_LINE`] bytes of it; `None` at the end of the stream.
fn bounded_line(reader: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let read = reader.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut line)?;
    if read == 0 {
        return Ok(None);
    }
    if line.last() != Some(&b'\n') {
        reader.skip_until(b'\n')?;
    }
    Ok(Some(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned()))
}

/// What records the lines that a child says.
struct Words {
    last: LastWords,
    traffic: Traffic,
}

impl Words {
    fn note(&self, stream: Stream, line: &str) {
        let direction = match stream {
            Stream::Output => Direction::FromEngine,
            Stream::Error => Direction::StandardError,
        };
        self.traffic.record(direction, line);
        self.last.note(stream, line);
    }
}

/// Where a line was said.
#[derive(Debug, Clone, Copy)]
enum Stream {
    Output,
    Error,
}

/// The end of what a child said, kept for when it ends.
#[derive(Debug, Clone, Default)]
pub(super) struct LastWords(Arc<Mutex<LastLines>>);

#[derive(Debug, Default)]
struct LastLines {
    output: VecDeque<String>,
    error: VecDeque<String>,
}

impl LastWords {
    fn note(&self, stream: Stream, line: &str) {
        let mut words = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = match stream {
            Stream::Output => &mut words.output,
            Stream::Error => &mut words.error,
        };
        if kept.len() == LAST_LINES {
            kept.pop_front();
        }
        kept.push_back(line.chars().take(LAST_LINE_LENGTH).collect());
    }

    /// Standard error's last lines, or else standard output's.
    pub(super) fn text(&self) -> String {
        let words = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = if words.error.is_empty() { &words.output } else { &words.error };
        let lines: Vec<&str> = kept.iter().map(String::as_str).filter(|line| !line.is_empty()).collect();
        if lines.is_empty() { "none".to_owned() } else { lines.join(" / ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_at_their_greatest_length() {
        let endless = "x".repeat(LONGEST_LINE * 3);
        let text = format!("one\r\n\n{endless}\nlast");
        let mut reader = text.as_bytes();
        let mut lengths = Vec::new();
        while let Some(line) = bounded_line(&mut reader).expect("memory can be read") {
            lengths.push(line.len());
        }
        assert_eq!(lengths, [3, 0, LONGEST_LINE, 4]);
    }

    #[test]
    fn standard_error_has_the_last_word() {
        let words = LastWords::default();
        assert_eq!(words.text(), "none");
        words.note(Stream::Output, "info depth 1");
        assert_eq!(words.text(), "info depth 1");
        for number in 0..=LAST_LINES {
            words.note(Stream::Error, &number.to_string());
        }
        let text = words.text();
        assert!(text.starts_with("1 / 2 / ") && text.ends_with(" / 20"), "{text}");
    }
}
