//! Reads counts that engines print for people: the total of `perft`, and the nodes of `bench`.
//!
//! No standard defines these lines. Both readers accept the usual forms, in any case, with or without
//! separators of thousands. A later line replaces an earlier one, since the total comes last.

use std::time::Duration;

use shakmaty::uci::UciMove;

use crate::capability::PrintedTotals;

/// The nodes and the speed that `bench` prints.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BenchCounts {
    /// Nodes searched in total.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
}

impl BenchCounts {
    /// Reads one line. As OpenBench does, it looks for `N nodes` and `N nps`; the words may also come before
    /// the number (`NODES: 14343982`, Stockfish's `Nodes searched  : N` and `Nodes/second    : N`). Reports
    /// of a search (`info …`) are no totals.
    pub fn take_line(&mut self, line: &str) {
        let tokens = tokens(line);
        if tokens.first().is_some_and(|first| first.is_word("info")) {
            return;
        }
        self.nps = near(&tokens, is_speed, |_| false).or(self.nps);
        self.nodes = near(&tokens, |word| word == "nodes", is_speed).or(self.nodes);
    }
}

/// Nodes per second; `None` if no time has passed.
pub(super) fn speed(nodes: u64, elapsed: Duration) -> Option<u64> {
    u128::from(nodes).checked_mul(1000)?.checked_div(elapsed.as_millis())?.try_into().ok()
}

/// How surely a line has the total of `perft`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Certainty {
    /// A number alone on its line.
    Bare,
    /// A report (`info nodes 400 …`) that is none of a search.
    Report,
    /// A number with a name.
    Named,
}

/// The total of `perft`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PerftTotal {
    found: Option<(Certainty, u64)>,
    /// The number of lines that may have it.
    lines: usize,
}

impl PerftTotal {
    /// Reads one line. Lines with a move (`e2e4: 20`) count one part of the tree and are ignored.
    pub(super) fn take_line(&mut self, line: &str) {
        let Some((certainty, leaves)) = total(line) else { return };
        self.lines += 1;
        if self.found.is_none_or(|(known, _)| certainty >= known) {
            self.found = Some((certainty, leaves));
        }
    }

    /// Had one line a total, or several?
    pub(super) const fn printed(&self) -> PrintedTotals {
        if self.lines <= 1 { PrintedTotals::One } else { PrintedTotals::Several }
    }

    /// The most certain total so far, the last of several.
    pub(super) fn leaves(&self) -> Option<u64> {
        self.found.map(|(_, leaves)| leaves)
    }
}

fn total(line: &str) -> Option<(Certainty, u64)> {
    let tokens = tokens(line);
    if tokens.iter().any(|token| matches!(token, Token::Word(word) if is_move(word))) {
        return None;
    }
    let has = |name: &str| tokens.iter().any(|token| token.is_word(name));
    if tokens.first()?.is_word("info") && !has("string") {
        let is_search = ["score", "depth", "pv", "currmove"].into_iter().any(has);
        return if is_search { None } else { named(&tokens).map(|leaves| (Certainty::Report, leaves)) };
    }
    match tokens.as_slice() {
        [Token::Number(leaves)] => Some((Certainty::Bare, *leaves)),
        tokens => named(tokens).map(|leaves| (Certainty::Named, leaves)),
    }
}

/// The number that belongs to a name of the total.
fn named(tokens: &[Token]) -> Option<u64> {
    let is_name = |word: &str| matches!(word, "nodes" | "total" | "leaves" | "leafs" | "leaf");
    let is_else = |word: &str| is_speed(word) || matches!(word, "time" | "depth");
    near(tokens, is_name, is_else).or_else(|| after_perft(tokens))
}

/// `Perft(3) = 8902`, `perft 3: 8902`: the number after the depth.
fn after_perft(tokens: &[Token]) -> Option<u64> {
    let name = tokens.iter().position(|token| token.is_word("perft"))?;
    let mut numbers = tokens[name + 1..].iter().filter_map(|token| match token {
        Token::Number(number) => Some(*number),
        Token::Word(_) => None,
    });
    let _depth = numbers.next()?;
    numbers.next()
}

/// A part of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    /// Letters, in lower case, or letters and digits.
    Word(String),
    /// Digits, without separators of thousands.
    Number(u64),
}

impl Token {
    fn is_word(&self, name: &str) -> bool {
        matches!(self, Self::Word(word) if word == name)
    }
}

/// Words and numbers; `nodes/second` and `nodes per second` are the word `nps`. Decimal fractions are words.
fn tokens(line: &str) -> Vec<Token> {
    let line = line.to_ascii_lowercase();
    // Before the split, which would leave the word `nodes` in front of the speed.
    let line = ["nodes/second", "nodes / second", "nodes per second", "nodes/sec", "nodes/s"]
        .iter()
        .fold(line, |line, speed| line.replace(speed, " nps "));
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | ',' | '\'' | '_');
    let words = line.split(|letter: char| !is_part(letter));
    let words = words.map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()));
    words.filter(|word| !word.is_empty()).map(token).collect()
}

