//! The options that affect the search.
//!
//! The search is compiled a second time with the default options as constants, so that the other choices cost
//! nothing.

use crate::mutants::Mutant;
use crate::options::Settings;
use crate::repetition::RepetitionPolicy;
use crate::scoring::{EvalArithmetic, Scoring};
use crate::search_driver::SearchDriver;
use crate::table::{HashFifty, HashScores};

/// The search's options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SearchMode {
    pub policy: RepetitionPolicy,
    pub sees_repetitions_coming: bool,
    pub hash_scores: HashScores,
    pub hash_fifty: HashFifty,
    /// Whether path dependence and score ranges are computed.
    pub tracks_path_dependence: bool,
    pub scoring: Scoring,
    pub arithmetic: EvalArithmetic,
    pub driver: SearchDriver,
    pub recognises: bool,
    /// The MadChess rating, if the strength is limited.
    pub rating: Option<u32>,
}

impl SearchMode {
    /// The search without any `setoption`.
    pub(crate) const DEFAULT_OPTIONS: Self = Self::at_full_strength(&Settings::DEFAULT);

    /// From the options.
    pub(crate) fn from_settings(settings: &Settings) -> Self {
        let ignored = settings.bug.is(Mutant::PolicyIgnored);
        let policy = if ignored { RepetitionPolicy::HistoryDraw } else { settings.repetition_policy };
        Self { policy, rating: settings.rating(), ..Self::at_full_strength(settings) }
    }

    /// From settings, without a seeded bug and at full strength.
    const fn at_full_strength(settings: &Settings) -> Self {
        Self {
            policy: settings.repetition_policy,
            sees_repetitions_coming: settings.cycle_detection,
            hash_scores: settings.hash_scores,
            hash_fifty: settings.hash_fifty,
            // The census counts nodes that depend on a repetition, whatever the table stores.
            tracks_path_dependence: !matches!(settings.hash_scores, HashScores::Real)
                || settings.features.counts(),
            scoring: settings.scoring(),
            arithmetic: settings.eval_arithmetic,
            driver: settings.search_driver,
            recognises: settings.recognisers,
            rating: None,
        }
    }
}
