//! The policy signature of an engine: which repetitions it scores as draws, by its probes.
//!
//! Four questions decide it, each asked many times (`suite::kinds::policy`). Is a position that occurred once
//! in the game a draw? Is it one at the very end of what a scan of the game reaches? Is a third occurrence a
//! draw? Is a second one inside the search? A question is settled when the exact 95 % confidence interval
//! (Clopper–Pearson) of the share of draws among conclusive probes excludes one half. What is not settled is
//! reported as such.

use crate::{CaseRecord, Cause, FailCause, PassCause, SkipCause};
use threefold_stats::interval::{Interval, Rate};

threefold_named_enum::named_enum! {
    /// The question of a probe.
    pub enum Topic {
        /// Is a position that occurred once in the game a draw, well within the reach of any scan?
        Inside = "first-repetition",
        /// Is a position that occurred once a draw, if it is the game's first or follows a capture or pawn
        /// move: the last one that a scan reaches.
        Edge = "first-repetition-at-edge",
        /// Is a third occurrence a draw?
        Third = "third-occurrence",
        /// Is a second occurrence inside the search a draw?
        InTree = "second-in-search",
    }
}

/// The result of a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeResult {
    /// The engine scores the repetition as a draw.
    Draw,
    /// It does not.
    NoDraw,
    /// Its answers fit both.
    Inconclusive,
}

impl ProbeResult {
    /// The cause of the verdict by the rules of chess: they know a third occurrence in the game, and leave
    /// the search to the engine.
    pub const fn cause(self, topic: Topic) -> Cause {
        match (topic, self) {
            (_, Self::Inconclusive) => Cause::Skipped(SkipCause::Inconclusive),
            (Topic::Inside | Topic::Edge, Self::Draw) => Cause::Failed(FailCause::Draw),
            (Topic::Third | Topic::InTree, Self::Draw) => Cause::Passed(PassCause::Draw),
            (Topic::Third, Self::NoDraw) => Cause::Failed(FailCause::NoDraw),
            (Topic::Inside | Topic::Edge | Topic::InTree, Self::NoDraw) => Cause::Passed(PassCause::NoDraw),
        }
    }
}

threefold_named_enum::named_enum! {
    /// Which repetitions an engine takes for draws.
    pub enum Signature {
        /// A first repetition of the game is a draw.
        Draw = "draw",
        /// A first repetition of the game is a draw, but the scan of the game stops one position too early.
        DrawScanTooShort = "draw (scan too short)",
        /// A first repetition of the game is not a draw; one inside the search is.
        Ignored = "ignored",
        /// Only a third occurrence is a draw, in the game and in the search.
        Threefold = "threefold",
        /// No repetition of the game is seen, not even a third occurrence.
        Blind = "blind",
        /// By the rules in the game; the policy inside the search does not show.
        IgnoredOrThreefold = "ignored or threefold",
        /// The probes do not settle it.
        Undecided = "undecided",
    }
}

/// The results of the probes of one topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TopicEvidence {
    /// The question about repetitions.
    pub topic: Topic,
    /// Repetitions scored as draws, and those that were not.
    pub draws: Rate,
    /// Inconclusive probes, and probes without an answer.
    pub inconclusive: u64,
}

/// A signature with its evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureReading {
    /// The policy that the answers fit.
    pub signature: Signature,
    /// Every topic, in order.
    pub evidence: [TopicEvidence; 4],
}

/// The significance level of the intervals.
const ALPHA: f64 = 0.05;

/// The share of draws that must be excluded.
const HALF: f64 = 0.5;

impl TopicEvidence {
    /// The exact confidence interval of the share of draws.
    pub fn interval(&self) -> Interval {
        self.draws.clopper_pearson(ALPHA)
    }

    /// Does the engine score such repetitions as draws? `None` if that is not settled.
    pub fn answer(&self) -> Option<bool> {
        let Interval { low, high } = self.interval();
        if low > HALF {
            Some(true)
        } else if high < HALF {
            Some(false)
        } else {
            None
        }
    }
}

impl SignatureReading {
    /// From the records of one engine's probes.
    pub fn from_records(records: &[CaseRecord]) -> Self {
        let evidence =
            [Topic::Inside, Topic::Edge, Topic::Third, Topic::InTree].map(|topic| gather(topic, records));
        let [inside, edge, third, in_tree] = evidence.map(|evidence| evidence.answer());
        Self { signature: conclude(inside, edge, third, in_tree), evidence }
    }
}

/// The result of a probe, by the cause of its verdict. `None` without a result: the engine has a fault.
pub const fn probe_result(record: &CaseRecord) -> Option<ProbeResult> {
    match record.verdict.cause {
        Cause::Passed(PassCause::Draw) | Cause::Failed(FailCause::Draw) => Some(ProbeResult::Draw),
        Cause::Passed(PassCause::NoDraw) | Cause::Failed(FailCause::NoDraw) => Some(ProbeResult::NoDraw),
        Cause::Skipped(SkipCause::Inconclusive) => Some(ProbeResult::Inconclusive),
        _ => None,
    }
}

