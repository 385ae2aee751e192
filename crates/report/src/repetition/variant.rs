//! The variants of Echo that the study of repetitions compares.

use std::fmt;

use threefold_echo::repetition::{Detector, RepetitionPolicy};
use threefold_echo::table::HashScores;

/// One combination of answers to repetitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variant {
    /// Which repetitions are draws.
    pub policy: RepetitionPolicy,
    /// How they are found.
    pub detector: Detector,
    /// What the hash table keeps of values that hang on one.
    pub scores: HashScores,
    /// Are they seen before they are made?
    pub foresight: bool,
}

impl Variant {
    /// What the others are compared with: the plainest that engines play with.
    pub const PLAIN: Self = Self {
        policy: RepetitionPolicy::HistoryIgnored,
        detector: Detector::KeyStack,
        scores: HashScores::Real,
        foresight: false,
    };
    /// The same without any detection: what that costs is measured against it.
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

    /// As options of Echo.
    pub const fn options(self) -> [(&'static str, &'static str); 4] {
        [
            ("RepetitionPolicy", self.policy.name()),
            ("RepetitionDetector", self.detector.name()),
            ("HashScores", self.scores.name()),
            ("UpcomingRepetition", if self.foresight { "true" } else { "false" }),
        ]
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
    /// Whose worth is asked.
    pub new: Variant,
    /// Against whom.
    pub base: Variant,
}

impl Worth {
    /// Every match of the study: the policies in pairs, then what differs from the plain variant.
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

    /// Is it a policy that is asked about?
    pub fn is_of_policies(self) -> bool {
        self.new.policy != self.base.policy
    }

    /// What differs, on both sides.
    fn sides(self) -> [String; 2] {
        let Self { new, base } = self;
        let told = |one: Variant, other: Variant| {
            let foresight = if one.foresight { "upcoming" } else { "no foresight" };
            let differing = [
                (one.policy != other.policy).then(|| one.policy.name()),
                (one.detector != other.detector).then(|| one.detector.name()),
                (one.scores != other.scores).then(|| one.scores.name()),
                (one.foresight != other.foresight).then_some(foresight),
            ];
            differing.into_iter().flatten().collect::<Vec<_>>().join(" ")
        };
        [told(new, base), told(base, new)]
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
