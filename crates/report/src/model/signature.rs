//! A policy signature in words: the signature, its evidence, and the decision rule.

use crate::format;
use crate::model::report::{Report, SuitePart};
use threefold_suites::signature::{SignatureReading, Topic, TopicEvidence};

/// The decision rule.
pub(crate) const RULE: &str = "An answer is unclear while the exact 95 % interval (Clopper-Pearson) of the draw rate includes \
     50 %; more cases (--per-class) narrow it. Ambiguous replies are ignored.";

/// The columns of a table of signatures.
pub(crate) const COLUMNS: [&str; 7] = [
    "engine",
    "limits",
    "signature",
    "once in the game",
    "once, at the scan's end",
    "third occurrence",
    "twice in the search",
];

/// A row of it.
pub(crate) fn cells(part: &SuitePart, reading: &SignatureReading) -> [String; COLUMNS.len()] {
    let [inside, edge, third, in_tree] = reading.evidence.map(|evidence| share(&evidence));
    let (engine, limits, signature) =
        (part.engine.clone(), part.limits.clone(), reading.signature.to_string());
    [engine, limits, signature, inside, edge, third, in_tree]
}

/// `draw 27/27 (87.2 to 100.0)`, with the number of ambiguous replies.
fn share(evidence: &TopicEvidence) -> String {
    let answer = match evidence.answer() {
        Some(true) => "draw",
        Some(false) => "no draw",
        None => "unclear",
    };
    let interval = evidence.interval();
    let mute = if evidence.inconclusive > 0 {
        format!(", {} ambiguous", evidence.inconclusive)
    } else {
        String::new()
    };
    let (draws, low, high) = (format::fraction(evidence.draws), interval.low * 100.0, interval.high * 100.0);
    format!("{answer} {draws} ({low:.1} to {high:.1}{mute})")
}

/// A question, for people.
pub(crate) const fn question(topic: Topic) -> &'static str {
    match topic {
        Topic::Inside => "a position that occurred once in the game",
        Topic::Edge => "the same, at the end of a history scan",
        Topic::Third => "a third occurrence",
        Topic::InTree => "a second occurrence inside the search",
    }
}

/// The signature of one engine with its evidence, one line for each question.
pub(crate) fn describe(part: &SuitePart, reading: &SignatureReading) -> String {
    let mut lines = vec![format!(
        "{} ({}), repetition policy: {}",
        format::visible(&part.engine),
        part.limits,
        reading.signature
    )];
    let evidence = reading.evidence.iter();
    lines.extend(evidence.map(|evidence| format!("  {:44} {}", question(evidence.topic), share(evidence))));
    if reading.evidence.iter().any(|evidence| evidence.answer().is_none()) {
        lines.push(format!("  {RULE}"));
    }
    lines.join("\n")
}

impl Report {
    /// Every signature of the run, with the part it was read from.
    pub(crate) fn signatures(&self) -> impl Iterator<Item = (&SuitePart, &SignatureReading)> {
        self.suites.iter().filter_map(|part| Some((part, part.signature.as_ref()?)))
    }
}
