//! The journal's form of a tune: version 1.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::fields::parse_field;
use super::games::TestV1;
use crate::tune_rule::{ResultTest, TuneRule};
use threefold_stats::spsa::{Parameter, Parameters, Schedule};

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TuneV1 {
    parameters: Vec<ParameterV1>,
    iterations: u32,
    pairs_per: u32,
    alpha: f64,
    gamma: f64,
    a_ratio: f64,
    /// Iterations.
    ahead: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    test: Option<ResultTestV1>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ParameterV1 {
    name: String,
    /// `int` or `float`.
    kind: String,
    value: f64,
    min: f64,
    max: f64,
    c_end: f64,
    r_end: f64,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ResultTestV1 {
    rule: TestV1,
    pairs: usize,
}

impl From<&Arc<TuneRule>> for TuneV1 {
    fn from(rule: &Arc<TuneRule>) -> Self {
        let TuneRule { parameters, schedule, ahead, test } = &**rule;
        let [alpha, gamma, a_ratio] = schedule.exponents();
        let test =
            test.as_ref().map(|ResultTest { rule, pairs }| ResultTestV1 { rule: rule.into(), pairs: *pairs });
        Self {
            parameters: parameters.all().iter().map(ParameterV1::from).collect(),
            iterations: schedule.iterations(),
            pairs_per: schedule.pairs_per(),
            alpha,
            gamma,
            a_ratio,
            ahead: *ahead,
            test,
        }
    }
}

impl From<&Parameter> for ParameterV1 {
    fn from(parameter: &Parameter) -> Self {
        let Parameter { name, kind, value, min, max, c_end, r_end } = parameter.clone();
        Self { name, kind: kind.to_string(), value, min, max, c_end, r_end }
    }
}

impl TuneV1 {
    pub(super) fn restore(self) -> Result<Arc<TuneRule>, String> {
        let Self { parameters, iterations, pairs_per, alpha, gamma, a_ratio, ahead, test } = self;
        let parameters = parameters.into_iter().map(ParameterV1::restore).collect::<Result<_, _>>()?;
        let parameters = Parameters::new(parameters).map_err(|(_, error)| error.to_string())?;
        let schedule = Schedule::new(iterations, pairs_per, [alpha, gamma, a_ratio])
            .map_err(|error| error.to_string())?;
        let test = test
            .map(|ResultTestV1 { rule, pairs }| Ok::<_, String>(ResultTest { rule: rule.restore()?, pairs }));
        if ahead == 0 {
            return Err("no iteration of the tune can be played".to_owned());
        }
        Ok(Arc::new(TuneRule { parameters, schedule, ahead, test: test.transpose()? }))
    }
}

impl ParameterV1 {
    fn restore(self) -> Result<Parameter, String> {
        let Self { name, kind, value, min, max, c_end, r_end } = self;
        Ok(Parameter { name, kind: parse_field(&kind)?, value, min, max, c_end, r_end })
    }
}
