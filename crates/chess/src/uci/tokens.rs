//! A tokenizer for one line.

use std::str::FromStr;

/// The rest of a line. Words are separated by any white space, including a carriage return.
#[derive(Debug, Clone)]
pub(super) struct Tokens<'a>(&'a str);

impl<'a> Tokens<'a> {
    pub(super) const fn new(line: &'a str) -> Self {
        Self(line)
    }

    /// The next word, without consuming it.
    pub(super) fn peek(&self) -> Option<&'a str> {
        self.0.split_whitespace().next()
    }

    /// The next word if it parses as a `T`; otherwise it is not consumed, since it may be a keyword.
    pub(super) fn next_parsed<T: FromStr>(&mut self) -> Option<T> {
        let value = self.peek()?.parse().ok()?;
        self.next();
        Some(value)
    }

    /// The next word as a number. One beyond the range is the largest: it is no missing number.
    pub(super) fn next_u16(&mut self) -> Option<u16> {
        self.next_parsed::<u64>().map(|number| u16::try_from(number).unwrap_or(u16::MAX))
    }

    /// The same.
    pub(super) fn next_u32(&mut self) -> Option<u32> {
        self.next_parsed::<u64>().map(|number| u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// Words as long as they parse as `T`.
    pub(super) fn read_all<T: FromStr>(&mut self) -> Vec<T> {
        std::iter::from_fn(|| self.next_parsed()).collect()
    }

    /// Words up to a keyword, joined by single spaces; the keyword is not consumed.
    pub(super) fn until(&mut self, keywords: &[&str]) -> String {
        let mut words = Vec::new();
        while let Some(word) = self.peek().filter(|word| !keywords.contains(word)) {
            words.push(word);
            self.next();
        }
        words.join(" ")
    }

    /// The rest of the line, unchanged.
    pub(super) fn rest(&mut self) -> &'a str {
        std::mem::take(&mut self.0).trim()
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let start = self.0.trim_start();
        let end = start.find(char::is_whitespace).unwrap_or(start.len());
        let (word, rest) = start.split_at(end);
        self.0 = rest;
        (!word.is_empty()).then_some(word)
    }
}

/// Replaces line breaks by spaces.
pub(super) fn one_line(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_beyond_the_range_is_the_largest() {
        for (text, small, large) in [
            ("7", Some(7), Some(7)),
            ("70000", Some(u16::MAX), Some(70_000)),
            ("99999999999", Some(u16::MAX), Some(u32::MAX)),
            ("-1", None, None),
            ("x", None, None),
        ] {
            assert_eq!(Tokens::new(text).next_u16(), small, "{text}");
            assert_eq!(Tokens::new(text).next_u32(), large, "{text}");
        }
    }
}
