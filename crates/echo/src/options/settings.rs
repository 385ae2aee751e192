//! The values of Echo's options.

use crate::feature_switches::FeatureSwitches;
use crate::mutants::SeededBug;
use crate::repetition::{Detector, RepetitionPolicy};
use crate::scoring::{EvalArithmetic, Scoring};
use crate::search_constants::SearchConstants;
use crate::search_driver::SearchDriver;
use crate::strength::{Handicap, Strength};
use crate::table::{HashBounds, HashFifty, HashScores};
use crate::timeman::{ReuseSample, SmoothParameters, TimeManager};

/// The values of all options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Size of the hash table in mebibytes.
    pub hash: u32,
    /// The number of principal variations.
    pub multi_pv: u32,
    /// Search threads.
    pub threads: u32,
    /// Castling is written as king takes rook, and any start position is accepted.
    pub chess960: bool,
    /// Milliseconds per move lost outside the engine.
    pub move_overhead: u32,
    /// Nodes per millisecond of a clock made of nodes; 0: real time.
    pub nodes_a_millisecond: u32,
    /// The time manager.
    pub time_manager: TimeManager,
    /// The smooth manager's parameters.
    pub time_terms: SmoothParameters,
    /// What it learns the tree reuse from.
    pub reuse_sample: ReuseSample,
    /// The repetition policy.
    pub repetition_policy: RepetitionPolicy,
    /// The repetition detector.
    pub repetition_detector: Detector,
    /// Upcoming repetition detection.
    pub cycle_detection: bool,
    /// What the hash table stores of values that depend on a repetition.
    pub hash_scores: HashScores,
    /// How the fifty-move counter enters the hash table.
    pub hash_fifty: HashFifty,
    /// How the hash table stores bounds.
    pub hash_bounds: HashBounds,
    /// The scoring scheme, without the seeded bug.
    pub scores: Scoring,
    /// The arithmetic of the evaluation.
    pub eval_arithmetic: EvalArithmetic,
    /// The search driver.
    pub search_driver: SearchDriver,
    /// Whether recognisers are used.
    pub recognisers: bool,
    /// The playing strength.
    pub strength: Strength,
    /// The active search features.
    pub features: FeatureSwitches,
    /// The constants of the search.
    pub constants: SearchConstants,
    /// The seeded bug, in a build with mutants.
    pub bug: SeededBug,
}

impl Settings {
    /// Whether values stored under the other settings are valid under these.
    pub(crate) fn same_score_options(&self, other: &Self) -> bool {
        // Neither the arithmetic nor the driver changes what a stored value means. A change of `hash_bounds`
        // makes a new table.
        let meaning = |settings: &Self| {
            let Self { repetition_policy, repetition_detector, cycle_detection, .. } = *settings;
            let Self { hash_scores, hash_fifty, scores, recognisers, .. } = *settings;
            let rating = settings.rating();
            let repetitions =
                (repetition_policy, repetition_detector, cycle_detection, hash_scores, hash_fifty);
            (repetitions, scores, recognisers, rating)
        };
        meaning(self) == meaning(other)
    }

    /// Whether time management is equal under both settings.
    pub(crate) fn same_time_options(&self, other: &Self) -> bool {
        let planning = |settings: &Self| (settings.time_manager, settings.time_terms, settings.reuse_sample);
        planning(self) == planning(other)
    }

    /// The handicap, if the strength is limited.
    pub fn handicap(&self) -> Option<Handicap> {
        self.rating().map(Handicap::from_rating)
    }

    /// The MadChess rating, if the strength is limited.
    pub(crate) fn rating(&self) -> Option<u32> {
        self.strength.rating()
    }

    /// The scoring scheme with the seeded bug.
    pub(crate) const fn scoring(&self) -> Scoring {
        Scoring { bug: self.bug, ..self.scores }
    }

    /// The values without any `setoption`.
    pub const DEFAULT: Self = Self {
        hash: 16,
        multi_pv: 1,
        threads: 1,
        chess960: false,
        move_overhead: 10,
        nodes_a_millisecond: 0,
        time_manager: TimeManager::Classic,
        time_terms: SmoothParameters::DEFAULT,
        reuse_sample: ReuseSample::Inherited,
        repetition_policy: RepetitionPolicy::HistoryIgnored,
        repetition_detector: Detector::KeyStack,
        cycle_detection: false,
        hash_scores: HashScores::Real,
        hash_fifty: HashFifty::Late,
        hash_bounds: HashBounds::Single,
        scores: Scoring::DEFAULT,
        eval_arithmetic: EvalArithmetic::Fixed,
        search_driver: SearchDriver::Pvs,
        recognisers: false,
        strength: Strength::FULL,
        features: FeatureSwitches::FULL,
        constants: SearchConstants::USUAL,
        bug: SeededBug::NONE,
    };
}
