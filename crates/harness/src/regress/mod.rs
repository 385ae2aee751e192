//! The main job: what `threefold regress` does, what its results are compared with, and whether anything got
//! worse.

mod file;
pub mod plan;

pub mod baseline;
pub mod figures;
pub mod judgement;

pub use baseline::{Baseline, BaselineError};
pub use judgement::{
    BudgetComparison, CaseChange, Comparison, FigureComparison, Regression, SuiteComparison, compare,
    regressions,
};
pub use plan::{PlanFiles, PlanLength, RegressionPlan};