fn gather(topic: Topic, records: &[CaseRecord]) -> TopicEvidence {
    let mut evidence = TopicEvidence { topic, draws: Rate { successes: 0, failures: 0 }, inconclusive: 0 };
    for record in records.iter().filter(|record| record.class == topic.name()) {
        match probe_result(record) {
            Some(ProbeResult::Draw) => evidence.draws.successes += 1,
            Some(ProbeResult::NoDraw) => evidence.draws.failures += 1,
            Some(ProbeResult::Inconclusive) | None => evidence.inconclusive += 1,
        }
    }
    evidence
}

/// The decision rule.
const fn conclude(
    inside: Option<bool>,
    edge: Option<bool>,
    third: Option<bool>,
    in_tree: Option<bool>,
) -> Signature {
    // A scan that reaches the farthest position reaches those before it.
    let first = match (inside, edge) {
        (None, Some(true)) => Some(true),
        (inside, _) => inside,
    };
    match (first, third) {
        (Some(true), Some(true)) => match edge {
            Some(false) => Signature::DrawScanTooShort,
            Some(true) | None => Signature::Draw,
        },
        (Some(false), Some(true)) => match in_tree {
            Some(true) => Signature::Ignored,
            Some(false) => Signature::Threefold,
            None => Signature::IgnoredOrThreefold,
        },
        (Some(false), Some(false)) => Signature::Blind,
        // Scoring a second occurrence as a draw and a third one not is a contradiction.
        (Some(true), Some(false)) | (None, _) | (_, None) => Signature::Undecided,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verdict;
    use threefold_chess::position::GamePosition;
    use threefold_player::FaultCause;

    fn records(topic: Topic, found: &[(ProbeResult, usize)]) -> Vec<CaseRecord> {
        let record = |finding: ProbeResult| CaseRecord {
            suite: "policy".to_owned(),
            id: String::new(),
            class: topic.name().to_owned(),
            engine: String::new(),
            accepted: String::new(),
            note: String::new(),
            line: GamePosition::start_position(),
            verdict: Verdict::unanswered(finding.cause(topic), "as recorded"),
        };
        found.iter().flat_map(|&(finding, times)| vec![record(finding); times]).collect()
    }

    #[test]
    fn every_policy_has_its_answers() {
        use ProbeResult::{Draw, Inconclusive, NoDraw};
        let yes = [(Draw, 19), (NoDraw, 1)];
        let no = [(NoDraw, 20), (Inconclusive, 4)];
        let open = [(Draw, 9), (NoDraw, 11)];
        let few = [(Draw, 5), (Inconclusive, 30)];
        let table = [
            // inside, at the edge, third, in the search
            ([yes, yes, yes, yes], Signature::Draw),
            ([yes, open, yes, open], Signature::Draw),
            ([few, yes, yes, yes], Signature::Draw),
            ([few, no, yes, yes], Signature::Undecided),
            ([yes, no, yes, yes], Signature::DrawScanTooShort),
            ([no, no, yes, yes], Signature::Ignored),
            ([no, no, yes, no], Signature::Threefold),
            ([no, no, yes, open], Signature::IgnoredOrThreefold),
            ([no, no, yes, few], Signature::IgnoredOrThreefold),
            ([no, no, no, yes], Signature::Blind),
            ([yes, yes, no, yes], Signature::Undecided),
            ([open, open, open, open], Signature::Undecided),
            ([few, few, few, few], Signature::Undecided),
        ];
        for (found, signature) in table {
            let topics = Topic::ALL.iter().zip(found);
            let records: Vec<CaseRecord> =
                topics.flat_map(|(&topic, found)| records(topic, &found)).collect();
            assert_eq!(SignatureReading::from_records(&records).signature, signature, "{found:?}");
        }
        assert_eq!(SignatureReading::from_records(&[]).signature, Signature::Undecided);
    }

    #[test]
    fn ambiguous_answers_do_not_count() {
        let mut reported = records(
            Topic::Third,
            &[(ProbeResult::Draw, 3), (ProbeResult::NoDraw, 2), (ProbeResult::Inconclusive, 4)],
        );
        reported.extend(records(Topic::Inside, &[(ProbeResult::Draw, 1)]));
        reported[0].verdict = Verdict::unanswered(FaultCause::Crash, "it ended (signal: 11) while answering");
        let [inside, _, third, _] = SignatureReading::from_records(&reported).evidence;
        assert_eq!((third.draws, third.inconclusive), (Rate { successes: 2, failures: 2 }, 5));
        assert_eq!(inside.draws, Rate { successes: 1, failures: 0 });
    }

    #[test]
    fn six_equal_answers_decide_and_five_do_not() {
        let rate = |draws, others| TopicEvidence {
            topic: Topic::Third,
            draws: Rate { successes: draws, failures: others },
            inconclusive: 0,
        };
        let table = [(5, 0, None), (6, 0, Some(true)), (0, 6, Some(false)), (8, 1, Some(true)), (7, 2, None)];
        for (draws, others, answer) in table {
            assert_eq!(rate(draws, others).answer(), answer, "{draws} against {others}");
        }
    }
}
