//! Patterns for lines that an engine writes during a search, and the lines that match.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use regex::Regex;

/// A regular expression that a line of an engine may match anywhere. The syntax is that of the crate `regex`.
#[derive(Debug, Clone)]
pub struct LinePattern(Regex);

/// The text is no regular expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is no regular expression: {cause}; write one such as '^info string '")]
pub struct InvalidPattern {
    /// The regular expression as given.
    pub given: String,
    /// What is wrong with it.
    pub cause: String,
}

impl FromStr for LinePattern {
    type Err = InvalidPattern;

    fn from_str(given: &str) -> Result<Self, InvalidPattern> {
        let invalid = |error: regex::Error| {
            // The first lines of a syntax error repeat the expression and mark a place in it.
            let text = error.to_string();
            let cause = text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
            InvalidPattern { given: given.to_owned(), cause }
        };
        Regex::new(given).map(Self).map_err(invalid)
    }
}

impl fmt::Display for LinePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str())
    }
}

impl PartialEq for LinePattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl Eq for LinePattern {}

/// The last line of a search that matches each pattern.
#[derive(Debug, Clone, Default)]
pub(super) struct LineQuotes {
    patterns: Arc<[LinePattern]>,
    found: Vec<Option<String>>,
}

impl LineQuotes {
    /// No line of the search was read yet.
    pub(super) fn new(patterns: &Arc<[LinePattern]>) -> Self {
        Self { patterns: Arc::clone(patterns), found: vec![None; patterns.len()] }
    }

    /// Are there no patterns?
    pub(super) fn is_idle(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Reads a line of the engine.
    pub(super) fn take_line(&mut self, line: &str) {
        for (pattern, found) in self.patterns.iter().zip(&mut self.found) {
            if pattern.0.is_match(line) {
                *found = Some(line.trim_end().to_owned());
            }
        }
    }

    /// The lines, in the order of their patterns.
    pub(super) fn into_lines(self) -> Vec<String> {
        self.found.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(texts: &[&str]) -> Arc<[LinePattern]> {
        texts.iter().map(|text| text.parse().expect(text)).collect()
    }

    #[test]
    fn last_line_of_each_pattern_is_quoted() {
        let mut quotes = LineQuotes::new(&patterns(&["^info string note", "wdl \\d", "never"]));
        for line in
            ["info string note 1", "info depth 1 wdl 3 4 3", "info string note 2\r", "info string other"]
        {
            quotes.take_line(line);
        }
        assert_eq!(quotes.into_lines(), ["info string note 2", "info depth 1 wdl 3 4 3"]);
        let mut idle = LineQuotes::default();
        idle.take_line("info string note 1");
        assert!(idle.is_idle() && idle.into_lines().is_empty());
    }

    #[test]
    fn invalid_patterns_are_refused_with_the_cause() {
        let error = "(open".parse::<LinePattern>().expect_err("invalid").to_string();
        assert_eq!(
            error,
            "`(open` is no regular expression: unclosed group; write one such as '^info string '"
        );
        assert_eq!("a.b".parse::<LinePattern>().expect("valid").to_string(), "a.b");
    }
}
