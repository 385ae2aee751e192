//! Which repetitions an engine takes for draws: its policy signature, read from what probes found.
//!
//! Four questions decide it, each asked many times (`suite::kinds::policy`): is a position that stood once in the
//! game a draw; is it one where it stands at the very end of what a scan of the game may reach; is a third occurrence
//! a draw; and is a second one inside the search. Each is answered when it is shown that the engine finds a draw more
//! often than not, or less often, by the exact interval (Clopper and Pearson's, 95 %) of the probes that say
//! anything. What the data leaves open stays open, and is called so.

use crate::suite::{CaseRecord, Cause, FailCause, PassCause, SkipCause};
use threefold_stats::interval::{Interval, Rate};

threefold_named_enum::named_enum! {
    /// What a probe asks.
    pub enum Topic {
        /// Is a position a draw that stood once in the game, well within the reach of any scan?
        Inside = "first-repetition",
        /// The same, where it is the game's first position or follows a capture or pawn move: the last a scan looks at.
        Edge = "first-repetition-at-edge",
        /// Is a third occurrence a draw?
        Third = "third-occurrence",
        /// Is a second occurrence inside the search a draw?
        InTree = "second-in-search",
    }
}

/// What a probe found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeResult {
    /// The engine takes the repetition for a draw.
    Draw,
    /// It does not.
    NoDraw,
    /// Its answers fit both.
    Inconclusive,
}

impl ProbeResult {
    /// What it means to whoever asks for the rules: they know a third occurrence in the game, and leave the search to
    /// the engine.
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
        /// The same, but the scan of the game stops one position early.
        DrawScanTooShort = "draw (scan too short)",
        /// A first repetition of the game is none; one inside the search is.
        Ignored = "ignored",
        /// Only a third occurrence is a draw, in the game and in the search.
        Threefold = "threefold",
        /// No repetition of the game is seen, not even the third occurrence.
        Blind = "blind",
        /// As the rules have it for the game; what a repetition inside the search counts for does not show.
        IgnoredOrThreefold = "ignored or threefold",
        /// The probes don't settle it.
        Undecided = "undecided",
    }
}

/// What the probes of one topic found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TopicEvidence {
    /// The topic.
    pub topic: Topic,
    /// Draws found, and repetitions that were found to be none.
    pub draws: Rate,
    /// Probes that said nothing, and probes that failed to be answered.
    pub inconclusive: u64,
}

/// A signature with what it rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureReading {
    /// The signature.
    pub signature: Signature,
    /// Every topic, in order.
    pub evidence: [TopicEvidence; 4],
}

/// The chance that an interval misses.
const ALPHA: f64 = 0.05;

/// From where on something happens more often than not.
const HALF: f64 = 0.5;

impl TopicEvidence {
    /// The exact interval of the share of draws.
    pub fn interval(&self) -> Interval {
        self.draws.clopper_pearson(ALPHA)
    }

    /// Does the engine take such repetitions for draws? `None` where that is not settled.
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
    /// Reads the records of one engine's probes.
    pub fn of(records: &[CaseRecord]) -> Self {
        let evidence =
            [Topic::Inside, Topic::Edge, Topic::Third, Topic::InTree].map(|topic| gather(topic, records));
        let [inside, edge, third, in_tree] = evidence.map(|evidence| evidence.answer());
        Self { signature: conclude(inside, edge, third, in_tree), evidence }
    }
}

/// What a probe found, by the cause of its verdict. `None` where it found nothing: the engine has a fault.
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

/// The rule of decision.
const fn conclude(
    inside: Option<bool>,
    edge: Option<bool>,
    third: Option<bool>,
    in_tree: Option<bool>,
) -> Signature {
    // A scan that sees the farthest position sees those before it.
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
        // Whoever takes a second occurrence for a draw and not the third contradicts itself.
        (Some(true), Some(false)) | (None, _) | (_, None) => Signature::Undecided,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::FaultCause;
    use crate::suite::Verdict;
    use threefold_chess::position::GamePosition;

    fn records(topic: Topic, found: &[(ProbeResult, usize)]) -> Vec<CaseRecord> {
        let record = |finding: ProbeResult| CaseRecord {
            suite: "policy".to_owned(),
            id: String::new(),
            class: topic.name().to_owned(),
            engine: String::new(),
            accepted: String::new(),
            note: String::new(),
            line: GamePosition::start_position(),
            verdict: Verdict::unanswered(finding.cause(topic), "as told"),
        };
        found.iter().flat_map(|&(finding, times)| vec![record(finding); times]).collect()
    }

    #[test]
    fn every_signature_has_its_answers() {
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
            assert_eq!(SignatureReading::of(&records).signature, signature, "{found:?}");
        }
        assert_eq!(SignatureReading::of(&[]).signature, Signature::Undecided);
    }

    #[test]
    fn what_says_nothing_counts_neither_way() {
        let mut told = records(
            Topic::Third,
            &[(ProbeResult::Draw, 3), (ProbeResult::NoDraw, 2), (ProbeResult::Inconclusive, 4)],
        );
        told.extend(records(Topic::Inside, &[(ProbeResult::Draw, 1)]));
        told[0].verdict = Verdict::unanswered(FaultCause::Crash, "it ended (signal: 11) while answering");
        let [inside, _, third, _] = SignatureReading::of(&told).evidence;
        assert_eq!((third.draws, third.inconclusive), (Rate { successes: 2, failures: 2 }, 5));
        assert_eq!(inside.draws, Rate { successes: 1, failures: 0 });
    }

    #[test]
    fn six_of_six_settle_a_question_and_five_do_not() {
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
