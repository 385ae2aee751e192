//! An `info` line with its words, also those that are no legal value.

use std::time::Duration;

use threefold_chess::score::Bound;
use threefold_chess::uci::{Info, Reply};

/// The words of `info` that UCI defines, and the usual additions. A principal variation ends before them.
const KEYWORDS: [&str; 21] = [
    "depth",
    "seldepth",
    "time",
    "nodes",
    "pv",
    "multipv",
    "score",
    "currmove",
    "currmovenumber",
    "hashfull",
    "nps",
    "tbhits",
    "sbhits",
    "cpuload",
    "string",
    "refutation",
    "currline",
    "wdl",
    "lowerbound",
    "upperbound",
    "bmc",
];
/// The numbers that cannot be negative.
const COUNTS: [&str; 6] = ["depth", "seldepth", "time", "nodes", "nps", "hashfull"];
/// The most characters of a line in a message.
const LONGEST_QUOTE: usize = 200;

/// An `info` line of a search.
#[derive(Debug, Clone)]
pub(super) struct InfoLine {
    /// The line.
    pub(super) text: String,
    /// Its values, as far as they can be read.
    pub(super) info: Info,
    /// The words of the principal variation.
    pub(super) pv: Vec<String>,
    /// When it came, from `go`.
    pub(super) elapsed: Duration,
}

impl InfoLine {
    /// Reads a line; `None` if it is not about a search.
    pub(super) fn read(text: &str, elapsed: Duration) -> Option<Self> {
        let Reply::Info(info) = Reply::parse(text) else { return None };
        let words = Self::words(text);
        let pv = words.skip_while(|word| *word != "pv").skip(1);
        let pv: Vec<String> = pv.take_while(|word| !KEYWORDS.contains(word)).map(str::to_owned).collect();
        (info.is_about_a_search() || !pv.is_empty()).then(|| Self {
            text: text.trim().to_owned(),
            info,
            pv,
            elapsed,
        })
    }

    /// The words before free text.
    fn words(text: &str) -> impl Iterator<Item = &str> {
        text.split_ascii_whitespace().take_while(|word| *word != "string")
    }

    /// The number of its principal variation.
    pub(super) fn rank(&self) -> u32 {
        self.info.multipv.unwrap_or(1)
    }

    /// Has it an exact score?
    pub(super) fn is_exact(&self) -> bool {
        self.info.score.is_some_and(|(_, bound)| bound == Bound::Exact)
    }

    /// The name and the text of a count that is no number from 0 to 2⁶⁰.
    pub(super) fn invalid_count(&self) -> Option<(&str, &str)> {
        let words: Vec<&str> = Self::words(&self.text).collect();
        let is_count = |text: &str| text.parse::<u64>().is_ok_and(|count| count < 1 << 60);
        let mut pairs = words.windows(2).map(|pair| (pair[0], pair[1]));
        pairs.find(|(name, value)| COUNTS.contains(name) && !is_count(value))
    }
}

/// Stands more than one space between two words before free text?
pub(super) fn has_wide_gap(line: &str) -> bool {
    let line = line.trim();
    let before_text = line.split_once(" string ").map_or(line, |(words, _)| words);
    before_text.contains("  ") || before_text.contains('\t')
}

/// The beginning of a line.
pub(super) fn quoted(line: &str) -> String {
    let line = line.trim();
    match line.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("{} …", &line[..end]),
        None => line.to_owned(),
    }
}
