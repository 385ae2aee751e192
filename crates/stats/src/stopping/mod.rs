//! Stopping rules: when does a test of two engines end, and with which answer?
//!
//! A rule is a pure function of the results in schedule order. So a test can be resumed, gives the same
//! answer with any number of workers, and can be computed on any machine. The scheduler, the journal, the
//! reports and the progress display know the traits [`StoppingRule`] and [`RunningTest`] only; what a rule is
//! called, how it is stored, and what its statistic is comes from its row.
//!
//! A new rule needs a file here, its `mod` line and its row of [`RULES`], and a command that builds it.

pub mod parameters;
pub mod rule;

mod deadline;
mod sprt;

pub use parameters::{GivenParameters, Parameter, Parameters};
pub use rule::{AnyRule, AnyTest, RuleKind, RunningTest, Statistic, StoppingRule};

/// All rules.
pub const RULES: &[RuleKind] = &[sprt::KIND, deadline::KIND];

/// The rule with this name and these parameters, as [`StoppingRule::parameters`] gave them.
///
/// # Errors
/// If there is no such rule, or if a parameter is missing, unknown or invalid.
pub fn parse_rule(name: &str, parameters: GivenParameters) -> Result<AnyRule, String> {
    let kind = RULES.iter().find(|kind| kind.name == name);
    let kind = kind.ok_or_else(|| format!("there is no stopping rule `{name}`"))?;
    (kind.read)(parameters)
}
