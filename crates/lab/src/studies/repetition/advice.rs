//! What the study recommends, from its figures alone.

use super::{Study, Variant};
use threefold_echo::repetition::{Detector, RepetitionPolicy};
use threefold_echo::table::HashScores;
use threefold_report::model::report::Duel;

/// A recommended variant with the reason for each choice.
pub(super) struct Advice {
    pub variant: Variant,
    pub reasons: Vec<String>,
}

/// The end of the interval closest to 0, in Elo; 0 if the interval contains 0.
fn proven_elo(duel: &Duel) -> f64 {
    duel.fixed.map_or(0.0, |fixed| fixed.logistic.low.0.max(0.0) + fixed.logistic.high.0.min(0.0))
}

fn estimated_elo(duel: &Duel) -> f64 {
    duel.fixed.map_or(0.0, |fixed| fixed.logistic.value.0)
}

impl Study<'_> {
    /// The policy that passes the most traps of those that no match shows to be weaker; the fastest exact
    /// detector; hash scores and upcoming repetitions by their Elo.
    pub(super) fn advice(&self) -> Option<Advice> {
        let reference = Variant::REFERENCE;
        let passes = |variant| self.rate(variant, None).map_or(0.0, |rate| rate.share().unwrap_or(0.0));
        let policies = RepetitionPolicy::ALL.iter().map(|&policy| Variant { policy, ..reference });
        let sound = policies.filter(|variant| self.duel(*variant).is_none_or(|duel| proven_elo(duel) >= 0.0));
        let policy = sound.max_by(|one, other| passes(*one).total_cmp(&passes(*other)))?;
        let mut reasons = vec![format!(
            "{} passes the most traps ({:.1} %) of the policies that no match shows to be weaker.",
            policy.policy,
            100.0 * passes(policy)
        )];
        let detector = self.detector(&mut reasons);
        let scores = self.best_scores(&mut reasons);
        let upcoming = self.upcoming(&mut reasons);
        let variant = Variant { policy: policy.policy, detector, scores, upcoming, ..reference };
        Some(Advice { variant, reasons })
    }

    /// The reference variant's detector, unless another one that counts every repetition was faster in each
    /// round.
    fn detector(&self, reasons: &mut Vec<String>) -> Detector {
        let speed =
            |detector| self.cost(Variant { detector, ..Variant::REFERENCE }).and_then(|cost| cost.speed);
        let mut describe = |verdict: &str| {
            let kept = [Detector::KeyStack, Detector::HashSet]
                .map(|detector| (detector, speed(detector).map_or(0.0, |[_, median, _]| 100.0 * median)))
                .map(|(detector, kept)| format!("{detector} reaches {kept:.1} %"));
            reasons.push(format!(
                "Two detectors count every repetition. Relative to the speed without detection, {}: {verdict}.",
                kept.join(", ")
            ));
        };
        match (speed(Detector::KeyStack), speed(Detector::HashSet)) {
            (Some([.., highest]), Some([lowest, ..])) if lowest > highest => {
                describe("the second is faster in every round");
                Detector::HashSet
            }
            _ => {
                describe("the second is not faster in every round");
                Detector::KeyStack
            }
        }
    }

    /// The hash scores that are significantly better than naive scores, or else naive scores.
    fn best_scores(&self, reasons: &mut Vec<String>) -> HashScores {
        let reference = Variant::REFERENCE;
        let others = HashScores::ALL.iter().filter(|&&scores| scores != reference.scores);
        let tried = others.filter_map(|&scores| Some((scores, self.duel(Variant { scores, ..reference })?)));
        let better = tried.filter(|(_, duel)| proven_elo(duel) > 0.0);
        let best = better.max_by(|(_, one), (_, other)| estimated_elo(one).total_cmp(&estimated_elo(other)));
        let Some((scores, duel)) = best else {
            reasons.push(format!("Nothing is significantly better than {} in games.", reference.scores));
            return reference.scores;
        };
        reasons.push(format!(
            "{scores} is better than {}: {:+.1} Elo.",
            reference.scores,
            estimated_elo(duel)
        ));
        scores
    }

    fn upcoming(&self, reasons: &mut Vec<String>) -> bool {
        let duel = self.duel(Variant { upcoming: true, ..Variant::REFERENCE });
        let on = duel.is_some_and(|duel| proven_elo(duel) > 0.0);
        let verb = if on { "is" } else { "is not significantly" };
        let elo = duel.map_or_else(String::new, |duel| format!(": {:+.1} Elo", estimated_elo(duel)));
        reasons.push(format!("Detection of upcoming repetitions {verb} better{elo}."));
        on
    }
}
