//! A policy signature in words: what it is, what it rests on, and how it was decided.

use super::model::{Report, SuitePart};
use super::phrase;
use threefold_harness::suite::signature::{SignatureReading, Topic, TopicEvidence};

/// How the questions are decided.
pub(super) const RULE: &str = "A question is answered when the exact 95 % interval (Clopper and Pearson's) of the share \
     of draws lies on one side of a half. Answers that fit both count neither way.";

/// The columns of a table of signatures.
pub(super) const COLUMNS: [&str; 7] = [
    "engine",
    "limits",
    "signature",
    "once in the game",
    "at the scan's end",
    "third occurrence",
    "twice in the search",
];

/// A row of it.
pub(super) fn cells(part: &SuitePart, reading: &SignatureReading) -> [String; COLUMNS.len()] {
    let [inside, edge, third, in_tree] = reading.evidence.map(|evidence| share(&evidence));
    let (engine, limits, signature) =
        (part.engine.clone(), part.limits.clone(), reading.signature.to_string());
    [engine, limits, signature, inside, edge, third, in_tree]
}

/// `draw 27/27 (87.2 to 100.0)`, and how many said nothing.
fn share(evidence: &TopicEvidence) -> String {
    let answer = match evidence.answer() {
        Some(true) => "draw",
        Some(false) => "no draw",
        None => "open",
    };
    let interval = evidence.interval();
    let mute =
        if evidence.inconclusive > 0 { format!(", {} mute", evidence.inconclusive) } else { String::new() };
    let (draws, low, high) = (phrase::fraction(evidence.draws), interval.low * 100.0, interval.high * 100.0);
    format!("{answer} {draws} ({low:.1} to {high:.1}{mute})")
}

/// A question, for people.
pub(super) const fn question(topic: Topic) -> &'static str {
    match topic {
        Topic::Inside => "a position that stood once in the game is",
        Topic::Edge => "the same, where a scan of the game ends, is",
        Topic::Third => "a third occurrence is",
        Topic::InTree => "a second occurrence inside the search is",
    }
}

/// The signature of one engine with its evidence, a line a question.
pub(super) fn told(part: &SuitePart, reading: &SignatureReading) -> String {
    let mut lines = vec![format!(
        "{} ({}) counts repetitions like this: {}",
        phrase::visible(&part.engine),
        part.limits,
        reading.signature
    )];
    let evidence = reading.evidence.iter();
    lines.extend(evidence.map(|evidence| format!("  {:44} {}", question(evidence.topic), share(evidence))));
    lines.join("\n")
}

impl Report {
    /// Every signature of the run, with the part it was read from.
    pub(super) fn signatures(&self) -> impl Iterator<Item = (&SuitePart, &SignatureReading)> {
        self.suites.iter().filter_map(|part| Some((part, part.signature.as_ref()?)))
    }
}
