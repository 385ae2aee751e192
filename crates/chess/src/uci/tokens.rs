//! A line, word by word.

use std::str::FromStr;

/// What is left of a line. Words are separated by any white space, a carriage return included.
#[derive(Debug, Clone)]
pub(super) struct Tokens<'a>(&'a str);

impl<'a> Tokens<'a> {
    pub(super) const fn new(line: &'a str) -> Self {
        Self(line)
    }

    /// The next word, left where it is.
    pub(super) fn peek(&self) -> Option<&'a str> {
        self.0.split_whitespace().next()
    }

    /// The next word, if it reads as a `T`; if not it stays, for it may be a keyword.
    pub(super) fn read<T: FromStr>(&mut self) -> Option<T> {
        let value = self.peek()?.parse().ok()?;
        self.next();
        Some(value)
    }

    /// Words for as long as they read as `T`s.
    pub(super) fn read_all<T: FromStr>(&mut self) -> Vec<T> {
        std::iter::from_fn(|| self.read()).collect()
    }

    /// Words up to a keyword, with single spaces between; the keyword stays.
    pub(super) fn until(&mut self, keywords: &[&str]) -> String {
        let mut words = Vec::new();
        while let Some(word) = self.peek().filter(|word| !keywords.contains(word)) {
            words.push(word);
            self.next();
        }
        words.join(" ")
    }

    /// Everything that is left, as it was written.
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

/// Text that is to stand inside one line: line breaks become spaces.
pub(super) fn one_line(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}
