//! A tune: what its parameters came to, and what the games show of each.

use serde_json::{Value, json};

use crate::format;
use crate::model::json_intervals::logistic;
use threefold_run::TuneState;
use threefold_stats::spsa::{Parameter, ParameterEffect, Tune};

/// A tune with the iterations that count.
#[derive(Debug, Clone, PartialEq)]
pub struct Tuning {
    /// The values of all iterations.
    pub tune: Tune,
    /// What the games show of each parameter, in their order.
    pub effects: Vec<ParameterEffect>,
    /// The pairs that moved no value, because a game ended by an engine fault.
    pub void_pairs: u64,
    /// Is the result tested in the same run?
    pub has_test: bool,
}

/// A parameter in the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TunedParameter<'t> {
    /// The parameter.
    pub(crate) parameter: &'t Parameter,
    /// The present value of the tune, which is not rounded.
    pub(crate) value: f64,
    /// What the games show.
    pub(crate) effect: &'t ParameterEffect,
}

impl Tuning {
    /// From the results that count.
    pub(crate) fn of_state(state: &TuneState) -> Self {
        let tune = state.tune().clone();
        let effects = ParameterEffect::of_tune(&tune);
        Self { tune, effects, void_pairs: state.void_pairs(), has_test: state.has_test() }
    }

    /// The parameters, in their order.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = TunedParameter<'_>> {
        let parameters = self.tune.settings().parameters.all().iter();
        let both = parameters.zip(self.tune.values()).zip(&self.effects);
        both.map(|((parameter, &value), effect)| TunedParameter { parameter, value, effect })
    }

    /// `120 of 2 000 iterations`.
    pub(crate) fn progress(&self) -> String {
        let done = self.tune.results().len() as u64;
        let planned = self.tune.settings().schedule.iterations();
        if self.tune.is_over() {
            format::count(done as usize, "iteration")
        } else {
            format!("{} of {}", format::grouped(done), format::count(planned as usize, "iteration"))
        }
    }

    /// Is it over, without a test of its result (`--no-test`)?
    pub(crate) fn is_untested(&self) -> bool {
        self.tune.is_over() && !self.has_test
    }

    /// The tuned values in a line: `LmrBase 78 (+3), LmrScale 2.31 (+0.06)`.
    pub(crate) fn line(&self) -> String {
        let values = self.parameters().map(|it| {
            let change = it.tuned() - it.parameter.value;
            format!("{} {} ({})", it.parameter.name, number(it.tuned()), signed(change))
        });
        format!("{}: {}", self.progress(), values.collect::<Vec<_>>().join(", "))
    }

    /// The rows of the table.
    pub(crate) fn rows(&self) -> Vec<Vec<String>> {
        self.parameters().map(|parameter| parameter.row().to_vec()).collect()
    }

    /// Its object in `report.json`.
    pub(crate) fn json(&self) -> Value {
        let schedule = &self.tune.settings().schedule;
        let [alpha, gamma, a_ratio] = schedule.exponents();
        json!({
            "iterations": self.tune.results().len(), "planned_iterations": schedule.iterations(),
            "pairs_per": schedule.pairs_per(), "alpha": alpha, "gamma": gamma, "a_ratio": a_ratio,
            "seed": self.tune.settings().seed, "ahead": self.tune.settings().ahead,
            "void_pairs": self.void_pairs,
            "parameters": self.parameters().map(|parameter| parameter.json()).collect::<Vec<_>>(),
        })
    }
}

impl TunedParameter<'_> {
    /// The columns of the table.
    pub(crate) const COLUMNS: [&'static str; 8] =
        ["parameter", "start", "tuned", "change", "in units of noise", "slope", "curvature", "effect"];

    /// What the columns are.
    pub(crate) const NOTE: &'static str = "Slope: Elo for each c_end at the values played. Curvature: Elo lost at a distance \
        of c_end from the best value, if the values return to one. Both with 95 % intervals. A change within 2 units of noise \
        may be chance.";

    /// The value for the engine.
    pub(crate) fn tuned(&self) -> f64 {
        self.parameter.rounded(self.value)
    }

    /// The row of the table.
    pub(crate) fn row(&self) -> [String; 8] {
        let change = self.tuned() - self.parameter.value;
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
        [
            self.parameter.name.clone(),
            number(self.parameter.value),
            number(self.tuned()),
            signed(change),
            or_none(self.effect.drift_in_noise().map(format::tenths)),
            or_none(self.effect.slope.map(format::plus_minus)),
            or_none(self.effect.curvature.map(format::plus_minus)),
            self.effect_text().to_owned(),
        ]
    }

    /// Do the games show that it matters?
    const fn effect_text(&self) -> &'static str {
        match self.effect.is_measurable {
            Some(true) => "measurable",
            Some(false) => "no measurable effect",
            None => "too few games",
        }
    }

    fn json(&self) -> Value {
        let Parameter { name, kind, value, min, max, c_end, r_end } = self.parameter;
        json!({
            "name": name, "type": kind.name(), "start": value, "value": self.value, "tuned": self.tuned(),
            "min": min, "max": max, "c_end": c_end, "r_end": r_end,
            "drift": self.effect.drift, "noise": self.effect.noise,
            "slope": self.effect.slope.map(logistic), "curvature": self.effect.curvature.map(logistic), "is_measurable": self.effect.is_measurable,
        })
    }
}

/// A whole number, or another one with six digits.
pub(crate) fn number(value: f64) -> String {
    if value.fract() == 0.0 {
        return value.to_string();
    }
    // Rust has no `%g`: the scientific form rounds to six digits, and parsing it drops the zeros at the end.
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    rounded.to_string()
}

/// A change with its sign.
fn signed(change: f64) -> String {
    if change > 0.0 { format!("+{}", number(change)) } else { number(change) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_whole_ones_exact() {
        assert_eq!(
            [2.25, 0.123_456_78, 2_147_483_647.0, -3.0].map(number),
            ["2.25", "0.123457", "2147483647", "-3"]
        );
        assert_eq!([signed(2.0), signed(-0.5), signed(0.0)], ["+2", "-0.5", "0"]);
    }
}
