//! The lines of a stream that arrives in pieces.

use std::borrow::Cow;

/// Bytes kept of a line; the rest is dropped.
const LONGEST_LINE: usize = 16 * 1024;
/// A buffer with this many bytes is full.
const FULL: usize = 1024 * 1024;

/// Bytes that have arrived, and are taken as lines.
#[derive(Debug, Default)]
pub(super) struct LineBuffer {
    bytes: Vec<u8>,
    /// The begin of the next line.
    begin: usize,
    /// There is no line break from `begin` to here.
    searched: usize,
    is_closed: bool,
    /// Is the rest of a line dropped that was taken before its end?
    drops_rest: bool,
}

impl LineBuffer {
    /// Adds bytes.
    pub(super) fn push(&mut self, mut bytes: &[u8]) {
        if self.drops_rest {
            let Some(end) = memchr::memchr(b'\n', bytes) else { return };
            bytes = &bytes[end + 1..];
            self.drops_rest = false;
        }
        if self.begin == self.bytes.len() {
            self.bytes.clear();
            (self.begin, self.searched) = (0, 0);
        } else if self.begin >= FULL {
            // Only after a mebibyte, so that moving the rest costs little for each byte.
            self.bytes.drain(..self.begin);
            self.searched -= self.begin;
            self.begin = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// The stream is at its end: what is left is a line, too.
    pub(super) const fn close(&mut self) {
        self.is_closed = true;
    }

    /// Has it ended, and is every line taken?
    pub(super) const fn is_at_end(&self) -> bool {
        self.is_closed && self.begin == self.bytes.len()
    }

    /// Is there nothing to take, and has it not ended?
    pub(super) const fn is_empty(&self) -> bool {
        !self.is_closed && self.begin == self.bytes.len()
    }

    /// Is there a whole line?
    pub(super) fn has_line(&self) -> bool {
        memchr::memchr(b'\n', &self.bytes[self.searched..]).is_some()
    }

    /// Takes what there is of a line that has not ended, and drops the rest of it when that comes. `None`
    /// without such a line.
    pub(super) fn take_unfinished_line(&mut self) -> Option<String> {
        if self.is_closed || self.has_line() || self.begin == self.bytes.len() {
            return None;
        }
        let line = String::from_utf8_lossy(&self.bytes[self.begin..]).into_owned();
        (self.begin, self.searched) = (self.bytes.len(), self.bytes.len());
        self.drops_rest = true;
        Some(line)
    }

    /// The bytes up to the next line break or the end, without white space around them.
    pub(super) fn peek_line(&self) -> &[u8] {
        let rest = &self.bytes[self.begin..];
        rest.split(|&byte| byte == b'\n').next().unwrap_or_default().trim_ascii()
    }

    /// Has it a mebibyte or more? Then nothing should be read before lines are taken.
    pub(super) const fn is_full(&self) -> bool {
        self.bytes.len() - self.begin >= FULL
    }

    /// The next line without its end, at most [`LONGEST_LINE`] bytes of it; `None` if there is none yet.
    pub(super) fn next_line(&mut self) -> Option<Cow<'_, str>> {
        let begin = self.begin;
        let found = memchr::memchr(b'\n', &self.bytes[self.searched..]);
        let end = match found {
            Some(offset) => {
                let end = self.searched + offset;
                self.begin = end + 1;
                end
            }
            None if self.is_closed && begin < self.bytes.len() => {
                self.begin = self.bytes.len();
                self.begin
            }
            None => {
                // The end of a line that is too long is not kept.
                self.bytes.truncate(self.bytes.len().min(begin + LONGEST_LINE));
                self.searched = self.bytes.len();
                return None;
            }
        };
        self.searched = self.begin;
        let mut line = &self.bytes[begin..end.min(begin + LONGEST_LINE)];
        while let [rest @ .., b'\r'] = line {
            line = rest;
        }
        Some(String::from_utf8_lossy(line))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lines(buffer: &mut LineBuffer) -> Vec<String> {
        std::iter::from_fn(|| buffer.next_line().map(Cow::into_owned)).collect()
    }

    #[test]
    fn long_lines_are_cut_and_memory_is_bounded() {
        let mut buffer = LineBuffer::default();
        buffer.push(b"one\r\n\n");
        assert_eq!(lines(&mut buffer), ["one", ""]);
        for _ in 0..1000 {
            buffer.push(&[b'x'; LONGEST_LINE]);
            assert_eq!(buffer.next_line(), None);
            assert!(buffer.bytes.len() <= LONGEST_LINE && !buffer.is_full());
        }
        buffer.push(b"y\nlast");
        assert_eq!(lines(&mut buffer), ["x".repeat(LONGEST_LINE)]);
        assert!(!buffer.is_at_end());
        buffer.close();
        assert!(!buffer.is_at_end(), "a line is left");
        assert_eq!(lines(&mut buffer), ["last"]);
        assert!(buffer.is_at_end());
    }

    #[test]
    fn rest_of_an_unfinished_line_is_dropped() {
        let mut buffer = LineBuffer::default();
        assert_eq!(buffer.take_unfinished_line(), None);
        buffer.push(b"one\ntw");
        assert_eq!(buffer.take_unfinished_line(), None, "a whole line comes first");
        assert_eq!(lines(&mut buffer), ["one"]);
        assert_eq!(buffer.take_unfinished_line().as_deref(), Some("tw"));
        assert_eq!(buffer.take_unfinished_line(), None);
        buffer.push(b"o and");
        assert!(buffer.is_empty() && lines(&mut buffer).is_empty());
        buffer.push(b" more\nthree\n");
        assert_eq!(lines(&mut buffer), ["three"]);
    }

    #[test]
    fn a_buffer_that_nobody_takes_from_is_full() {
        let mut buffer = LineBuffer::default();
        let mut pushed = 0;
        while !buffer.is_full() {
            buffer.push(b"info depth 1\n");
            pushed += 1;
        }
        assert_eq!((lines(&mut buffer).len(), buffer.is_full()), (pushed, false));
    }

    proptest! {
        #[test]
        fn pieces_do_not_matter(text in "[ab\r\n]{0,60}", cuts in prop::collection::vec(0..60_usize, 0..8)) {
            let mut expected: Vec<&str> = text.split('\n').collect();
            if expected.last() == Some(&"") {
                expected.pop();
            }
            let expected: Vec<&str> = expected.into_iter().map(|line| line.trim_end_matches('\r')).collect();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).chain([0, text.len()]).collect();
            cuts.sort_unstable();
            let mut buffer = LineBuffer::default();
            let mut found = Vec::new();
            for piece in cuts.windows(2) {
                buffer.push(&text.as_bytes()[piece[0]..piece[1]]);
                found.extend(lines(&mut buffer));
            }
            buffer.close();
            found.extend(lines(&mut buffer));
            prop_assert_eq!(found, expected);
        }
    }
}
