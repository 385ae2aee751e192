//! What Echo's options are set to.

use crate::feature_switches::FeatureSwitches;
use crate::mutants::SeededBug;
use crate::repetition::{Detector, RepetitionPolicy};
use crate::scoring::{EvalArithmetic, Scoring};
use crate::search_driver::SearchDriver;
use crate::strength::{Handicap, Strength};
use crate::table::{HashBounds, HashScores};
use crate::timeman::{SmoothParameters, TimeManager};

/// Everything that is set, resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Size of the hash table in mebibytes.
    pub hash: u32,
    /// How many lines of play are reported.
    pub multi_pv: u32,
    /// Search threads.
    pub threads: u32,
    /// Castling is written as king takes rook, and any start is accepted.
    pub chess960: bool,
    /// Milliseconds a move that are lost on the way.
    pub move_overhead: u32,
    /// Nodes that make a millisecond; 0: time is measured.
    pub nodes_a_millisecond: u32,
    /// Who plans how long to think.
    pub time_manager: TimeManager,
    /// The smooth manager's parameters.
    pub time_terms: SmoothParameters,
    /// Which repetitions are draws.
    pub repetition_policy: RepetitionPolicy,
    /// How repetitions are found.
    pub repetition_detector: Detector,
    /// Are repetitions seen before they are made?
    pub cycle_detection: bool,
    /// What the hash table keeps of values that hang on a repetition.
    pub hash_scores: HashScores,
    /// What the hash table keeps of bounds.
    pub hash_bounds: HashBounds,
    /// What values mean; the seeded bug is set apart.
    pub scores: Scoring,
    /// What the evaluation computes with.
    pub eval_arithmetic: EvalArithmetic,
    /// How an iteration finds the root's value.
    pub search_driver: SearchDriver,
    /// Are a few endings known by heart?
    pub recognisers: bool,
    /// How strong Echo is to play.
    pub strength: Strength,
    /// The features of the search that are on.
    pub features: FeatureSwitches,
    /// The seeded bug, in a build with mutants.
    pub seed: SeededBug,
}

impl Settings {
    /// Do values in the hash table mean under these settings what they mean under others?
    pub(crate) fn values_compare_with(&self, other: &Self) -> bool {
        let meaning = |settings: &Self| {
            let Self { repetition_policy, repetition_detector, cycle_detection, .. } = *settings;
            let Self { hash_scores, scores, recognisers, .. } = *settings;
            let rating = settings.rating();
            let repetitions = (repetition_policy, repetition_detector, cycle_detection, hash_scores);
            (repetitions, scores, recognisers, rating)
        };
        meaning(self) == meaning(other)
    }

    /// Is time planned under these settings as under others?
    pub(crate) fn plans_like(&self, other: &Self) -> bool {
        let planning = |settings: &Self| (settings.time_manager, settings.time_terms);
        planning(self) == planning(other)
    }

    /// How Echo falls short of its full strength, if it is held below that.
    pub fn handicap(&self) -> Option<Handicap> {
        self.rating().map(Handicap::of)
    }

    /// MadChess's rating that Echo is held at, if it is held below its full strength.
    pub(crate) fn rating(&self) -> Option<u32> {
        self.strength.rating()
    }

    /// What values mean.
    pub(crate) const fn scoring(&self) -> Scoring {
        Scoring { seed: self.seed, ..self.scores }
    }

    /// As they are unless set.
    pub const DEFAULT: Self = Self {
        hash: 16,
        multi_pv: 1,
        threads: 1,
        chess960: false,
        move_overhead: 10,
        nodes_a_millisecond: 0,
        time_manager: TimeManager::Classic,
        time_terms: SmoothParameters::DEFAULT,
        repetition_policy: RepetitionPolicy::HistoryIgnored,
        repetition_detector: Detector::KeyStack,
        cycle_detection: false,
        hash_scores: HashScores::Real,
        hash_bounds: HashBounds::Single,
        scores: Scoring::DEFAULT,
        eval_arithmetic: EvalArithmetic::Fixed,
        search_driver: SearchDriver::Pvs,
        recognisers: false,
        strength: Strength::FULL,
        features: FeatureSwitches::FULL,
        seed: SeededBug::NONE,
    };
}
