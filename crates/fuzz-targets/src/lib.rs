//! Properties of all parsers of foreign bytes, one function for each kind of input.
//!
//! Each function parses any bytes like the program does, and panics if a property is violated: parsed values
//! print and parse back to the same value, accepted input satisfies its invariants, and an error names an
//! existing line. There are two callers: cargo-fuzz on nightly (`fuzz/fuzz_targets`), and this crate's test
//! on stable, which runs each function over its corpus (`fuzz/corpus/NAME`) and for a limited time over
//! random input.

use std::fmt::{Debug, Display};
use std::str::FromStr;

pub mod cases;
pub mod csv;
pub mod engine_spec;
pub mod epd;
pub mod fleet_engine_file;
pub mod fleet_message;
pub mod fleet_package;
pub mod journal;
pub mod limits;
pub mod pgn;
pub mod polyglot;
pub mod proof;
pub mod table;
pub mod toml;
pub mod tune_parameters;
pub mod uci_line;

/// Number of accepted values of an input, which were checked against their properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Accepted(pub usize);

/// A kind of input.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Name of the file in `fuzz/fuzz_targets` and of the folder in `fuzz/corpus`.
    pub name: &'static str,
    /// Parses bytes, and panics if a property is violated.
    pub check: fn(&[u8]) -> Accepted,
    /// Words for random inputs of this kind.
    pub vocabulary: &'static [&'static str],
}

/// All kinds, by name.
pub const TARGETS: &[Target] = &[
    csv::TARGET,
    engine_spec::TARGET,
    epd::TARGET,
    fleet_engine_file::TARGET,
    fleet_message::TARGET,
    fleet_package::TARGET,
    journal::TARGET,
    limits::TARGET,
    pgn::TARGET,
    polyglot::TARGET,
    proof::TARGET,
    table::TARGET,
    toml::TARGET,
    tune_parameters::TARGET,
    uci_line::TARGET,
];

/// Bytes as text. Readers of text refuse other bytes before anything is parsed.
fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

/// 1 if the text is a `T`; it must print and parse back to the same value.
fn reads_back<T: FromStr<Err: Debug> + Display + PartialEq + Debug>(text: &str) -> usize {
    text.parse::<T>().map_or(0, |value| {
        let printed = value.to_string();
        let again = printed.parse::<T>().unwrap_or_else(|error| panic!("`{printed}`: {error:?}"));
        assert_eq!(again, value, "`{printed}`");
        1
    })
}
