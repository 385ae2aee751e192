//! Echo, the engine: it plays on cozy-chess, and every published answer to repetitions is an option of it.

pub mod bench;
pub mod eval;
pub mod lab;
pub mod mutants;
pub mod options;
pub mod position;
pub mod processor;
pub mod repetition;
pub mod timeman;
pub mod value;

mod budget;
mod engine;
mod request;
mod search;
mod table;
mod wire;

pub use engine::Echo;
pub use options::{OptionError, OptionKind, OptionRow};
pub use request::{Bound, Found, Refusal, Report, Request};
