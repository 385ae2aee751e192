//! What was said in a dialogue, in a form that can be repeated in a terminal.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use crate::traffic::Direction;

/// The most lines of each direction that are shown.
const MOST_SENT: usize = 40;
const MOST_RECEIVED: usize = 4;
/// The most characters of a received line.
const LONGEST_LINE: usize = 160;
/// A shorter time between two lines is not repeated.
const SHORTEST_PAUSE: Duration = Duration::from_millis(5);

/// The lines of a dialogue with their times.
pub(super) struct Transcript {
    begun: Instant,
    sent: Vec<(Duration, String)>,
    received: Vec<String>,
}

impl Transcript {
    pub(super) const fn new(begun: Instant) -> Self {
        Self { begun, sent: Vec::new(), received: Vec::new() }
    }

    pub(super) fn add(&mut self, at: Instant, direction: Direction, line: &str) {
        let at = at.saturating_duration_since(self.begun);
        match direction {
            Direction::ToEngine => self.sent.push((at, line.to_owned())),
            Direction::FromEngine | Direction::StandardError | Direction::Fault => {
                self.received.push(line.trim().to_owned());
            }
        }
    }

    /// A message with what was sent, as a command of a shell, and the last lines that came back.
    pub(super) fn with(&self, what: &str) -> String {
        let mut text = format!("{what}; to repeat it: {}", self.command());
        let shown = self.received.len().saturating_sub(MOST_RECEIVED);
        let received: Vec<String> =
            self.received[shown..].iter().map(|line| line.chars().take(LONGEST_LINE).collect()).collect();
        if !received.is_empty() {
            let _ = write!(text, "; the last lines received: {}", received.join(" / "));
        }
        text
    }

    /// Sends the lines at the same times: `(printf 'uci\n'; sleep 0.1; printf 'stop\n') | ENGINE`.
    fn command(&self) -> String {
        let first = self.sent.len().saturating_sub(MOST_SENT);
        let mut groups = vec!["uci\\n".to_owned()];
        let mut pauses = Vec::new();
        let mut last = self.sent.get(first).map_or(Duration::ZERO, |(at, _)| *at);
        for (at, line) in &self.sent[first..] {
            let pause = at.saturating_sub(last);
            if pause >= SHORTEST_PAUSE {
                pauses.push(pause);
                groups.push(String::new());
            }
            last = *at;
            // The backslash comes first, since the later replacements insert backslashes.
            let escaped = line.replace('\\', "\\\\").replace('%', "%%").replace('\'', "'\\''");
            let escaped = escaped.replace('\r', "\\r").replace('\t', "\\t");
            let group = groups.last_mut().expect("there is one");
            let _ = write!(group, "{escaped}\\n");
        }
        let mut text = if first == 0 { "(".to_owned() } else { format!("({first} earlier lines; ") };
        for (index, group) in groups.iter().enumerate() {
            let _ = write!(text, "printf '{group}'; ");
            // The last pause keeps the input open, so that the engine can answer before it ends.
            let pause = pauses.get(index).copied().unwrap_or(Duration::from_secs(1));
            let _ = write!(text, "sleep {:.3}; ", pause.as_secs_f64());
        }
        text.truncate(text.trim_end_matches("; ").len());
        text + ") | ENGINE"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SuspendableClock;

    #[test]
    fn transcript_is_a_command_and_the_last_lines() {
        let begun = SuspendableClock::default().now();
        let mut transcript = Transcript::new(begun);
        let after = |millis| begun + Duration::from_millis(millis);
        transcript.add(after(0), Direction::ToEngine, "position startpos");
        transcript.add(after(1), Direction::ToEngine, "go infinite");
        transcript.add(after(20), Direction::FromEngine, "info depth 1");
        transcript.add(after(121), Direction::ToEngine, "stop\r");
        assert_eq!(
            transcript.with("it hangs"),
            "it hangs; to repeat it: (printf 'uci\\nposition startpos\\ngo infinite\\n'; sleep 0.120; \
             printf 'stop\\r\\n'; sleep 1.000) | ENGINE; the last lines received: info depth 1"
        );
    }
}
