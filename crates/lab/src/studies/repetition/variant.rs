//! The variants of Echo that the study of repetitions compares, and the matches between them.

use std::fmt;

use threefold_echo::options::current_name;
use threefold_echo::repetition::{Detector, RepetitionPolicy};
use threefold_echo::table::{HashFifty, HashScores};
use threefold_player::EngineSpec;

/// One value for each of Echo's options that concern repetitions and the fifty-move counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variant {
    /// The repetition policy.
    pub policy: RepetitionPolicy,
    /// The repetition detector.
    pub detector: Detector,
    /// What the hash table stores of scores that depend on the game history.
    pub scores: HashScores,
    /// Whether upcoming repetitions are detected (option `CycleDetection`).
    pub upcoming: bool,
    /// How the fifty-move counter enters the hash table.
    pub fifty: HashFifty,
    /// Whether a perpetual check is worth 50 centipawns to its giver.
    pub bonus: bool,
}

/// The perpetual bonus that the study tests, in centipawns.
const BONUS: &str = "50";
const NO_BONUS: &str = "0";

/// The values that every engine of the study has in journals from before its last two options.
const FORMER: [&str; 2] = [HashFifty::Late.name(), NO_BONUS];

impl Variant {
    /// The reference variant: the simplest value of each option.
    pub const REFERENCE: Self = Self {
        policy: RepetitionPolicy::HistoryIgnored,
        detector: Detector::KeyStack,
        scores: HashScores::Real,
        upcoming: false,
        fifty: HashFifty::Late,
        bonus: false,
    };
    /// The reference variant without a detector. The cost of detection is measured against it.
    pub const NO_DETECTION: Self = Self { detector: Detector::Nothing, ..Self::REFERENCE };

    /// Every combination of policy, detector, scores and upcoming repetitions in which repetitions are
    /// detected; then the reference variant with each other value of its last two options.
    pub fn all_with_detection() -> Vec<Self> {
        let mut variants = Vec::new();
        for &policy in RepetitionPolicy::ALL {
            for &detector in Detector::ALL.iter().filter(|&&detector| detector != Detector::Nothing) {
                for &scores in HashScores::ALL {
                    for upcoming in [false, true] {
                        variants.push(Self { policy, detector, scores, upcoming, ..Self::REFERENCE });
                    }
                }
            }
        }
        variants.extend(Self::other_counters().map(|(_, variant)| variant));
        variants
    }

    /// The reference variant with each other way to treat the fifty-move counter, and with the bonus, with
    /// their names.
    pub fn other_counters() -> impl Iterator<Item = (String, Self)> {
        let other = HashFifty::ALL.iter().filter(|&&fifty| fifty != Self::REFERENCE.fifty);
        let fifty = other.map(|&fifty| (format!("HashFifty {fifty}"), Self { fifty, ..Self::REFERENCE }));
        let bonus = (format!("PerpetualBonus {BONUS}"), Self { bonus: true, ..Self::REFERENCE });
        fifty.chain([bonus])
    }

    /// The variants whose cost is measured: the one without a detector, then all others.
    pub fn measured() -> Vec<Self> {
        std::iter::once(Self::NO_DETECTION).chain(Self::all_with_detection()).collect()
    }

    /// The values of the options: policy, detector, scores, `true` or `false` for upcoming repetitions, the
    /// fifty-move counter, and the bonus.
    pub(super) const fn option_values(self) -> [&'static str; 6] {
        let upcoming = if self.upcoming { "true" } else { "false" };
        let bonus = if self.bonus { BONUS } else { NO_BONUS };
        [self.policy.name(), self.detector.name(), self.scores.name(), upcoming, self.fifty.name(), bonus]
    }

    /// The variant with these option values; `None` if one is missing or invalid. The last two may be
    /// missing.
    pub(super) fn parse(
        [policy, detector, scores, upcoming, fifty, bonus]: [Option<&str>; 6],
    ) -> Option<Self> {
        Some(Self {
            policy: policy?.parse().ok()?,
            detector: detector?.parse().ok()?,
            scores: scores?.parse().ok()?,
            upcoming: upcoming?.parse().ok()?,
            fifty: fifty.unwrap_or(FORMER[0]).parse().ok()?,
            bonus: match bonus.unwrap_or(FORMER[1]) {
                BONUS => true,
                NO_BONUS => false,
                _ => return None,
            },
        })
    }

    /// The options of Echo, as name and value.
    pub const fn options(self) -> [(&'static str, &'static str); 6] {
        let [policy, detector, scores, upcoming, fifty, bonus] = self.option_values();
        [
            ("RepetitionPolicy", policy),
            ("RepetitionDetector", detector),
            ("HashScores", scores),
            ("CycleDetection", upcoming),
            ("HashFifty", fifty),
            ("PerpetualBonus", bonus),
        ]
    }

