//! The variants of Echo that the study of repetitions compares.

use std::fmt;

use threefold_echo::options::current_name;
use threefold_echo::repetition::{Detector, RepetitionPolicy};
use threefold_echo::table::HashScores;
use threefold_harness::player::EngineSpec;

/// One combination of options for repetitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variant {
    /// The repetition policy.
    pub policy: RepetitionPolicy,
    /// The repetition detector.
    pub detector: Detector,
    /// The treatment of history-dependent scores in the hash table.
    pub scores: HashScores,
    /// Are upcoming repetitions detected?
    pub foresight: bool,
}

impl Variant {
    /// The reference variant, with the simplest options.
    pub const PLAIN: Self = Self {
        policy: RepetitionPolicy::HistoryIgnored,
        detector: Detector::KeyStack,
        scores: HashScores::Real,
        foresight: false,
    };
    /// The same without detection, as the reference for the cost of detection.
    pub const BLIND: Self = Self { detector: Detector::Nothing, ..Self::PLAIN };

    /// Every combination of answers that finds repetitions at all.
    pub fn grid() -> Vec<Self> {
        let mut grid = Vec::new();
        for &policy in RepetitionPolicy::ALL {
            for &detector in Detector::ALL.iter().filter(|&&detector| detector != Detector::Nothing) {
                for &scores in HashScores::ALL {
                    for foresight in [false, true] {
                        grid.push(Self { policy, detector, scores, foresight });
                    }
                }
            }
        }
        grid
    }

    /// The combinations whose cost is measured: all of them, and the one without detection.
    pub fn measured() -> Vec<Self> {
        std::iter::once(Self::BLIND).chain(Self::grid()).collect()
    }

    /// The answers by name: policy, detector, scores, and `true` or `false` for foresight.
    pub(super) const fn answers(self) -> [&'static str; 4] {
        let foresight = if self.foresight { "true" } else { "false" };
        [self.policy.name(), self.detector.name(), self.scores.name(), foresight]
    }

    /// The variant with these options; `None` if one is invalid.
    pub(super) fn read([policy, detector, scores, foresight]: [&str; 4]) -> Option<Self> {
        Some(Self {
            policy: policy.parse().ok()?,
            detector: detector.parse().ok()?,
            scores: scores.parse().ok()?,
            foresight: foresight.parse().ok()?,
        })
    }

    /// As options of Echo.
    pub const fn options(self) -> [(&'static str, &'static str); 4] {
        let [policy, detector, scores, foresight] = self.answers();
        [
            ("RepetitionPolicy", policy),
            ("RepetitionDetector", detector),
            ("HashScores", scores),
            ("CycleDetection", foresight),
        ]
    }

    /// The variant of an engine's options, by their names before parts had labels.
    pub(super) fn of_engine(engine: &EngineSpec) -> Option<Self> {
        let value = |name: &str| {
            let option = engine.options.iter().find(|(option, _)| current_name(option) == name);
            option.map(|(_, value)| value.as_str())
        };
        Self::read([
            value("RepetitionPolicy")?,
            value("RepetitionDetector")?,
            value("HashScores")?,
            value("CycleDetection")?,
        ])
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { policy, detector, scores, foresight } = self;
        write!(f, "{policy} {detector} {scores}{}", if *foresight { " upcoming" } else { "" })
    }
}

/// Two variants that play each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Worth {
    /// The manager or variant to measure.
    pub new: Variant,
    /// The opponent.
    pub base: Variant,
}

impl Worth {
    /// Every match of the study: the policies in pairs, then each other variant against the plain one.
    pub fn all() -> Vec<Self> {
        use RepetitionPolicy::{HistoryDraw, HistoryIgnored, Threefold};
        let plain = Variant::PLAIN;
        let policy = |policy| Variant { policy, ..plain };
        let pairs = [(HistoryDraw, HistoryIgnored), (Threefold, HistoryIgnored), (HistoryDraw, Threefold)];
        let pairs = pairs.map(|(new, base)| Self { new: policy(new), base: policy(base) });
        let scores = HashScores::ALL.iter().filter(|&&scores| scores != plain.scores);
        let scores = scores.map(|&scores| Variant { scores, ..plain });
        let detectors = [Detector::OpenFlag, Detector::MoveTrace, Detector::Nothing];
        let detectors = detectors.into_iter().map(|detector| Variant { detector, ..plain });
        let foresight = Variant { foresight: true, ..plain };
        let both = Variant { scores: HashScores::Untainted, ..foresight };
        let others = [foresight, both].into_iter().chain(scores).chain(detectors);
        pairs.into_iter().chain(others.map(|new| Self { new, base: plain })).collect()
    }

    /// Do the two differ in the policy?
    pub fn is_of_policies(self) -> bool {
        self.new.policy != self.base.policy
    }

    /// What differs, on both sides.
    fn sides(self) -> [String; 2] {
        let Self { new, base } = self;
        let describe = |one: Variant, other: Variant| {
            let foresight = if one.foresight { "upcoming" } else { "no foresight" };
            let differing = [
                (one.policy != other.policy).then(|| one.policy.name()),
                (one.detector != other.detector).then(|| one.detector.name()),
                (one.scores != other.scores).then(|| one.scores.name()),
                (one.foresight != other.foresight).then_some(foresight),
            ];
            differing.into_iter().flatten().collect::<Vec<_>>().join(" ")
        };
        [describe(new, base), describe(base, new)]
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [new, base] = self.sides();
        write!(f, "{new} against {base}")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_combination_has_a_name_of_its_own() {
        let names: HashSet<String> = Variant::measured().iter().map(ToString::to_string).collect();
        assert_eq!((names.len(), Variant::grid().len()), (97, 96));
        let matches: HashSet<String> = Worth::all().iter().map(ToString::to_string).collect();
        assert_eq!(matches.len(), Worth::all().len());
        assert!(matches.contains("Threefold against HistoryIgnored"), "{matches:?}");
        assert!(matches.contains("Untainted upcoming against Real no foresight"), "{matches:?}");
        assert_eq!(Worth::all().iter().filter(|worth| worth.is_of_policies()).count(), 3);
    }
}
