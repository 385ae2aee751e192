//! A child's three pipes, each with a thread that only copies bytes.
//!
//! Lines are timestamped on arrival, so that a busy reader does not cost the engine time. The queue is short
//! and lines have a maximum length. An engine that prints faster than it is read is blocked by its own pipe,
//! and memory stays bounded.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::player::run_queue::ThreadCpuWait;
use crate::player::suspension::SuspendableClock;
use crate::player::traffic::{Direction, Traffic};
use crate::system::pipe_end::{CancelOnDrop, PipeEnd, cancellation};

/// The most lines in the queue between the pipe thread and the caller.
const QUEUE: usize = 256;
/// Bytes kept of a line; the rest is dropped.
const LONGEST_LINE: usize = 16 * 1024;
/// Lines kept for the report when the child ends.
const LAST_LINES: usize = 20;
/// Bytes kept of each of them.
const LAST_LINE_LENGTH: usize = 500;

/// An event from the child.
#[derive(Debug)]
pub(super) enum PipeEvent {
    /// A line on standard output.
    Line(String, LineArrival),
    /// Standard output is closed.
    OutputClosed,
    /// Standard error is closed.
    ErrorClosed,
}

/// The arrival time of a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineArrival {
    /// When it was read from the pipe.
    pub(super) at: Instant,
    /// By how much the child may have written it earlier: how long the pipe thread has waited for a CPU since
    /// it last found the pipe empty. `None` if it is not measured or the system does not report it.
    pub(super) late: Option<Duration>,
}

/// The caller's ends of the channels.
#[derive(Debug)]
pub(super) struct Pipes {
    /// Text to be written.
    pub(super) outbox: Sender<String>,
    /// When each text was written and flushed.
    pub(super) receipts: Receiver<Instant>,
    /// What the child says.
    pub(super) events: Receiver<PipeEvent>,
    /// Whether lines get a lateness. The first line after a change may not have it yet.
    pub(super) timed: Arc<AtomicBool>,
    /// The end of its output.
    pub(super) last_output: LastOutput,
    /// Cancels the pipe threads.
    _wanted: CancelOnDrop,
}

impl Pipes {
    /// Starts the pipe threads, which timestamp lines by this clock. They end when the child's pipes close or
    /// when the [`Pipes`] are dropped, even if other processes hold the pipes.
    pub(super) fn connect(
        input: ChildStdin,
        output: ChildStdout,
        error: ChildStderr,
        clock: &SuspendableClock,
        traffic: &Traffic,
    ) -> io::Result<Self> {
        let (cancel, token) = cancellation()?;
        let input = PipeEnd::new(input, token.clone());
        let output = PipeEnd::new(output, token.clone());
        let error = PipeEnd::new(error, token);
        let (outbox, texts) = channel();
        let (receipt, receipts) = channel();
        let (event, events) = sync_channel(QUEUE);
        let last_output = LastOutput::default();
        let carrier = |name: &str| thread::Builder::new().name(format!("engine {name}"));
        let (now, said) = (clock.clone(), traffic.clone());
        carrier("input").spawn(move || carry_input(input, &texts, &receipt, &now, &said))?;
        let (recorder, output_event) =
            (LineRecorder { last: last_output.clone(), traffic: traffic.clone() }, event.clone());
        let timed = Arc::new(AtomicBool::new(false));
        let (is_timed, now) = (Arc::clone(&timed), clock.clone());
        carrier("output").spawn(move || carry_output(output, &output_event, &recorder, &is_timed, &now))?;
        let recorder = LineRecorder { last: last_output.clone(), traffic: traffic.clone() };
        carrier("error").spawn(move || carry_error(error, &event, &recorder))?;
        Ok(Self { outbox, receipts, events, timed, last_output, _wanted: cancel })
    }
}