    /// The variant that the options of an engine select. In older journals parts have no labels, and only
    /// the options identify the variant.
    pub(super) fn of_engine(engine: &EngineSpec) -> Option<Self> {
        let value = |name: &str| {
            let option = engine.options.iter().find(|(option, _)| current_name(option) == name);
            option.map(|(_, value)| value.as_str())
        };
        Self::parse(Self::REFERENCE.options().map(|(name, _)| value(name)))
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { policy, detector, scores, upcoming, fifty, bonus } = self;
        write!(f, "{policy} {detector} {scores}{}", if *upcoming { " upcoming" } else { "" })?;
        if *fifty != Self::REFERENCE.fifty {
            write!(f, " HashFifty {fifty}")?;
        }
        if *bonus { write!(f, " PerpetualBonus {BONUS}") } else { Ok(()) }
    }
}

/// A match of the study: two variants that play each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VariantMatch {
    /// The variant to measure.
    pub new: Variant,
    /// The variant that it plays against.
    pub base: Variant,
}

impl VariantMatch {
    /// Every match of the study: the policies against each other, then other variants against the reference.
    pub fn all() -> Vec<Self> {
        use RepetitionPolicy::{HistoryDraw, HistoryIgnored, Threefold};
        let reference = Variant::REFERENCE;
        let policy = |policy| Variant { policy, ..reference };
        let pairs = [(HistoryDraw, HistoryIgnored), (Threefold, HistoryIgnored), (HistoryDraw, Threefold)];
        let pairs = pairs.map(|(new, base)| Self { new: policy(new), base: policy(base) });
        let scores = HashScores::ALL.iter().filter(|&&scores| scores != reference.scores);
        let scores = scores.map(|&scores| Variant { scores, ..reference });
        let detectors = [Detector::OpenFlag, Detector::MoveTrace, Detector::Nothing];
        let detectors = detectors.into_iter().map(|detector| Variant { detector, ..reference });
        let upcoming = Variant { upcoming: true, ..reference };
        let both = Variant { scores: HashScores::Untainted, ..upcoming };
        let counters = Variant::other_counters().map(|(_, variant)| variant);
        let others = [upcoming, both].into_iter().chain(scores).chain(detectors).chain(counters);
        pairs.into_iter().chain(others.map(|new| Self { new, base: reference })).collect()
    }

    /// Whether the two variants have different policies.
    pub fn compares_policies(self) -> bool {
        self.new.policy != self.base.policy
    }

    /// The option values that differ, for each of the two variants.
    fn differences(self) -> [String; 2] {
        let Self { new, base } = self;
        let describe = |one: Variant, other: Variant| {
            let upcoming = if one.upcoming { "upcoming" } else { "no foresight" };
            let fifty = format!("HashFifty {}", one.fifty);
            let bonus = if one.bonus { "PerpetualBonus" } else { "no bonus" };
            let differing = [
                (one.policy != other.policy).then_some(one.policy.name()),
                (one.detector != other.detector).then_some(one.detector.name()),
                (one.scores != other.scores).then_some(one.scores.name()),
                (one.upcoming != other.upcoming).then_some(upcoming),
                (one.fifty != other.fifty).then_some(&*fifty),
                (one.bonus != other.bonus).then_some(bonus),
            ];
            differing.into_iter().flatten().collect::<Vec<_>>().join(" ")
        };
        [describe(new, base), describe(base, new)]
    }
}

impl fmt::Display for VariantMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [new, base] = self.differences();
        write!(f, "{new} against {base}")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn variants_and_matches_have_unique_names() {
        let names: HashSet<String> = Variant::measured().iter().map(ToString::to_string).collect();
        assert_eq!((names.len(), Variant::all_with_detection().len()), (149, 148));
        let matches: HashSet<String> = VariantMatch::all().iter().map(ToString::to_string).collect();
        assert_eq!(matches.len(), VariantMatch::all().len());
        assert!(matches.contains("Threefold against HistoryIgnored"), "{matches:?}");
        assert!(matches.contains("Untainted upcoming against Real no foresight"), "{matches:?}");
        assert!(matches.contains("HashFifty Bounds against HashFifty Late"), "{matches:?}");
        assert!(matches.contains("PerpetualBonus against no bonus"), "{matches:?}");
        assert_eq!(VariantMatch::all().iter().filter(|pairing| pairing.compares_policies()).count(), 3);
    }

    #[test]
    fn last_two_options_may_be_missing() {
        let values = Variant::REFERENCE.option_values().map(Some);
        let [policy, detector, scores, upcoming, ..] = values;
        assert_eq!(
            Variant::parse([policy, detector, scores, upcoming, None, None]),
            Some(Variant::REFERENCE)
        );
        assert_eq!(Variant::parse([policy, detector, None, upcoming, None, None]), None);
        assert_eq!(Variant::parse([policy, detector, scores, upcoming, None, Some("17")]), None);
    }
}
