//! What the rest of the program knows of a stopping rule.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use super::parameters::{GivenParameters, Parameters};
use crate::elo::Logistic;
use crate::pentanomial::Trial;
use crate::planning::{ExpectedLength, Openings};
use crate::scoresheet::Scoresheet;
use crate::sequential::{Bounds, EloHypotheses, Judgement, LlrBasis, StoppedEstimate, TrialUnit};

/// A row of the table: everything about a rule except its parameters.
#[derive(Debug, Clone, Copy)]
pub struct RuleKind {
    /// The name in journals.
    pub name: &'static str,
    /// The name in texts.
    pub title: &'static str,
    /// What it compares with its bounds.
    pub statistic: Statistic,
    /// Reads back what [`StoppingRule::parameters`] gave.
    pub read: fn(GivenParameters) -> Result<AnyRule, String>,
}

/// The number that a rule computes after each trial and compares with its bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Statistic {
    /// The abbreviation in tables and lines: `LLR`.
    pub name: &'static str,
    /// The name in words.
    pub words: &'static str,
    /// The key in JSON.
    pub key: &'static str,
}

/// A stopping rule with its parameters.
///
/// The rule says what is asked and how the answer is read. A [`RunningTest`] holds the results.
pub trait StoppingRule: fmt::Debug + Send + Sync {
    /// The kind of the rule, for names in files and reports.
    fn kind(&self) -> &'static RuleKind;

    /// All its parameters, so that [`RuleKind::read`] restores the same rule.
    fn parameters(&self) -> Parameters;

    /// What it asks.
    fn hypotheses(&self) -> &EloHypotheses;

    /// What it counts one by one.
    fn counts(&self) -> TrialUnit;

    /// When and how it looks at its results, to be added to the hypotheses, after a comma: `, checked every 8
    /// pairs`. Empty if there is nothing to say.
    fn conditions(&self) -> String;

    /// The test before its first trial.
    fn start(&self) -> AnyTest;

    /// The expected number of further games if this is the true difference. `None` if the test is decided, or
    /// if it is unknown.
    fn games_left(&self, results: &Scoresheet, truth: Logistic) -> Option<f64>;

    /// The expected number of games before the first one, with such openings. `None` if it is unknown.
    fn expected_length(&self, openings: Openings) -> Option<ExpectedLength>;

    /// Does it end by a number of games or a time that are fixed beforehand? Such a test cannot be lengthened.
    fn has_deadline(&self) -> bool {
        false
    }

    /// Whether the statistic is based on data or on the prior.
    fn basis(&self, results: &Scoresheet) -> LlrBasis {
        match self.counts() {
            TrialUnit::Pairs => LlrBasis::from_results(results.pairs()),
            TrialUnit::Games => LlrBasis::from_results(results.games()),
        }
    }
}

/// A test with the results so far, in schedule order.
pub trait RunningTest: fmt::Debug + Send + Sync {
    /// Sets the share of the games or of the time of the test, from 0 to 1, that is used with the next trial. A
    /// rule without a deadline does not need it.
    fn set_share(&mut self, _share: f64) {}

    /// Records the next trial: the first player's results. A rule that decides only now and then answers
    /// [`Judgement::Continue`] in between.
    fn record(&mut self, trial: Trial) -> Judgement;

    /// The results so far.
    fn results(&self) -> &Scoresheet;

    /// The statistic now; 0 before the first trial.
    fn value(&self) -> f64;

    /// The bounds of the statistic now.
    fn bounds(&self) -> Bounds;

    /// What the statistic shows now, also where the rule does not decide yet.
    fn judgement(&self) -> Judgement {
        self.bounds().judge(self.value())
    }

    /// The estimate of the difference, with the error probability `alpha` of its interval. It allows for the
    /// fact that results decided when the test stopped. `None` if it cannot be computed.
    fn estimate(&self, alpha: f64) -> Option<StoppedEstimate>;

    /// What is to be said of the moment at which it stopped, in whole sentences.
    fn remark(&self) -> Option<String> {
        None
    }

    /// A copy, for a test that goes on with other results.
    fn copy(&self) -> AnyTest;
}

/// Any stopping rule. Two are equal if they are stored equally.
#[derive(Debug, Clone)]
pub struct AnyRule(Arc<dyn StoppingRule>);

/// Any running test. Two are equal if they have the same results and show the same.
#[derive(Debug)]
pub struct AnyTest(Box<dyn RunningTest>);

impl<R: StoppingRule + 'static> From<R> for AnyRule {
    fn from(rule: R) -> Self {
        Self(Arc::new(rule))
    }
}

impl Deref for AnyRule {
    type Target = dyn StoppingRule;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl PartialEq for AnyRule {
    fn eq(&self, other: &Self) -> bool {
        self.kind().name == other.kind().name && self.parameters() == other.parameters()
    }
}

impl<T: RunningTest + 'static> From<T> for AnyTest {
    fn from(test: T) -> Self {
        Self(Box::new(test))
    }
}

impl Deref for AnyTest {
    type Target = dyn RunningTest;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl DerefMut for AnyTest {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.0
    }
}

impl Clone for AnyTest {
    fn clone(&self) -> Self {
        self.copy()
    }
}

impl PartialEq for AnyTest {
    fn eq(&self, other: &Self) -> bool {
        let shown = |test: &Self| (*test.results(), test.value().to_bits(), test.bounds());
        shown(self) == shown(other)
    }
}
