//! Texts by which a line of standard error shows a defect: a failed assertion, a sanitizer's report, a panic.

use std::sync::Arc;

use crate::visible::visible;

/// The longest quotation of a line, in characters.
const LONGEST_QUOTE: usize = 300;

/// Texts of which each makes a line of standard error a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorPatterns(Arc<[String]>);

impl ErrorPatterns {
    /// What the CI of engines searches for: C's `assert`, the sanitizers of Clang and GCC, Rust's panics.
    pub const USUAL: [&str; 7] = [
        "Assertion",
        "AddressSanitizer",
        "ThreadSanitizer",
        "UndefinedBehaviorSanitizer",
        "LeakSanitizer",
        "runtime error:",
        "panicked at",
    ];

    /// These texts, compared with case.
    pub fn new(patterns: impl IntoIterator<Item = String>) -> Self {
        Self(patterns.into_iter().collect())
    }

    /// The line without invisible characters, cut to a readable length, if it has one of the texts.
    pub(super) fn quote(&self, line: &str) -> Option<String> {
        let matches = self.0.iter().any(|pattern| line.contains(pattern.as_str()));
        matches.then(|| visible(line.trim()).chars().take(LONGEST_QUOTE).collect())
    }
}

impl Default for ErrorPatterns {
    fn default() -> Self {
        Self::new(Self::USUAL.map(str::to_owned))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_defects_are_quoted_and_others_are_not() {
        let table = [
            ("engine: search.cpp:12: Assertion `depth > 0' failed.", true),
            ("==12==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1", true),
            ("tt.cpp:7:3: runtime error: shift exponent 64 is too large", true),
            ("thread 'main' panicked at src/main.rs:5:9:", true),
            ("info string NNUE evaluation enabled", false),
            ("assertions are on", false),
            ("", false),
        ];
        for (line, is_quoted) in table {
            assert_eq!(ErrorPatterns::default().quote(line).as_deref(), is_quoted.then_some(line));
        }
        let long = format!(" Assertion\u{1b}{}", "x".repeat(9000));
        let quote = ErrorPatterns::default().quote(&long).expect("it matches");
        assert!(quote.starts_with("Assertion␛xx") && quote.chars().count() == LONGEST_QUOTE);
        assert_eq!(ErrorPatterns::new([]).quote(&long), None);
    }
}
