//! A survey of engines: each is set up as its author would do it, and its plan runs twice. What it gets wrong in both
//! runs is listed with the way to repeat it.

mod engine;
mod page;
mod result;

pub use engine::{SurveyEngine, SurveyList, SurveyRun};
pub use page::{engine_page, table};
pub use result::{Fault, SuiteCounts, SurveyResult};
