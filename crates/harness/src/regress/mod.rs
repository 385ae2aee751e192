//! Regression runs: their plan, the baseline, and the comparison with it.

mod file;
pub mod plan;

pub mod baseline;
pub mod comparison;
pub mod figures;

pub use baseline::{Baseline, BaselineError};
pub use comparison::{
    BudgetComparison, CaseChange, Comparison, FigureComparison, Regression, SuiteComparison, compare,
    regressions,
};
pub use plan::{PlanFiles, PlanLength, RegressionPlan};
