//! The variants of Echo that the study of repetitions compares, and the matches between them.

use std::fmt;

use threefold_echo::options::current_name;
use threefold_echo::repetition::{Detector, RepetitionPolicy};
use threefold_echo::table::HashScores;
use threefold_harness::player::EngineSpec;

/// One value for each of Echo's four options that concern repetitions.
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
}

impl Variant {
    /// The reference variant: the simplest value of each option.
    pub const REFERENCE: Self = Self {
        policy: RepetitionPolicy::HistoryIgnored,
        detector: Detector::KeyStack,
        scores: HashScores::Real,
        upcoming: false,
    };
    /// The reference variant without a detector. The cost of detection is measured against it.
    pub const NO_DETECTION: Self = Self { detector: Detector::Nothing, ..Self::REFERENCE };

    /// Every combination of options in which repetitions are detected.
    pub fn all_with_detection() -> Vec<Self> {
        let mut variants = Vec::new();
        for &policy in RepetitionPolicy::ALL {
            for &detector in Detector::ALL.iter().filter(|&&detector| detector != Detector::Nothing) {
                for &scores in HashScores::ALL {
                    for upcoming in [false, true] {
                        variants.push(Self { policy, detector, scores, upcoming });
                    }
                }
            }
        }
        variants
    }

    /// The variants whose cost is measured: the one without a detector, then all others.
    pub fn measured() -> Vec<Self> {
        std::iter::once(Self::NO_DETECTION).chain(Self::all_with_detection()).collect()
    }

    /// The values of the options: policy, detector, scores, and `true` or `false` for upcoming repetitions.
    pub(super) const fn option_values(self) -> [&'static str; 4] {
        let upcoming = if self.upcoming { "true" } else { "false" };
        [self.policy.name(), self.detector.name(), self.scores.name(), upcoming]
    }

    /// The variant with these option values; `None` if one is invalid.
    pub(super) fn parse([policy, detector, scores, upcoming]: [&str; 4]) -> Option<Self> {
        Some(Self {
            policy: policy.parse().ok()?,
            detector: detector.parse().ok()?,
            scores: scores.parse().ok()?,
            upcoming: upcoming.parse().ok()?,
        })
    }

    /// The options of Echo, as name and value.
    pub const fn options(self) -> [(&'static str, &'static str); 4] {
        let [policy, detector, scores, upcoming] = self.option_values();
        [
            ("RepetitionPolicy", policy),
            ("RepetitionDetector", detector),
            ("HashScores", scores),
            ("CycleDetection", upcoming),
        ]
    }

    /// The variant that the options of an engine select. In older journals parts have no labels, and only
    /// the options identify the variant.
    pub(super) fn of_engine(engine: &EngineSpec) -> Option<Self> {
        let value = |name: &str| {
            let option = engine.options.iter().find(|(option, _)| current_name(option) == name);
            option.map(|(_, value)| value.as_str())
        };
        Self::parse([
            value("RepetitionPolicy")?,
            value("RepetitionDetector")?,
            value("HashScores")?,
            value("CycleDetection")?,
        ])
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { policy, detector, scores, upcoming } = self;
        write!(f, "{policy} {detector} {scores}{}", if *upcoming { " upcoming" } else { "" })
    }
}

/// A match of the study: two variants that play each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VariantMatch {
    /// The variant to measure.
    pub new: Variant,
    /// The opponent.
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
        let others = [upcoming, both].into_iter().chain(scores).chain(detectors);
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
            let differing = [
                (one.policy != other.policy).then(|| one.policy.name()),
                (one.detector != other.detector).then(|| one.detector.name()),
                (one.scores != other.scores).then(|| one.scores.name()),
                (one.upcoming != other.upcoming).then_some(upcoming),
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
        assert_eq!((names.len(), Variant::all_with_detection().len()), (97, 96));
        let matches: HashSet<String> = VariantMatch::all().iter().map(ToString::to_string).collect();
        assert_eq!(matches.len(), VariantMatch::all().len());
        assert!(matches.contains("Threefold against HistoryIgnored"), "{matches:?}");
        assert!(matches.contains("Untainted upcoming against Real no foresight"), "{matches:?}");
        assert_eq!(VariantMatch::all().iter().filter(|pairing| pairing.compares_policies()).count(), 3);
    }
}
