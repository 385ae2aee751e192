//! The main job: what `threefold regress` does, what its results are compared with, and whether anything got
//! worse.

mod file;
pub mod plan;

pub mod baseline;
pub mod judgement;

pub use baseline::{Baseline, BaselineError};
pub use judgement::{
    BudgetComparison, Change, Comparison, FigureComparison, Regression, SuiteComparison, compare, regressions,
};
pub use plan::{Length, Materials, Plan};