fn token(word: &str) -> Token {
    let groups: Vec<&str> = word.split([',', '\'', '_', '.']).collect();
    let digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    // `1.234` has a separator of thousands, too: counts have no fractions.
    let is_grouped = groups[0].len() <= 3 && groups[1..].iter().all(|group| group.len() == 3);
    let is_number = groups.iter().all(|group| digits(group)) && (groups.len() == 1 || is_grouped);
    match groups.concat().parse() {
        Ok(number) if is_number => Token::Number(number),
        _ => Token::Word(word.to_owned()),
    }
}

fn is_speed(word: &str) -> bool {
    matches!(word, "nps" | "knps" | "mnps")
}

/// The number right before one of these names, or the first number after it that belongs to nothing else.
fn near(tokens: &[Token], is_name: impl Fn(&str) -> bool, is_else: impl Fn(&str) -> bool) -> Option<u64> {
    let at = tokens.iter().position(|token| matches!(token, Token::Word(word) if is_name(word)))?;
    // In `8902 nodes 1780400 nps` the second number has a unit of its own; in `perft 3 nodes 8902` it has
    // none.
    let is_unit = |token: &Token| matches!(token, Token::Word(word) if word == "nodes" || is_speed(word));
    let is_after =
        matches!(tokens.get(at + 1), Some(Token::Number(_))) && !tokens.get(at + 2).is_some_and(is_unit);
    if let Some(Token::Number(before)) = at.checked_sub(1).map(|before| &tokens[before])
        && !is_after
    {
        return Some(*before);
    }
    let rest = &tokens[at + 1..];
    let found = rest.iter().position(|token| matches!(token, Token::Number(_)))?;
    let is_other = |token: &Token| matches!(token, Token::Word(word) if is_else(word));
    match (rest[..found].iter().any(is_other), &rest[found]) {
        (false, Token::Number(number)) => Some(*number),
        _ => None,
    }
}

fn is_move(word: &str) -> bool {
    matches!(word.len(), 4 | 5) && word.parse::<UciMove>().is_ok_and(|mv| mv != UciMove::Null)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_of_perft_are_read_in_their_usual_forms() {
        let table = [
            ("Nodes searched: 8902", Some(8902)),
            ("nodes 8902", Some(8902)),
            ("nodes = 8,902", Some(8902)),
            ("8902", Some(8902)),
            ("Total: 8902", Some(8902)),
            ("Total nodes: 8902", Some(8902)),
            ("total moves: 8'902", Some(8902)),
            ("Perft(3) = 8902", Some(8902)),
            ("perft 3: 8902", Some(8902)),
            ("Perft 3 nodes: 8902, time: 5 ms, 1780400 nps", Some(8902)),
            ("8902 nodes 1780400 nps", Some(8902)),
            ("info nodes 8902 nps 400000 time 0", Some(8902)),
            ("info string perft depth 3 nodes 8902 time 5", Some(8902)),
            ("Leaf nodes: 8902 in 0.005 seconds", Some(8902)),
            ("e2e4: 600", None),
            ("e2e4 600", None),
            ("1. e2e4 - 600 nodes", None),
            ("a7a8q: 3", None),
            ("info depth 3 score cp 31 nodes 8902 nps 1 pv e2e4", None),
            ("info depth 3 nodes 8902", None),
            ("Nodes/second: 1780400", None),
            ("Nodes per second: 1780400", None),
            ("1780400 nps", None),
            ("time 5", None),
            ("Total time (ms): 5", None),
            ("Unknown command: 'perft 3'. Type help for more information.", None),
            ("", None),
        ];
        for (line, leaves) in table {
            let mut total = PerftTotal::default();
            total.take_line(line);
            assert_eq!(total.leaves(), leaves, "{line}");
        }
    }

    #[test]
    fn a_named_total_wins_over_numbers_and_a_later_one_over_an_earlier() {
        let mut total = PerftTotal::default();
        for (line, leaves) in [
            ("12", 12),
            ("a2a3: 380", 12),
            ("depth 1 nodes 20", 20),
            ("depth 3 nodes 8902", 8902),
            ("0", 8902),
            ("info nodes 3", 8902),
        ] {
            total.take_line(line);
            assert_eq!(total.leaves(), Some(leaves), "{line}");
        }
    }

    #[test]
    fn bench_counts_are_read_in_any_order() {
        let table = [
            ("555806 nodes 1234567 nps", (Some(555_806), Some(1_234_567))),
            ("1234567 nps 555806 nodes", (Some(555_806), Some(1_234_567))),
            (
                "info depth 9 nodes 99 nps 77\nNODES: 14343982\nNPS:   458098",
                (Some(14_343_982), Some(458_098)),
            ),
            (
                "Total time (ms) : 15938\nNodes searched  : 3467381\nNodes/second    : 217554",
                (Some(3_467_381), Some(217_554)),
            ),
            (
                "[# 50]   299 cp   h1h7     206423 nodes     476727 nps\nOVERALL:   18751 ms      10408355 nodes     555082 nps",
                (Some(10_408_355), Some(555_082)),
            ),
            ("Bench: 2,345,678 nodes, 1_000_000 NPS", (Some(2_345_678), Some(1_000_000))),
            ("bench 12 13 14", (None, None)),
            ("info depth 9 nodes 99 nps 77", (None, None)),
        ];
        for (text, (nodes, nps)) in table {
            let mut counts = BenchCounts::default();
            text.lines().for_each(|line| counts.take_line(line));
            assert_eq!(counts, BenchCounts { nodes, nps }, "{text}");
        }
    }
}
