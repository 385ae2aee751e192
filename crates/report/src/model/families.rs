//! Families of openings: those with the same first six moves of both sides.
//!
//! Two openings that part at the tenth move lead to similar games, so their pairs may say less than pairs of unrelated
//! openings. The error with families shows it.

use serde_json::{Value, json};

use crate::format;
use threefold_stats::clusters::ClusteredMean;
use threefold_stats::elo::Z95;

/// A ratio of the errors that is mentioned.
const NOTABLE: f64 = 1.05;
/// A normal score that chance exceeds once in twenty matches.
const BY_CHANCE: f64 = 1.644_853_626_951_472_2;

/// The pairs of a match, or its single games, by the families of their openings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OpeningFamilies {
    /// Are they single games?
    pub are_games: bool,
    /// The mean score with both errors.
    pub scores: ClusteredMean,
}

impl OpeningFamilies {
    /// Is the error with families larger, by more than chance?
    pub fn are_correlated(&self) -> bool {
        self.scores.ratio() > NOTABLE && self.scores.z > BY_CHANCE
    }

    /// Its object in `report.json`.
    pub(crate) fn json(&self) -> Value {
        let ClusteredMean { values, clusters, largest, z, .. } = self.scores;
        json!({
            "families": clusters, "trials": values, "largest": largest,
            "error_ratio": self.scores.ratio(), "z": z, "correlated": self.are_correlated(),
        })
    }

    /// The warning; `None` if there is nothing to say.
    pub(crate) fn note(&self) -> Option<String> {
        let ClusteredMean { values, clusters, clustered, .. } = self.scores;
        let trials = format::count(values, if self.are_games { "game" } else { "pair" });
        self.are_correlated().then(|| {
            format!(
                "Openings of one family (the same first six moves) are correlated: {trials} are of {clusters} families. The \
                 error with families is {:.2} times the error shown: ± {:.1} % of the score. A book with more families \
                 avoids this.",
                self.scores.ratio(),
                100.0 * Z95 * clustered,
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn families(size: usize) -> OpeningFamilies {
        let values = (0..60).flat_map(|family| vec![(family, f64::from(family % 3) / 2.0); size]);
        OpeningFamilies { are_games: false, scores: ClusteredMean::of(values).expect("enough") }
    }

    #[test]
    fn only_correlated_families_are_mentioned() {
        assert_eq!(families(1).note(), None);
        let note = families(2).note().expect("equal pairs");
        assert!(
            note.contains("120 pairs are of 60 families. The error with families is 1.42 times"),
            "{note}"
        );
        let value = families(2).json();
        assert_eq!(
            (&value["families"], &value["largest"], &value["correlated"]),
            (&60.into(), &2.into(), &true.into())
        );
    }
}
