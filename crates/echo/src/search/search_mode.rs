//! What a search keeps to of the choices that Echo's options offer.
//!
//! A search as Echo ships is compiled for just that: there every choice is a constant, so that the others cost it
//! nothing.

use crate::mutants::Mutant;
use crate::options::Settings;
use crate::repetition::RepetitionPolicy;
use crate::scoring::{EvalArithmetic, Scoring};
use crate::search_driver::SearchDriver;
use crate::table::HashScores;

/// What a search keeps to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SearchMode {
    pub policy: RepetitionPolicy,
    pub sees_repetitions_coming: bool,
    pub hash_scores: HashScores,
    /// Does anybody ask what values hang on, and what they show of their positions?
    pub tracks_path_dependence: bool,
    pub scoring: Scoring,
    pub arithmetic: EvalArithmetic,
    pub driver: SearchDriver,
    pub recognises: bool,
    /// The rating that it is held at, below its full strength.
    pub rating: Option<u32>,
}

impl SearchMode {
    /// As it is unless options are set.
    pub(crate) const SHIPPED: Self = Self::of_sound(&Settings::DEFAULT);

    /// As the options are set.
    pub(crate) fn of(settings: &Settings) -> Self {
        let ignored = settings.seed.is(Mutant::PolicyIgnored);
        let policy = if ignored { RepetitionPolicy::HistoryDraw } else { settings.repetition_policy };
        Self { policy, rating: settings.rating(), ..Self::of_sound(settings) }
    }

    /// Of settings without a bug, at full strength.
    const fn of_sound(settings: &Settings) -> Self {
        Self {
            policy: settings.repetition_policy,
            sees_repetitions_coming: settings.cycle_detection,
            hash_scores: settings.hash_scores,
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
