//! Regression runs: their plan, the baseline, and the comparison with it.

mod base_match;
mod base_setting;
mod choices;
mod file;
pub mod plan;
#[cfg(test)]
mod plan_tests;
mod plan_value;
pub mod time_budget;

mod accepted;
pub mod asked_again;
pub mod baseline;
mod baseline_files;
mod baseline_trend;
pub mod comparison;
pub mod coverage;
pub mod figures;
mod left_out;
mod loss;
pub mod passed_by_chance;
pub mod plan_time;
pub mod review;
mod suite_comparison;

pub use base_match::{BaseOptions, BaseReference};
pub use base_setting::{BaseKey, BaseSetting, BaseSettingError};
pub use baseline::{Baseline, BaselineError};
pub use choices::{PlanChoices, PlanLength};
pub use comparison::{
    BudgetComparison, Comparison, FigureComparison, Regression, a_take_passes, compare, regressions,
};
pub use coverage::{ComparedCases, NotCompared, SuiteCoverage};
pub use loss::{AskedAgain, Loss};
pub use plan::{BenchSource, PlanFiles, RegressionPlan};
pub use suite_comparison::{CaseChange, SUITE_LEVEL, SuiteComparison};