fn carry_input(
    mut input: PipeEnd<ChildStdin>,
    texts: &Receiver<String>,
    receipt: &Sender<Instant>,
    clock: &SuspendableClock,
    traffic: &Traffic,
) {
    for text in texts {
        // Recorded before it is written, so that no answer is recorded before its question.
        text.lines().for_each(|line| traffic.record(Direction::ToEngine, line));
        let written = input.write_all(text.as_bytes()).and_then(|()| input.flush());
        if written.is_err() || receipt.send(clock.now()).is_err() {
            break;
        }
    }
}

fn carry_output(
    output: PipeEnd<ChildStdout>,
    event: &SyncSender<PipeEvent>,
    recorder: &LineRecorder,
    timed: &AtomicBool,
    clock: &SuspendableClock,
) {
    let mut reader = BufReader::new(output);
    let mut queue = ThreadCpuWait::open();
    let mut waited = || timed.load(Ordering::Relaxed).then(|| queue.read()).flatten();
    let mut before = None;
    loop {
        if reader.buffer().is_empty() {
            before = waited();
        }
        let Ok(Some(line)) = bounded_line(&mut reader) else { break };
        let at = clock.now();
        let late = before.and_then(|before| Some(waited()?.saturating_sub(before)));
        recorder.note(OutputStream::Output, &line);
        if event.send(PipeEvent::Line(line, LineArrival { at, late })).is_err() {
            return;
        }
    }
    let _ = event.send(PipeEvent::OutputClosed);
}

fn carry_error(error: PipeEnd<ChildStderr>, event: &SyncSender<PipeEvent>, recorder: &LineRecorder) {
    let mut reader = BufReader::new(error);
    while let Ok(Some(line)) = bounded_line(&mut reader) {
        recorder.note(OutputStream::Error, &line);
    }
    let _ = event.send(PipeEvent::ErrorClosed);
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

/// Records the lines of a child.
struct LineRecorder {
    last: LastOutput,
    traffic: Traffic,
}

impl LineRecorder {
    fn note(&self, stream: OutputStream, line: &str) {
        let direction = match stream {
            OutputStream::Output => Direction::FromEngine,
            OutputStream::Error => Direction::StandardError,
        };
        self.traffic.record(direction, line);
        self.last.note(stream, line);
    }
}

/// An output stream.
#[derive(Debug, Clone, Copy)]
enum OutputStream {
    Output,
    Error,
}

/// The end of a child's output, kept for the report when it ends.
#[derive(Debug, Clone, Default)]
pub(super) struct LastOutput(Arc<Mutex<LastLines>>);

#[derive(Debug, Default)]
struct LastLines {
    output: VecDeque<String>,
    error: VecDeque<String>,
}

impl LastOutput {
    fn note(&self, stream: OutputStream, line: &str) {
        let mut recorder = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = match stream {
            OutputStream::Output => &mut recorder.output,
            OutputStream::Error => &mut recorder.error,
        };
        if kept.len() == LAST_LINES {
            kept.pop_front();
        }
        kept.push_back(line.chars().take(LAST_LINE_LENGTH).collect());
    }

    /// The last lines of standard error.
    pub(super) fn errors(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).error.iter().cloned().collect()
    }

    /// The last lines of standard error, or else of standard output.
    pub(super) fn text(&self) -> String {
        let recorder = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = if recorder.error.is_empty() { &recorder.output } else { &recorder.error };
        let lines: Vec<&str> = kept.iter().map(String::as_str).filter(|line| !line.is_empty()).collect();
        if lines.is_empty() { "none".to_owned() } else { lines.join(" / ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_truncated() {
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
    fn exit_report_ends_with_standard_error() {
        let recorder = LastOutput::default();
        assert_eq!(recorder.text(), "none");
        recorder.note(OutputStream::Output, "info depth 1");
        assert_eq!(recorder.text(), "info depth 1");
        for number in 0..=LAST_LINES {
            recorder.note(OutputStream::Error, &number.to_string());
        }
        let text = recorder.text();
        assert!(text.starts_with("1 / 2 / ") && text.ends_with(" / 20"), "{text}");
    }
}
