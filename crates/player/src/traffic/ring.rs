//! The last lines of an engine's traffic, bounded in number and bytes.

use std::collections::VecDeque;
use std::time::Duration;

use super::{Direction, TrafficLine};

/// The most lines kept.
pub(super) const MOST_LINES: usize = 200;
/// The most bytes kept of all lines together.
pub(super) const MOST_BYTES: usize = 256 * 1024;
/// The most bytes kept of a line: enough for a position with 400 moves.
pub(super) const LONGEST_LINE: usize = 4096;

/// The last lines.
#[derive(Debug, Default)]
pub(super) struct Ring {
    lines: VecDeque<TrafficLine>,
    bytes: usize,
}

impl Ring {
    /// Adds a line, and drops the oldest ones beyond the limits. Their buffers are reused.
    pub(super) fn push(&mut self, at: Duration, direction: Direction, text: &str) {
        let text = &text[..text.floor_char_boundary(LONGEST_LINE)];
        let mut kept = String::new();
        while self.lines.len() == MOST_LINES || self.bytes + text.len() > MOST_BYTES {
            let Some(oldest) = self.lines.pop_front() else { break };
            self.bytes -= oldest.text.len();
            kept = oldest.text;
        }
        kept.clear();
        kept.push_str(text);
        self.bytes += text.len();
        self.lines.push_back(TrafficLine { at, direction, text: kept });
    }

    /// The last lines in one direction, oldest first: at most this many, each with at most this many
    /// characters.
    pub(super) fn last_of(&self, direction: Direction, count: usize, length: usize) -> Vec<String> {
        let of_it = self.lines.iter().rev().filter(|line| line.direction == direction);
        let mut lines: Vec<String> =
            of_it.take(count).map(|line| line.text.chars().take(length).collect()).collect();
        lines.reverse();
        lines
    }

    /// The lines, oldest first.
    pub(super) fn lines(&self) -> Vec<TrafficLine> {
        self.lines.iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(ring: &Ring) -> Vec<String> {
        ring.lines().into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn ring_keeps_the_last_lines() {
        let mut ring = Ring::default();
        for number in 0..=MOST_LINES {
            ring.push(Duration::ZERO, Direction::FromEngine, &number.to_string());
        }
        let kept = texts(&ring);
        assert_eq!((kept.len(), kept[0].as_str()), (MOST_LINES, "1"));
        assert_eq!(kept.last().map(String::as_str), Some("200"));
    }

    #[test]
    fn ring_is_bounded_in_bytes_and_cuts_lines_between_characters() {
        let mut ring = Ring::default();
        let long = format!("x{}", "é".repeat(LONGEST_LINE));
        for _ in 0..MOST_LINES {
            ring.push(Duration::ZERO, Direction::StandardError, &long);
            assert!(ring.bytes <= MOST_BYTES);
        }
        let kept = texts(&ring);
        assert!(kept.iter().all(|text| text.len() == LONGEST_LINE - 1 && long.starts_with(text.as_str())));
        assert_eq!(kept.len(), MOST_BYTES / (LONGEST_LINE - 1));
        ring.push(Duration::ZERO, Direction::ToEngine, "stop");
        assert_eq!(texts(&ring).last().map(String::as_str), Some("stop"));
        assert_eq!(ring.bytes, texts(&ring).iter().map(String::len).sum::<usize>());
    }
}
