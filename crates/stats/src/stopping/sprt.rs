//! The SPRT as a stopping rule.

use super::parameters::{GivenParameters, Parameter, Parameters};
use super::rule::{AnyRule, AnyTest, RuleKind, RunningTest, Statistic, StoppingRule};
use crate::elo::Logistic;
use crate::pentanomial::Trial;
use crate::planning::{ExpectedLength, Forecast, Openings, remainder};
use crate::scoresheet::Scoresheet;
use crate::sequential::{
    Bounds, EloHypotheses, Judgement, Overshoot, Sprt, SprtConfig, SprtState, StoppedEstimate, TrialUnit,
    stopped,
};

pub(super) const KIND: RuleKind = RuleKind {
    name: "sprt",
    title: "SPRT",
    statistic: Statistic { name: "LLR", words: "log-likelihood ratio", key: "llr" },
    read: parse_sprt,
};

fn parse_sprt(mut given: GivenParameters) -> Result<AnyRule, String> {
    let sprt = Sprt::from(given.hypotheses()?);
    let config =
        SprtConfig::new(sprt, given.word("counts")?, given.count("batch_pairs")?, given.word("overshoot")?);
    given.finish()?;
    config.map(Into::into).map_err(|error| error.to_string())
}

impl StoppingRule for SprtConfig {
    fn kind(&self) -> &'static RuleKind {
        &KIND
    }

    fn parameters(&self) -> Parameters {
        let own = [
            ("counts", Parameter::Word(self.counts().name().to_owned())),
            ("batch_pairs", Parameter::Count(self.batch().get().into())),
            ("overshoot", Parameter::Word(self.overshoot().name().to_owned())),
        ];
        self.hypotheses().parameters().into_iter().chain(own).collect()
    }

    fn hypotheses(&self) -> &EloHypotheses {
        self.sprt().hypotheses()
    }

    fn counts(&self) -> TrialUnit {
        self.counts()
    }

    fn conditions(&self) -> String {
        let batch = match self.batch().get() {
            1 => String::new(),
            pairs => format!(", checked every {pairs} pairs"),
        };
        let overshoot = match self.overshoot() {
            Overshoot::Ignore => "",
            Overshoot::Correct => ", bounds corrected for overshoot",
        };
        format!("{batch}{overshoot}")
    }

    fn start(&self) -> AnyTest {
        SprtState::new(*self).into()
    }

    fn games_left(&self, results: &Scoresheet, truth: Logistic) -> Option<f64> {
        let rest = match self.counts() {
            TrialUnit::Pairs => remainder(self.sprt(), results.pairs(), truth),
            TrialUnit::Games => remainder(self.sprt(), results.games(), truth),
        };
        Some(rest?.games)
    }

    fn expected_length(&self, openings: Openings) -> Option<ExpectedLength> {
        // The forecast is one of pairs.
        let counts_pairs = self.counts() == TrialUnit::Pairs;
        counts_pairs
            .then(|| Forecast::new(*self.sprt(), openings).ok())
            .flatten()
            .map(|it| it.expected_length())
    }
}

impl RunningTest for SprtState {
    fn record(&mut self, trial: Trial) -> Judgement {
        self.record_trial(trial).judgement
    }

    fn results(&self) -> &Scoresheet {
        self.sheet()
    }

    fn value(&self) -> f64 {
        self.llr()
    }

    fn bounds(&self) -> Bounds {
        self.bounds()
    }

    fn estimate(&self, alpha: f64) -> Option<StoppedEstimate> {
        let config = self.config();
        match config.counts() {
            TrialUnit::Pairs => stopped::estimate(config.sprt(), self.sheet().pairs(), alpha),
            TrialUnit::Games => stopped::estimate(config.sprt(), self.sheet().games(), alpha),
        }
    }

    fn copy(&self) -> AnyTest {
        self.clone().into()
    }
}

impl From<Sprt> for AnyRule {
    /// The SPRT that may end after every pair, at Wald's bounds.
    fn from(sprt: Sprt) -> Self {
        SprtConfig::from(sprt).into()
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;
    use crate::sequential::{EloModel, Risks};
    use crate::stopping;

    fn rule() -> AnyRule {
        let sprt =
            Sprt::new(EloModel::Logistic, -1.75, 0.1, Risks { alpha: 0.05, beta: 0.1 }).expect("sound");
        let batch = NonZeroU32::new(8).expect("not zero");
        SprtConfig::new(sprt, TrialUnit::Games, batch, Overshoot::Correct).expect("sound").into()
    }

    fn given(rule: &dyn StoppingRule) -> Vec<(String, Parameter)> {
        rule.parameters().into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    #[test]
    fn rule_is_read_back_from_its_parameters() {
        let rule = rule();
        let again =
            stopping::parse_rule(rule.kind().name, given(&*rule).into_iter().collect()).expect("the same");
        assert_eq!(again, rule);
        let usual = AnyRule::from(Sprt::from(*rule.hypotheses()));
        assert_ne!(usual, rule, "another unit, batch and treatment of overshoot");
    }

    #[test]
    fn invalid_parameters_are_named() {
        let table = [
            ("elo1", Some(Parameter::Word("x".to_owned())), "`elo1` is `x`, which is no number"),
            ("batch_pairs", Some(Parameter::Count(0)), "`batch_pairs` is `0`, which is no such number"),
            ("batch_pairs", Some(Parameter::Number(0.5)), "`batch_pairs` is `0.5`, which is no such number"),
            ("counts", Some(Parameter::Count(2)), "`counts` is a number, not a word"),
            ("more", Some(Parameter::Count(2)), "the test has no parameter `more`"),
            ("alpha", None, "`alpha` is missing"),
        ];
        for (name, value, error) in table {
            let mut given = given(&*rule());
            given.retain(|(known, _)| known != name);
            given.extend(value.map(|value| (name.to_owned(), value)));
            assert_eq!(
                stopping::parse_rule("sprt", given.into_iter().collect()).err().as_deref(),
                Some(error)
            );
        }
        let error = stopping::parse_rule("none", GivenParameters::default()).expect_err("no such rule");
        assert_eq!(error, "there is no stopping rule `none`");
    }
}
